//! What a submission promises for single cases, and for some of them together. Knows names of cases and verdicts; who keeps a
//! promise, others ask.

use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::Serialize;

use crate::model::CaseNames;
use crate::model::CaseSet;
use crate::model::Expected;

/// What a submission promises beside its verdict. Copies share it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CasePromises {
    /// The verdicts that some cases may earn.
    pub allowed: AllowedVerdicts,
    /// What must come up somewhere among some cases.
    pub required: Arc<[CaseRequirement]>,
    /// Whether no more is judged than it takes to know if they are kept; else every case is.
    pub until_settled: bool,
}

/// The verdicts that some cases may earn: mostly the same on many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedVerdicts {
    names: CaseNames,
    /// For each case the place of what it may earn, from 1; 0 where nothing is said.
    of_cases: Arc<[u32]>,
    each: Arc<[Expected]>,
}

/// What must come up on one of these cases at least, or what they must be worth together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseRequirement {
    /// What is wanted, and of which cases, in a word.
    pub requirement: Requirement,
    /// The cases.
    pub cases: CaseSet,
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

impl AllowedVerdicts {
    /// What each of these cases may earn, in their order, where something is said.
    pub fn new(names: &CaseNames, of_cases: impl IntoIterator<Item = Option<Expected>>) -> Self {
        let mut each: Vec<Expected> = Vec::new();
        let mut number = |expected: Expected| match each.iter().position(|known| *known == expected) {
            Some(place) => place as u32 + 1,
            None => {
                each.push(expected);
                each.len() as u32
            }
        };
        let of_cases: Arc<[u32]> =
            of_cases.into_iter().map(|expected| expected.map_or(0, &mut number)).collect();
        match each.is_empty() {
            true => Self::default(),
            false => Self { names: names.clone(), of_cases, each: each.into() },
        }
    }

    /// What a case may earn, where that is said.
    pub fn get(&self, case: &str) -> Option<&Expected> {
        let number = *self.of_cases.get(self.names.place_of(case)? as usize)?;
        self.each.get(number.checked_sub(1)? as usize)
    }

    /// Whether nothing is said of any case.
    pub fn is_empty(&self) -> bool {
        self.each.is_empty()
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
