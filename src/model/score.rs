//! What a submission earned, in points.

use serde::Deserialize;
use serde::Serialize;

use crate::model::PointValue;

/// What a submission earned, in points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// Points earned.
    pub earned: PointValue,
    /// Points in all; none where they have no bound.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub of: Option<PointValue>,
    /// Whether the rules of the problem call that accepted, though single cases may not be: points for a part of the groups.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub accepted: bool,
    /// Each group with cases of its own, in the order of its first case.
    pub groups: Vec<GroupScore>,
}

/// What a submission earned in one group of cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupScore {
    /// The group, as `secret`.
    pub name: String,
    /// Points earned.
    pub earned: PointValue,
    /// Points it is worth; none where they have no bound.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub of: Option<PointValue>,
}

impl Score {
    /// Whether there is nothing more to be earned, as far as that can be known.
    pub fn is_full(&self) -> bool {
        self.of.is_none_or(|of| self.earned >= of)
    }
}

/// `40 of 100`, or where there is no bound, `40`.
impl std::fmt::Display for Score {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.of {
            Some(of) => out.pad(&format!("{} of {of}", self.earned)),
            None => out.pad(&self.earned.to_string()),
        }
    }
}
