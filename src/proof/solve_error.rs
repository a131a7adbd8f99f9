//! Why there is no answer to an input, in words for its setter.

use std::io;

use crate::check::InputError;
use gridjudge_grid::format::ReplyKind;
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
    /// There is no reference solver for the kind of task.
    #[error("no reference solver knows the answers of this problem")]
    NoSolver,
    /// No grid has these clues and keeps the rules.
    #[error("{grid}no completion of these clues keeps the rules")]
    NoSolution {
        /// `grid 3: ` where there are several.
        grid: String,
    },
    /// No grid keeps the rules, whatever its clues.
    #[error("no grid keeps the rules of this problem, with or without clues")]
    NoGrid,
    /// The problem promises one solution, and there are more.
    #[error("{grid}more than one solution, the problem promises one: {cells}")]
    Several {
        /// `grid 3: ` where there are several.
        grid: String,
        /// Two cells in which two solutions differ.
        cells: String,
    },
    /// The answer is a word, and the problem has none for such a grid.
    #[error("{grid}{}, and [answer] has no word for that", said_of(*kind))]
    NoWord {
        /// `grid 3: ` where there are several.
        grid: String,
        /// The reply that would be right.
        kind: ReplyKind,
    },
    /// The problem promises fewer solutions, or has no text for more.
    #[error("{grid}more than {most} solutions, the problem allows {most} at most")]
    TooMany {
        /// `grid 3: ` where there are several.
        grid: String,
        /// The most that are allowed.
        most: u64,
    },
    /// The grids of one case are too many that are hard.
    #[error(
        "the solver gave up after grid {grids}: the grids up to it take more than {dead_ends} dead ends"
    )]
    TooSlow {
        /// The number of grids that were solved.
        grids: u64,
        /// The most dead ends that a case of this size may take.
        dead_ends: u64,
    },
    /// The solver gave up.
    #[error("{grid}{source}")]
    TooHard {
        /// `grid 3: ` where there are several.
        grid: String,
        /// The effort after which the solver gave up.
        source: TooHard,
    },
}

/// What is true of a grid, in words.
fn said_of(kind: ReplyKind) -> &'static str {
    match kind {
        ReplyKind::None => "no completion of these clues keeps the rules",
        ReplyKind::Several => "it has more than one solution",
        ReplyKind::Invalid => "two of its clues clash",
        ReplyKind::Complete => "it is complete",
        ReplyKind::Valid => "nothing clashes in it",
        ReplyKind::Solvable => "it has a solution",
        ReplyKind::One => "it has one solution",
    }
}
