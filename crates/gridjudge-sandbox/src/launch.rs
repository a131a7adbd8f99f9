//! Describes a process to start, and what it may see. A launch is self-contained: a
//! worker elsewhere could carry it out.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A full description of one process to start: nothing is inherited from the judge's
/// own environment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// The executable (an absolute path), then its arguments. A script is started by
    /// its `#!` line.
    pub command: Vec<String>,
    /// The whole environment, `NAME` and value. The sandbox adds `HOME` and `TMPDIR`
    /// where they are missing.
    pub environment: Vec<(String, String)>,
    /// The content of standard input.
    pub input: Input,
    /// Files and folders that it may read and execute, beyond the system's own (`/usr`,
    /// `/lib`, ...).
    pub readable: Vec<PathBuf>,
    /// How far it is trusted, and its working folder.
    pub role: Role,
    /// The files of a submission's scratch folder. Must be empty for every other role.
    pub scratch: ScratchFiles,
}

/// The files in a submission's scratch folder when it starts, and the file that counts
/// as its output when it has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScratchFiles {
    /// Copies of files, which the submission may change.
    pub given: Vec<GivenFile>,
    /// The name of the file there that it writes its output to, instead of standard
    /// output, which is then discarded. Ignored in an interaction.
    pub output: Option<String>,
}

/// A file in a scratch folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenFile {
    /// Its path relative to the scratch folder; missing folders in it are created.
    pub name: String,
    /// Its content.
    pub content: Input,
}

/// The content of a run's standard input, which is never a file with a name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Input {
    /// Nothing: the first read returns end of file.
    #[default]
    Empty,
    /// A copy of this file's bytes. The file itself stays out of the run's reach.
    CopyOf(PathBuf),
    /// These bytes.
    Bytes(Vec<u8>),
}

/// How far a launch is trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// A submission: hostile. It works in an empty scratch folder, and as a user of its
    /// own where the judge is root.
    #[default]
    Submission,
    /// A compiler: our own program on hostile input. It works in this folder, and may
    /// write nowhere else. Its standard error goes to its standard output, in the order
    /// in which it was written.
    Tool {
        /// The one folder that it may write to; also its working directory.
        folder: PathBuf,
    },
    /// A checker, or another program that comes with a problem: like a tool, but in
    /// namespaces it sees no more of the system than a submission that needs a runtime
    /// does. Mounting everything a compiler may need takes longer than many a check.
    Checker {
        /// The one folder that it may write to; also its working directory.
        folder: PathBuf,
    },
    /// A checker that reads the files of a submission: like a checker, but its working
    /// directory is where these files are, and it may only read them.
    SourceChecker {
        /// The one folder that it may write to.
        folder: PathBuf,
        /// Its working directory.
        works_in: PathBuf,
    },
}

impl Role {
    /// The folder that it may write to, unless that is the sandbox's own scratch
    /// folder.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Submission => None,
            Self::Tool { folder }
            | Self::Checker { folder }
            | Self::SourceChecker { folder, .. } => Some(folder),
        }
    }

    /// Its working directory, if other than the folder that it may write to.
    pub fn works_in(&self) -> Option<&Path> {
        match self {
            Self::SourceChecker { works_in, .. } => Some(works_in),
            Self::Submission | Self::Tool { .. } | Self::Checker { .. } => None,
        }
    }
}
