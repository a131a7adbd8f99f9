//! The interface of one kind of answer to the loop over an output: whether a grid is
//! answered plainly, and what is wrong with its answer; and why an output cannot be
//! checked. Start at [`Acceptor`] and [`CheckError`].

use std::rc::Rc;
use std::{fmt, io};

use gridjudge_grid::solve::TooHard;

use crate::check::{InputPair, Location, ShapeContext, Window};
use crate::model::{Finding, GridPicture};

/// The result of judging the answer to one grid.
#[derive(Default)]
pub(crate) struct JudgedAnswer {
    /// Everything wrong with it; empty if it is right.
    pub(crate) findings: Vec<Finding>,
    /// A diff of expected and found text, if the first finding is about the exact text.
    pub(crate) diff: Option<String>,
    /// A picture of the grid, if something is wrong with its answer.
    pub(crate) picture: Option<GridPicture>,
}

/// Judges answers of one kind, one grid of the input after the other.
pub(crate) trait Acceptor {
    /// The context for the current grid.
    fn context(&self) -> &Rc<ShapeContext> {
        &self.grids().current.context
    }

    fn grids(&self) -> &InputPair;

    fn grids_mut(&mut self) -> &mut InputPair;

    /// Begins with the current grid. Returns `true` if the output goes on with its
    /// right answer, plainly written: then the answer has been passed, and nothing is
    /// left to judge.
    fn begin(&mut self, output: &mut Window<'_>) -> Result<bool, CheckError>;

    /// Judges the answer, which begins with the next text of the output. That is not
    /// blank.
    fn judge(
        &mut self,
        start: Location<'_>,
        output: &mut Window<'_>,
    ) -> Result<JudgedAnswer, CheckError>;

    /// A picture of the current grid, without an answer.
    fn picture(&self) -> GridPicture;
}

// Why an output could not be checked.

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
#[derive(Debug, PartialEq, Eq)]
pub struct InputMistake {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong.
    pub message: String,
    /// How to correct it; `None` if there is no hint.
    pub remedy: Option<&'static str>,
}

impl fmt::Display for InputMistake {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

/// Why the grids of an input cannot be read any further.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The file itself cannot be read.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The text is not in the problem's format.
    #[error("line {}: {}", .0.line, .0.message)]
    Text(InputMistake),
}

impl From<InputMistake> for InputError {
    fn from(mistake: InputMistake) -> Self {
        Self::Text(mistake)
    }
}

/// The remedy for white space that is not exact.
pub(super) const EXACT: &str =
    "write it exactly so, or set `white_space = \"lenient\"` in the problem's [input]";

pub(super) fn mistake(
    line: u64,
    message: impl Into<String>,
    remedy: Option<&'static str>,
) -> InputMistake {
    InputMistake {
        line,
        message: message.into(),
        remedy,
    }
}
