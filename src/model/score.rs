//! The points of a submission.

use serde::{Deserialize, Serialize};

use crate::model::PointValue;

/// The points that a submission got.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// Points it got.
    pub earned: PointValue,
    /// Points available; `None` if they have no bound, or if fewer are better.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub of: Option<PointValue>,
    /// Whether fewer points are better.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub fewest_is_best: bool,
    /// Whether the rules of the problem accept the submission, even if single cases failed: points
    /// for some of the groups.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub accepted: bool,
    /// The groups that contain cases directly, in the order of their first case.
    pub groups: Vec<GroupScore>,
    /// Groups whose points are outside of what the problem says that they are worth, a sentence
    /// each.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub out_of_range: Vec<String>,
}

/// The points that a submission got in one group of cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupScore {
    /// The group, as `secret`.
    pub name: String,
    /// Points it got.
    pub earned: PointValue,
    /// Points available in the group; `None` if they have no bound.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub of: Option<PointValue>,
}

impl Score {
    /// Whether all points were got. False if the points have no bound: there might be more.
    pub fn is_full(&self) -> bool {
        self.of.is_some_and(|of| self.earned >= of)
    }

    /// Whether it is known that points are missing.
    pub fn is_partial(&self) -> bool {
        self.of.is_some_and(|of| self.earned < of)
    }
}

/// `40 of 100`, or `40` if there is no bound.
impl std::fmt::Display for Score {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.of {
            Some(of) => out.pad(&format!("{} of {of}", self.earned)),
            None => out.pad(&self.earned.to_string()),
        }
    }
}
