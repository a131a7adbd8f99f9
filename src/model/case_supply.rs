//! Extra input of a case besides standard input, and the files that replace standard input and
//! output. Plain data.

use serde::{Deserialize, Serialize};

use crate::model::SourceFile;

/// The arguments and files that a submission gets on a case besides standard input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseSupply {
    /// Command line arguments, added after the program's own.
    pub arguments: Vec<String>,
    /// Files placed in its working folder, with their names there.
    pub files: Vec<SourceFile>,
}

/// Files in the working folder that replace standard input and output of a submission.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FileStreams {
    /// The file that contains the input. Standard input is empty then.
    pub input: Option<String>,
    /// The file that the submission writes its output to. Its standard output is ignored then.
    pub output: Option<String>,
}

impl CaseSupply {
    /// Whether there are no arguments and no files.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
