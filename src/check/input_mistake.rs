//! Mistakes in the files of a case. They are the setter's, never the submission's.

use std::{fmt, io};

/// A mistake in a file that the setter wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
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
