//! What a grid has against cages and inequalities. Data only.

use super::demands::Inequality;
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
