//! The source of a submission as a program of the problem looks at it.

use std::path::PathBuf;

/// The files of a submission, made ready as they are compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmittedSources {
    /// The code of its language in the formats of packages.
    pub language: String,
    /// The file in which it starts, or the class.
    pub entry_point: String,
    /// Where its files lie, beside what was made of them.
    pub folder: PathBuf,
}
