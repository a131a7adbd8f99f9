//! Solves lists of plain 9x9 puzzles, one per line, on several threads. Memory does not grow with
//! the list, and answers come in its order. Knows no terminal and no file names. Start at
//! [`stream()`].

mod answers;
mod collection;
mod line;
mod stream;

pub use answers::{BlockAnswers, PuzzleError, PuzzleMistake, SolveMode};
pub use collection::PuzzleText;
pub use line::{LineError, puzzle_of};
pub use stream::stream;
