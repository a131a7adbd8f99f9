//! What is wrong with a problem itself, as the log has it. Plain data.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A mistake in the files of a problem, or something in them that is hardly intended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MistakeRecord {
    /// Its problem.
    pub problem: Arc<str>,
    /// What found it.
    pub check: ProblemCheck,
    /// Whether it makes `verify` fail.
    pub severity: MistakeSeverity,
    /// The file or folder, relative to the folder of `judge.toml` if it is in there. For what
    /// concerns the whole problem, its spec.
    pub file: String,
    /// The line, from 1, if it is about a single one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// How bad something in a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MistakeSeverity {
    /// It is wrong.
    Error,
    /// It is allowed, but hardly intended.
    Warning,
}

/// A check of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemCheck {
    /// Reading its files.
    Files,
    /// Proving its grids and their answers.
    Proof,
    /// What the format of a package wants beyond that.
    Format,
    /// Whether submissions are in a permitted language.
    Languages,
    /// Compiling the programs that judge.
    Programs,
    /// Comparing the files of its cases.
    Cases,
    /// Running its input validators.
    InputValidators,
    /// Judging its example outputs.
    Outputs,
    /// Holding its time limit against the rule of its format.
    TimeLimit,
}

impl MistakeRecord {
    /// Whether it makes `verify` fail.
    pub fn is_error(&self) -> bool {
        self.severity == MistakeSeverity::Error
    }

    /// The file, and the line if there is one: `problem.yaml:5`.
    pub fn place(&self) -> String {
        self.line
            .map_or_else(|| self.file.clone(), |line| format!("{}:{line}", self.file))
    }
}

impl ProblemCheck {
    /// All checks.
    pub const ALL: [Self; 9] = [
        Self::Files,
        Self::Proof,
        Self::Format,
        Self::Languages,
        Self::Programs,
        Self::Cases,
        Self::InputValidators,
        Self::Outputs,
        Self::TimeLimit,
    ];

    /// Its name in logs and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Proof => "proof",
            Self::Format => "format",
            Self::Languages => "languages",
            Self::Programs => "programs",
            Self::Cases => "cases",
            Self::InputValidators => "input_validators",
            Self::Outputs => "outputs",
            Self::TimeLimit => "time_limit",
        }
    }

    /// What it finds, in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Files => "a mistake in a file of a problem",
            Self::Proof => "a grid without the promised solutions, or a wrong answer",
            Self::Format => {
                "something that the format of a package, or another judge, does not take"
            }
            Self::Languages => "no submission in a permitted language",
            Self::Programs => "a program that judges and cannot be compiled",
            Self::Cases => "cases with the same input, or with odd bytes",
            Self::InputValidators => "an input that its validators wrongly refuse or accept",
            Self::Outputs => "an example output with another verdict than its package says",
            Self::TimeLimit => "a time limit that is too near to the time of a submission",
        }
    }
}

impl fmt::Display for ProblemCheck {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_has_the_same_name_in_logs_and_reports() {
        for check in ProblemCheck::ALL {
            assert_eq!(serde_json::to_value(check).unwrap(), check.name());
        }
    }

    #[test]
    fn a_place_has_a_line_only_if_the_mistake_is_on_one() {
        let record = MistakeRecord {
            problem: "p".into(),
            check: ProblemCheck::Files,
            severity: MistakeSeverity::Warning,
            file: "p/a.yaml".to_owned(),
            line: Some(5),
            message: "is odd".to_owned(),
            remedy: None,
        };
        assert_eq!(record.place(), "p/a.yaml:5");
        assert_eq!(
            MistakeRecord {
                line: None,
                ..record
            }
            .place(),
            "p/a.yaml"
        );
    }
}
