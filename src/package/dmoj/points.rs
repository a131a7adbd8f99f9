//! Derives the points of cases and batches as the DMOJ site counts them: a case gives its points, a
//! batch those of its worst case, and nothing counts after a failed case or batch of zero points.

use std::collections::BTreeMap;

use crate::model::{
    CaseWorth, CheckerPointsRule, PointValue, ScoreAggregation, ScoreGroup, Scoring,
};
use crate::package::dmoj::case_items::DmojItem;
use crate::package::dmoj::case_scope::CaseScope;

/// Returns the points of items. Each is given with the names of its cases, and that of its group if
/// it is a batch.
pub(super) fn scoring(items: &[(DmojItem, Vec<String>, Option<String>)]) -> Scoring {
    let mut points = DmojPoints::default();
    points.scoring.add(ScoreGroup::of_all_cases());
    for (item, names, group) in items {
        let place = match group {
            Some(name) => points.batch(item, name),
            None => points.alone(item.points),
        };
        for (case, name) in item.cases.iter().zip(names) {
            if let Some(rule) = own_rule(case) {
                points
                    .scoring
                    .worths
                    .insert(name.clone(), worth(item.points, rule));
            }
        }
        points
            .scoring
            .members
            .extend(names.iter().map(|name| (name.clone(), place)));
    }
    points.scoring
}

#[derive(Default)]
struct DmojPoints {
    scoring: Scoring,
    /// The places of the groups of batches, by number.
    batches: Vec<usize>,
    /// The last group of zero points; nothing after it counts unless it is accepted.
    gate: Option<usize>,
    /// Whether the last item was a single case of zero points.
    is_in_gate: bool,
    /// The groups of single cases since the last gate, by their points.
    alone: BTreeMap<String, usize>,
}

impl DmojPoints {
    fn batch(&mut self, item: &DmojItem, name: &str) -> usize {
        let requires = item
            .dependencies
            .iter()
            .filter_map(|number| self.batches.get(number - 1));
        let requires = requires.copied().chain(self.gate).collect();
        let group = group(name.to_owned(), item.points, requires);
        let place = self.scoring.add(ScoreGroup {
            aggregation: ScoreAggregation::Min,
            ..group
        });
        self.batches.push(place);
        self.is_in_gate = false;
        if item.points == PointValue::ZERO {
            self.open_gate(place);
        }
        place
    }

    /// Returns the group of a single case, which it shares with others of the same points.
    fn alone(&mut self, points: PointValue) -> usize {
        let is_gate = points == PointValue::ZERO;
        if let (true, true, Some(gate)) = (is_gate, self.is_in_gate, self.gate) {
            return gate;
        }
        self.is_in_gate = is_gate;
        if let Some(place) = self.alone.get(&points.to_string()) {
            return *place;
        }
        let name = format!("cases of {points} points");
        let group = group(name, points, self.gate.into_iter().collect());
        let place = self.scoring.add(ScoreGroup {
            stops_at_rejection: is_gate,
            ..group
        });
        if is_gate {
            self.open_gate(place);
        } else {
            self.alone.insert(points.to_string(), place);
        }
        place
    }

    fn open_gate(&mut self, place: usize) {
        self.gate = Some(place);
        self.alone.clear();
    }
}

/// The rule for the points of a case, if it is not the usual one.
fn own_rule(case: &CaseScope) -> Option<CheckerPointsRule> {
    if case.gives_percentages {
        return Some(CheckerPointsRule::Percent);
    }
    case.task
        .scores_failed_runs()
        .then_some(CheckerPointsRule::AtMostIfRejected)
}

fn worth(points: PointValue, checker: CheckerPointsRule) -> CaseWorth {
    CaseWorth {
        accepted: points,
        checker,
        ..CaseWorth::NOTHING
    }
}

fn group(name: String, points: PointValue, requires: Vec<usize>) -> ScoreGroup {
    let case = worth(points, CheckerPointsRule::AtMost);
    ScoreGroup {
        case,
        requires,
        ..ScoreGroup::of_all_cases().inner(name, 0)
    }
}
