//! The error of a text that is not a valid program.

/// Why a text is not a valid program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct CtdSyntaxError {
    /// The line of the mistake, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}
