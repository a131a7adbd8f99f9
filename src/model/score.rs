//! Points: what a problem's groups are worth, and what a submission earned of that. A group's points are earned when all
//! its cases are accepted, and not before.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::Serialize;

/// Points by group of cases; empty where a problem gives none. A group that is not named is worth nothing.
pub type Points = BTreeMap<String, u64>;

/// What a submission earned, in points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// Points earned.
    pub earned: u64,
    /// Points in all.
    pub of: u64,
    /// Each group, in the order of its first case.
    pub groups: Vec<GroupScore>,
}

/// What a submission earned in one group of cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupScore {
    /// The group, as `secret`.
    pub name: String,
    /// Points earned: all of them, or none.
    pub earned: u64,
    /// Points it is worth.
    pub of: u64,
}

impl Score {
    /// The sum of these groups.
    pub fn of_groups(groups: Vec<GroupScore>) -> Self {
        let sum = |points: fn(&GroupScore) -> u64| groups.iter().map(points).sum();
        Self { earned: sum(|group| group.earned), of: sum(|group| group.of), groups }
    }
}
