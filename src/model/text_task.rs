//! Problems whose output is a text, and how it is compared with the stored answer. Plain data;
//! `check` does the comparing.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::PointValue;

/// How the text of an output is compared with the stored answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextTask {
    /// Token by token, as the default validator of the Kattis problem package format does.
    Tokens(TokenRules),
    /// Line by line; white space at the end of a line and empty lines at the end of the text do not
    /// count.
    Lines,
    /// Byte by byte.
    Exact,
    /// Byte by byte, where a carriage return before a line feed does not count: the default
    /// comparison of online-judge-tools, `crlf-insensitive-exact-match`.
    CrlfInsensitive,
    /// Line by line, each token by token, ignoring lines without tokens: the checker `standard` of
    /// DMOJ. For this and the next three variants a carriage return ends a line as well.
    TokenLines,
    /// Line by line, ignoring white space at the end of a line; every line counts, even an empty
    /// one: the checker `rstripped` of DMOJ.
    StrippedLines,
    /// Like [`TextTask::StrippedLines`], ignoring empty lines: `rstripped` with `filter_new_line`.
    /// A line of white space is not empty.
    StrippedFilledLines,
    /// Line by line, each token by token, ignoring empty lines; a number in the answer matches any
    /// number near enough to it: the checker `floats` of DMOJ.
    NumberLines(NumberLineRules),
    /// Piece by piece in any order: each as often as in the answer.
    Unordered(UnorderedPiece),
    /// Line by line, each for a part of the points, ignoring empty lines; a carriage return ends a
    /// line as well.
    ScoredLines(ScoredLineRules),
}

/// Which lines in [`TextTask::ScoredLines`] are right, and what each is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoredLineRules {
    /// Each line of the answer is worth the same, whatever white space is around it. Only all of
    /// them together are accepted, but each gives its points, even in what a failed run has
    /// printed: the checker `linecount` of DMOJ.
    Equal,
    /// The lines are worth these points, byte by byte, and an output with any points is accepted:
    /// the checker `linematches` of DMOJ.
    Weighted {
        /// The points of each line of the answer. Their sum is not zero.
        points: Vec<PointValue>,
        /// Whether an output with another number of lines than the answer is worth nothing.
        needs_all_lines: bool,
    },
}

/// The pieces of a text that are compared in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnorderedPiece {
    /// Lines that are not empty, each token by token; a carriage return ends a line as well: the
    /// checker `sorted` of DMOJ.
    Lines,
    /// Tokens: the checker `unordered` of DMOJ.
    Tokens,
    /// All bytes but white space, ignoring the case of ASCII letters: the checker `easy` of DMOJ.
    Bytes,
}

impl UnorderedPiece {
    /// What one of them is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lines => "line",
            Self::Tokens => "token",
            Self::Bytes => "byte",
        }
    }
}

/// By how much numbers may be off in [`TextTask::NumberLines`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberLineRules {
    /// The largest allowed error.
    pub tolerance: Tolerance,
    /// Which error is compared with it.
    pub measure: ErrorMeasure,
}

/// Which error is compared with a tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorMeasure {
    /// The absolute or the relative error, whichever is allowed.
    Either,
    /// The absolute error.
    Absolute,
    /// The error relative to the answer.
    Relative,
}

/// What matters when tokens are compared. By default text is split at white space, and tokens are
/// compared ignoring the case of ASCII letters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenRules {
    /// Whether upper and lower case differ.
    pub case_sensitive: bool,
    /// Whether the white space between tokens must be the same, byte for byte.
    pub space_change_sensitive: bool,
    /// The allowed absolute difference from a number in the answer.
    pub absolute_tolerance: Option<Tolerance>,
    /// The allowed difference relative to a number in the answer. It is enough to meet one of the
    /// two tolerances.
    pub relative_tolerance: Option<Tolerance>,
}

/// A tolerance: a finite number, not negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Tolerance(f64);

/// Sound because the value is never NaN, so each value equals itself.
impl Eq for Tolerance {}

impl Tolerance {
    /// The tolerance, if it is finite and not negative.
    pub fn new(value: f64) -> Option<Self> {
        (value.is_finite() && value >= 0.0).then_some(Self(value))
    }

    /// Its value.
    pub fn value(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Tolerance {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        Self::new(value)
            .ok_or_else(|| format!("a tolerance must be finite and not negative, found {value}"))
    }
}

impl From<Tolerance> for f64 {
    fn from(tolerance: Tolerance) -> Self {
        tolerance.0
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // As problem setters write it: 1e-6 and not 0.000001.
        if self.0 != 0.0 && self.0 < 1e-3 {
            write!(out, "{:e}", self.0)
        } else {
            write!(out, "{}", self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tolerance_is_finite_and_not_negative() {
        assert!(
            [0.0, 1e-9, 1.0]
                .into_iter()
                .all(|value| Tolerance::new(value).is_some())
        );
        assert!(
            [-1e-9, f64::NAN, f64::INFINITY]
                .into_iter()
                .all(|value| Tolerance::new(value).is_none())
        );
    }

    #[test]
    fn a_small_tolerance_is_written_as_a_power_of_ten() {
        assert_eq!(Tolerance(1e-6).to_string(), "1e-6");
        assert_eq!(Tolerance(0.01).to_string(), "0.01");
        assert_eq!(Tolerance(0.0).to_string(), "0");
    }
}
