//! Plain 9x9 grids, as fast as the machine can. Knows values, not texts.
//!
//! Two engines share one board (a word of 27 cells for each digit and band) and one idea: a digit's minirows in a band,
//! and its minicolumns in a stack, form permutations, which can be closed exactly.
//!
//! * [`SingleSolver`] solves one puzzle at a time, digit by digit, and spreads a hard one over all lanes of the machine's
//!   widest registers;
//! * [`BatchSolver`] solves sixteen puzzles in lock-step, one in each lane. It needs a third of the time, or less.
//!
//! The same puzzle has the same outcome on every machine, whatever else is solved beside it, before or after it. The two
//! engines agree on the number of solutions, and on the solution where there is one; of several they may find
//! different ones first.

mod batch;
mod choice;
mod closure;
mod digit_board;
mod digits;
mod lane_group;
mod lanes;
mod puzzle;
mod registers;
#[cfg(target_arch = "x86_64")]
mod simd;
mod single;
mod spread;
mod sweep;

pub use batch::BatchSolver;
pub use puzzle::NinePuzzle;
pub use puzzle::PuzzleOutcome;
pub use registers::Registers;
pub use single::SingleSolver;

#[cfg(test)]
mod tests;
