//! What cages and inequalities mean, plainly: what a grid breaks of them, cell by cell. Knows cells and values, no houses and no
//! text.

use super::demands::Arithmetic;
use super::demands::Cage;
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
    /// A cage adds up to something else than it must.
    Sum {
        /// The cage.
        cage: usize,
        /// What it adds up to.
        sum: u32,
    },
    /// A value is not less than its neighbour.
    NotLess(Inequality),
}

impl Arithmetic {
    /// Whether a grid keeps all of it. `cells` is row-major; a blank keeps everything that it is part of.
    pub fn is_kept_by(&self, cells: &[Value]) -> bool {
        self.breaches(cells).next().is_none()
    }

    /// What a grid breaks: cages first, in their order. A cage with a blank may add up to anything, and a blank is
    /// neither less nor greater.
    pub fn breaches<'a>(&'a self, cells: &'a [Value]) -> impl Iterator<Item = ArithmeticBreach> + 'a {
        let of_cages = self.cages.iter().enumerate().flat_map(move |(number, cage)| {
            let sum = cage.total(cells).filter(|&sum| sum != cage.sum);
            let wrong_sum = sum.map(|sum| ArithmeticBreach::Sum { cage: number, sum });
            cage.repeated(number, cells).into_iter().chain(wrong_sum)
        });
        let broken = self.inequalities.iter().filter(move |inequality| !inequality.is_kept_by(cells));
        of_cages.chain(broken.map(|inequality| ArithmeticBreach::NotLess(*inequality)))
    }
}

impl Cage {
    /// What its values add up to; `None` if one is blank.
    pub fn total(&self, cells: &[Value]) -> Option<u32> {
        let values = self.cells.iter().map(|&cell| cells[cell]);
        values.map(|value| (value != BLANK).then_some(u32::from(value))).sum()
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
