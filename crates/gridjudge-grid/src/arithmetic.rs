//! Defines the arithmetic rules of a grid, cages whose cells give a target and
//! inequalities between two cells, and checks them cell by cell. Knows no houses and no
//! text. Start at [`Arithmetic`].

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{BLANK, Value};

// Defines cages and inequalities.

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
    /// Its cells in reading order. They need not touch. Exactly two for a difference or
    /// a quotient.
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
    pub const ALL: [Self; 4] =
        [Self::Sum, Self::Product, Self::Difference, Self::Quotient];

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

// Computes with the candidates of a cell as a mask, in which bit `v - 1` stands for
// value `v`: its bounds, ranges of values, and restrictions.

/// A cell has no candidate left, or a house no place for a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoCandidate;

/// Whether candidates were removed.
pub type Narrowed = Result<bool, NoCandidate>;

/// The places of the set bits of a mask, smallest first.
pub(crate) fn set_bits(mask: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |place| mask >> place & 1 == 1)
}

/// The values of a mask, smallest first.
pub(crate) fn values_of(mask: u32) -> impl Iterator<Item = u64> {
    set_bits(mask).map(|place| place as u64 + 1)
}

/// The mask of the values for which `fits` holds.
pub(crate) fn fitting(mask: u32, fits: impl Fn(u64) -> bool) -> u32 {
    values_of(mask)
        .filter(|&value| fits(value))
        .fold(0, |kept, value| kept | 1 << (value - 1))
}

/// The smallest and the largest value of a mask.
pub(crate) fn bounds_of(mask: u32) -> (u32, u32) {
    (mask.trailing_zeros() + 1, 32 - mask.leading_zeros())
}

/// The mask of the values from `from` to `to`, both included.
pub(crate) fn from_to(from: u32, to: u32) -> u32 {
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
pub(crate) fn keep(candidates: &mut u32, allowed: u32) -> Narrowed {
    let before = *candidates;
    *candidates &= allowed;
    if *candidates == 0 {
        Err(NoCandidate)
    } else {
        Ok(*candidates != before)
    }
}

// Finds the cages and inequalities that a grid breaks. This plain code defines their
// meaning. Knows cells and values, no houses and no text.

/// A cage or inequality that a grid breaks. Cages are given by their index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArithmeticBreach {
    /// A value is in a cage twice.
    Repeated {
        /// The cage.
        cage: usize,
        /// The value.
        value: Value,
        /// The earlier cell in reading order.
        first: usize,
        /// The later cell.
        second: usize,
    },
    /// The result of a cage is not its target.
    Target {
        /// The cage.
        cage: usize,
        /// Its result.
        result: CageResult,
    },
    /// A value is not less than its neighbour.
    NotLess(Inequality),
}

/// The result of the values of a cage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CageResult {
    /// A whole number. Saturates at the largest `u64`.
    Whole(u64),
    /// A larger value divided by a smaller one, with a remainder.
    Fraction(Value, Value),
}

impl fmt::Display for CageResult {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => write!(out, "{number}"),
            Self::Fraction(larger, smaller) => write!(out, "{larger}/{smaller}"),
        }
    }
}

impl Arithmetic {
    /// Whether a grid keeps all cages and inequalities. `cells` is row-major. A cage or
    /// inequality with a blank counts as kept, unless values of the cage repeat.
    pub fn is_kept_by(&self, cells: &[Value]) -> bool {
        self.breaches(cells).next().is_none()
    }

    /// The cages and inequalities that a grid breaks, cages first, in their order. The
    /// target of a cage with a blank and an inequality with a blank are not checked.
    pub fn breaches(
        &self,
        cells: &[Value],
    ) -> impl Iterator<Item = ArithmeticBreach> {
        let of_cages =
            self.cages
                .iter()
                .enumerate()
                .flat_map(move |(number, cage)| {
                    let result = cage
                        .result(cells)
                        .filter(|&result| result != CageResult::Whole(cage.target));
                    cage.repeated(number, cells).into_iter().chain(result.map(
                        |result| ArithmeticBreach::Target {
                            cage: number,
                            result,
                        },
                    ))
                });
        of_cages.chain(
            self.inequalities
                .iter()
                .filter(move |inequality| !inequality.is_kept_by(cells))
                .map(|inequality| ArithmeticBreach::NotLess(*inequality)),
        )
    }
}

impl Cage {
    /// The result of its values; `None` if one is blank.
    pub fn result(&self, cells: &[Value]) -> Option<CageResult> {
        let values = || self.cells.iter().map(|&cell| cells[cell]);
        if values().any(|value| value == BLANK) {
            return None;
        }
        let smaller = values().min()?;
        let larger = values().max()?;
        Some(match self.operation {
            CageOperation::Sum | CageOperation::Product => {
                CageResult::Whole(self.so_far(cells))
            }
            CageOperation::Difference => {
                CageResult::Whole(u64::from(larger - smaller))
            }
            CageOperation::Quotient if larger % smaller == 0 => {
                CageResult::Whole(u64::from(larger / smaller))
            }
            CageOperation::Quotient => CageResult::Fraction(larger, smaller),
        })
    }

    /// Whether its values, ignoring blanks, already exceed its target.
    pub fn is_over(&self, cells: &[Value]) -> bool {
        self.so_far(cells) > self.target
    }

    /// The sum or product of the values that are not blank; 0 for differences and
    /// quotients, which need both values.
    fn so_far(&self, cells: &[Value]) -> u64 {
        let values = self
            .cells
            .iter()
            .map(|&cell| u64::from(cells[cell]))
            .filter(|&value| value != 0);
        match self.operation {
            CageOperation::Sum => values.sum(),
            CageOperation::Product => values.fold(1, u64::saturating_mul),
            CageOperation::Difference | CageOperation::Quotient => 0,
        }
    }

    /// Pairs of equal values, unless these are allowed. Of three equal values, the
    /// first and second and the second and third are paired.
    fn repeated(&self, cage: usize, cells: &[Value]) -> Vec<ArithmeticBreach> {
        if self.may_repeat {
            return vec![];
        }
        self.cells
            .iter()
            .enumerate()
            .filter_map(|(place, &second)| {
                let value = cells[second];
                let first = self.cells[..place]
                    .iter()
                    .rev()
                    .copied()
                    .find(|&first| cells[first] == value)
                    .filter(|_| value != BLANK)?;
                Some(ArithmeticBreach::Repeated {
                    cage,
                    value,
                    first,
                    second,
                })
            })
            .collect()
    }
}

impl Inequality {
    fn is_kept_by(&self, cells: &[Value]) -> bool {
        let less = cells[self.less];
        let greater = cells[self.greater];
        less == BLANK || greater == BLANK || less < greater
    }
}

#[cfg(test)]
mod tests;
