//! Says why no grid of a wanted shape exists. Data only.

use crate::LARGEST_ORDER;

/// A region whose number of cells is not the order of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnevenRegion {
    /// Its first cell.
    pub cell: usize,
    /// How many cells it has.
    pub cells: usize,
}

/// Why no grid of a given order with given houses exists.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// The order is zero or larger than [`LARGEST_ORDER`].
    #[error("order {0} is not between 1 and {LARGEST_ORDER}")]
    Order(u64),
    /// Boxes of this size do not have one cell for each symbol.
    #[error("boxes of {rows}x{columns} have {} cells, a grid of order {order} needs {order}", rows.saturating_mul(*columns))]
    Boxes {
        /// Order of the grid.
        order: u64,
        /// Rows of one box.
        rows: u64,
        /// Columns of one box.
        columns: u64,
    },
    /// A grid of this order has no square boxes.
    #[error("a grid of order {0} has no square boxes")]
    NotSquare(u64),
    /// There is no magic square of this order, or it has more symbols than a grid may have.
    #[error("a magic square has an order of 1, 3, 4 or 5, not {0}")]
    Magic(u64),
    /// A map of regions has too few or too many rows.
    #[error("the map has {found} rows, a grid of order {order} needs {order}")]
    MapRows {
        /// Order of the grid.
        order: u64,
        /// Rows of the map.
        found: usize,
    },
    /// A row of a map has too few or too many characters.
    #[error("row {row} of the map has {found} characters, a grid of order {order} needs {order}")]
    MapColumns {
        /// Order of the grid.
        order: u64,
        /// The row, from 1.
        row: usize,
        /// How many characters it has.
        found: usize,
    },
    /// A region has too few or too many cells.
    #[error("region `{name}` of the map has {found} cells, a grid of order {order} needs {order}")]
    Region {
        /// Order of the grid.
        order: u64,
        /// The character that marks the region in the map.
        name: char,
        /// How many cells it has.
        found: usize,
    },
}
