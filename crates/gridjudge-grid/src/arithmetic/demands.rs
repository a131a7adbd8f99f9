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

/// Cells whose values add up to a sum, as in a killer sudoku.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cage {
    /// Its cells in reading order. They need not touch.
    pub cells: Vec<usize>,
    /// What their values add up to.
    pub sum: u32,
    /// Whether a value may stand in it twice, where no house forbids that.
    pub may_repeat: bool,
}

/// Two cells of which one holds less than the other, as in a futoshiki.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inequality {
    /// The cell with the smaller value.
    pub less: usize,
    /// The cell with the larger value.
    pub greater: usize,
}

impl Arithmetic {
    /// Whether nothing is demanded.
    pub fn is_empty(&self) -> bool {
        self.cages.is_empty() && self.inequalities.is_empty()
    }
}
