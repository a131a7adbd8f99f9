//! Decides which groups are not judged because a group that they require has failed. Knows the
//! outcomes of groups, but not how they follow from cases.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::run::group_scores::GroupScores;

impl GroupScores<'_> {
    /// Whether a case is not judged, because a group around it requires one that has failed. All
    /// earlier cases must have been recorded.
    pub(in crate::run) fn is_left_out(&mut self, case: usize) -> bool {
        let enclosing: Vec<_> = self.enclosing(self.group_of[case]).collect();
        enclosing
            .into_iter()
            .any(|group| self.lacks_requirement(group))
    }

    /// The cases directly after this one that are not judged for that reason, as far as they are in
    /// one group.
    pub(in crate::run) fn left_out_after(&mut self, case: usize) -> Range<usize> {
        let next = case + 1;
        let Some(group) = self.group_of.get(next).copied() else {
            return next..next;
        };
        if !self.is_left_out(next) {
            return next..next;
        }
        let together = self.group_of[next..]
            .iter()
            .take_while(|other| **other == group)
            .count();
        next..next + together
    }

    /// Whether a group requires one that has failed. All cases of a required group have been
    /// recorded by now, because it comes before the groups that require it.
    pub(super) fn lacks_requirement(&mut self, group: usize) -> bool {
        for other in self.undecided_requirements(group) {
            self.failed[other] = Some(self.has_failed(other));
        }
        self.scoring.groups[group]
            .requires
            .iter()
            .any(|other| self.failed[*other] == Some(true))
    }

    /// The groups that a group requires, directly or indirectly, and of which it is not known
    /// whether they have failed. Earlier groups come first, so deciding them in this order never
    /// recurses, however long a chain of requirements is.
    fn undecided_requirements(&self, group: usize) -> BTreeSet<usize> {
        let mut unknown = BTreeSet::new();
        let mut open = vec![group];
        while let Some(place) = open.pop() {
            let requires = self.scoring.groups[place].requires.iter();
            open.extend(
                requires.filter(|other| self.failed[**other].is_none() && unknown.insert(**other)),
            );
        }
        unknown
    }

    /// Whether a group is not accepted. All its cases must have been recorded.
    pub(super) fn has_failed(&self, group: usize) -> bool {
        !self.outcome(group).accepted
    }
}
