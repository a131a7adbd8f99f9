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

// Computes with the candidates of a cell as a mask, in which bit `v - 1` stands for value `v`: its
// bounds, ranges of values, and restrictions.

/// A cell has no candidate left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoCandidate;

/// The values of a mask, smallest first.
pub(super) fn values_of(mask: u32) -> impl Iterator<Item = u64> {
    (1..=32).filter(move |value| mask >> (value - 1) & 1 == 1)
}

/// The mask of the values for which `fits` holds.
pub(super) fn fitting(mask: u32, fits: impl Fn(u64) -> bool) -> u32 {
    values_of(mask)
        .filter(|&value| fits(value))
        .fold(0, |kept, value| kept | 1 << (value - 1))
}

/// The smallest and the largest value of a mask.
pub(super) fn bounds_of(mask: u32) -> (u32, u32) {
    (mask.trailing_zeros() + 1, 32 - mask.leading_zeros())
}

/// The mask of the values from `from` to `to`, both included.
pub(super) fn from_to(from: u32, to: u32) -> u32 {
    let up_to = |value: u32| {
        if value >= 32 {
            u32::MAX
        } else {
            (1 << value) - 1
        }
    };
    up_to(to) & !up_to(from.saturating_sub(1))
}

/// Removes candidates that are not allowed. Returns whether there were any.
///
/// # Errors
/// Returns [`NoCandidate`] if no candidate is left.
pub(super) fn keep(candidates: &mut u32, allowed: u32) -> Result<bool, NoCandidate> {
    let before = *candidates;
    *candidates &= allowed;
    if *candidates == 0 {
        Err(NoCandidate)
    } else {
        Ok(*candidates != before)
    }
}
