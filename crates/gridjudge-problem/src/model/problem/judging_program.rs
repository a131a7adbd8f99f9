//! The kinds of judging programs, their tasks, and their protocols, a row of rules
//! each: how a program is called, what its exit codes mean, where it leaves its message
//! and points. Everything that differs between protocols is here; other modules ask the
//! row.
//!
//! Sources: the Kattis problem package format, sections on output validators;
//! testlib.h, `resultExitCode`.

use std::path::PathBuf;

use gridjudge_sandbox::{Exit, Limits};
use serde::{Deserialize, Serialize};

use self::CallArgument::{Answer, FeedbackFolder, Input, Output, ReportFile, Word};
use self::ExitAnswer::{Points, Rejected, Right};
use crate::model::{FindingKind, SourceFile};

/// When a program of the problem runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgingProgramKind {
    /// After the submission, on its output.
    #[default]
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

impl JudgingProgramKind {
    /// What judges the cases of a problem.
    pub fn judging(is_interactive: bool) -> Self {
        if is_interactive {
            Self::Interactor
        } else {
            Self::Checker
        }
    }

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
    /// The Kattis problem package format.
    #[default]
    Kattis,
    /// testlib.
    Testlib,
    /// Bridged checkers of DMOJ.
    Dmoj,
    /// online-judge-tools.
    Oj,
}

impl CheckerProtocol {
    /// All protocols.
    pub const ALL: [Self; 4] = [Self::Kattis, Self::Testlib, Self::Dmoj, Self::Oj];

    /// The protocols that a kind of program may speak.
    pub fn of_kind(kind: JudgingProgramKind) -> impl Iterator<Item = Self> {
        let all = Self::ALL.into_iter();
        all.filter(move |protocol| protocol.rules().arguments(kind).is_some())
    }

    /// Its row.
    pub const fn rules(self) -> &'static ProtocolRules {
        match self {
            Self::Kattis => &KATTIS,
            Self::Testlib => &TESTLIB,
            Self::Dmoj => &DMOJ,
            Self::Oj => &OJ,
        }
    }
}

/// The rules of a protocol.
#[derive(Debug)]
pub struct ProtocolRules {
    /// Its name in problem files.
    pub name: &'static str,
    /// The arguments of a checker, before its own.
    pub checker_arguments: &'static [CallArgument],
    /// The arguments of an interactor; `None` if the protocol has no interactors.
    pub interactor_arguments: Option<&'static [CallArgument]>,
    /// The answer that an exit code stands for; `None` if the program has failed.
    pub answer: fn(i32) -> Option<ExitAnswer>,
    /// Explains why an exit without an answer is a failure.
    pub failure: fn(JudgingProgramKind, Exit) -> String,
    /// Where its message is, and its points.
    pub feedback: Feedback,
    /// Whether an option with an empty value means the same as no such option.
    pub ignores_empty_options: bool,
    /// Whether it is the protocol of problem packages. Programs of any other are
    /// exported in wrappers, `export/programs/around_*`, which must know its arguments
    /// and exit codes.
    pub is_of_packages: bool,
}

impl ProtocolRules {
    /// The arguments of a program, before its own; `None` if the protocol has none of
    /// its kind.
    pub const fn arguments(
        &self,
        kind: JudgingProgramKind,
    ) -> Option<&'static [CallArgument]> {
        match kind {
            JudgingProgramKind::Interactor => self.interactor_arguments,
            JudgingProgramKind::Checker
            | JudgingProgramKind::FinalChecker
            | JudgingProgramKind::Grader
            | JudgingProgramKind::StaticValidator => Some(self.checker_arguments),
        }
    }

    /// Whether a checker reads the output on standard input, and not from a file.
    pub fn reads_standard_input(&self) -> bool {
        !self.checker_arguments.contains(&Output)
    }

    /// Whether an interactor writes an output that a checker can judge after it.
    pub fn has_final_checkers(&self) -> bool {
        self.interactor_arguments
            .is_some_and(|words| words.contains(&Output))
    }
}

/// An argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallArgument {
    /// The file of the input.
    Input,
    /// The file of the submission's output or, for an interactor, the file that it
    /// writes for the checker after it.
    Output,
    /// The file of the answer.
    Answer,
    /// The folder for feedback files, with a slash at the end.
    FeedbackFolder,
    /// The file for a report.
    ReportFile,
    /// A fixed word.
    Word(&'static str),
}

/// The answer of a program, by its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitAnswer {
    /// The output is right.
    Right,
    /// The output gets the points that the report names.
    Points,
    /// The output is not right.
    Rejected(FindingKind),
}

/// Where a program leaves its message and its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feedback {
    /// In feedback files, which may also contain pictures and the input of another
    /// pass.
    Files,
    /// In the report of testlib, or on standard error without one.
    Report,
    /// On its standard output and standard error, without points.
    Printed,
}

const INPUT_ANSWER_FEEDBACK: &[CallArgument] = &[Input, Answer, FeedbackFolder];
const INPUT_OUTPUT_ANSWER: &[CallArgument] = &[Input, Output, Answer];
const WRONG: Option<ExitAnswer> = Some(Rejected(FindingKind::Wrong));

const KATTIS: ProtocolRules = ProtocolRules {
    name: "kattis",
    checker_arguments: INPUT_ANSWER_FEEDBACK,
    interactor_arguments: Some(INPUT_ANSWER_FEEDBACK),
    answer: |code| match code {
        42 => Some(Right),
        43 => WRONG,
        _ => None,
    },
    failure: kattis_failure,
    feedback: Feedback::Files,
    ignores_empty_options: false,
    is_of_packages: true,
};

const TESTLIB: ProtocolRules = ProtocolRules {
    name: "testlib",
    checker_arguments: &[Input, Output, Answer, ReportFile, Word("-appes")],
    // An interactor is given no report file, and writes its message to standard error
    // instead.
    interactor_arguments: Some(INPUT_OUTPUT_ANSWER),
    answer: |code| match code {
        0 => Some(Right),
        1 => WRONG,
        2 | 4 | 8 => Some(Rejected(FindingKind::Presentation)),
        7 => Some(Points),
        _ => None,
    },
    failure: |_, exit| match exit {
        Exit::Code(3) => {
            "it failed itself (`_fail`): mostly the input or the answer is wrong"
                .to_owned()
        }
        other => format!("it ended with {other}, which testlib does not know"),
    },
    feedback: Feedback::Report,
    ignores_empty_options: true,
    is_of_packages: false,
};

const DMOJ: ProtocolRules = ProtocolRules {
    name: "dmoj",
    checker_arguments: INPUT_OUTPUT_ANSWER,
    interactor_arguments: Some(&[Input, Answer]),
    answer: |code| match code {
        0 => Some(Right),
        1 => WRONG,
        _ => None,
    },
    failure: |_, exit| {
        format!("it ended with {exit}, and a checker of DMOJ ends with 0 or 1")
    },
    feedback: Feedback::Printed,
    ignores_empty_options: false,
    is_of_packages: false,
};

const OJ: ProtocolRules = ProtocolRules {
    name: "oj",
    checker_arguments: INPUT_OUTPUT_ANSWER,
    interactor_arguments: None,
    answer: |code| match code {
        0 => Some(Right),
        126 | 127 => None,
        _ => WRONG,
    },
    failure: |_, exit| match exit {
        Exit::Code(_) => {
            format!("it ended with {exit}, as a program that cannot be started does")
        }
        Exit::Signal(_) => format!("it ended with {exit}"),
    },
    feedback: Feedback::Printed,
    ignores_empty_options: false,
    is_of_packages: false,
};

fn kattis_failure(kind: JudgingProgramKind, exit: Exit) -> String {
    let role = match kind {
        JudgingProgramKind::Checker
        | JudgingProgramKind::FinalChecker
        | JudgingProgramKind::Grader => "an output validator",
        JudgingProgramKind::Interactor => "an interactor",
        JudgingProgramKind::StaticValidator => "a static validator",
    };
    // A program is a static validator only by its folder, so another protocol cannot be
    // meant.
    let hint = if kind != JudgingProgramKind::StaticValidator
        && matches!(exit, Exit::Code(0 | 1))
    {
        format!(" (`protocol` names the other kinds of {}s)", kind.name())
    } else {
        String::new()
    };
    format!("it ended with {exit}, and {role} ends with 42 or 43{hint}")
}

// Problems with a program of their own that decides whether a submission is right.
// Plain data; `checker` runs the program.

/// A program of the problem that decides whether a submission is right.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// How many times a submission may be run on a case. In each run after the first it
    /// reads an input that the checker wrote.
    pub passes: u32,
    /// Whether it works among the files of the submission, and not in the folder that
    /// it may write to.
    pub sees_submission: bool,
    /// A further checker that has the last word: it reads what an interactor wrote
    /// during an interaction that it accepted, or the same output again if several
    /// programs must accept it. `None` if this checker decides alone.
    pub final_checker: Option<Box<Self>>,
    /// Files that it finds in its working folder.
    #[serde(default)]
    pub files: Vec<SourceFile>,
    /// Its arguments in place of those of the protocol, if it has some: `{input_file}`,
    /// `{output_file}` and `{answer_file}` in them stand for paths.
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
            limits,
            passes: 1,
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_protocol_is_listed_under_the_name_of_its_serialization() {
        let error = serde_json::from_str::<CheckerProtocol>("\"\"").unwrap_err();
        let names = CheckerProtocol::ALL
            .map(|protocol| format!("`{}`", protocol.rules().name));
        let expected = format!("expected one of {} at", names.join(", "));
        assert!(error.to_string().contains(&expected), "{error}");
    }
}
