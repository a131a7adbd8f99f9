//! What a submission promises for single cases, and for some of them together. Knows names of cases and verdicts; who keeps a
//! promise, others ask.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::Serialize;

use crate::model::Expected;

/// What a submission promises beside its verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CasePromises {
    /// The verdicts that some cases may earn, by their names.
    pub allowed: BTreeMap<String, Expected>,
    /// What must come up somewhere among some cases.
    pub required: Vec<CaseRequirement>,
    /// Whether no more is judged than it takes to know if they are kept; else every case is.
    pub until_settled: bool,
}

/// What must come up on one of these cases at least, or what they must be worth together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseRequirement {
    /// What is wanted, and of which cases, in a word.
    pub requirement: Requirement,
    /// The names of the cases.
    pub cases: Vec<String>,
}

/// One of these verdicts on one of some cases at least, or certain points of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// The cases as whoever wants it names them: a group, or a pattern; empty for all.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub cases: String,
    /// The verdicts of which one is wanted; none where points are.
    pub expected: Expected,
}

impl CasePromises {
    /// Whether nothing is promised.
    pub fn is_empty(&self) -> bool {
        self.allowed.is_empty() && self.required.is_empty()
    }
}

/// How it was not met: `no case of secret/hard is TLE or ILE`.
impl fmt::Display for Requirement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = if self.cases.is_empty() { String::new() } else { format!(" of {}", self.cases) };
        match self.expected.score() {
            Some(score) => write!(out, "the points{of} are not {score}"),
            None => write!(out, "no case{of} is {}", self.expected),
        }
    }
}
