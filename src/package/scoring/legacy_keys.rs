//! The keys of `testdata.yaml` about points. Knows what each may say, and nothing of the groups around.
//!
//! Source: the Kattis problem package format, legacy, "Graders".

use crate::mistake::quoted;
use crate::model::GroupAcceptance;
use crate::model::PointValue;
use crate::model::ScoreAggregation;
use crate::package::yaml::YamlMap;

/// Points beyond this are not meant.
const MOST: f64 = 1e12;

/// What a `testdata.yaml` says about points; what it leaves out, the group around it says.
#[derive(Clone, Debug, Default)]
pub(super) struct LegacyGrading {
    pub(super) flags: Option<GraderFlags>,
    pub(super) stops_at_rejection: Option<bool>,
    pub(super) accept: Option<PointValue>,
    pub(super) reject: Option<PointValue>,
    /// The upper end of `range`, where it has one. Not taken over: what a group can come to is its own.
    pub(super) most: Option<PointValue>,
}

/// What the default grader is told.
#[derive(Clone, Copy, Debug)]
pub(super) struct GraderFlags {
    pub(super) aggregation: ScoreAggregation,
    pub(super) acceptance: GroupAcceptance,
    pub(super) ignores_sample: bool,
}

impl GraderFlags {
    pub(super) const USUAL: Self =
        Self { aggregation: ScoreAggregation::Sum, acceptance: GroupAcceptance::All, ignores_sample: false };

    /// Takes one word; whether it is one. The last of several counts.
    fn take(&mut self, word: &str) -> bool {
        match word {
            "sum" => self.aggregation = ScoreAggregation::Sum,
            "min" => self.aggregation = ScoreAggregation::Min,
            "max" => self.aggregation = ScoreAggregation::Max,
            "avg" => self.aggregation = ScoreAggregation::Average,
            "first_error" | "worst_error" => self.acceptance = GroupAcceptance::All,
            "always_accept" => self.acceptance = GroupAcceptance::Always,
            "accept_if_any_accepted" => self.acceptance = GroupAcceptance::Any,
            "ignore_sample" => self.ignores_sample = true,
            _ => return false,
        }
        true
    }
}

impl LegacyGrading {
    pub(super) fn read(map: &YamlMap<'_>) -> Self {
        let points = |key| map.number(key, -MOST).and_then(|found| PointValue::new(found.value));
        Self {
            flags: grader_flags(map),
            stops_at_rejection: map.text("on_reject").and_then(|found| match found.value.as_str() {
                "break" => Some(true),
                "continue" => Some(false),
                other => {
                    let message = format!("`on_reject` must be one of two words, found {}", quoted(other));
                    map.note(found.place, message, "write `break` or `continue`");
                    None
                }
            }),
            accept: points("accept_score"),
            reject: points("reject_score"),
            most: most(map),
        }
    }

    /// The same, with what the group around it says where it says nothing.
    pub(super) fn within(&self, around: &Self) -> Self {
        Self {
            flags: self.flags.or(around.flags),
            stops_at_rejection: self.stops_at_rejection.or(around.stops_at_rejection),
            accept: self.accept.or(around.accept),
            reject: self.reject.or(around.reject),
            most: self.most,
        }
    }
}

fn grader_flags(map: &YamlMap<'_>) -> Option<GraderFlags> {
    let found = map.text("grader_flags")?;
    let mut flags = GraderFlags::USUAL;
    for word in found.value.split_whitespace().filter(|word| !flags.take(word)) {
        let remedy = "use min, max, sum, avg, first_error, worst_error, always_accept, accept_if_any_accepted, ignore_sample";
        map.note(found.place, format!("{} is no flag of the default grader", quoted(word)), remedy);
    }
    Some(flags)
}

/// The upper end of `range`.
fn most(map: &YamlMap<'_>) -> Option<PointValue> {
    let found = map.text("range")?;
    let ends: Option<Vec<f64>> = found.value.split_whitespace().map(|end| end.parse().ok()).collect();
    match ends.as_deref() {
        Some([least, most]) if least <= most => PointValue::new(*most),
        _ => {
            let message = format!("`range` must be two numbers, found {}", quoted(&found.value));
            map.note(found.place, message, "write the least and the most points, as `0 100`");
            None
        }
    }
}
