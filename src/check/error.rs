//! Why an output could not be checked.

use std::io;

use crate::check::input_mistake::InputError;
use gridjudge_grid::solve::TooHard;

/// Why an output could not be checked. It is never the submission's fault.
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
    /// There is no stored answer, and only the problem's own programs could produce it.
    #[error("an output of this problem cannot be judged without the stored answer")]
    NoAnswer,
    /// The problem's checker program must judge the output, which this module does not run.
    #[error("outputs of this problem are judged by its checker program")]
    NeedsChecker,
    /// Submissions only have output in an interaction.
    #[error("submissions to this problem talk to its interactor: an output alone cannot be judged")]
    NeedsInteractor,
    /// There is no stored answer, and the solver finds none in time.
    #[error("grid {grid}: {source}")]
    TooHard {
        /// Number of the grid, from 1.
        grid: u64,
        /// The effort after which the solver gave up.
        source: TooHard,
    },
}
