//! Finds the cages and inequalities that a grid breaks. This plain code defines their meaning.
//! Knows cells and values, no houses and no text.

use std::fmt;

use crate::arithmetic::demands::{Arithmetic, Cage, CageOperation, Inequality};
use crate::{BLANK, Value};

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
    /// Whether a grid keeps all cages and inequalities. `cells` is row-major. A cage or inequality
    /// with a blank counts as kept, unless values of the cage repeat.
    pub fn is_kept_by(&self, cells: &[Value]) -> bool {
        self.breaches(cells).next().is_none()
    }

    /// The cages and inequalities that a grid breaks, cages first, in their order. The target of a
    /// cage with a blank and an inequality with a blank are not checked.
    pub fn breaches<'a>(
        &'a self,
        cells: &'a [Value],
    ) -> impl Iterator<Item = ArithmeticBreach> + 'a {
        let of_cages = self
            .cages
            .iter()
            .enumerate()
            .flat_map(move |(number, cage)| {
                let result = cage
                    .result(cells)
                    .filter(|&result| result != CageResult::Whole(cage.target));
                let wrong = result.map(|result| ArithmeticBreach::Target {
                    cage: number,
                    result,
                });
                cage.repeated(number, cells).into_iter().chain(wrong)
            });
        let broken = self
            .inequalities
            .iter()
            .filter(move |inequality| !inequality.is_kept_by(cells));
        of_cages.chain(broken.map(|inequality| ArithmeticBreach::NotLess(*inequality)))
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
            CageOperation::Sum | CageOperation::Product => CageResult::Whole(self.so_far(cells)),
            CageOperation::Difference => CageResult::Whole(u64::from(larger - smaller)),
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

    /// The sum or product of the values that are not blank; 0 for differences and quotients, which
    /// need both values.
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

    /// Pairs of equal values, unless these are allowed. Of three equal values, the first and second
    /// and the second and third are paired.
    fn repeated(&self, cage: usize, cells: &[Value]) -> Vec<ArithmeticBreach> {
        if self.may_repeat {
            return Vec::new();
        }
        let pairs = self
            .cells
            .iter()
            .enumerate()
            .filter_map(|(place, &second)| {
                let value = cells[second];
                let first = self.cells[..place]
                    .iter()
                    .rev()
                    .copied()
                    .find(|&first| cells[first] == value);
                let first = first.filter(|_| value != BLANK)?;
                Some(ArithmeticBreach::Repeated {
                    cage,
                    value,
                    first,
                    second,
                })
            });
        pairs.collect()
    }
}

impl Inequality {
    fn is_kept_by(&self, cells: &[Value]) -> bool {
        let less = cells[self.less];
        let greater = cells[self.greater];
        less == BLANK || greater == BLANK || less < greater
    }
}
