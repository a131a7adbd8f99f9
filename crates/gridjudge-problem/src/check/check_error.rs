//! Why an output cannot be checked, and the mistakes in the files of a case. Start at
//! [`CheckError`].

use std::io;

use gridjudge_grid::solve::TooHard;

/// Why an output could not be checked. It is never the submission's fault.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The input cannot be read.
    #[error("the input: {0}")]
    Input(#[from] InputError),
    /// The output cannot be read.
    #[error("the output: {0}")]
    Output(#[from] io::Error),
    /// The answer cannot be read, or is not in the format.
    #[error("the answer: {0}")]
    Answer(InputError),
    /// There is no stored answer, and only the problem's own programs could produce it.
    #[error("an output of this problem cannot be judged without the stored answer")]
    NoAnswer,
    /// The problem's checker program must judge the output, which this module does not
    /// run.
    #[error("outputs of this problem are judged by its checker program")]
    NeedsChecker,
    /// Submissions only have output in an interaction.
    #[error(
        "submissions to this problem talk to its interactor: an output alone cannot \
         be judged"
    )]
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

impl CheckError {
    /// The error of reading the answer.
    pub(super) fn of_answer(error: io::Error) -> Self {
        Self::Answer(InputError::File(error))
    }
}

// Mistakes in the files of a case. They are the setter's, never the submission's.

/// A mistake in a file that the setter wrote.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct InputMistake {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong.
    pub message: String,
    /// How to correct it; `None` if there is no hint.
    pub remedy: Option<&'static str>,
}

/// Why the grids of an input cannot be read any further.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The file itself cannot be read.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The text is not in the problem's format.
    #[error(transparent)]
    Text(#[from] InputMistake),
}

/// The remedy for white space that is not exact.
pub(super) const EXACT: &str = "write it exactly so, or set `white_space = \"lenient\"` in the problem's [input]";

pub(super) fn mistake(
    line: u64,
    message: impl Into<String>,
    remedy: impl Into<Option<&'static str>>,
) -> InputMistake {
    InputMistake {
        line,
        message: message.into(),
        remedy: remedy.into(),
    }
}
