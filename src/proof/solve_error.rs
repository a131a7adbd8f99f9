//! Why there is no answer to an input, in words for its setter.

use std::io;

use crate::check::InputError;
use gridjudge_grid::solve::TooHard;

/// Why the reference solver gives no answer to a grid.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The input cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The answer cannot be written.
    #[error("cannot be written: {0}")]
    Writing(io::Error),
    /// What the problem asks for is nothing that we solve.
    #[error("no reference solver knows the answers of this problem")]
    NoSolver,
    /// No grid has these clues and keeps the rules.
    #[error("{grid}no completion of these clues keeps the rules")]
    NoSolution {
        /// `grid 3: ` where there are several.
        grid: String,
    },
    /// The problem promises one solution, and there are more.
    #[error("{grid}more than one solution, the problem promises one: {cells}")]
    Several {
        /// `grid 3: ` where there are several.
        grid: String,
        /// Two cells in which two solutions differ.
        cells: String,
    },
    /// The problem promises fewer solutions, or has no text for more.
    #[error("{grid}more than {most} solutions, the problem allows {most} at most")]
    TooMany {
        /// `grid 3: ` where there are several.
        grid: String,
        /// The most that are allowed.
        most: u64,
    },
    /// The search was given up.
    #[error("{grid}{source}")]
    TooHard {
        /// `grid 3: ` where there are several.
        grid: String,
        /// How long was tried.
        source: TooHard,
    },
}
