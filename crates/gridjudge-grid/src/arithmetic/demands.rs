//! Defines cages and inequalities. Data only: `breach` checks a grid against them.

use serde::{Deserialize, Serialize};

/// Cages and inequalities of one shape.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arithmetic {
    /// The cages. No cell is in two of them, except in a magic square.
    pub cages: Vec<Cage>,
    /// The inequalities, in the order in which they are reported.
    pub inequalities: Vec<Inequality>,
}

/// Cells whose values must give a target, as in a killer sudoku or a KenKen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cage {
    /// Its cells in reading order. They need not touch. Exactly two for a difference or a quotient.
    pub cells: Vec<usize>,
    /// The operation on their values.
    pub operation: CageOperation,
    /// The required result.
    pub target: u64,
    /// Whether a value may be in it twice, if no house forbids it.
    pub may_repeat: bool,
}

/// The operation of a cage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CageOperation {
    /// Adds the values.
    Sum,
    /// Multiplies the values.
    Product,
    /// Subtracts the smaller of two values from the larger.
    Difference,
    /// Divides the larger of two values by the smaller, without a remainder.
    Quotient,
}

/// Two cells, the value of one less than that of the other, as in a futoshiki.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inequality {
    /// The cell with the smaller value.
    pub less: usize,
    /// The cell with the larger value.
    pub greater: usize,
}

impl CageOperation {
    /// All operations.
    pub const ALL: [Self; 4] = [Self::Sum, Self::Product, Self::Difference, Self::Quotient];

    /// Whether it needs exactly two values.
    pub fn is_of_two(self) -> bool {
        matches!(self, Self::Difference | Self::Quotient)
    }
}

impl Arithmetic {
    /// Whether there are no cages and no inequalities.
    pub fn is_empty(&self) -> bool {
        self.cages.is_empty() && self.inequalities.is_empty()
    }
}
