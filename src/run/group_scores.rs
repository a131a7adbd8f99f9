//! What the groups of cases of a problem with points come to, while a submission is judged, and which cases need not be judged
//! any more. Knows which cases are accepted, and neither verdicts nor events.

mod group_children;

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashSet;

use crate::model::Case;
use crate::model::CaseWorth;
use crate::model::CheckerPoints;
use crate::model::CheckerSays;
use crate::model::GradedResult;
use crate::model::GroupAcceptance;
use crate::model::GroupScore;
use crate::model::PointValue;
use crate::model::ResultCode;
use crate::model::Score;
use crate::model::ScoreAggregation;
use crate::model::Scoring;
use crate::model::Verdict;
use crate::run::grading::GroupGrader;
use crate::run::group_scores::group_children::Child;
use crate::run::group_scores::group_children::Outcome;
use crate::run::group_scores::group_children::aggregated;
use crate::run::group_scores::group_children::children;
use crate::run::group_scores::group_children::most;
use gridjudge_sandbox::Fault;

/// The groups of one submission's cases.
pub(super) struct GroupScores<'a> {
    scoring: &'a Scoring,
    cases: &'a [Case],
    /// For each case, the place of the innermost group that it is in.
    group_of: Vec<usize>,
    /// For each group, what is in it, in the order of the first cases.
    children: Vec<Vec<Child>>,
    /// For each case what it has earned; none as long as it is not accepted.
    earned: Vec<Option<PointValue>>,
    /// For each group, what the cases in it and in no other of its groups have earned.
    sums: Vec<PointValue>,
    /// Groups of which no case need be judged any more.
    settled: Vec<bool>,
    /// What a grader is told of each case that is not accepted.
    codes: Vec<ResultCode>,
    /// What a grader has said that groups come to.
    graded: BTreeMap<usize, Outcome>,
    /// Groups that others require, and whether they have failed, once that is known.
    failed: Vec<Option<bool>>,
}

impl<'a> GroupScores<'a> {
    /// The groups of these cases; none where nothing gives points.
    pub(super) fn of(scoring: &'a Scoring, cases: &'a [Case]) -> Option<Self> {
        if scoring.is_empty() {
            return None;
        }
        let group_of: Vec<_> = cases.iter().map(|case| scoring.group_of(&case.name)).collect();
        let children = children(scoring, &group_of);
        let count = scoring.groups.len();
        Some(Self {
            scoring,
            cases,
            group_of,
            children,
            earned: vec![None; cases.len()],
            sums: vec![PointValue::ZERO; count],
            settled: vec![false; count],
            codes: vec![ResultCode::WrongAnswer; cases.len()],
            graded: BTreeMap::new(),
            failed: vec![None; count],
        })
    }

    /// Notes that a case is accepted, with what the checker says of its points.
    ///
    /// # Errors
    /// What the checker cannot mean, in words.
    pub(super) fn accept(&mut self, case: usize, said: Option<CheckerPoints>) -> Result<(), String> {
        let place = self.group_of[case];
        let group = &self.scoring.groups[place];
        let points = self.worth(case).earned(said)?;
        let sum = [self.sums[place], points].into_iter().sum();
        let is_sum = group.case.checker.is_unbounded() && group.aggregation == ScoreAggregation::Sum;
        if let Some(most) = group.most.filter(|most| is_sum && sum > *most) {
            return Err(format!(
                "the points of group `{}` come to {sum}, and it is worth {most}",
                group.name
            ));
        }
        (self.earned[case], self.sums[place]) = (Some(points), sum);
        Ok(())
    }

    /// Notes which verdict a case got that is not accepted.
    pub(super) fn reject(&mut self, case: usize, verdict: Verdict) {
        self.codes[case] = ResultCode::of(verdict);
    }

    /// Has a grader say what groups come to where that is its affair, when all cases are through: inner ones before outer ones.
    ///
    /// # Errors
    /// A [`Fault`] of the grader.
    pub(super) fn grade(&mut self, grader: &GroupGrader<'_>) -> Result<(), Fault> {
        for (place, group) in self.scoring.groups.iter().enumerate().rev() {
            if group.grader_arguments.is_some() && !self.children[place].is_empty() {
                let results: Vec<_> = self.counted(place).into_iter().map(GradedResult::from).collect();
                self.graded.insert(place, grader(group, &results)?.into());
            }
        }
        Ok(())
    }

    /// What an accepted case earned, where it is worth something by itself.
    pub(super) fn points_of(&self, case: usize) -> Option<PointValue> {
        let checker = self.worth(case).checker;
        self.earned[case].filter(|_| checker == CheckerSays::AtMost || checker.is_unbounded())
    }

    /// What a case is worth by itself.
    fn worth(&self, case: usize) -> CaseWorth {
        self.scoring.worth_in(&self.scoring.groups[self.group_of[case]], &self.cases[case].name)
    }

    /// Notes that a case is not accepted. Returns the next case that may still count.
    pub(super) fn lose(&mut self, case: usize) -> usize {
        let Some(group) = self.settled_by(case) else { return case + 1 };
        let is_new = !std::mem::replace(&mut self.settled[group], true);
        if is_new { self.end(case) } else { case + 1 }
    }

    /// Whether a case can change nothing any more: its group is settled, or one that it is in, or what its group requires is not
    /// there.
    pub(super) fn is_settled(&mut self, case: usize) -> bool {
        let around: Vec<_> = self.around(self.group_of[case]).collect();
        around.into_iter().any(|group| self.settled[group] || self.lacks_another(group))
    }

    /// Whether a group requires one that has failed: all cases of that are through by now, for it comes before those that ask.
    fn lacks_another(&mut self, group: usize) -> bool {
        for other in self.unknown_behind(group) {
            self.failed[other] = Some(self.has_failed(other));
        }
        self.scoring.groups[group].requires.iter().any(|other| self.failed[*other] == Some(true))
    }

    /// The groups that a group requires, and that those require, of which nothing is known, the first before the others: asked for
    /// in this order, none needs to ask for another, however long the rows are in which they require each other.
    fn unknown_behind(&self, group: usize) -> BTreeSet<usize> {
        let (mut unknown, mut open) = (BTreeSet::new(), vec![group]);
        while let Some(place) = open.pop() {
            let requires = self.scoring.groups[place].requires.iter();
            open.extend(requires.filter(|other| self.failed[**other].is_none() && unknown.insert(**other)));
        }
        unknown
    }

    /// The next case behind this one that counts if this one is not accepted.
    pub(super) fn end(&self, case: usize) -> usize {
        let Some(settled) = self.settled_by(case) else { return case + 1 };
        let behind = self.group_of.iter().enumerate().skip(case + 1);
        let counts = |group: usize| !self.around(group).any(|around| around == settled);
        behind.into_iter().find(|(_, group)| counts(**group)).map_or(self.cases.len(), |(next, _)| next)
    }

    /// What has been earned, when all cases are through.
    pub(super) fn score(mut self) -> Score {
        for place in 0..self.scoring.groups.len() {
            self.lacks_another(place);
        }
        let total = self.outcome(0);
        let is_lost = self.scoring.rejected_earns_nothing && !total.accepted;
        let mut seen = HashSet::new();
        let mut groups = Vec::new();
        for (case, group) in self.cases.iter().zip(&self.group_of) {
            let name = match self.scoring.groups[*group].name.as_str() {
                "" => case.group(),
                name => name,
            };
            if seen.insert((*group, name)) {
                groups.push(self.group_score(*group, name));
            }
        }
        let earned = if is_lost { PointValue::ZERO } else { total.points };
        Score { earned, of: self.most(0), accepted: total.accepted, groups }
    }

    /// What a group came to. Of all cases together only those that lie in no other group are meant, and they are worth nothing.
    fn group_score(&self, group: usize, name: &str) -> GroupScore {
        let (earned, of) = match group {
            0 if self.children[0].iter().any(|child| matches!(child, Child::Group(_))) => {
                (PointValue::ZERO, Some(PointValue::ZERO))
            }
            group => (self.outcome(group).points, self.most(group)),
        };
        GroupScore { name: name.to_owned(), earned, of }
    }

    /// The outermost group in which nothing counts any more if a case is not accepted.
    fn settled_by(&self, case: usize) -> Option<usize> {
        let mut settled = None;
        let (groups, own) = (&self.scoring.groups, self.group_of[case]);
        // A grader is told what came of each case, and may ask more than what it is worth.
        let is_graded = self.around(own).any(|place| groups[place].grader_arguments.is_some());
        let mut comes_to_nothing = !is_graded && groups[own].case.rejected == PointValue::ZERO;
        for place in self.around(own) {
            let group = &self.scoring.groups[place];
            comes_to_nothing &= group.aggregation == ScoreAggregation::Min;
            let is_ignored = group.ignores_first && self.children[place].len() > 1 && self.leads(place, case);
            if is_ignored || !(group.stops_at_rejection || comes_to_nothing) {
                break;
            }
            settled = Some(place);
            // Whether it is accepted all the same.
            if group.acceptance != GroupAcceptance::All {
                break;
            }
        }
        settled
    }

    /// Whether a case lies in what comes first in a group.
    fn leads(&self, group: usize, case: usize) -> bool {
        match self.children[group].first() {
            Some(Child::Case(first)) => *first == case,
            Some(Child::Group(first)) => self.around(self.group_of[case]).any(|around| around == *first),
            None => false,
        }
    }

    /// A group and those that it is in, from within.
    fn around(&self, group: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(group), |place| self.scoring.groups[*place].parent)
    }

    /// Whether a group whose cases are all through is not accepted.
    fn has_failed(&self, group: usize) -> bool {
        !self.outcome(group).accepted
    }

    /// What is left of a group's children, in order, up to where nothing counts any more.
    fn counted(&self, place: usize) -> Vec<Outcome> {
        let group = &self.scoring.groups[place];
        let children = &self.children[place];
        let first = usize::from(group.ignores_first && children.len() > 1);
        let mut counted = Vec::new();
        for child in &children[first..] {
            let outcome = match child {
                Child::Case(case) => match self.earned[*case] {
                    Some(points) => Outcome { accepted: true, points, code: ResultCode::Accepted },
                    None => {
                        let (points, code) = (group.case.rejected, self.codes[*case]);
                        Outcome { accepted: false, points, code }
                    }
                },
                Child::Group(group) => self.outcome(*group),
            };
            counted.push(outcome);
            if group.stops_at_rejection && !outcome.accepted {
                break;
            }
        }
        counted
    }

    /// What a group came to.
    fn outcome(&self, place: usize) -> Outcome {
        let group = &self.scoring.groups[place];
        // What is known is not asked for again: groups may require each other in rows, and each many.
        let lacks = |other: &usize| self.failed[*other].unwrap_or_else(|| self.has_failed(*other));
        let nothing = Outcome { accepted: false, points: PointValue::ZERO, code: ResultCode::WrongAnswer };
        if group.requires.iter().any(lacks) {
            return nothing;
        }
        if group.grader_arguments.is_some() {
            return self.graded.get(&place).copied().unwrap_or(nothing);
        }
        let counted = self.counted(place);
        let accepted = match group.acceptance {
            GroupAcceptance::All => counted.iter().all(|outcome| outcome.accepted),
            GroupAcceptance::Any => counted.is_empty() || counted.iter().any(|outcome| outcome.accepted),
            GroupAcceptance::Always => true,
        };
        let points: Vec<_> = counted.iter().map(|outcome| outcome.points).collect();
        let code = match accepted {
            true => ResultCode::Accepted,
            false => ResultCode::rejection(counted.iter().map(|outcome| outcome.code), group.tells_worst),
        };
        Outcome { accepted, points: aggregated(group, &points), code }
    }

    /// The most that a group can come to, if that is bounded.
    fn most(&self, place: usize) -> Option<PointValue> {
        most(self.scoring, &self.children, place, &|case| self.worth(case))
    }
}

#[cfg(test)]
mod tests;
