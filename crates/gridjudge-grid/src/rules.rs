//! Checks grids against their rules: every house holds each symbol once, and all cages
//! and inequalities hold. Knows values, not texts.

use std::sync::OnceLock;

use crate::{ArithmeticBreach, BLANK, House, HouseKind, Shape, Value};

/// Two cells of one house with the same value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The kind of house they share.
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

/// The rules of one shape, laid out for checking many grids.
#[derive(Clone, Debug)]
pub struct GridRules {
    shape: Shape,
    /// Computed on first use: a correct grid of plain boxes is checked without them.
    houses: OnceLock<Vec<House>>,
    /// Rows and columns of a box; `None` if there are rules beyond rows, columns and
    /// boxes.
    plain_boxes: Option<(usize, usize)>,
}

impl GridRules {
    /// The rules of a shape.
    pub fn new(shape: &Shape) -> Self {
        let plain_boxes = shape
            .boxes()
            .filter(|&(rows, columns)| shape.has_only_boxes(rows, columns));
        Self {
            shape: shape.clone(),
            houses: OnceLock::new(),
            plain_boxes,
        }
    }

    /// The houses, in the order of [`Shape::houses`].
    pub fn houses(&self) -> &[House] {
        self.houses.get_or_init(|| self.shape.houses())
    }

    /// Whether every house holds each symbol once, and all arithmetic holds. `cells` is
    /// row-major; with a blank the result is false.
    pub fn accepts(&self, cells: &[Value]) -> bool {
        match self.plain_boxes {
            Some((2, 2)) => kept::<4, 2>(cells),
            Some((2, 3)) => kept::<6, 3>(cells),
            Some((3, 3)) => kept::<9, 3>(cells),
            Some((4, 4)) => kept::<16, 4>(cells),
            _ => {
                self.houses().iter().all(|house| self.is_full(house, cells))
                    && self
                        .shape
                        .arithmetic()
                        .is_none_or(|arithmetic| arithmetic.is_kept_by(cells))
            }
        }
    }

    /// Whether `cells` solve a puzzle: they contain each of the `clues` that is not
    /// blank, and keep the rules. Both are row-major.
    pub fn is_solution(&self, cells: &[Value], clues: &[Value]) -> bool {
        // No branch per cell, so that the compiler can compare many cells at once.
        let change = cells.iter().zip(clues).fold(0, |change, (cell, clue)| {
            change | if *clue == BLANK { 0 } else { cell ^ clue }
        });
        change == 0 && self.accepts(cells)
    }

    /// Pairs of equal values in a house, in the order of [`GridRules::houses`]; blanks
    /// clash with nothing. Of three equal values in a house, the first and second and
    /// the second and third are listed.
    pub fn clashes(&self, cells: &[Value]) -> impl Iterator<Item = Clash> {
        self.houses().iter().flat_map(move |house| {
            let mut latest = [None; 32];
            house.cells.iter().filter_map(move |&cell| {
                let value = cells[cell];
                let first = latest[usize::from(value) % 32].replace(cell)?;
                (value != BLANK).then_some(Clash {
                    kind: house.kind,
                    number: house.number,
                    value,
                    first,
                    second: cell,
                })
            })
        })
    }

    /// Like [`GridRules::clashes`], but two cells that share several houses are listed
    /// only once, for the first of these houses.
    pub fn clashing_pairs(&self, cells: &[Value]) -> Vec<Clash> {
        let mut pairs: Vec<Clash> = vec![];
        if !self.has_clash(cells) {
            return pairs;
        }
        for clash in self.clashes(cells) {
            if !pairs.iter().any(|known| {
                (known.first, known.second) == (clash.first, clash.second)
            }) {
                pairs.push(clash);
            }
        }
        pairs
    }

    /// Whether there is any clash. Files of a million grids mostly have none.
    fn has_clash(&self, cells: &[Value]) -> bool {
        match self.plain_boxes {
            Some((2, 2)) => repeats::<4, 2>(cells),
            Some((2, 3)) => repeats::<6, 3>(cells),
            Some((3, 3)) => repeats::<9, 3>(cells),
            Some((4, 4)) => repeats::<16, 4>(cells),
            _ => self.clashes(cells).next().is_some(),
        }
    }

    /// The cages and inequalities that a grid breaks. Equal cells of a cage are left
    /// out if they share a house, since they are a clash in that house.
    pub fn breaches(&self, cells: &[Value]) -> Vec<ArithmeticBreach> {
        let Some(arithmetic) = self.shape.arithmetic() else {
            return vec![];
        };
        arithmetic
            .breaches(cells)
            .filter(|breach| {
                let ArithmeticBreach::Repeated { first, second, .. } = breach else {
                    return true;
                };
                !self.houses().iter().any(|house| {
                    house.cells.contains(first) && house.cells.contains(second)
                })
            })
            .collect()
    }

    fn is_full(&self, house: &House, cells: &[Value]) -> bool {
        let full = ((1u32 << self.shape.values()) - 1) << 1;
        house
            .cells
            .iter()
            .fold(0, |seen, &cell| seen | 1 << (cells[cell] & 31))
            == full
    }
}

/// [`GridRules::accepts`] for a shape known at compile time, so that the compiler
/// unrolls the loops: this is the inner loop of checking files of a million grids.
/// `WIDTH` is the number of columns of a box.
///
/// The values of a box in one row are collected once and used for both the row and the
/// box.
fn kept<const ORDER: usize, const WIDTH: usize>(cells: &[Value]) -> bool {
    let full = ((1u32 << ORDER) - 1) << 1;
    let height = ORDER / WIDTH;
    let mut columns = [0u32; ORDER];
    let mut missing = 0;
    for band in cells.chunks_exact(ORDER * height) {
        let mut boxes = [0u32; ORDER];
        for row in band.chunks_exact(ORDER) {
            let bits: [u32; ORDER] =
                std::array::from_fn(|column| 1u32 << (row[column] & 31));
            let mut seen = 0;
            for column in 0..ORDER {
                columns[column] |= bits[column];
            }
            for place in 0..ORDER / WIDTH {
                let part = bits[place * WIDTH..][..WIDTH]
                    .iter()
                    .fold(0, |part, bit| part | bit);
                boxes[place] |= part;
                seen |= part;
            }
            missing |= seen ^ full;
        }
        missing |= boxes[..ORDER / WIDTH]
            .iter()
            .fold(0, |missing, seen| missing | seen ^ full);
    }
    columns
        .iter()
        .fold(missing, |missing, seen| missing | seen ^ full)
        == 0
}

/// Whether a value is twice in a house, for a shape known at compile time, as in
/// [`kept`].
fn repeats<const ORDER: usize, const WIDTH: usize>(cells: &[Value]) -> bool {
    let mut columns = [0u32; ORDER];
    let mut twice = 0;
    for band in cells.chunks_exact(ORDER * (ORDER / WIDTH)) {
        let mut boxes = [0u32; ORDER];
        for row in band.chunks_exact(ORDER) {
            let mut seen = 0;
            for column in 0..ORDER {
                let bit = 1u32 << (row[column] & 31);
                twice |= bit & (seen | columns[column] | boxes[column / WIDTH]);
                seen |= bit;
                columns[column] |= bit;
                boxes[column / WIDTH] |= bit;
            }
        }
    }
    // Blanks are bit 0.
    twice & !1 != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A complete grid of any shape: each row is the row above it shifted, by one box
    /// inside a band.
    fn complete(shape: &Shape, box_rows: usize, box_columns: usize) -> Vec<Value> {
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
        for (order, rows, columns) in [
            (4u64, 2u64, 2u64),
            (6, 2, 3),
            (9, 3, 3),
            (16, 4, 4),
            (25, 5, 5),
        ] {
            let shape = Shape::new(order, rows, columns).unwrap();
            let rules = GridRules::new(&shape);
            let cells = complete(&shape, rows as usize, columns as usize);
            assert!(rules.accepts(&cells), "order {order}");
            assert_eq!(rules.clashes(&cells).count(), 0);
            for cell in 0..shape.cells() {
                for value in [BLANK, cells[cell] % shape.order() as u8 + 1] {
                    let mut broken = cells.clone();
                    broken[cell] = value;
                    assert!(!rules.accepts(&broken), "order {order}, cell {cell}");
                    assert_eq!(
                        rules.clashes(&broken).count(),
                        if value == BLANK { 0 } else { 3 }
                    );
                }
            }
        }
    }

    #[test]
    fn two_cells_that_share_several_houses_are_listed_as_one_pair() {
        let rules = GridRules::new(&Shape::new(4, 2, 2).unwrap());
        let mut cells = vec![BLANK; 16];
        (cells[0], cells[1], cells[4]) = (3, 3, 3);
        let kinds: Vec<_> = rules
            .clashing_pairs(&cells)
            .iter()
            .map(|clash| clash.kind)
            .collect();
        assert_eq!(kinds, [HouseKind::Row, HouseKind::Column, HouseKind::Box]);
        assert_eq!(rules.clashes(&cells).count(), 4);
    }

    #[test]
    fn two_equal_cells_of_a_house_are_found_wherever_they_are() {
        for (order, rows, columns) in
            [(4u64, 2u64, 2u64), (6, 2, 3), (9, 3, 3), (16, 4, 4)]
        {
            let shape = Shape::new(order, rows, columns).unwrap();
            let rules = GridRules::new(&shape);
            let mut cells = vec![BLANK; shape.cells()];
            assert!(!rules.has_clash(&cells));
            for (first, second) in (0..shape.cells())
                .flat_map(|first| (0..first).map(move |second| (first, second)))
            {
                (cells[first], cells[second]) = (1, 1);
                let expected = rules.clashes(&cells).next().is_some();
                assert_eq!(
                    rules.has_clash(&cells),
                    expected,
                    "order {order}, cells {first} and {second}"
                );
                cells[second] = 2;
                assert!(!rules.has_clash(&cells));
                (cells[first], cells[second]) = (BLANK, BLANK);
            }
        }
    }

    #[test]
    fn a_clash_names_house_value_and_both_cells() {
        let rules = GridRules::new(&Shape::new(4, 2, 2).unwrap());
        let mut cells = vec![BLANK; 16];
        (cells[1], cells[13]) = (3, 3);
        let clashes: Vec<_> = rules.clashes(&cells).collect();
        assert_eq!(
            clashes,
            [Clash {
                kind: HouseKind::Column,
                number: 2,
                value: 3,
                first: 1,
                second: 13
            }]
        );
    }
}
