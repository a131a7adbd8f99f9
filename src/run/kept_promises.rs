//! What a submission promises for its cases, held against what they come to, one after the other in the order of the plan. Knows
//! when nothing more can come of it, and not what is judged all the same.

use std::collections::BTreeSet;

use crate::model::AllowedVerdicts;
use crate::model::Case;
use crate::model::CasePromises;
use crate::model::CaseRequirement;
use crate::model::Expected;
use crate::model::Requirement;
use crate::model::Score;
use crate::model::Verdict;

/// How far the promises of a submission are kept.
pub(super) struct KeptPromises<'a> {
    allowed: &'a AllowedVerdicts,
    /// The verdicts that have not come up yet.
    open: Vec<&'a CaseRequirement>,
    /// What groups are to be worth, which is known in the end.
    scores: Vec<&'a CaseRequirement>,
    /// For each case how many behind it may not earn just anything.
    bound: Vec<usize>,
    /// How many there are behind the last one that was taken.
    bound_behind: usize,
    until_settled: bool,
    is_broken: bool,
}

impl<'a> KeptPromises<'a> {
    /// Those for these cases. What is wanted of others as well cannot be told by these alone.
    pub(super) fn of(promises: &'a CasePromises, cases: &[Case]) -> Self {
        let names: BTreeSet<_> = match promises.required.is_empty() {
            true => BTreeSet::new(),
            false => cases.iter().map(|case| case.name.as_str()).collect(),
        };
        let is_known = |wanted: &&CaseRequirement| wanted.cases.iter().all(|case| names.contains(case));
        let wants_score = |wanted: &&CaseRequirement| wanted.requirement.expected.score().is_some();
        let (scores, open) = promises.required.iter().filter(is_known).partition(wants_score);
        let mut bound_behind = 0;
        let count = |case: &Case| {
            let behind = bound_behind;
            bound_behind += usize::from(promises.allowed.get(&case.name).is_some());
            behind
        };
        let mut bound: Vec<_> = cases.iter().rev().map(count).collect();
        bound.reverse();
        Self {
            allowed: &promises.allowed,
            open,
            scores,
            bound,
            bound_behind,
            until_settled: promises.until_settled,
            is_broken: false,
        }
    }

    /// What a case may earn, where that is said.
    pub(super) fn of_case(&self, case: &str) -> Option<&'a Expected> {
        self.allowed.get(case)
    }

    /// Takes what a case has earned, in its turn.
    pub(super) fn take(&mut self, case: usize, name: &str, verdict: Verdict) {
        self.is_broken |= self.breaks(name, verdict);
        self.open
            .retain(|wanted| !(wanted.requirement.expected.allows(verdict) && wanted.cases.contains(name)));
        self.bound_behind = self.bound[case];
    }

    /// Takes that a case came to no verdict on it: whatever is promised, the submission is not as expected.
    pub(super) fn give_up(&mut self) {
        self.is_broken = true;
    }

    /// Whether this verdict on a case breaks a promise.
    pub(super) fn breaks(&self, case: &str, verdict: Verdict) -> bool {
        self.of_case(case).is_some_and(|allowed| !allowed.allows(verdict))
    }

    /// Whether no more is to be judged once they are settled.
    pub(super) fn end_when_settled(&self) -> bool {
        self.until_settled
    }

    /// Whether no further case can change whether they are kept.
    pub(super) fn are_settled(&self) -> bool {
        let is_known = self.bound_behind == 0 && self.open.is_empty();
        if self.until_settled { self.is_broken || is_known } else { self.allowed.is_empty() && is_known }
    }

    /// What has not come up, when all cases are through. Where a promise is broken, not all need have been judged.
    pub(super) fn unmet(self, score: Option<&Score>) -> Vec<Requirement> {
        let is_worth = |wanted: &&CaseRequirement| {
            let Requirement { cases, expected } = &wanted.requirement;
            score.is_some_and(|score| {
                expected.score().is_some_and(|wanted| wanted.allows(&of_group(score, cases)))
            })
        };
        let open = self.open.iter().filter(|_| !self.is_broken);
        let unmet = open.chain(self.scores.iter().filter(|wanted| !is_worth(wanted)));
        unmet.map(|wanted| wanted.requirement.clone()).collect()
    }
}

/// What a group has earned; all of it, where no group is called so.
fn of_group(score: &Score, name: &str) -> Score {
    let group = score.groups.iter().find(|group| group.name == name);
    let (earned, of) = group.map_or((score.earned, score.of), |group| (group.earned, group.of));
    Score { earned, of, ..score.clone() }
}
