//! The task of a problem, and how an output is judged. Few files match on [`Task`], and
//! `tests/tidy.rs` lists them; code that works with one kind of task takes that kind,
//! by [`Task::as_grid`] or [`Task::program`].

use std::{fmt, iter, ops};

use gridjudge_grid::Format;
use gridjudge_grid::format::PuzzleKind;
use gridjudge_sandbox::Limits;
use serde::{Deserialize, Serialize};

use crate::model::{CheckerTask, JudgingProgramKind, PointValue};

/// The task of a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::large_enum_variant,
    reason = "there is one of it for each problem"
)]
pub enum Task {
    /// Grids to be completed, or their solutions to be counted.
    Grid(GridTask),
    /// A text, which is compared with the stored answer.
    Text(TextTask),
    /// Whatever a program of the problem accepts: an output, an interaction with the
    /// submission, or its source.
    Checker(CheckerTask),
}

impl Default for Task {
    fn default() -> Self {
        Self::Text(TextTask::default())
    }
}

/// Grids to be completed, or their solutions to be counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GridTask {
    /// How inputs and outputs are written.
    pub format: Format,
    /// Which answers count.
    pub accept: Accept,
}

/// Which answers to a grid count as right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Accept {
    /// The only solution; the problem guarantees that there is exactly one.
    Unique,
    /// Any solution.
    Any,
    /// The first solution, if the cells are read row by row and compared by the order
    /// of the symbols.
    First,
    /// All solutions, in the order of `First`.
    All {
        /// The most solutions that a grid may have, or that are listed.
        most: u64,
    },
    /// The number of solutions, and the first of them, if there is one.
    FirstCounted {
        /// The most solutions that a grid may have, or that are counted.
        most: u64,
    },
    /// The number of solutions, and any one of them, if there is one.
    AnyCounted {
        /// The most solutions that a grid may have, or that are counted.
        most: u64,
    },
    /// The number of solutions.
    Count {
        /// The most solutions that a grid may have, or that are counted.
        most: u64,
    },
    /// A word that describes the grid: valid, solvable, and so on.
    Word,
}

impl Accept {
    /// The most solutions that are listed or counted; `None` if the answer is a single
    /// solution or a word.
    pub fn most(self) -> Option<u64> {
        match self {
            Self::All { most }
            | Self::FirstCounted { most }
            | Self::AnyCounted { most }
            | Self::Count { most } => Some(most),
            Self::Unique | Self::Any | Self::First | Self::Word => None,
        }
    }

    /// Whether any solution is as good as another.
    pub fn is_any(self) -> bool {
        matches!(self, Self::Any | Self::AnyCounted { .. })
    }

    /// Whether an answer consists of the number of all solutions and one of them.
    pub fn shows_one_of_many(self) -> bool {
        matches!(self, Self::FirstCounted { .. } | Self::AnyCounted { .. })
    }

    /// Whether an answer lists the solutions or gives their number.
    pub fn is_list(self) -> bool {
        self.most().is_some()
    }
}

impl GridTask {
    /// Whether each grid of an input comes with its own region map.
    pub fn brings_maps(&self) -> bool {
        self.format.input.region_map.is_some()
    }

    /// Whether a grid may have more than one solution, with an answer that the problem
    /// defines for it.
    pub fn may_have_several(&self) -> bool {
        let replies = &self.format.replies;
        match self.accept {
            Accept::Unique => replies.several.is_some(),
            Accept::Word => replies.line_for(PuzzleKind::Several).is_some(),
            _ => true,
        }
    }
}

impl Task {
    /// The grid task, if it is one.
    pub fn as_grid(&self) -> Option<&GridTask> {
        match self {
            Self::Grid(grid) => Some(grid),
            Self::Text(_) | Self::Checker(_) => None,
        }
    }

    /// The program that judges, if one does.
    pub fn program(&self) -> Option<&CheckerTask> {
        match self {
            Self::Checker(program) => Some(program),
            Self::Grid(_) | Self::Text(_) => None,
        }
    }

    /// Whether the submission interacts with a program of the problem while it runs, so
    /// that there is no output to judge on its own.
    pub fn is_interactive(&self) -> bool {
        self.program()
            .is_some_and(|program| program.kind == JudgingProgramKind::Interactor)
    }

    /// The points of single lines, if each line has its own.
    pub fn points_of_lines(&self) -> Option<&[PointValue]> {
        match self {
            Self::Text(TextTask::ScoredLines(ScoredLineRules::Weighted {
                points,
                ..
            })) => Some(points),
            _ => None,
        }
    }

    /// Whether what judges an output may say how many points it is worth.
    pub fn may_give_points(&self) -> bool {
        matches!(
            self,
            Self::Checker(_) | Self::Text(TextTask::ScoredLines(_))
        )
    }

    /// Whether an output gives points even if the run that printed it failed.
    pub fn scores_failed_runs(&self) -> bool {
        matches!(
            self,
            Self::Text(TextTask::ScoredLines(ScoredLineRules::Equal))
        )
    }

    /// The program that judges the source of a submission, if the task is of that kind.
    pub fn static_validator(&self) -> Option<&CheckerTask> {
        self.program()
            .filter(|program| program.kind == JudgingProgramKind::StaticValidator)
    }

    /// Everything that a verdict depends on besides the case and the program, as bytes
    /// to be hashed. Results are stored under this hash, so the bytes for grids must
    /// not change: format, accept and limits as one JSON list.
    ///
    /// # Errors
    /// Fails if something in it cannot be written as JSON.
    pub fn cache_key(&self, limits: &Limits) -> serde_json::Result<Vec<u8>> {
        let mut key = match self {
            Self::Grid(GridTask { format, accept }) => {
                serde_json::to_vec(&(format, accept, limits))
            }
            Self::Text(text) => serde_json::to_vec(&("text", text, limits)),
            // The checker's source has a key of its own; see `run`.
            Self::Checker(CheckerTask {
                kind,
                protocol,
                arguments,
                limits: own,
                passes,
                final_checker,
                ..
            }) => {
                let kind = kind.name();
                match (final_checker, passes) {
                    (Some(last), _) => serde_json::to_vec(&(
                        kind,
                        protocol,
                        arguments,
                        own,
                        limits,
                        passes,
                        "final checker",
                        (&last.protocol, &last.arguments, &last.limits),
                    )),
                    (None, 1) => {
                        serde_json::to_vec(&(kind, protocol, arguments, own, limits))
                    }
                    (None, _) => serde_json::to_vec(&(
                        kind, protocol, arguments, own, limits, passes,
                    )),
                }
            }
        }?;
        let first = self.program();
        // The same program with the same arguments may work elsewhere in a package of
        // another format.
        if first.is_some_and(|task| task.sees_submission) {
            key.extend_from_slice(b" among the files of the submission");
        }
        let files = iter::successors(first, |task| task.final_checker.as_deref())
            .flat_map(|task| &task.files);
        for file in files {
            key.extend_from_slice(format!(" beside {:?}", file.name).as_bytes());
        }
        if let Some(call) = first.and_then(|task| task.call.as_ref()) {
            key.extend_from_slice(format!(" called with {call:?}").as_bytes());
        }
        Ok(key)
    }
}

// Problems whose output is a text, and how it is compared with the stored answer. Plain
// data; `check` does the comparing.

/// How the text of an output is compared with the stored answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextTask {
    /// Token by token, as the default validator of the Kattis problem package format
    /// does.
    Tokens(TokenRules),
    /// Line by line; white space at the end of a line and empty lines at the end of the
    /// text do not count.
    #[default]
    Lines,
    /// Byte by byte.
    Exact,
    /// Byte by byte, where a carriage return before a line feed does not count: the
    /// default comparison of online-judge-tools, `crlf-insensitive-exact-match`.
    CrlfInsensitive,
    /// Line by line, each token by token, ignoring lines without tokens: the checker
    /// `standard` of DMOJ. For this and the next three variants a carriage return ends
    /// a line as well.
    TokenLines,
    /// Line by line, ignoring white space at the end of a line; every line counts, even
    /// an empty one: the checker `rstripped` of DMOJ.
    StrippedLines,
    /// Like [`TextTask::StrippedLines`], ignoring empty lines: `rstripped` with
    /// `filter_new_line`. A line of white space is not empty.
    StrippedFilledLines,
    /// Line by line, each token by token, ignoring empty lines; a number in the answer
    /// matches any number near enough to it: the checker `floats` of DMOJ.
    NumberLines(NumberLineRules),
    /// Piece by piece in any order: each as often as in the answer.
    Unordered(UnorderedPiece),
    /// Line by line, each for a part of the points, ignoring empty lines; a carriage
    /// return ends a line as well.
    ScoredLines(ScoredLineRules),
}

/// Which lines in [`TextTask::ScoredLines`] are right, and what each is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoredLineRules {
    /// Each line of the answer is worth the same, whatever white space is around it.
    /// Only all of them together are accepted, but each gives its points, even in what
    /// a failed run has printed: the checker `linecount` of DMOJ.
    Equal,
    /// The lines are worth these points, byte by byte, and an output with any points is
    /// accepted: the checker `linematches` of DMOJ.
    Weighted {
        /// The points of each line of the answer. Their sum is not zero.
        points: Vec<PointValue>,
        /// Whether an output with another number of lines than the answer is worth
        /// nothing.
        needs_all_lines: bool,
    },
}

/// The pieces of a text that are compared in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnorderedPiece {
    /// Lines that are not empty, each token by token; a carriage return ends a line as
    /// well: the checker `sorted` of DMOJ.
    Lines,
    /// Tokens: the checker `unordered` of DMOJ.
    Tokens,
    /// All bytes but white space, ignoring the case of ASCII letters: the checker
    /// `easy` of DMOJ.
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

/// What matters when tokens are compared. By default text is split at white space, and
/// tokens are compared ignoring the case of ASCII letters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenRules {
    /// Whether upper and lower case differ.
    pub case_sensitive: bool,
    /// Whether the white space between tokens must be the same, byte for byte.
    pub space_change_sensitive: bool,
    /// The allowed absolute difference from a number in the answer.
    pub absolute_tolerance: Option<Tolerance>,
    /// The allowed difference relative to a number in the answer. It is enough to meet
    /// one of the two tolerances.
    pub relative_tolerance: Option<Tolerance>,
    /// Whether numbers are compared as in DOMjudge, where that has another result than
    /// the format's own validator.
    #[serde(default, skip_serializing_if = "ops::Not::not")]
    pub for_domjudge: bool,
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
        Self::new(value).ok_or_else(|| {
            format!("a tolerance must be finite and not negative, found {value}")
        })
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
    use std::time::Duration;

    use gridjudge_grid::{Replies, Template};

    use super::*;
    use crate::model::CheckerProtocol;

    #[test]
    fn a_final_checker_is_part_of_the_key_and_a_task_without_one_keeps_its_old_key() {
        let second = Duration::from_secs(1);
        let limits = Limits {
            cpu: second,
            wall: second,
            memory_bytes: 1,
            output_bytes: 2,
            processes: 3,
            frequent_samples: false,
            address_space: None,
        };
        let task = |kind, limits: &Limits, final_checker| CheckerTask {
            final_checker,
            ..CheckerTask::new(
                kind,
                "x.cpp".into(),
                CheckerProtocol::Testlib,
                limits.clone(),
            )
        };
        let key = |final_checker: Option<CheckerTask>| {
            let task = task(
                JudgingProgramKind::Interactor,
                &limits,
                final_checker.map(Box::new),
            );
            String::from_utf8(Task::Checker(task).cache_key(&limits).unwrap())
                .unwrap()
        };
        let last = |limits: &Limits| {
            key(Some(task(JudgingProgramKind::FinalChecker, limits, None)))
        };
        let more = Limits {
            output_bytes: 4,
            ..limits.clone()
        };
        assert!(key(None) != last(&limits) && last(&limits) != last(&more));
        let own = serde_json::to_string(&limits).unwrap();
        assert_eq!(
            key(None),
            format!("[\"interactor\",\"testlib\",[],{own},{own}]")
        );
    }

    /// Results are stored under a hash of these bytes.
    #[test]
    fn replies_without_a_case_number_keep_their_stored_form() {
        let replies = Replies {
            none: Some("NO".into()),
            invalid: Some("{n}".into()),
            ..Replies::default()
        };
        let stored = serde_json::to_string(&replies).unwrap();
        assert_eq!(
            stored,
            r#"{"none":"NO","several":null,"count":null,"apart":false,"invalid":"{n}"}"#
        );
        let numbered = Replies {
            none: Some(Template::parse("{n}: no", "n").unwrap()),
            ..replies
        };
        for replies in [serde_json::from_str(&stored).unwrap(), numbered] {
            let stored = serde_json::to_string(&replies).unwrap();
            assert_eq!(serde_json::from_str::<Replies>(&stored).unwrap(), replies);
        }
    }

    #[test]
    fn the_working_folder_of_a_checker_is_part_of_the_key() {
        let limits = Limits {
            cpu: Duration::from_secs(1),
            wall: Duration::from_secs(2),
            memory_bytes: 1,
            output_bytes: 2,
            processes: 3,
            frequent_samples: false,
            address_space: None,
        };
        let [one, other] = [false, true].map(|sees_submission| {
            let task = CheckerTask {
                sees_submission,
                ..CheckerTask::new(
                    JudgingProgramKind::Checker,
                    "x.cpp".into(),
                    CheckerProtocol::Kattis,
                    limits.clone(),
                )
            };
            Task::Checker(task).cache_key(&limits).unwrap()
        });
        assert_ne!(one, other);
    }
}

#[cfg(test)]
mod text_task_tests {
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
