//! Problems with a program of their own that decides whether a submission is right. Plain data;
//! `checker` runs the program.

use std::path::PathBuf;

use gridjudge_sandbox::Limits;
use serde::{Deserialize, Serialize};

use crate::model::SourceFile;

/// A program of the problem that decides whether a submission is right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckerTask {
    /// When it runs.
    pub kind: CheckerKind,
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
}

/// When a program of the problem runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckerKind {
    /// After the submission, on its output.
    Checker,
    /// Alongside the submission: each reads what the other prints.
    Interactor,
    /// After an interactor, on what the interactor wrote.
    FinalChecker,
    /// After all cases, on their results.
    Grader,
    /// Instead of the submission, on its source.
    StaticValidator,
}

impl CheckerKind {
    /// What judges the cases of a problem.
    pub fn judging(is_interactive: bool) -> Self {
        if is_interactive {
            Self::Interactor
        } else {
            Self::Checker
        }
    }
}

impl CheckerKind {
    /// The word for such a program in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checker | Self::FinalChecker => "checker",
            Self::Interactor => "interactor",
            Self::Grader => "grader",
            Self::StaticValidator => "static validator",
        }
    }
}

/// How a checker is called, and how it answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckerProtocol {
    /// The Kattis problem package format: `checker INPUT ANSWER FEEDBACK/`, the output on standard
    /// input; 42 for right, 43 for wrong.
    #[default]
    Kattis,
    /// testlib: `checker INPUT OUTPUT ANSWER REPORT -appes`; 0 for right, 1 for wrong, 2, 4 and 8
    /// for wrongly formatted.
    Testlib,
    /// Bridged checkers of DMOJ: `checker INPUT OUTPUT ANSWER`, and `interactor INPUT ANSWER`; 0
    /// for right, 1 for wrong.
    Dmoj,
    /// online-judge-tools: `checker INPUT OUTPUT ANSWER`; 0 for right, any other code for wrong.
    Oj,
}

impl CheckerProtocol {
    /// All protocols.
    pub const ALL: [Self; 4] = [Self::Kattis, Self::Testlib, Self::Dmoj, Self::Oj];

    /// Its name in problem files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kattis => "kattis",
            Self::Testlib => "testlib",
            Self::Dmoj => "dmoj",
            Self::Oj => "oj",
        }
    }
}
