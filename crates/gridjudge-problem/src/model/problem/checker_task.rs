//! Problems with a program of their own that decides whether a submission is right. Plain data;
//! `checker` runs the program.

use std::path::PathBuf;

use gridjudge_sandbox::Limits;
use serde::{Deserialize, Serialize};

use crate::model::{CheckerProtocol, JudgingProgramKind, SourceFile};

/// A program of the problem that decides whether a submission is right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckerTask {
    /// When it runs.
    pub kind: JudgingProgramKind,
    /// Its source file, or an executable.
    pub source: PathBuf,
    /// How it is called, and how it answers.
    pub protocol: CheckerProtocol,
    /// Arguments after those of the protocol.
    pub arguments: Vec<String>,
    /// The limits of one run of it.
    pub limits: Limits,
    /// How many times a submission may be run on a case. In each run after the first it reads an
    /// input that the checker wrote.
    pub passes: u32,
    /// Whether it works among the files of the submission, and not in the folder that it may write
    /// to.
    pub sees_submission: bool,
    /// A further checker that has the last word: it reads what an interactor wrote during an
    /// interaction that it accepted, or the same output again if several programs must accept it.
    /// `None` if this checker decides alone.
    pub final_checker: Option<Box<Self>>,
    /// Files that it finds in its working folder.
    #[serde(default)]
    pub files: Vec<SourceFile>,
    /// Its arguments in place of those of the protocol, if it has some: `{input_file}`,
    /// `{output_file}` and `{answer_file}` in them stand for paths.
    #[serde(default)]
    pub call: Option<Vec<String>>,
    /// Its further sources and headers, and the flags of its compiler.
    #[serde(default)]
    pub build: ProgramExtras,
}

/// What a program is compiled with, besides its own source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramExtras {
    /// Further sources, and headers.
    pub files: Vec<SourceFile>,
    /// Flags before those of the language.
    pub flags: Vec<String>,
}

impl CheckerTask {
    /// A program that decides alone, once, by its source.
    pub fn new(
        kind: JudgingProgramKind,
        source: PathBuf,
        protocol: CheckerProtocol,
        limits: Limits,
    ) -> Self {
        Self {
            kind,
            source,
            protocol,
            arguments: Vec::new(),
            limits,
            passes: 1,
            sees_submission: false,
            final_checker: None,
            files: Vec::new(),
            call: None,
            build: ProgramExtras::default(),
        }
    }
}
