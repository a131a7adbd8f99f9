//! Holds the settings of a group about points, in the older formats and in 2025-09.

use std::path::PathBuf;

use crate::keys::KeyTable;
use crate::mistake::{Mistake, quoted};
use crate::model::{GroupAcceptance, PointValue, ScoreAggregation, ScoreGroup};
use crate::package::blank_separated;

// Reads the keys of `test_group.yaml` about points. Knows the values that each may
// have, and nothing of other groups.
//
// Source: the Kattis problem package format 2025-09, "Test data configuration".

/// The word for points without a maximum.
const UNBOUNDED: &str = "unbounded";

/// The points of `secret` by default.
const DEFAULT_POINTS: u64 = 100;

/// The keys of a `test_group.yaml` about points.
#[derive(Clone, Default)]
pub(crate) struct Grading2025 {
    /// The file.
    pub(crate) file: PathBuf,
    /// `max_score`; the inner value is `None` if it is unbounded.
    pub(crate) most: Option<Option<PointValue>>,
    pub(crate) aggregation: Option<Aggregation2025>,
    pub(crate) requires: Vec<String>,
}

/// How the points of a group follow from those of its cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aggregation2025 {
    PassFail,
    Sum,
    Min,
}

impl Grading2025 {
    pub(crate) fn read(map: &KeyTable) -> Self {
        let aggregations = [
            ("pass-fail", Aggregation2025::PassFail),
            ("sum", Aggregation2025::Sum),
            ("min", Aggregation2025::Min),
        ];
        let aggregation = map.choice("score_aggregation", &aggregations);
        let requires = map.words("require_pass").unwrap_or_default();
        Self {
            file: map.document.path.clone(),
            most: whole_points(map, "max_score", UNBOUNDED),
            aggregation,
            requires,
        }
    }

    /// Whether any key about points is set.
    pub(crate) fn is_about_points(&self) -> bool {
        self.most.is_some() || self.aggregation.is_some() || !self.requires.is_empty()
    }

    /// Returns the aggregation and the maximum of `secret`, if these are its keys.
    pub(crate) fn of_secret(&self) -> (Aggregation2025, Option<PointValue>) {
        let most = self.most.unwrap_or(Some(DEFAULT_POINTS.into()));
        (self.aggregation.unwrap_or(Aggregation2025::Sum), most)
    }
}

/// A whole number of points; the inner value is `None` for the word that may stand in
/// its place.
pub(crate) fn whole_points(
    map: &KeyTable,
    key: &'static str,
    word: &str,
) -> Option<Option<PointValue>> {
    let found = map.text(key)?;
    if found == word {
        return Some(None);
    }
    let points = found.parse::<u32>().ok();
    if points.is_none() {
        map.refuse_value(
            key,
            format!("`{key}` must be a whole number, found {}", quoted(&found)),
            format!("write it in digits, or `{word}`"),
        );
    }
    points.map(|points| Some(u64::from(points).into()))
}

// Reads the keys of `testdata.yaml` about points. Knows the values that each may have,
// and nothing of the groups around.
//
// Source: the Kattis problem package format, legacy, "Graders".

/// The most points that are accepted, plus or minus.
const MOST: f64 = 1e12;

/// The keys of a `testdata.yaml` about points. Missing ones are inherited from the
/// group around it.
#[derive(Clone, Debug, Default)]
pub(crate) struct LegacyGrading {
    /// The file.
    pub(crate) file: PathBuf,
    pub(crate) grader_words: Option<GraderWords>,
    /// Whether a grader of the package decides the result of the group.
    pub(crate) is_custom: Option<bool>,
    /// The line of `grading`.
    pub(crate) custom_line: Option<u64>,
    pub(crate) stops_at_rejection: Option<bool>,
    pub(crate) accept: Option<PointValue>,
    pub(crate) reject: Option<PointValue>,
    /// The least and the most points.
    pub(crate) range: Option<(PointValue, PointValue)>,
    /// Whether fewer points are better, which `problem.yaml` says.
    pub(crate) wants_fewest: bool,
}

/// The words of `grader_flags`.
#[derive(Clone, Debug)]
pub(crate) struct GraderWords {
    /// As they are passed to a grader of the package.
    pub(crate) words: Vec<String>,
    /// What they mean to the default grader.
    rules: ScoreGroup,
    /// The mistakes in them if they are for the default grader.
    pub(crate) unknown: Vec<Mistake>,
}

/// What `on_reject` says in `problem.yaml`, and whether it stops at a rejection.
const OLDER_WAYS_TO_REJECT: [(&str, Option<bool>); 3] = [
    ("first_error", Some(true)),
    ("worst_error", None),
    ("grade", Some(false)),
];

impl LegacyGrading {
    /// Whether a rejection ends the group.
    pub(crate) fn stops_group(&self) -> bool {
        self.stops_at_rejection.unwrap_or(true)
    }

    /// Reads the keys of `grading` in `problem.yaml` that predate the version called
    /// legacy. Problemtools still sets them for all groups.
    pub(crate) fn read_for_all_groups(map: &KeyTable) -> Self {
        Self {
            stops_at_rejection: map
                .choice("on_reject", &OLDER_WAYS_TO_REJECT)
                .flatten(),
            ..Self::read_points(map)
        }
    }

    pub(crate) fn read(map: &KeyTable) -> Self {
        let is_custom =
            map.choice("grading", &[("default", false), ("custom", true)]);
        Self {
            grader_words: GraderWords::read(map),
            is_custom,
            custom_line: is_custom
                .map(|_| map.document.line(map.value_place("grading"))),
            stops_at_rejection: map
                .choice("on_reject", &[("break", true), ("continue", false)]),
            ..Self::read_points(map)
        }
    }

    fn read_points(map: &KeyTable) -> Self {
        let points = |key| map.number_from(key, -MOST).and_then(PointValue::new);
        Self {
            file: map.document.path.clone(),
            accept: points("accept_score"),
            reject: points("reject_score"),
            range: range(map),
            ..Self::default()
        }
    }

    /// Returns the keys, and those of another place in place of missing ones.
    pub(crate) fn or(self, other: &Self) -> Self {
        Self {
            grader_words: self.grader_words.or_else(|| other.grader_words.clone()),
            is_custom: self.is_custom.or(other.is_custom),
            stops_at_rejection: self.stops_at_rejection.or(other.stops_at_rejection),
            accept: self.accept.or(other.accept),
            reject: self.reject.or(other.reject),
            range: self.range.or(other.range),
            ..self
        }
    }

    /// The rules of the default grader.
    pub(crate) fn rules(&self) -> ScoreGroup {
        let rules = match &self.grader_words {
            Some(words) => words.rules.clone(),
            None => ScoreGroup::of_all_cases(),
        };
        ScoreGroup {
            stops_at_rejection: self.stops_group(),
            ..rules
        }
    }
}

impl GraderWords {
    /// Reads the flags of the default grader. Of several modes, the last applies.
    fn read(map: &KeyTable) -> Option<Self> {
        let words = blank_separated(&map.text("grader_flags")?);
        let mut rules = ScoreGroup::of_all_cases();
        let mut mode = "worst_error";
        // Whether one accepted result is enough, whatever the mode says of the others.
        let mut accepts_any = false;
        let mut unknown = vec![];
        for word in &words {
            match word.as_str() {
                "sum" => {
                    rules.aggregation = ScoreAggregation::Sum;
                }
                "min" => {
                    rules.aggregation = ScoreAggregation::Min;
                }
                "max" => {
                    rules.aggregation = ScoreAggregation::Max;
                }
                "avg" => {
                    rules.aggregation = ScoreAggregation::Average;
                }
                "worst_error" | "no_errors" | "first_error" | "always_accept" => {
                    mode = word;
                }
                "accept_if_any_accepted" => {
                    accepts_any = true;
                }
                "ignore_sample" => {
                    rules.ignores_first = true;
                }
                other => {
                    let remedy = "use min, max, sum, avg, first_error, worst_error, always_accept, \
                                  accept_if_any_accepted, ignore_sample";
                    let message = format!(
                        "{} is not a flag of the default grader",
                        quoted(other)
                    );
                    let place = map.value_place("grader_flags");
                    unknown.push(map.document.mistake(place, message, remedy));
                }
            }
        }
        rules.tells_worst = ["worst_error", "no_errors"].contains(&mode);
        rules.acceptance = if mode == "always_accept" {
            GroupAcceptance::Always
        } else if accepts_any {
            GroupAcceptance::Any
        } else {
            GroupAcceptance::All
        };
        Some(Self {
            words,
            rules,
            unknown,
        })
    }
}

/// Returns both ends of `range`.
fn range(map: &KeyTable) -> Option<(PointValue, PointValue)> {
    let found = map.text("range")?;
    let ends: Option<Vec<f64>> = found
        .split_whitespace()
        .map(|end| end.parse().ok())
        .collect();
    match ends.as_deref() {
        Some([least, most]) if least <= most => {
            PointValue::new(*least).zip(PointValue::new(*most))
        }
        _ => {
            map.refuse_value(
                "range",
                format!("`range` must be two numbers, found {}", quoted(&found)),
                "write the least and the most points, for example `0 100`",
            );
            None
        }
    }
}
