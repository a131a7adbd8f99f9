//! What is in each group of cases, what each part of it comes to, and how their points come together. Knows no submission.

use crate::model::CaseWorth;
use crate::model::GradedResult;
use crate::model::PointValue;
use crate::model::ResultCode;
use crate::model::ScoreAggregation;
use crate::model::ScoreGroup;
use crate::model::Scoring;

/// What a group consists of.
#[derive(Clone, Copy)]
pub(super) enum Child {
    Case(usize),
    Group(usize),
}

/// What a case, or a group of them, came to.
#[derive(Clone, Copy)]
pub(super) struct Outcome {
    pub(super) accepted: bool,
    pub(super) points: PointValue,
    /// What a grader is told of it.
    pub(super) code: ResultCode,
}

impl From<Outcome> for GradedResult {
    fn from(Outcome { code, points, .. }: Outcome) -> Self {
        Self { code, points }
    }
}

impl From<GradedResult> for Outcome {
    fn from(GradedResult { code, points }: GradedResult) -> Self {
        Self { accepted: code == ResultCode::Accepted, points, code }
    }
}

/// What is in each group.
pub(super) fn children(scoring: &Scoring, group_of: &[usize]) -> Vec<Vec<Child>> {
    let mut children = vec![Vec::new(); scoring.groups.len()];
    let mut seen = vec![false; scoring.groups.len()];
    for (case, group) in group_of.iter().enumerate() {
        let (mut child, mut place) = (Child::Case(case), *group);
        loop {
            children[place].push(child);
            if std::mem::replace(&mut seen[place], true) {
                break;
            }
            let Some(parent) = scoring.groups[place].parent else { break };
            (child, place) = (Child::Group(place), parent);
        }
    }
    children
}

/// The points of a group, by those of what is in it.
pub(super) fn aggregated(group: &ScoreGroup, points: &[PointValue]) -> PointValue {
    let all = points.iter().copied();
    let together = match group.aggregation {
        ScoreAggregation::Sum => all.sum(),
        ScoreAggregation::Min => all.min().unwrap_or_default(),
        ScoreAggregation::Max => all.max().unwrap_or_default(),
        ScoreAggregation::Average => PointValue::mean(points),
    };
    group.most.map_or(together, |most| together.min(most))
}

/// The most that a group can come to, if that is bounded, where its cases are worth this.
pub(super) fn most(
    scoring: &Scoring,
    children: &[Vec<Child>],
    place: usize,
    worth: &dyn Fn(usize) -> CaseWorth,
) -> Option<PointValue> {
    let group = &scoring.groups[place];
    let of_child = |child: &Child| match child {
        Child::Case(case) => {
            let worth = worth(*case);
            (!worth.checker.is_unbounded()).then_some(worth.accepted)
        }
        Child::Group(group) => most(scoring, children, *group, worth),
    };
    let first = usize::from(group.ignores_first && children[place].len() > 1);
    let inner = || children[place][first..].iter().map(of_child).collect::<Option<Vec<_>>>();
    // What a grader makes of the points in a group, nobody else knows.
    let together = || group.grader_arguments.is_none().then(|| Some(aggregated(group, &inner()?)))?;
    group.most.or_else(together)
}
