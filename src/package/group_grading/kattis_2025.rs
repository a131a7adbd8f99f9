//! Reads the keys of `test_group.yaml` about points. Knows the values that each may have, and
//! nothing of other groups.
//!
//! Source: the Kattis problem package format 2025-09, "Test data configuration".

use crate::keys::KeyTable;
use crate::mistake::quoted;
use crate::model::PointValue;

/// The word for points without a maximum.
const UNBOUNDED: &str = "unbounded";

/// The points of `secret` by default.
const USUAL_POINTS: u64 = 100;

/// The keys of a `test_group.yaml` about points.
#[derive(Clone, Debug, Default)]
pub(in crate::package) struct Grading2025 {
    /// `max_score`; the inner value is `None` if it is unbounded.
    pub(in crate::package) most: Option<Option<PointValue>>,
    pub(in crate::package) aggregation: Option<Aggregation2025>,
    pub(in crate::package) requires: Vec<String>,
}

/// How the points of a group follow from those of its cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::package) enum Aggregation2025 {
    PassFail,
    Sum,
    Min,
}

impl Grading2025 {
    pub(in crate::package) fn read(map: &KeyTable<'_>) -> Self {
        let aggregations = [
            ("pass-fail", Aggregation2025::PassFail),
            ("sum", Aggregation2025::Sum),
            ("min", Aggregation2025::Min),
        ];
        let aggregation = map
            .choice("score_aggregation", &aggregations)
            .map(|found| found.value);
        let requires = map
            .words("require_pass")
            .map(|found| found.value)
            .unwrap_or_default();
        Self {
            most: most(map),
            aggregation,
            requires,
        }
    }

    /// Whether any key about points is set.
    pub(in crate::package) fn is_about_points(&self) -> bool {
        self.most.is_some() || self.aggregation.is_some() || !self.requires.is_empty()
    }

    /// Returns the aggregation and the maximum of `secret`, if these are its keys.
    pub(in crate::package) fn of_secret(&self) -> (Aggregation2025, Option<PointValue>) {
        let most = self.most.unwrap_or(Some(USUAL_POINTS.into()));
        (self.aggregation.unwrap_or(Aggregation2025::Sum), most)
    }
}

fn most(map: &KeyTable<'_>) -> Option<Option<PointValue>> {
    let found = map.text("max_score")?;
    if found.value == UNBOUNDED {
        return Some(None);
    }
    let points = found
        .value
        .parse::<u32>()
        .ok()
        .map(|points| PointValue::from(u64::from(points)));
    if points.is_none() {
        let message = format!(
            "`max_score` must be a whole number, found {}",
            quoted(&found.value)
        );
        map.note(found.place, message, "write it in digits, or `unbounded`");
    }
    points.map(Some)
}
