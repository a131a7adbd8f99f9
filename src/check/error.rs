//! Why an output could not be checked.

use std::io;

use crate::check::input_mistake::InputError;
use gridjudge_grid::solve::TooHard;

/// Why an output could not be checked. None of it is the submission's doing.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The input cannot be read.
    #[error("the input: {0}")]
    Input(#[from] InputError),
    /// The output cannot be read.
    #[error("the output: {0}")]
    Output(io::Error),
    /// The answer cannot be read, or is not in the format.
    #[error("the answer: {0}")]
    Answer(InputError),
    /// There is no stored answer, and none but the problem's own programs can tell it.
    #[error("without its answer, nothing can be said of an output of this problem")]
    NoAnswer,
    /// What the problem's own program says is not for this module to find out.
    #[error("outputs of this problem are judged by its checker program")]
    NeedsChecker,
    /// There is no output but in a talk.
    #[error("submissions to this problem talk to its interactor: no output says anything by itself")]
    NeedsInteractor,
    /// There is no stored answer, and the solver finds none in time.
    #[error("grid {grid}: {source}")]
    TooHard {
        /// Number of the grid, from 1.
        grid: u64,
        /// How long was tried.
        source: TooHard,
    },
}
