//! Results as graders of the Kattis format read and write them, for a case or a group: a code and a score.
//! Plain data.

use serde::Deserialize;
use serde::Serialize;

use crate::model::PointValue;
use crate::model::Verdict;

/// A verdict in the vocabulary of graders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    pub const ALL: [Self; 4] = [Self::Accepted, Self::RuntimeError, Self::TimeLimit, Self::WrongAnswer];

    /// The code that a grader is given for a verdict.
    pub fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Accepted => Self::Accepted,
            Verdict::RuntimeError | Verdict::MemoryLimit => Self::RuntimeError,
            Verdict::TimeLimit | Verdict::IdleLimit => Self::TimeLimit,
            Verdict::WrongAnswer
            | Verdict::PresentationError
            | Verdict::OutputLimit
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
            Self::WrongAnswer => "WA",
        }
    }

    /// The rejection among these codes that counts: the worst if `is_worst`, else the first.
    pub fn rejection(codes: impl Iterator<Item = Self>, is_worst: bool) -> Self {
        let rejected: Vec<_> = codes.filter(|code| *code != Self::Accepted).collect();
        let worst = Self::ALL.into_iter().find(|code| rejected.contains(code));
        let found = if is_worst { worst } else { rejected.first().copied() };
        found.unwrap_or(Self::WrongAnswer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_rejections_the_worst_or_the_first_counts() {
        use ResultCode::*;
        let codes = [Accepted, WrongAnswer, TimeLimit, RuntimeError];
        assert_eq!(ResultCode::rejection(codes.into_iter(), true), RuntimeError);
        assert_eq!(ResultCode::rejection(codes.into_iter(), false), WrongAnswer);
        assert_eq!(ResultCode::rejection(codes[..3].iter().copied(), true), TimeLimit);
    }
}
