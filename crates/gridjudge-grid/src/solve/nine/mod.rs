//! Plain 9x9 grids, as fast as the machine can. Knows values, not texts.
//!
//! Two engines share one board (a word of 27 cells for each digit and band) and one idea: a digit's minirows in a band,
//! and its minicolumns in a stack, form permutations, which can be closed exactly.
//!
//! * [`Single`] solves one puzzle at a time, digit by digit, and spreads a hard one over all lanes of the machine's
//!   widest registers;
//! * [`Batch`] solves sixteen puzzles in lock-step, one in each lane. It needs a third of the time, or less.
//!
//! The same puzzle has the same outcome on every machine, whatever else is solved beside it, before or after it. The two
//! engines agree on the number of solutions, and on the solution where there is one; of several they may find
//! different ones first.

mod batch;
mod board;
mod choice;
mod closing;
mod digits;
mod group;
mod lanes;
mod registers;
#[cfg(target_arch = "x86_64")]
mod simd;
mod single;
mod spread;
mod sweep;

pub use batch::Batch;
pub use registers::Registers;
pub use single::Single;

/// A grid: values 1 to 9 in reading order, 0 for blank.
pub type Puzzle = [u8; 81];

/// What became of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How many solutions there are, counted up to the limit.
    pub count: usize,
    /// The first that was found; blank if there is none.
    pub first: Puzzle,
}

impl Outcome {
    /// That of a puzzle without a solution.
    pub const NONE: Self = Self { count: 0, first: [0; 81] };
}

#[cfg(test)]
mod tests;
