//! The geometry of a grid: its order and its houses. Knows no symbols and no text.

use std::fmt;

use serde::Deserialize;
use serde::Serialize;

/// Largest order there is room for: a cell's candidates must fit 32 bits, and a grid must stay readable.
pub const LARGEST_ORDER: u8 = 25;

/// Order and box size of a grid. A cell is a number `order * row + column`, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    order: u8,
    box_rows: u8,
    box_columns: u8,
}

/// Why there is no grid of a given order with given boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImpossibleShape {
    /// The order is zero or larger than [`LARGEST_ORDER`].
    #[error("order {0} is not between 1 and {LARGEST_ORDER}")]
    Order(u64),
    /// Boxes of this size do not hold one cell for each symbol.
    #[error("boxes of {rows}x{columns} have {} cells, a grid of order {order} needs {order}", rows.saturating_mul(*columns))]
    Boxes {
        /// Order of the grid.
        order: u64,
        /// Rows of one box.
        rows: u64,
        /// Columns of one box.
        columns: u64,
    },
}

/// A set of cells that must hold every symbol once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct House {
    /// What it is.
    pub kind: HouseKind,
    /// Its number from 1: rows from the top, columns from the left, boxes in reading order.
    pub number: usize,
    /// Its cells in reading order.
    pub cells: Vec<usize>,
}

/// The three kinds of houses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HouseKind {
    /// A row.
    Row,
    /// A column.
    Column,
    /// A box.
    Box,
}

impl fmt::Display for HouseKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Row => "row",
            Self::Column => "column",
            Self::Box => "box",
        })
    }
}

impl Shape {
    /// A grid of `order` rows and columns whose boxes have `box_rows` rows and `box_columns` columns.
    ///
    /// # Errors
    /// [`ImpossibleShape`] if the order is out of bounds or the boxes do not hold `order` cells.
    pub fn new(order: u64, box_rows: u64, box_columns: u64) -> Result<Self, ImpossibleShape> {
        let small = u8::try_from(order).ok().filter(|order| (1..=LARGEST_ORDER).contains(order));
        let order_fits = small.ok_or(ImpossibleShape::Order(order))?;
        // A box of `order` cells has at most `order` rows and columns, so both fit a byte as well.
        match (u8::try_from(box_rows), u8::try_from(box_columns)) {
            (Ok(rows), Ok(columns)) if u64::from(rows) * u64::from(columns) == order => {
                Ok(Self { order: order_fits, box_rows: rows, box_columns: columns })
            }
            _ => Err(ImpossibleShape::Boxes { order, rows: box_rows, columns: box_columns }),
        }
    }

    /// Rows, columns, and symbols.
    pub fn order(self) -> usize {
        usize::from(self.order)
    }

    /// Columns of one box.
    pub fn box_columns(self) -> usize {
        usize::from(self.box_columns)
    }

    /// Number of cells.
    pub fn cells(self) -> usize {
        self.order() * self.order()
    }

    /// Row and column of a cell, both from 0.
    pub fn place(self, cell: usize) -> (usize, usize) {
        (cell / self.order(), cell % self.order())
    }

    /// The box of a cell, from 0 in reading order.
    pub fn box_of(self, cell: usize) -> usize {
        let (row, column) = self.place(cell);
        let (box_rows, box_columns) = (usize::from(self.box_rows), usize::from(self.box_columns));
        let boxes_a_band = self.order() / box_columns;
        row / box_rows * boxes_a_band + column / box_columns
    }

    /// All houses: rows, then columns, then boxes.
    pub fn houses(self) -> Vec<House> {
        let number_in: [(HouseKind, &dyn Fn(usize) -> usize); 3] = [
            (HouseKind::Row, &|cell| self.place(cell).0),
            (HouseKind::Column, &|cell| self.place(cell).1),
            (HouseKind::Box, &|cell| self.box_of(cell)),
        ];
        let mut houses = Vec::with_capacity(3 * self.order());
        for (kind, number_of) in number_in {
            for number in 0..self.order() {
                let cells = (0..self.cells()).filter(|&cell| number_of(cell) == number).collect();
                houses.push(House { kind, number: number + 1, cells });
            }
        }
        houses
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_stands_in_one_row_one_column_and_one_box() {
        for (order, rows, columns) in [(4, 2, 2), (6, 2, 3), (9, 3, 3), (12, 3, 4), (25, 5, 5)] {
            let shape = Shape::new(order, rows, columns).unwrap();
            let houses = shape.houses();
            assert_eq!(houses.len(), 3 * shape.order());
            for cell in 0..shape.cells() {
                let kinds: Vec<_> = houses
                    .iter()
                    .filter(|house| house.cells.contains(&cell))
                    .map(|house| house.kind)
                    .collect();
                assert_eq!(kinds, [HouseKind::Row, HouseKind::Column, HouseKind::Box]);
            }
            assert!(houses.iter().all(|house| house.cells.len() == shape.order()));
        }
    }

    #[test]
    fn boxes_are_numbered_in_reading_order() {
        let shape = Shape::new(6, 2, 3).unwrap();
        assert_eq!(shape.houses()[12 + 3].cells, [15, 16, 17, 21, 22, 23]);
    }

    #[test]
    fn an_impossible_shape_says_why() {
        let message = |order, rows, columns| Shape::new(order, rows, columns).unwrap_err().to_string();
        assert_eq!(message(9, 2, 3), "boxes of 2x3 have 6 cells, a grid of order 9 needs 9");
        assert_eq!(message(0, 0, 0), "order 0 is not between 1 and 25");
        assert_eq!(message(26, 2, 13), "order 26 is not between 1 and 25");
        assert_eq!(message(4, 300, 300), "boxes of 300x300 have 90000 cells, a grid of order 4 needs 4");
    }
}
