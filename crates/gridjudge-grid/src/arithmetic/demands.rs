//! Cages and inequalities as data, and what they mean of a grid. Knows cells and values, no houses and no text.

use serde::Deserialize;
use serde::Serialize;

use super::breach::ArithmeticBreach;
use crate::BLANK;
use crate::Value;

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
