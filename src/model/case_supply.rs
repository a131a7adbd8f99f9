//! What a submission is given on a case beside standard input, and where it reads and writes if not there: plain data.

use serde::Deserialize;
use serde::Serialize;

use crate::model::SourceFile;

/// What a submission is given on a case beside its input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseSupply {
    /// Arguments of its command line, behind its own.
    pub arguments: Vec<String>,
    /// Files that it finds in its working folder, by their names there.
    pub files: Vec<SourceFile>,
}

/// The files in its working folder that take the place of standard input and output of a submission.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FileStreams {
    /// The file that the input is in. Standard input is empty then.
    pub input: Option<String>,
    /// The file that it leaves its output in. What it prints counts for nothing then.
    pub output: Option<String>,
}

impl CaseSupply {
    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
