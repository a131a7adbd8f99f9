//! Solves plain 9x9 grids as fast as the machine allows. Knows values, not texts.
//!
//! Two engines share one board (a word of 27 cells for each digit and band) and one idea: a digit's
//! minirows in a band, and its minicolumns in a stack, form permutations, which can be closed
//! exactly.
//!
//! * [`SingleSolver`] solves one puzzle at a time, with one digit in each lane, and spreads the
//!   search of a hard one over all lanes of the machine's widest registers;
//! * [`BatchSolver`] solves sixteen puzzles in lock-step, one in each lane. It needs at most a
//!   third of the time per puzzle.
//!
//! The outcome of a puzzle is the same on every machine, whatever is solved beside, before or after
//! it. The two engines agree on the number of solutions, and on the solution if there is only one;
//! if there are several, they may find different ones first.

mod batch;
mod choice;
mod closure;
mod digit_board;
mod digits;
mod lane_group;
mod lanes;
mod registers;
#[cfg(target_arch = "x86_64")]
mod simd;
mod single;
mod sweep;

pub use crate::solve::nine::digit_board::{NinePuzzle, PuzzleOutcome};
pub use batch::BatchSolver;
pub use registers::Registers;
pub use single::SingleSolver;

#[cfg(test)]
mod tests;
