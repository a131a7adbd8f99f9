//! Variables and literals of clauses.

use std::ops::Not;

/// A variable, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Literal(u32);

impl Literal {
    /// The literal that says that a variable is true.
    pub(crate) const fn of(variable: usize) -> Self {
        // A grid of order 25 has some twenty thousand variables.
        Self(2 * variable as u32)
    }

    /// The literal that says that a variable is `truth`.
    pub(super) fn new(variable: usize, truth: bool) -> Self {
        if truth { Self::of(variable) } else { !Self::of(variable) }
    }

    /// Its number, for tables with an entry for each literal.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal with this number.
    pub(super) fn with_index(index: u32) -> Self {
        Self(index)
    }

    /// The variable it is about.
    pub(crate) fn variable(self) -> usize {
        self.index() / 2
    }

    /// Whether it says that its variable is true.
    pub(crate) fn says_true(self) -> bool {
        self.0.is_multiple_of(2)
    }
}

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}
