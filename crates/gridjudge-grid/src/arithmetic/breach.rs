//! What cages and inequalities mean, plainly: what a grid breaks of them, cell by cell. Knows cells and values, no houses and no
//! text.

use std::fmt;

use super::demands::Arithmetic;
use super::demands::Cage;
use super::demands::CageOperation;
use super::demands::Inequality;
use crate::BLANK;
use crate::Value;

/// Something that a grid breaks. Cages are told by their number, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArithmeticBreach {
    /// A value stands twice in a cage.
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
    /// A cage comes to something else than it must.
    Target {
        /// The cage.
        cage: usize,
        /// What it comes to.
        result: CageResult,
    },
    /// A value is not less than its neighbour.
    NotLess(Inequality),
}

/// What the values of a cage come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CageResult {
    /// A whole number. One that is too large for it is the largest there is.
    Whole(u64),
    /// A larger value over a smaller one that does not divide it.
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
    /// Whether a grid keeps all of it. `cells` is row-major; a blank keeps everything that it is part of.
    pub fn is_kept_by(&self, cells: &[Value]) -> bool {
        self.breaches(cells).next().is_none()
    }

    /// What a grid breaks: cages first, in their order. A cage with a blank may come to anything, and a blank is
    /// neither less nor greater.
    pub fn breaches<'a>(&'a self, cells: &'a [Value]) -> impl Iterator<Item = ArithmeticBreach> + 'a {
        let of_cages = self.cages.iter().enumerate().flat_map(move |(number, cage)| {
            let result = cage.result(cells).filter(|&result| result != CageResult::Whole(cage.target));
            let wrong = result.map(|result| ArithmeticBreach::Target { cage: number, result });
            cage.repeated(number, cells).into_iter().chain(wrong)
        });
        let broken = self.inequalities.iter().filter(move |inequality| !inequality.is_kept_by(cells));
        of_cages.chain(broken.map(|inequality| ArithmeticBreach::NotLess(*inequality)))
    }
}

impl Cage {
    /// What its values come to; `None` if one is blank.
    pub fn result(&self, cells: &[Value]) -> Option<CageResult> {
        let values = || self.cells.iter().map(|&cell| cells[cell]);
        if values().any(|value| value == BLANK) {
            return None;
        }
        let (smaller, larger) = (values().min()?, values().max()?);
        Some(match self.operation {
            CageOperation::Sum | CageOperation::Product => CageResult::Whole(self.so_far(cells)),
            CageOperation::Difference => CageResult::Whole(u64::from(larger - smaller)),
            CageOperation::Quotient if larger % smaller == 0 => {
                CageResult::Whole(u64::from(larger / smaller))
            }
            CageOperation::Quotient => CageResult::Fraction(larger, smaller),
        })
    }

    /// Whether what is filled in of it is more than its target already, whatever stands in its blanks.
    pub fn is_over(&self, cells: &[Value]) -> bool {
        self.so_far(cells) > self.target
    }

    /// What the values that are filled in come to; nothing, where it takes both to say.
    fn so_far(&self, cells: &[Value]) -> u64 {
        let values = self.cells.iter().map(|&cell| u64::from(cells[cell])).filter(|&value| value != 0);
        match self.operation {
            CageOperation::Sum => values.sum(),
            CageOperation::Product => values.fold(1, u64::saturating_mul),
            CageOperation::Difference | CageOperation::Quotient => 0,
        }
    }

    /// Pairs of equal values; of three, the first and second and the second and third.
    fn repeated(&self, cage: usize, cells: &[Value]) -> Vec<ArithmeticBreach> {
        if self.may_repeat {
            return Vec::new();
        }
        let pairs = self.cells.iter().enumerate().filter_map(|(place, &second)| {
            let value = cells[second];
            let first = self.cells[..place].iter().rev().copied().find(|&first| cells[first] == value);
            let first = first.filter(|_| value != BLANK)?;
            Some(ArithmeticBreach::Repeated { cage, value, first, second })
        });
        pairs.collect()
    }
}

impl Inequality {
    fn is_kept_by(&self, cells: &[Value]) -> bool {
        let (less, greater) = (cells[self.less], cells[self.greater]);
        less == BLANK || greater == BLANK || less < greater
    }
}
