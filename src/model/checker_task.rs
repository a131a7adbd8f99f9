//! Problems that bring a program of their own to say whether a submission is right. Plain data; `checker` runs it.

use std::path::PathBuf;

use serde::Deserialize;
use serde::Serialize;

use gridjudge_sandbox::Limits;

/// A program of the problem says whether a submission is right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckerTask {
    /// When it runs.
    pub kind: CheckerKind,
    /// Its source, or an executable.
    pub source: PathBuf,
    /// How it is called, and how it answers.
    pub protocol: CheckerProtocol,
    /// Arguments after those of the protocol.
    pub arguments: Vec<String>,
    /// What one run of it may use.
    pub limits: Limits,
    /// How often a submission may be run on a case: once, or again on an input that the checker has left.
    pub passes: u32,
    /// The checker that comes after it, if there is one: on what an interactor has written of a talk that it accepts; or on the same
    /// output, where several programs must take it. Else this one has the last word.
    pub final_checker: Option<Box<Self>>,
}

/// When a program of the problem runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckerKind {
    /// After the submission, on what that has printed.
    Checker,
    /// Beside it: each reads what the other prints.
    Interactor,
    /// After an interactor, on what that has written.
    FinalChecker,
    /// After all cases, on what they came to.
    Grader,
    /// In place of the submission, on its source.
    StaticValidator,
}

impl CheckerKind {
    /// What such a program is called.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckerProtocol {
    /// That of the Kattis problem package format: `checker INPUT ANSWER FEEDBACK/`, the output on standard input; 42 for
    /// right, 43 for wrong.
    Kattis,
    /// That of testlib: `checker INPUT OUTPUT ANSWER REPORT -appes`; 0 for right, 1 for wrong, 2, 4 and 8 for wrongly
    /// formatted.
    Testlib,
    /// That of bridged checkers of DMOJ: `checker INPUT OUTPUT ANSWER`, and `interactor INPUT ANSWER`; 0 for right, 1 for wrong.
    Dmoj,
    /// That of online-judge-tools: `checker INPUT OUTPUT ANSWER`; 0 for right, any other code for wrong.
    Oj,
}

impl CheckerProtocol {
    /// All protocols.
    pub const ALL: [Self; 4] = [Self::Kattis, Self::Testlib, Self::Dmoj, Self::Oj];

    /// What it is called in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kattis => "kattis",
            Self::Testlib => "testlib",
            Self::Dmoj => "dmoj",
            Self::Oj => "oj",
        }
    }
}
