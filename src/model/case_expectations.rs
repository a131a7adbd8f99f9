//! The results that an example submission is expected to get on single cases and on sets of cases.
//! Knows case names and verdicts; others check whether the expectations are met.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::{CaseNames, CaseSet, Expected};

/// A submission's expectations besides its overall verdict. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaseExpectations {
    /// The verdicts allowed on single cases.
    pub allowed: AllowedVerdicts,
    /// Verdicts or points that certain sets of cases must produce.
    pub required: Arc<[CaseRequirement]>,
    /// The cases on which the submission's times say nothing about the time limit, since the
    /// package wants so.
    pub untimed: CaseSet,
    /// Whether judging may stop as soon as it is known whether the expectations are met; if not,
    /// every case is judged.
    pub stops_when_settled: bool,
}

/// The verdicts allowed on single cases. Equal expectations are stored once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedVerdicts {
    names: CaseNames,
    /// For each case the place in `each` of its expectation, counted from 1; 0 if there is none.
    of_cases: Arc<[u32]>,
    each: Arc<[Expected]>,
}

/// A requirement on a set of cases: one of them must get a certain verdict or message, or they must
/// be worth certain points together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseRequirement {
    /// The requirement, with the set's name.
    pub requirement: Requirement,
    /// The cases.
    pub cases: CaseSet,
}

/// At least one case of a set must get one of these verdicts, or a judge message with a certain
/// text, or a group must be worth certain points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// The set of cases as the package names it: a group, or a pattern; empty for all.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub cases: String,
    /// The verdicts of which one is required; empty if points are required. Nothing if a message
    /// is.
    #[serde(
        skip_serializing_if = "Expected::is_nothing",
        default = "Expected::nothing"
    )]
    pub expected: Expected,
    /// The text that a judge message must contain.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub message: Option<String>,
}

impl CaseExpectations {
    /// Whether nothing is expected.
    pub fn is_empty(&self) -> bool {
        self.allowed.is_empty() && self.required.is_empty()
    }

    /// Whether anything is expected of some cases only, or of a message.
    pub fn are_for_some_cases(&self) -> bool {
        self.allowed.each.len() > 1
            || self
                .required
                .iter()
                .any(|one| !one.requirement.cases.is_empty() || one.requirement.message.is_some())
    }
}

impl AllowedVerdicts {
    /// Takes the expectation of each case in `names`, in order; `None` for a case without one.
    pub fn new(names: &CaseNames, of_cases: impl IntoIterator<Item = Option<Expected>>) -> Self {
        let mut each: Vec<Expected> = Vec::new();
        let of_cases: Arc<[u32]> = of_cases
            .into_iter()
            .map(|expected| {
                expected.map_or(0, &mut |expected| match each
                    .iter()
                    .position(|known| *known == expected)
                {
                    Some(place) => place as u32 + 1,
                    None => {
                        each.push(expected);
                        each.len() as u32
                    }
                })
            })
            .collect();
        if each.is_empty() {
            Self::default()
        } else {
            Self {
                names: names.clone(),
                of_cases,
                each: each.into(),
            }
        }
    }

    /// The verdicts allowed on a case, if it has an expectation.
    pub fn get(&self, case: &str) -> Option<&Expected> {
        let number = *self.of_cases.get(self.names.place_of(case)? as usize)?;
        self.each.get(number.checked_sub(1)? as usize)
    }

    /// Whether no case has an expectation.
    pub fn is_empty(&self) -> bool {
        self.each.is_empty()
    }
}

/// Says how it was not met: `no case of secret/hard is TLE or ILE`.
impl fmt::Display for Requirement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = if self.cases.is_empty() {
            String::new()
        } else {
            format!(" of {}", self.cases)
        };
        match (self.expected.score(), &self.message) {
            (_, Some(message)) => write!(out, "no judge message{of} contains `{message}`"),
            (Some(score), None) => write!(out, "the points{of} are not {score}"),
            (None, None) => write!(out, "no case{of} is {}", self.expected),
        }
    }
}
