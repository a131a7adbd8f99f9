//! The result expected of a submission. Knows verdicts and the folder names that stand
//! for them; others check whether the expectation is met.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::{PointValue, Score, Verdict};
use crate::text::JoinedTexts;

/// The allowed verdicts, and perhaps a score. In a log it is a single code, a list of
/// codes, or an object with verdicts and score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "LoggedExpected", into = "LoggedExpected")]
pub struct Expected {
    verdicts: Vec<Verdict>,
    score: Option<ExpectedScore>,
}

/// The points expected of a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExpectedScore {
    /// Accepted by the rules of the problem, with less than all points.
    Partial,
    /// Rejected by the rules of the problem, whatever the single groups get.
    Rejected,
    /// Within these bounds, inclusive.
    Between(PointValue, PointValue),
}

impl ExpectedScore {
    /// Whether a score meets the expectation.
    pub fn allows(self, score: &Score) -> bool {
        match self {
            Self::Partial => score.accepted && !score.is_full(),
            Self::Rejected => !score.accepted,
            Self::Between(least, most) => (least..=most).contains(&score.earned),
        }
    }
}

/// For example `a part of the points`.
impl fmt::Display for ExpectedScore {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Partial => out.write_str("a part of the points"),
            Self::Rejected => out.write_str("no points"),
            Self::Between(least, most) if least == most => {
                out.write_str(&least.in_words())
            }
            Self::Between(least, most) => write!(out, "{least} to {most} points"),
        }
    }
}

impl Expected {
    /// Expects one of several verdicts, kept in this order without duplicates.
    pub fn one_of(verdicts: impl IntoIterator<Item = Verdict>) -> Self {
        let mut each = vec![];
        for verdict in verdicts {
            if !each.contains(&verdict) {
                each.push(verdict);
            }
        }
        Self {
            verdicts: each,
            score: None,
        }
    }

    /// Expects nothing: no verdict is allowed by it, and there is no score.
    pub fn nothing() -> Self {
        Self::one_of([])
    }

    /// Whether it expects nothing.
    pub fn is_nothing(&self) -> bool {
        self.verdicts.is_empty() && self.score.is_none()
    }

    /// Adds a score to the expectation.
    #[must_use]
    pub fn with_score(self, score: ExpectedScore) -> Self {
        Self {
            score: Some(score),
            ..self
        }
    }

    /// The expected score, if there is one.
    pub fn score(&self) -> Option<ExpectedScore> {
        self.score
    }

    /// The verdicts that a folder of example submissions stands for, if its name is
    /// known.
    pub fn of_folder(name: &str) -> Option<Self> {
        match name {
            "rejected" => Some(Self::one_of(
                Verdict::all().filter(|verdict| verdict.rejects_a_run()),
            )),
            "brute_force" => Some(Self::one_of([
                Verdict::TimeLimit,
                Verdict::IdleLimit,
                Verdict::MemoryLimit,
                Verdict::RuntimeError,
            ])),
            name => Verdict::expected_by_folder(name).map(Self::from),
        }
    }

    /// The verdicts that both allow; `None` if there are none.
    pub fn narrowed_by(&self, other: &Self) -> Option<Self> {
        let mut both = self.clone();
        both.verdicts.retain(|verdict| other.allows(*verdict));
        both.score = self.score.or(other.score);
        (!both.verdicts.is_empty()).then_some(both)
    }

    /// Whether this expects a program that is too slow, and nothing else. One that
    /// prints without end may be stopped before its time is up.
    pub fn is_too_slow(&self) -> bool {
        self.allows(Verdict::TimeLimit)
            && self.verdicts.iter().all(|verdict| {
                verdict.is_about_time() || *verdict == Verdict::OutputLimit
            })
    }

    /// Whether a verdict is among the expected ones.
    pub fn allows(&self, verdict: Verdict) -> bool {
        self.verdicts.contains(&verdict)
    }

    /// The expected verdicts.
    pub fn verdicts(&self) -> &[Verdict] {
        &self.verdicts
    }
}

/// Accepted: what is expected of a submission if nothing else is given.
impl Default for Expected {
    fn default() -> Self {
        Self::from(Verdict::Accepted)
    }
}

impl From<Verdict> for Expected {
    fn from(verdict: Verdict) -> Self {
        Self::one_of([verdict])
    }
}

/// For example `WA`, `WA or TLE`, or `WA or TLE, and 40 to 60 points`.
impl fmt::Display for Expected {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdicts = self
            .verdicts
            .iter()
            .map(|verdict| verdict.code())
            .joined(" or ");
        match self.score {
            // The verdicts of the failing cases are left out.
            Some(ExpectedScore::Partial) => {
                out.pad(&ExpectedScore::Partial.to_string())
            }
            Some(score) if self.verdicts.is_empty() => out.pad(&score.to_string()),
            Some(score) => out.pad(&format!("{verdicts}, and {score}")),
            None => out.pad(&verdicts),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum LoggedExpected {
    One(Verdict),
    Several(Vec<Verdict>),
    Scored {
        verdicts: Vec<Verdict>,
        score: ExpectedScore,
    },
}

impl From<LoggedExpected> for Expected {
    fn from(logged: LoggedExpected) -> Self {
        match logged {
            LoggedExpected::One(verdict) => Self::from(verdict),
            LoggedExpected::Several(verdicts) => Self::one_of(verdicts),
            LoggedExpected::Scored { verdicts, score } => {
                Self::one_of(verdicts).with_score(score)
            }
        }
    }
}

impl From<Expected> for LoggedExpected {
    fn from(Expected { verdicts, score }: Expected) -> Self {
        match (score, &verdicts[..]) {
            (Some(score), _) => Self::Scored { verdicts, score },
            (None, [verdict]) => Self::One(*verdict),
            (None, _) => Self::Several(verdicts),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_verdict_is_a_code_in_a_log_and_several_are_a_list() {
        let json = |expected: &Expected| serde_json::to_string(expected).unwrap();
        let one = Expected::from(Verdict::WrongAnswer);
        let two = Expected::one_of([
            Verdict::WrongAnswer,
            Verdict::TimeLimit,
            Verdict::WrongAnswer,
        ]);
        assert_eq!(
            (json(&one).as_str(), json(&two).as_str()),
            (r#""WA""#, r#"["WA","TLE"]"#)
        );
        assert_eq!(serde_json::from_str::<Expected>(&json(&one)).unwrap(), one);
        assert_eq!(serde_json::from_str::<Expected>(&json(&two)).unwrap(), two);
        let scored = two
            .clone()
            .with_score(ExpectedScore::Between(40.into(), 60.into()));
        assert_eq!(
            json(&scored),
            r#"{"verdicts":["WA","TLE"],"score":{"between":[40,60]}}"#
        );
        assert_eq!(
            serde_json::from_str::<Expected>(&json(&scored)).unwrap(),
            scored
        );
        assert_eq!(scored.to_string(), "WA or TLE, and 40 to 60 points");
        assert_eq!(
            (one.to_string(), two.to_string()),
            ("WA".to_owned(), "WA or TLE".to_owned())
        );
    }

    #[test]
    fn a_folder_promises_one_verdict_or_one_of_several() {
        let of =
            |folder| Expected::of_folder(folder).map(|expected| expected.to_string());
        assert_eq!(of("wrong").as_deref(), Some("WA"));
        assert_eq!(
            of("brute_force").as_deref(),
            Some("TLE or ILE or MLE or RE")
        );
        assert!(
            !Expected::of_folder("rejected")
                .unwrap()
                .allows(Verdict::Accepted)
        );
        assert_eq!(of("mixed"), None);
    }
}
