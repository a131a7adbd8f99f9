//! Adds up the points of groups of cases while a submission is judged, and decides
//! which cases need not be judged any more. Knows which cases are accepted, but neither
//! events nor programs. Start at [`GroupScores::accept`] and [`GroupScores::lose`].

mod settling;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use gridjudge_sandbox::Fault;

use crate::model::{
    Case, CaseWorth, CheckerPoints, CheckerPointsRule, GradedResult, GroupAcceptance,
    GroupScore, PointValue, ResultCode, Score, ScoreAggregation, ScoreGroup, Scoring,
    Trial, Verdict,
};

/// The groups of one submission's cases.
pub(crate) struct GroupScores<'a> {
    scoring: &'a Scoring,
    cases: &'a [Case],
    /// For each case, the place of the innermost group that it is in.
    group_of: Vec<usize>,
    /// For each group, what is in it, in the order of the first cases.
    children: Vec<Vec<Child>>,
    /// Of each case; not accepted until it is recorded.
    outcomes: Vec<Outcome>,
    /// For each case, the number of points that the checker gave, accepted or not.
    said: Vec<Option<PointValue>>,
    /// For each group, the sum of the points of the cases directly in it.
    sums: Vec<PointValue>,
    /// For each group, whether none of its cases need be judged any more.
    settled: Vec<bool>,
    /// The outcomes of groups that the grader has graded.
    graded: BTreeMap<usize, Outcome>,
    /// For each group that another one requires, whether it has failed; `None` until
    /// that is known.
    failed: Vec<Option<bool>>,
}

/// The groups of a problem that has none: a single one, which gives no points, and which
/// the first rejection settles.
static UNGROUPED: LazyLock<Scoring> = LazyLock::new(|| Scoring {
    groups: vec![ScoreGroup {
        aggregation: ScoreAggregation::Min,
        ..ScoreGroup::of_all_cases()
    }],
    verdict_only: true,
    ..Scoring::default()
});

impl<'a> GroupScores<'a> {
    /// Creates the groups of these cases.
    pub(crate) fn for_cases(scoring: &'a Scoring, cases: &'a [Case]) -> Self {
        let scoring = if scoring.groups.is_empty() {
            &UNGROUPED
        } else {
            scoring
        };
        let group_of: Vec<_> = cases
            .iter()
            .map(|case| scoring.group_of(&case.name))
            .collect();
        let children = children(scoring, &group_of);
        let outcomes = group_of.iter().enumerate().map(|(case, group)| Outcome {
            points: scoring.groups[*group].case.rejected,
            case: Some(case),
            ..Outcome::NOTHING
        });
        let outcomes = outcomes.collect();
        let count = scoring.groups.len();
        Self {
            scoring,
            cases,
            group_of,
            children,
            outcomes,
            said: vec![None; cases.len()],
            sums: vec![PointValue::ZERO; count],
            settled: vec![false; count],
            graded: BTreeMap::new(),
            failed: vec![None; count],
        }
    }

    /// Records that a case is accepted, with the points that the checker gave, if any.
    ///
    /// # Errors
    /// Describes in words why the checker may not give these points.
    pub(crate) fn accept(
        &mut self,
        case: usize,
        said: Option<CheckerPoints>,
    ) -> Result<(), String> {
        let place = self.group_of[case];
        let group = &self.scoring.groups[place];
        let points = self.worth(case).earned(said)?;
        let sum = [self.sums[place], points].into_iter().sum();
        let checker = group.case.checker;
        let is_sum =
            checker.is_unbounded() && group.aggregation == ScoreAggregation::Sum;
        // In the older formats, points beyond the range of a group are shown as they
        // are.
        let is_bounded = is_sum
            && checker != CheckerPointsRule::Instead
            && !self.scoring.decides_verdict;
        if let Some(most) = group.most.filter(|most| is_bounded && sum > *most) {
            return Err(format!(
                "the points of group `{}` come to {sum}, and it is worth {most}",
                group.name
            ));
        }
        self.outcomes[case] = Outcome::accepted(points);
        self.sums[place] = sum;
        self.said[case] = points_said(said);
        Ok(())
    }

    /// Whether a case counts as accepted in its group.
    pub(crate) fn passes(&self, case: usize, trial: &Trial) -> bool {
        let said = trial.findings.points;
        trial.verdict == Verdict::Accepted || self.worth(case).passes(said)
    }

    /// Records the verdict of a case that is not accepted, with the points that the
    /// checker gave nevertheless.
    pub(crate) fn reject(
        &mut self,
        case: usize,
        verdict: Verdict,
        said: Option<CheckerPoints>,
    ) {
        let code = ResultCode::from_verdict(verdict);
        let points = self.worth(case).kept(said);
        self.outcomes[case] = Outcome {
            points,
            code,
            ..self.outcomes[case]
        };
        let is_wrong = code == ResultCode::WrongAnswer;
        // An interactor may have given points to a run that was stopped or crashed; they
        // do not count.
        self.said[case] = points_said(said)
            .map(|points| if is_wrong { points } else { PointValue::ZERO });
    }

    /// Calls the graders of groups, inner groups before outer ones. All cases must have
    /// been recorded.
    ///
    /// # Errors
    /// Returns the [`Fault`] of the grader if it fails.
    pub(crate) fn grade(&mut self, grader: &GroupGrader<'_>) -> Result<(), Fault> {
        for (place, group) in self.scoring.groups.iter().enumerate().rev() {
            if group.grader_arguments.is_some() && !self.children[place].is_empty() {
                let counted = self.counted(place);
                let results: Vec<_> = counted
                    .iter()
                    .map(|&Outcome { code, points, .. }| GradedResult {
                        code,
                        points,
                    })
                    .collect();
                let GradedResult { code, points } = grader(group, &results)?;
                let alike = counted.iter().find(|outcome| outcome.code == code);
                self.graded.insert(
                    place,
                    Outcome {
                        accepted: code == ResultCode::Accepted,
                        points,
                        code,
                        case: alike.and_then(|outcome| outcome.case),
                    },
                );
            }
        }
        Ok(())
    }

    /// A sentence for each group whose points are not within its `range`, in the older
    /// formats. All cases must have been recorded.
    fn out_of_range(&self) -> Vec<String> {
        let mut sentences = vec![];
        if !self.scoring.decides_verdict {
            return sentences;
        }
        let groups = self.scoring.groups.iter().enumerate();
        for (place, group) in groups.filter(|(at, _)| !self.children[*at].is_empty())
        {
            let Outcome {
                accepted, points, ..
            } = self.outcome(place);
            // A group that is not accepted may have been left out.
            let is_within =
                group.least.is_none_or(|least| !accepted || least <= points)
                    && group.most.is_none_or(|most| points <= most);
            if is_within {
                continue;
            }
            let name = if group.name.is_empty() {
                "all cases".to_owned()
            } else {
                format!("the group `{}`", group.name)
            };
            let [least, most] = [group.least, group.most].map(|bound| {
                bound.map_or("no bound".to_owned(), |bound| bound.to_string())
            });
            sentences.push(format!(
                "the points of {name} come to {points}, and its `range` is from {least} to {most}"
            ));
        }
        sentences
    }

    /// The points of a case, if its checker may give points: those of an accepted case,
    /// or what it gave in any case.
    pub(crate) fn points_of(&self, case: usize) -> Option<PointValue> {
        let Outcome {
            accepted, points, ..
        } = self.outcomes[case];
        match self.worth(case).checker {
            CheckerPointsRule::Instead => self.said[case],
            CheckerPointsRule::AtMostIfRejected => Some(points),
            checker => (accepted && checker.allows_points()).then_some(points),
        }
    }

    /// The points that a single case is worth.
    fn worth(&self, case: usize) -> CaseWorth {
        self.scoring.worth_in(
            &self.scoring.groups[self.group_of[case]],
            &self.cases[case].name,
        )
    }

    /// The outcome of the group of all cases, if the groups decide the verdict. If it is
    /// accepted, its case is the first that may have cost points. All cases must have
    /// been recorded.
    pub(crate) fn verdict(&self) -> Option<Outcome> {
        let mut root = self.scoring.decides_verdict.then(|| self.outcome(0))?;
        if root.code == ResultCode::Accepted {
            root.case = (0..self.cases.len()).find(|case| {
                !self.outcomes[*case].accepted && !self.is_ignored(*case)
            });
        }
        Some(root)
    }

    /// The score, if the groups give points. All cases must have been recorded.
    pub(crate) fn score(mut self) -> Option<Score> {
        if self.scoring.verdict_only {
            return None;
        }
        for place in 0..self.scoring.groups.len() {
            self.lacks_requirement(place);
        }
        let total = self.outcome(0);
        let is_lost = self.scoring.decides_verdict && !total.accepted;
        // What there is at most says nothing of what is good if fewer points are
        // better.
        let fewest_is_best = self.scoring.wants_fewest;
        let mut seen = HashSet::new();
        let mut groups = vec![];
        for (case, group) in self.cases.iter().zip(&self.group_of) {
            let name = match self.scoring.groups[*group].name.as_str() {
                "" => case.group(),
                name => name,
            };
            if seen.insert((*group, name)) {
                // If it has subgroups, the group of all cases stands for those in none
                // of them.
                let is_rest = self.is_outside(*group)
                    || *group == 0
                        && self.children[0]
                            .iter()
                            .any(|child| matches!(child, Child::Group(_)));
                let (earned, of) = if is_rest {
                    (PointValue::ZERO, Some(PointValue::ZERO))
                } else {
                    (self.outcome(*group).points, self.most(*group))
                };
                groups.push(GroupScore {
                    name: name.to_owned(),
                    earned,
                    of: of.filter(|_| !fewest_is_best),
                });
            }
        }
        let earned = if is_lost {
            PointValue::ZERO
        } else {
            total.points
        };
        let out_of_range = self.out_of_range();
        let of = self.most(0).filter(|_| !fewest_is_best);
        Some(Score {
            earned,
            of,
            fewest_is_best,
            accepted: total.accepted,
            groups,
            out_of_range,
        })
    }

    /// A group and the groups that contain it, innermost first.
    fn enclosing(&self, group: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(group), |place| self.scoring.groups[*place].parent)
    }

    /// The outcomes of the children of a group that count, in order.
    fn counted(&self, place: usize) -> Vec<Outcome> {
        let group = &self.scoring.groups[place];
        let children = &self.children[place];
        let mut counted = vec![];
        // In the older formats, a grader ignores the first child only if there is a
        // result after it.
        let is_skipped = group.ignores_first
            && !self.scoring.decides_verdict
            && children.len() > 1;
        for child in &children[usize::from(is_skipped)..] {
            let outcome = match child {
                Child::Case(case) => self.outcome_in(place, *case),
                Child::Group(group) => self.outcome(*group),
            };
            counted.push(outcome);
            if group.stops_at_rejection && !outcome.accepted {
                break;
            }
        }
        if group.ignores_first {
            counted.drain(..counted.len().saturating_sub(1));
        }
        counted
    }

    /// The outcome of a case directly in a group. Where the worst case counts, those
    /// after a rejected one are worth nothing, judged or not.
    fn outcome_in(&self, place: usize, case: usize) -> Outcome {
        let group = &self.scoring.groups[place];
        let outcome = self.outcomes[case];
        let last = self.children[place].last();
        let is_last = matches!(last, Some(Child::Case(last)) if *last == case);
        if outcome.accepted || is_last || group.aggregation != ScoreAggregation::Min {
            return outcome;
        }
        Outcome {
            points: group.case.rejected,
            ..outcome
        }
    }

    /// The points of a group whose checker may give points in place of those of the
    /// group; `None` if it gave none on the first `count` cases, those that count.
    fn points_instead(&self, place: usize, count: usize) -> Option<PointValue> {
        let group = &self.scoring.groups[place];
        let said: Vec<_> = self.children[place]
            .iter()
            .filter_map(|child| match child {
                Child::Case(case) => Some(*case),
                Child::Group(_) => None,
            })
            .take(count)
            .filter_map(|case| self.said[case])
            .collect();
        (!said.is_empty()).then(|| together(group, &said))
    }

    /// The outcome of a group.
    fn outcome(&self, place: usize) -> Outcome {
        let group = &self.scoring.groups[place];
        if self.is_unjudged(group) {
            return Outcome::NOTHING;
        }
        if group.grader_arguments.is_some() {
            return self.graded.get(&place).copied().unwrap_or(Outcome::NOTHING);
        }
        let counted = self.counted(place);
        let accepted = match group.acceptance {
            GroupAcceptance::All => counted.iter().all(|outcome| outcome.accepted),
            GroupAcceptance::Any => {
                counted.is_empty() || counted.iter().any(|outcome| outcome.accepted)
            }
            GroupAcceptance::Always => true,
        };
        let points: Vec<_> = counted.iter().map(|outcome| outcome.points).collect();
        let points = if group.case.checker == CheckerPointsRule::Instead {
            let whole = if accepted {
                group.case.accepted
            } else {
                PointValue::ZERO
            };
            self.points_instead(place, counted.len()).unwrap_or(whole)
        } else if self.scoring.decides_verdict {
            // More than the `range` of a group is possible, see `out_of_range`.
            together(group, &points).as_written()
        } else {
            aggregated(group, &points)
        };
        let rejection = decisive(&counted, group.tells_worst).filter(|_| !accepted);
        Outcome {
            accepted,
            points,
            ..rejection.copied().unwrap_or(Outcome::accepted(points))
        }
    }

    /// The most points that a group can get; `None` if there is no bound.
    fn most(&self, place: usize) -> Option<PointValue> {
        let group = &self.scoring.groups[place];
        // Only the grader knows how it combines the points in a group.
        if group.most.is_some() || group.grader_arguments.is_some() {
            return group.most;
        }
        let children = &self.children[place];
        let first = usize::from(group.ignores_first && children.len() > 1);
        let each = children[first..].iter().map(|child| match child {
            Child::Case(case) => {
                let worth = self.worth(*case);
                (!worth.checker.is_unbounded()).then_some(worth.accepted)
            }
            Child::Group(group) => self.most(*group),
        });
        Some(aggregated(group, &each.collect::<Option<Vec<_>>>()?))
    }
}

/// The number of points that a checker gave; a part of the points is none.
fn points_said(said: Option<CheckerPoints>) -> Option<PointValue> {
    match said {
        Some(CheckerPoints::Points(points)) => Some(points),
        Some(CheckerPoints::Factor(_) | CheckerPoints::Share { .. }) | None => None,
    }
}

// Decides which groups are not judged because a group that they require has failed.
// Knows the outcomes of groups, but not how they follow from cases.

impl GroupScores<'_> {
    /// Whether a case is not judged, because a group around it requires one that has
    /// failed, or is a gate that is closed. All earlier cases must have been recorded.
    pub(crate) fn is_left_out(&mut self, case: usize) -> bool {
        let enclosing: Vec<_> = self.enclosing(self.group_of[case]).collect();
        enclosing.into_iter().any(|group| {
            let is_closed = self.scoring.groups[group].is_gate && self.settled[group];
            is_closed || self.lacks_requirement(group)
        })
    }

    /// The cases directly after this one that are not judged for that reason, as far as
    /// they are in one group.
    pub(crate) fn left_out_after(&mut self, case: usize) -> Range<usize> {
        let next = case + 1;
        let group = self.group_of.get(next).copied();
        let group = group.filter(|_| self.is_left_out(next));
        let together = self.group_of[next..]
            .iter()
            .take_while(|other| Some(**other) == group)
            .count();
        next..next + together
    }

    /// Whether a group requires one that has failed. All cases of a required group have
    /// been recorded by now, because it comes before the groups that require it.
    fn lacks_requirement(&mut self, group: usize) -> bool {
        for other in self.undecided_requirements(group) {
            self.failed[other] = Some(self.has_failed(other));
        }
        self.is_unjudged(&self.scoring.groups[group])
    }

    /// The groups that a group requires, directly or indirectly, and of which it is not
    /// known whether they have failed. Earlier groups come first, so deciding them in
    /// this order never recurses, however long a chain of requirements is.
    fn undecided_requirements(&self, group: usize) -> BTreeSet<usize> {
        let mut unknown = BTreeSet::new();
        let mut open = vec![group];
        while let Some(place) = open.pop() {
            let requires = self.scoring.groups[place].requires.iter();
            open.extend(requires.filter(|other| {
                self.failed[**other].is_none() && unknown.insert(**other)
            }));
        }
        unknown
    }

    /// Whether a group requires one that has failed.
    fn is_unjudged(&self, group: &ScoreGroup) -> bool {
        // Known results are reused: chains of requirements may be long, and a group may
        // require many.
        group.requires.iter().any(|other| {
            self.failed[*other].unwrap_or_else(|| self.has_failed(*other))
        })
    }

    /// Whether a group is not accepted, so that those that require it are not judged.
    /// All its cases must have been recorded.
    fn has_failed(&self, place: usize) -> bool {
        let group = &self.scoring.groups[place];
        let is_passed = group.passes_unjudged && self.is_unjudged(group);
        !is_passed && !self.outcome(place).accepted
    }
}

/// Computes the result of a group from the results in it.
pub(super) type GroupGrader<'a> =
    dyn Fn(&ScoreGroup, &[GradedResult]) -> Result<GradedResult, Fault> + Send + 'a;

// Lists the children of each group of cases, and combines their points. Knows no
// submission.

/// A direct child of a group, by its place among the cases or groups.
#[derive(Clone)]
enum Child {
    Case(usize),
    Group(usize),
}

/// The outcome of a case or a group of cases.
#[derive(Clone, Copy)]
pub(crate) struct Outcome {
    accepted: bool,
    points: PointValue,
    /// The result that a grader is given.
    pub(crate) code: ResultCode,
    /// The case that decided a rejection; `None` if no single one did.
    pub(crate) case: Option<usize>,
}

impl Outcome {
    /// The outcome of a group that is rejected as a whole, whatever its cases get.
    const NOTHING: Self = Self {
        accepted: false,
        points: PointValue::ZERO,
        code: ResultCode::WrongAnswer,
        case: None,
    };

    /// The outcome of a case or group that is accepted.
    fn accepted(points: PointValue) -> Self {
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
fn decisive(outcomes: &[Outcome], is_worst: bool) -> Option<&Outcome> {
    let mut rejected = outcomes.iter().filter(|outcome| !outcome.accepted);
    if is_worst {
        rejected.min_by_key(|outcome| outcome.code)
    } else {
        rejected.next()
    }
}

/// The children of each group, in the order of their first cases. `group_of` is the
/// innermost group of each case.
fn children(scoring: &Scoring, group_of: &[usize]) -> Vec<Vec<Child>> {
    let mut children = vec![vec![]; scoring.groups.len()];
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
fn aggregated(group: &ScoreGroup, points: &[PointValue]) -> PointValue {
    let together = together(group, points);
    group.most.map_or(together, |most| together.min(most))
}

/// Like [`aggregated`], without a bound.
fn together(group: &ScoreGroup, points: &[PointValue]) -> PointValue {
    let all = points.iter().copied();
    match group.aggregation {
        ScoreAggregation::Sum => all.sum(),
        ScoreAggregation::Min => all.min().unwrap_or_default(),
        ScoreAggregation::Max => all.max().unwrap_or_default(),
        ScoreAggregation::Average => PointValue::mean(points),
    }
}

#[cfg(test)]
mod default_grader_tests;
#[cfg(test)]
mod tests;
