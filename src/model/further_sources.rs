//! What a submission is made of beside the file that it is named by. Plain data: whoever plans a submission finds it, and the
//! compiler puts it together.

use std::path::PathBuf;

use serde::Deserialize;
use serde::Serialize;

use crate::model::Constants;

/// Files that are made into a program together with a submission's own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FurtherSources {
    /// The other files. One of the name of the submission's own file takes its place.
    pub files: Vec<SourceFile>,
    /// The file among all of them in which the program starts, where it is another than the submission's own.
    pub start: Option<String>,
    /// Names that stand for values in all files, as `{{name}}`.
    pub constants: Constants,
}

/// A file that belongs to a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its name where the program is made, as `lib/queue.h`.
    pub name: String,
    /// Where it lies.
    pub path: PathBuf,
}

impl FurtherSources {
    /// Whether there is nothing beside the submission's own file, taken as it is.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
