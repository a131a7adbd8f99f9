//! What to start, and what it may see. A launch is self-contained: a worker elsewhere could carry it out.

use std::path::Path;
use std::path::PathBuf;

use serde::Deserialize;
use serde::Serialize;

/// One process to be started, whole: nothing of it is taken from the judge's own surroundings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// The executable (an absolute path), then its arguments. A script is started by its `#!` line.
    pub command: Vec<String>,
    /// The whole environment, `NAME` and value. The sandbox adds `HOME` and `TMPDIR` where they are missing.
    pub environment: Vec<(String, String)>,
    /// What stands on standard input.
    pub input: Input,
    /// Files and folders it may read and execute, beyond the system's own (`/usr`, `/lib`, ...).
    pub readable: Vec<PathBuf>,
    /// How far it is trusted, and its working folder.
    pub role: Role,
    /// What lies in the scratch folder of a submission. Of any other, that is to be nothing.
    pub scratch: ScratchFiles,
}

/// What a submission finds in its scratch folder when it starts, and what counts as its output when it has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScratchFiles {
    /// Copies of files, which it may change.
    pub given: Vec<GivenFile>,
    /// The name of a file that it leaves there, in place of its standard output, which then goes nowhere. Means nothing where it
    /// talks to another program.
    pub output: Option<String>,
}

/// A file in a scratch folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenFile {
    /// Its name, seen from the scratch folder; folders in it are made.
    pub name: String,
    /// What is in it.
    pub content: Input,
}

/// What a run finds on its standard input: never a file with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Input {
    /// Nothing: the first read meets the end.
    Empty,
    /// A copy of this file's bytes. The file itself stays out of the run's reach.
    CopyOf(PathBuf),
    /// These.
    Bytes(Vec<u8>),
}

/// How far a launch is trusted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// A submission: hostile. It works in an empty scratch folder, and as a user of its own where the judge is root.
    Submission,
    /// A compiler: our own program on hostile input. It works, and alone may write, in this folder. What it writes to standard
    /// error stands in its standard output, in the order in which it was written.
    Tool {
        /// The one folder that it may write to; also its working directory.
        folder: PathBuf,
    },
    /// A checker, or another program that a problem brings: as a tool, but in namespaces it finds no more of the system than a
    /// submission that needs a runtime does. To show a compiler all that it may want takes longer than many a check.
    Checker {
        /// The one folder that it may write to; also its working directory.
        folder: PathBuf,
    },
    /// A checker that looks at the files of a submission: as a checker, but it works where these lie, and may only read them.
    SourceChecker {
        /// The one folder that it may write to.
        folder: PathBuf,
        /// Its working directory.
        works_in: PathBuf,
    },
}

impl Role {
    /// The folder that it may write to, if that is not one of the sandbox's own.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Submission => None,
            Self::Tool { folder } | Self::Checker { folder } | Self::SourceChecker { folder, .. } => {
                Some(folder)
            }
        }
    }

    /// Its working directory, if that is not the folder that it may write to.
    pub fn works_in(&self) -> Option<&Path> {
        match self {
            Self::SourceChecker { works_in, .. } => Some(works_in),
            Self::Submission | Self::Tool { .. } | Self::Checker { .. } => None,
        }
    }

    /// Whether what it writes to standard error stands in its standard output.
    pub(crate) const fn has_one_output(&self) -> bool {
        matches!(self, Self::Tool { .. })
    }
}
