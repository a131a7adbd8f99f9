//! The source of a submission as a static validator sees it.

use std::path::PathBuf;

/// The files of a submission, prepared as for compiling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmittedSources {
    /// The code of its language in package formats.
    pub language: String,
    /// The file in which the program starts, or the class.
    pub entry_point: String,
    /// The folder that contains its files and the build output.
    pub folder: PathBuf,
}
