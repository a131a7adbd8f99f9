//! The files of a submission besides the one that names it. Plain data: planning finds them, and the compiler
//! combines them.

use std::path::PathBuf;

use serde::Deserialize;
use serde::Serialize;

use crate::model::Constants;

/// Files that are compiled into one program together with the submission's own file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdditionalSources {
    /// The other files. A file with the same name as the submission's own replaces it.
    pub files: Vec<SourceFile>,
    /// The file in which the program starts, if that is not the submission's own.
    pub start: Option<String>,
    /// Constants that are filled into all files where they contain `{{name}}`.
    pub constants: Constants,
}

/// A file of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its name in the folder where the program is built, as `lib/queue.h`.
    pub name: String,
    /// Where it is on disk.
    pub path: PathBuf,
}

impl AdditionalSources {
    /// Whether there is only the submission's own file, unchanged.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
