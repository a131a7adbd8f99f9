//! Decides which cases cannot change the result any more after one was not accepted.
//! Knows the rules of groups, but not what their cases are worth.

use crate::model::{
    CaseWorth, CheckerPointsRule, GroupAcceptance, PointValue, ScoreAggregation,
};
use crate::run::group_scores::{Child, GroupScores};

impl GroupScores<'_> {
    /// Records that a case is not accepted. Returns the next case that may still count.
    pub(crate) fn lose(&mut self, case: usize) -> usize {
        let group = self.settled_by(case);
        if group
            .is_some_and(|group| !std::mem::replace(&mut self.settled[group], true))
        {
            self.next_counting(case)
        } else {
            case + 1
        }
    }

    /// Whether a case cannot change the score, because a group around it is settled.
    pub(crate) fn is_settled(&self, case: usize) -> bool {
        self.enclosing(self.group_of[case])
            .any(|group| self.settled[group])
    }

    /// The next case after this one that counts if this one is not accepted.
    pub(crate) fn next_counting(&self, case: usize) -> usize {
        let Some(settled) = self.settled_by(case) else {
            return case + 1;
        };
        let mut after = self.group_of.iter().enumerate().skip(case + 1);
        after
            .find(|(_, group)| {
                !self
                    .enclosing(**group)
                    .any(|enclosing| enclosing == settled)
            })
            .map_or(self.cases.len(), |(next, _)| next)
    }

    /// The outermost group in which nothing counts if a case is not accepted; `None` if
    /// everything counts.
    fn settled_by(&self, case: usize) -> Option<usize> {
        let mut settled = None;
        let groups = &self.scoring.groups;
        let own = self.group_of[case];
        // A grader is given the result of each case, and may use more of it than the
        // points.
        let is_graded = self
            .enclosing(own)
            .any(|place| groups[place].grader_arguments.is_some());
        let CaseWorth {
            rejected, checker, ..
        } = groups[own].case;
        let is_worthless =
            rejected == PointValue::ZERO && checker != CheckerPointsRule::Instead;
        let mut is_zero =
            !is_graded && is_worthless && !self.scoring.may_be_negative();
        for place in self.enclosing(own) {
            let group = &self.scoring.groups[place];
            // Worse rejections may follow, and be the verdict, or an accepted case may
            // make the group accepted.
            let may_turn =
                group.tells_worst || group.acceptance == GroupAcceptance::Any;
            let is_open = self.scoring.decides_verdict && may_turn;
            is_zero &= group.aggregation == ScoreAggregation::Min && !is_open;
            if self.ignores(place, case) || !(group.stops_at_rejection || is_zero) {
                break;
            }
            settled = Some(place);
            // The group may be accepted in spite of this case, so its parent is not
            // settled.
            if group.acceptance != GroupAcceptance::All {
                break;
            }
        }
        settled
    }

    /// Whether the result of a case counts nowhere, because a group around it ignores
    /// its first child, or is not in the first group.
    pub(crate) fn is_ignored(&self, case: usize) -> bool {
        self.enclosing(self.group_of[case])
            .any(|place| self.is_outside(place) || self.ignores(place, case))
    }

    /// Whether nothing is made of the result of a group, since it is in no other.
    pub(super) fn is_outside(&self, place: usize) -> bool {
        place > 0 && self.scoring.groups[place].parent.is_none()
    }

    /// Whether a group ignores its first child, which a case is or is inside.
    fn ignores(&self, place: usize, case: usize) -> bool {
        let group = &self.scoring.groups[place];
        // A rejection that ends the group is the last of its results, and so the one
        // that counts.
        let ends_group = group.stops_at_rejection && self.scoring.decides_verdict;
        if !group.ignores_first || ends_group {
            return false;
        }
        match self.children[place][..] {
            [Child::Case(first), _, ..] => first == case,
            [Child::Group(first), _, ..] => self
                .enclosing(self.group_of[case])
                .any(|group| group == first),
            _ => false,
        }
    }
}
