//! Cages and inequalities. Data only: what they mean of a grid stands in `breach`.

use serde::Deserialize;
use serde::Serialize;

/// Cages and inequalities of one shape.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arithmetic {
    /// No cell is in two of them.
    pub cages: Vec<Cage>,
    /// In the order in which they are told.
    pub inequalities: Vec<Inequality>,
}

/// Cells whose values come to a target, as in a killer sudoku or a KenKen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cage {
    /// Its cells in reading order. They need not touch. Two, where they are subtracted or divided.
    pub cells: Vec<usize>,
    /// What is done with their values.
    pub operation: CageOperation,
    /// What that must come to.
    pub target: u64,
    /// Whether a value may stand in it twice, where no house forbids that.
    pub may_repeat: bool,
}

/// What a cage does with its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CageOperation {
    /// Adds them up.
    Sum,
    /// Multiplies them.
    Product,
    /// Takes the smaller of two from the larger.
    Difference,
    /// Divides the larger of two by the smaller, without a remainder.
    Quotient,
}

/// Two cells of which one holds less than the other, as in a futoshiki.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inequality {
    /// The cell with the smaller value.
    pub less: usize,
    /// The cell with the larger value.
    pub greater: usize,
}

impl CageOperation {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Sum, Self::Product, Self::Difference, Self::Quotient];

    /// Whether it takes just two values.
    pub fn is_of_two(self) -> bool {
        matches!(self, Self::Difference | Self::Quotient)
    }
}

impl Arithmetic {
    /// Whether nothing is demanded.
    pub fn is_empty(&self) -> bool {
        self.cages.is_empty() && self.inequalities.is_empty()
    }
}
