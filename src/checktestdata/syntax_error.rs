//! Why a text is no program.

/// Why a text is no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct CtdSyntaxError {
    /// Its line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}
