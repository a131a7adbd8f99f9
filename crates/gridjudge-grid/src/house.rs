//! Defines houses, the sets of cells that must hold every symbol once, and their names. Data only.

use std::fmt;

/// A set of cells that must hold every symbol once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct House {
    /// Its kind.
    pub kind: HouseKind,
    /// Its number from 1: rows from the top, columns from the left, boxes and regions in the
    /// reading order of their first cells; diagonal 1 starts at the top left, 2 at the top right.
    pub number: usize,
    /// Its cells in reading order.
    pub cells: Vec<usize>,
}

/// The kinds of houses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HouseKind {
    /// A row.
    Row,
    /// A column.
    Column,
    /// A box.
    Box,
    /// A region of a jigsaw map.
    Region,
    /// One of the two long diagonals.
    Diagonal,
    /// All cells of a magic square.
    Square,
}

impl HouseKind {
    /// The name of one house of this kind: `row 3`, `diagonal 2 (from the top right)`, `the
    /// square`.
    pub fn name(self, number: usize) -> String {
        match (self, number) {
            (Self::Diagonal, 1) => "diagonal 1 (from the top left)".to_owned(),
            (Self::Diagonal, _) => "diagonal 2 (from the top right)".to_owned(),
            (Self::Square, _) => "the square".to_owned(),
            _ => format!("{self} {number}"),
        }
    }
}

impl fmt::Display for HouseKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Row => "row",
            Self::Column => "column",
            Self::Box => "box",
            Self::Region => "region",
            Self::Diagonal => "diagonal",
            Self::Square => "square",
        })
    }
}
