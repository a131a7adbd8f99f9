//! Results as graders of the Kattis format read and write them, for a case or a group: a code and a
//! score. Plain data.

use serde::{Deserialize, Serialize};

use crate::model::{PointValue, Verdict};

/// A verdict in the vocabulary of graders. Ordered from the worst rejection to the mildest, after
/// acceptance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ResultCode {
    /// Accepted.
    #[serde(rename = "AC")]
    Accepted,
    /// Crashed, or used too much memory.
    #[serde(rename = "RTE")]
    RuntimeError,
    /// Too slow.
    #[serde(rename = "TLE")]
    TimeLimit,
    /// Printed too much.
    #[serde(rename = "OLE")]
    OutputLimit,
    /// Anything else.
    #[serde(rename = "WA")]
    WrongAnswer,
}

/// The result of a case or a group, as a grader reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GradedResult {
    /// Its verdict.
    pub code: ResultCode,
    /// Its points.
    pub points: PointValue,
}

impl ResultCode {
    /// All codes; the rejections among them from the worst on.
    pub const ALL: [Self; 5] = [
        Self::Accepted,
        Self::RuntimeError,
        Self::TimeLimit,
        Self::OutputLimit,
        Self::WrongAnswer,
    ];

    /// The code that a grader is given for a verdict.
    pub fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Accepted => Self::Accepted,
            Verdict::RuntimeError | Verdict::MemoryLimit => Self::RuntimeError,
            Verdict::TimeLimit | Verdict::IdleLimit => Self::TimeLimit,
            Verdict::OutputLimit => Self::OutputLimit,
            Verdict::WrongAnswer
            | Verdict::PresentationError
            | Verdict::CompileError
            | Verdict::Skipped => Self::WrongAnswer,
        }
    }

    /// The code as text.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accepted => "AC",
            Self::RuntimeError => "RTE",
            Self::TimeLimit => "TLE",
            Self::OutputLimit => "OLE",
            Self::WrongAnswer => "WA",
        }
    }

    /// The verdict that the code stands for, if no case has a more precise one.
    pub const fn verdict(self) -> Verdict {
        match self {
            Self::Accepted => Verdict::Accepted,
            Self::RuntimeError => Verdict::RuntimeError,
            Self::TimeLimit => Verdict::TimeLimit,
            Self::OutputLimit => Verdict::OutputLimit,
            Self::WrongAnswer => Verdict::WrongAnswer,
        }
    }
}
