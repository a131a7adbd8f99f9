//! What the groups of cases of a problem with points come to, while a submission is judged. Knows neither verdicts nor
//! events.

use std::collections::HashMap;

use crate::model::Case;
use crate::model::GroupScore;
use crate::model::Points;
use crate::model::Score;

/// The groups of one submission's cases.
pub(super) struct GroupScores<'a> {
    points: &'a Points,
    /// Each group in the order of its first case, and whether a case of it was not accepted.
    groups: Vec<(&'a str, bool)>,
    /// For each case, the place of its group among these, and the next case that is of another.
    of_cases: Vec<(usize, usize)>,
}

impl<'a> GroupScores<'a> {
    /// The groups of these cases; none where nothing gives points.
    pub(super) fn of(points: &'a Points, cases: &'a [Case]) -> Option<Self> {
        if points.is_empty() {
            return None;
        }
        let mut places = HashMap::new();
        let mut groups = Vec::new();
        let of_cases = cases.iter().map(|case| {
            let place = *places.entry(case.group()).or_insert(groups.len());
            if place == groups.len() {
                groups.push((case.group(), false));
            }
            (place, 0)
        });
        let mut of_cases: Vec<_> = of_cases.collect();
        let mut next = (usize::MAX, 0);
        for (case, (group, end)) in of_cases.iter_mut().enumerate().rev() {
            if *group != next.0 {
                next = (*group, case + 1);
            }
            *end = next.1;
        }
        Some(Self { points, groups, of_cases })
    }

    /// Whether the group of a case is lost.
    pub(super) fn is_lost(&self, case: usize) -> bool {
        self.groups[self.of_cases[case].0].1
    }

    /// Notes that a case is not accepted. Returns the next case that is of another group.
    pub(super) fn lose(&mut self, case: usize) -> usize {
        self.groups[self.of_cases[case].0].1 = true;
        self.end(case)
    }

    /// The next case that is of another group.
    pub(super) fn end(&self, case: usize) -> usize {
        self.of_cases[case].1
    }

    /// What has been earned, when all cases are through.
    pub(super) fn score(self) -> Score {
        let groups = self.groups.iter().map(|(name, is_lost)| {
            let of = self.points.get(*name).copied().unwrap_or_default();
            GroupScore { name: (*name).to_owned(), earned: if *is_lost { 0 } else { of }, of }
        });
        Score::of_groups(groups.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(name: &str) -> Case {
        Case { name: name.into(), input: "in".into(), answer: "ans".into() }
    }

    /// What is earned of `a` (10 points) and `b` (20) when these cases are lost, and where each loss ends.
    fn earned(names: &[&str], lost: &[usize]) -> (u64, Vec<usize>) {
        let points = Points::from([("a".to_owned(), 10), ("b".to_owned(), 20)]);
        let cases: Vec<_> = names.iter().map(|name| case(name)).collect();
        let mut groups = GroupScores::of(&points, &cases).unwrap();
        let ends = lost.iter().map(|case| groups.lose(*case)).collect();
        let score = groups.score();
        assert_eq!(score.of, 30);
        (score.earned, ends)
    }

    #[test]
    fn a_group_is_earned_whole_or_not_at_all() {
        let names = ["sample/1", "a/1", "a/2/x", "a/3", "b/1"];
        assert_eq!(earned(&names, &[]), (30, vec![]));
        assert_eq!(earned(&names, &[0]), (30, vec![1]));
        assert_eq!(earned(&names, &[2]), (20, vec![4]));
        assert_eq!(earned(&names, &[1, 4]), (0, vec![4, 5]));
    }

    #[test]
    fn cases_of_no_group_are_worth_nothing_and_may_have_groups_between_them() {
        assert_eq!(earned(&["0", "a/1", "b", "b/1"], &[0]), (30, vec![1]));
        assert_eq!(earned(&["0", "a/1", "b", "b/1"], &[2]), (30, vec![3]));
    }

    #[test]
    fn without_points_there_are_no_groups() {
        assert!(GroupScores::of(&Points::new(), &[case("a/1")]).is_none());
    }
}
