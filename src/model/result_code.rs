//! What a grader of the Kattis format is told of a case or a group, and what it says: a code and a score. Plain data.

use serde::Deserialize;
use serde::Serialize;

use crate::model::PointValue;
use crate::model::Verdict;

/// A verdict, as graders know them.
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

/// What a case or a group came to, in the eyes of a grader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GradedResult {
    /// Its verdict.
    pub code: ResultCode,
    /// Its points.
    pub points: PointValue,
}

impl ResultCode {
    /// All codes; of rejections, the worst first.
    pub const ALL: [Self; 4] = [Self::Accepted, Self::RuntimeError, Self::TimeLimit, Self::WrongAnswer];

    /// What a grader is told of a verdict.
    pub fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Accepted => Self::Accepted,
            Verdict::RuntimeError | Verdict::MemoryLimit => Self::RuntimeError,
            Verdict::TimeLimit | Verdict::IdleLimit => Self::TimeLimit,
            _ => Self::WrongAnswer,
        }
    }

    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accepted => "AC",
            Self::RuntimeError => "RTE",
            Self::TimeLimit => "TLE",
            Self::WrongAnswer => "WA",
        }
    }

    /// The rejection among these codes that counts: the worst, or the first.
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
