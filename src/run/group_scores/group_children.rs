//! Lists the children of each group of cases, and combines their points. Knows no
//! submission.

use crate::model::{PointValue, ResultCode, ScoreAggregation, ScoreGroup, Scoring};

/// A direct child of a group, by its place among the cases or groups.
#[derive(Clone)]
pub(super) enum Child {
    Case(usize),
    Group(usize),
}

/// The outcome of a case or a group of cases.
#[derive(Clone, Copy)]
pub(crate) struct Outcome {
    pub(super) accepted: bool,
    pub(super) points: PointValue,
    /// The result that a grader is given.
    pub(crate) code: ResultCode,
    /// The case that decided a rejection; `None` if no single one did.
    pub(crate) case: Option<usize>,
}

impl Outcome {
    /// The outcome of a group that is rejected as a whole, whatever its cases get.
    pub(super) const NOTHING: Self = Self {
        accepted: false,
        points: PointValue::ZERO,
        code: ResultCode::WrongAnswer,
        case: None,
    };

    /// The outcome of a case or group that is accepted.
    pub(super) fn accepted(points: PointValue) -> Self {
        Self {
            accepted: true,
            points,
            code: ResultCode::Accepted,
            case: None,
        }
    }
}

/// The rejection among these outcomes that counts: the first of the worst if
/// `is_worst`, else the first.
pub(super) fn decisive(outcomes: &[Outcome], is_worst: bool) -> Option<&Outcome> {
    let mut rejected = outcomes.iter().filter(|outcome| !outcome.accepted);
    if is_worst {
        rejected.min_by_key(|outcome| outcome.code)
    } else {
        rejected.next()
    }
}

/// The children of each group, in the order of their first cases. `group_of` is the
/// innermost group of each case.
pub(super) fn children(scoring: &Scoring, group_of: &[usize]) -> Vec<Vec<Child>> {
    let mut children = vec![Vec::new(); scoring.groups.len()];
    let mut seen = vec![false; scoring.groups.len()];
    for (case, group) in group_of.iter().enumerate() {
        let mut child = Child::Case(case);
        let mut place = *group;
        loop {
            children[place].push(child);
            if std::mem::replace(&mut seen[place], true) {
                break;
            }
            let Some(parent) = scoring.groups[place].parent else {
                break;
            };
            child = Child::Group(place);
            place = parent;
        }
    }
    children
}

/// Combines the points of a group's children into those of the group, which are at most
/// what it is worth.
pub(super) fn aggregated(group: &ScoreGroup, points: &[PointValue]) -> PointValue {
    let together = together(group, points);
    group.most.map_or(together, |most| together.min(most))
}

/// Like [`aggregated`], without a bound.
pub(super) fn together(group: &ScoreGroup, points: &[PointValue]) -> PointValue {
    let all = points.iter().copied();
    match group.aggregation {
        ScoreAggregation::Sum => all.sum(),
        ScoreAggregation::Min => all.min().unwrap_or_default(),
        ScoreAggregation::Max => all.max().unwrap_or_default(),
        ScoreAggregation::Average => PointValue::mean(points),
    }
}
