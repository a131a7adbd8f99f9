//! A number of points: always finite, and rounded to nine decimals.

use std::cmp::Ordering;
use std::fmt;
use std::iter::Sum;

use serde::{Deserialize, Serialize, Serializer};

use crate::model::Verdict;
use crate::text::plural;

/// A number of points. Whole numbers are serialised without a fraction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(from = "f64")]
pub struct PointValue(f64);

/// Sound because the value is never NaN, so each value equals itself.
impl Eq for PointValue {}

/// Values are rounded to multiples of `1 / UNITS`; anything smaller is rounding error.
const UNITS: f64 = 1e9;

/// The largest absolute value: up to here whole numbers are exact, and so are sums of
/// many.
const MOST: f64 = 1e12;

impl PointValue {
    /// No points.
    pub const ZERO: Self = Self(0.0);

    /// The given number of points, or `None` if it is not a number or beyond ±10¹².
    pub fn new(points: f64) -> Option<Self> {
        // Adding 0.0 turns -0.0 into 0.0.
        (points.abs() <= MOST).then(|| Self((points * UNITS).round() / UNITS + 0.0))
    }

    /// The points multiplied by a factor.
    #[must_use]
    pub fn times(self, factor: Self) -> Self {
        Self::clamped(self.0 * factor.0)
    }

    /// One of this many equal parts of the points.
    #[must_use]
    pub fn shared_by(self, parts: usize) -> Self {
        // Not rounded, so that all parts add up to the whole.
        Self(self.0 / parts.max(1) as f64)
    }

    /// The part `right` out of `all` of the points. All of them if there is nothing to
    /// be right in.
    #[must_use]
    pub fn part(self, right: Self, all: Self) -> Self {
        if all == Self::ZERO {
            self
        } else {
            Self::clamped(self.0 * right.0 / all.0)
        }
    }

    /// The difference, but never less than zero.
    #[must_use]
    pub fn less(self, others: Self) -> Self {
        Self::clamped((self.0 - others.0).max(0.0))
    }

    /// The mean of these values; zero if there are none.
    pub fn mean(points: &[Self]) -> Self {
        points.iter().copied().sum::<Self>().shared_by(points.len())
    }

    /// The value rounded to six decimals, as graders write it.
    #[must_use]
    pub fn as_written(self) -> Self {
        Self::clamped(format!("{:.6}", self.0).parse().unwrap_or(self.0))
    }

    /// The value as a float.
    pub fn get(self) -> f64 {
        self.0
    }

    /// The points in words: `40 points`.
    pub fn in_words(self) -> String {
        format!("{self} {}", plural(self.get(), "point"))
    }

    fn clamped(points: f64) -> Self {
        Self::new(points.clamp(-MOST, MOST)).unwrap_or(Self::ZERO)
    }
}

impl From<u64> for PointValue {
    fn from(points: u64) -> Self {
        Self::clamped(points as f64)
    }
}

/// Clamps to the nearest valid number, because a log may contain anything.
impl From<f64> for PointValue {
    fn from(points: f64) -> Self {
        Self::clamped(points)
    }
}

/// Whole numbers are written without a fraction, as in older logs.
impl Serialize for PointValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

impl Ord for PointValue {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for PointValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Sum for PointValue {
    fn sum<I: Iterator<Item = Self>>(points: I) -> Self {
        Self::clamped(points.map(|points| points.0).sum())
    }
}

/// At most six decimals, without trailing zeros.
impl fmt::Display for PointValue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.6}", self.0);
        out.pad(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

// The points of a submission.

/// The points that a submission got.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// Points it got.
    pub earned: PointValue,
    /// Points available; `None` if they have no bound, or if fewer are better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<PointValue>,
    /// Whether fewer points are better.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub fewest_is_best: bool,
    /// Whether the rules of the problem accept the submission, even if single cases
    /// failed: points for some of the groups.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub accepted: bool,
    /// The groups that contain cases directly, in the order of their first case.
    pub groups: Vec<GroupScore>,
    /// Groups whose points are outside of what the problem says that they are worth, a
    /// sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub out_of_range: Vec<String>,
}

/// The points that a submission got in one group of cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupScore {
    /// The group, as `secret`.
    pub name: String,
    /// Points it got.
    pub earned: PointValue,
    /// Points available in the group; `None` if they have no bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<PointValue>,
}

impl Score {
    /// Whether all points were got. False if the points have no bound: there might be
    /// more.
    pub fn is_full(&self) -> bool {
        self.of.is_some_and(|of| self.earned >= of)
    }

    /// The points of each group that has any, as `sample 10 of 10, secret 30 of 90`, if
    /// there are several.
    pub fn by_group(&self) -> Option<String> {
        let groups: Vec<_> = self
            .groups
            .iter()
            .filter_map(|group| match group.of {
                Some(of) if of.max(group.earned) == PointValue::ZERO => None,
                Some(of) => Some(format!("{} {} of {of}", group.name, group.earned)),
                None => Some(format!("{} {}", group.name, group.earned)),
            })
            .collect();
        (groups.len() > 1).then(|| groups.join(", "))
    }

    /// Whether it is known that points are missing.
    pub fn is_partial(&self) -> bool {
        self.of.is_some_and(|of| self.earned < of)
    }

    /// The points in words: `40 of 100 points`.
    pub fn in_points(&self) -> String {
        match self.of {
            Some(of) => format!("{} of {}", self.earned, of.in_words()),
            None => self.earned.in_words(),
        }
    }
}

/// `40 of 100`, or `40` if there is no bound.
impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            Some(of) => out.pad(&format!("{} of {of}", self.earned)),
            None => out.pad(&self.earned.to_string()),
        }
    }
}

// Results as graders of the Kattis format read and write them, for a case or a group: a
// code and a score. Plain data.

/// A verdict in the vocabulary of graders. Ordered from the worst rejection to the
/// mildest, after acceptance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ResultCode {
    /// Accepted.
    Accepted,
    /// Crashed, or used too much memory.
    RuntimeError,
    /// Too slow.
    TimeLimit,
    /// Printed too much.
    OutputLimit,
    /// Anything else.
    WrongAnswer,
}

/// The result of a case or a group, as a grader reads it.
#[derive(Clone, Copy, Debug)]
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
    pub fn from_verdict(verdict: Verdict) -> Self {
        use Verdict::*;

        match verdict {
            Accepted => Self::Accepted,
            RuntimeError | MemoryLimit => Self::RuntimeError,
            TimeLimit | IdleLimit => Self::TimeLimit,
            OutputLimit => Self::OutputLimit,
            WrongAnswer | PresentationError | CompileError | Skipped => {
                Self::WrongAnswer
            }
        }
    }

    /// The code as text.
    pub fn name(self) -> &'static str {
        match self {
            Self::RuntimeError => "RTE",
            other => other.verdict().code(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_point_is_in_the_singular() {
        for (points, words) in [
            (0.0, "0 points"),
            (0.5, "0.5 points"),
            (1.0, "1 point"),
            (1.5, "1.5 points"),
        ] {
            assert_eq!(PointValue::from(points).in_words(), words);
        }
    }

    #[test]
    fn points_are_written_without_needless_decimals() {
        let written = |points: f64| {
            let points = PointValue::new(points).unwrap();
            (points.to_string(), serde_json::to_string(&points).unwrap())
        };
        for (points, text, json) in [
            (60.0, "60", "60"),
            (49.9165, "49.9165", "49.9165"),
            (-0.0, "0", "0"),
            (1e12, "1000000000000", "1000000000000"),
        ] {
            assert_eq!(written(points), (text.to_owned(), json.to_owned()));
        }
        assert_eq!(
            serde_json::from_str::<PointValue>("60").unwrap(),
            PointValue::from(60)
        );
        let beyond = ["1e300", "-18446744073709551615"]
            .map(|text| serde_json::from_str::<PointValue>(text).unwrap());
        assert_eq!(beyond.map(PointValue::get), [1e12, -1e12]);
        assert_eq!(
            [f64::NAN, f64::INFINITY, -1e13].map(PointValue::new),
            [None; 3]
        );
    }

    #[test]
    fn equal_parts_add_up_to_the_whole() {
        for parts in [3, 7, 49] {
            let part = PointValue::from(100).shared_by(parts);
            assert_eq!(
                std::iter::repeat_n(part, parts).sum::<PointValue>(),
                PointValue::from(100)
            );
        }
        assert_eq!(PointValue::mean(&[]), PointValue::ZERO);
    }
}
