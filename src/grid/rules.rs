//! What makes a grid right: every house holds each symbol once. Knows values, not texts.

use crate::grid::BLANK;
use crate::grid::House;
use crate::grid::HouseKind;
use crate::grid::Shape;
use crate::grid::Value;

/// Two cells of one house with the same value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// What kind of house they share.
    pub kind: HouseKind,
    /// The number of that house, from 1.
    pub number: usize,
    /// The value they share.
    pub value: Value,
    /// The earlier cell in reading order.
    pub first: usize,
    /// The later cell.
    pub second: usize,
}

/// The houses of one shape, laid out for checking many grids.
#[derive(Clone, Debug)]
pub struct Rules {
    shape: Shape,
    houses: Vec<House>,
    box_of: Vec<u8>,
}

impl Rules {
    /// The rules of a shape.
    pub fn new(shape: Shape) -> Self {
        // A shape has at most 25 boxes, so a box's number fits a byte.
        #[expect(clippy::cast_possible_truncation, reason = "at most 25 boxes")]
        let box_of = (0..shape.cells()).map(|cell| shape.box_of(cell) as u8).collect();
        Self { shape, houses: shape.houses(), box_of }
    }

    /// The houses: rows, then columns, then boxes.
    pub fn houses(&self) -> &[House] {
        &self.houses
    }

    /// Whether every house holds each of its symbols once. `cells` is row-major; a blank makes it false.
    pub fn are_kept_by(&self, cells: &[Value]) -> bool {
        match self.shape.order() {
            4 => self.kept::<4>(cells),
            9 => self.kept::<9>(cells),
            16 => self.kept::<16>(cells),
            _ => self.houses.iter().all(|house| self.is_full(house, cells)),
        }
    }

    /// Pairs of equal values in a house, in the order of [`Rules::houses`]; blanks clash with nothing. Of
    /// three equal values in a house, the first and second and the second and third are listed.
    pub fn clashes<'a>(&'a self, cells: &'a [Value]) -> impl Iterator<Item = Clash> + 'a {
        self.houses.iter().flat_map(move |house| {
            let mut latest = [None; 32];
            house.cells.iter().filter_map(move |&cell| {
                let value = cells[cell];
                let first = latest[usize::from(value) % 32].replace(cell)?;
                let clash = Clash { kind: house.kind, number: house.number, value, first, second: cell };
                (value != BLANK).then_some(clash)
            })
        })
    }

    /// [`Rules::are_kept_by`] for an order known to the compiler, which unrolls it: this is the inner loop
    /// of checking files of a million grids.
    fn kept<const ORDER: usize>(&self, cells: &[Value]) -> bool {
        let full = ((1u32 << ORDER) - 1) << 1;
        let mut columns = [0u32; ORDER];
        let mut boxes = [0u32; ORDER];
        let mut rows_full = true;
        for (row, boxes_of_row) in cells.chunks_exact(ORDER).zip(self.box_of.chunks_exact(ORDER)) {
            let mut seen = 0;
            for column in 0..ORDER {
                let bit = 1u32 << (row[column] & 31);
                seen |= bit;
                columns[column] |= bit;
                boxes[usize::from(boxes_of_row[column]).min(ORDER - 1)] |= bit;
            }
            rows_full &= seen == full;
        }
        rows_full && columns == [full; ORDER] && boxes == [full; ORDER]
    }

    fn is_full(&self, house: &House, cells: &[Value]) -> bool {
        let full = ((1u32 << self.shape.order()) - 1) << 1;
        house.cells.iter().fold(0, |seen, &cell| seen | 1 << (cells[cell] & 31)) == full
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A complete grid of any shape: each row is the row above it shifted, by one box inside a band.
    fn complete(shape: Shape, box_rows: usize, box_columns: usize) -> Vec<Value> {
        let order = shape.order();
        (0..shape.cells())
            .map(|cell| {
                let (row, column) = shape.place(cell);
                let shift = row % box_rows * box_columns + row / box_rows;
                u8::try_from((column + shift) % order + 1).unwrap()
            })
            .collect()
    }

    #[test]
    fn one_changed_cell_breaks_the_rules_at_every_order() {
        for (order, rows, columns) in [(4u64, 2u64, 2u64), (6, 2, 3), (9, 3, 3), (16, 4, 4), (25, 5, 5)] {
            let shape = Shape::new(order, rows, columns).unwrap();
            let rules = Rules::new(shape);
            let cells = complete(shape, rows as usize, columns as usize);
            assert!(rules.are_kept_by(&cells), "order {order}");
            assert_eq!(rules.clashes(&cells).count(), 0);
            for cell in 0..shape.cells() {
                for value in [BLANK, cells[cell] % shape.order() as u8 + 1] {
                    let mut broken = cells.clone();
                    broken[cell] = value;
                    assert!(!rules.are_kept_by(&broken), "order {order}, cell {cell}");
                    assert_eq!(rules.clashes(&broken).count(), if value == BLANK { 0 } else { 3 });
                }
            }
        }
    }

    #[test]
    fn a_clash_names_house_value_and_both_cells() {
        let rules = Rules::new(Shape::new(4, 2, 2).unwrap());
        let mut cells = vec![BLANK; 16];
        (cells[1], cells[13]) = (3, 3);
        let clashes: Vec<_> = rules.clashes(&cells).collect();
        assert_eq!(clashes, [Clash { kind: HouseKind::Column, number: 2, value: 3, first: 1, second: 13 }]);
    }
}
