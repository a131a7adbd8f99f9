//! Refers to cases by number, so that data about many cases and many submissions takes
//! little room and is cheap to copy. Does not know the data.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::{Case, Expected};

/// A list of cases, in which a case is found by its name.
#[derive(Clone, Debug, Default)]
pub struct CaseNames {
    cases: Arc<[Case]>,
    /// Places in `cases`, sorted by the name of the case.
    by_name: Arc<[u32]>,
}

impl CaseNames {
    /// Indexes these cases by name; the list is shared, not copied.
    pub fn from_cases(cases: &Arc<[Case]>) -> Self {
        let mut by_name: Vec<u32> = (0..).take(cases.len()).collect();
        by_name.sort_by(|one, other| {
            cases[*one as usize].name.cmp(&cases[*other as usize].name)
        });
        Self {
            cases: Arc::clone(cases),
            by_name: by_name.into(),
        }
    }

    /// The cases.
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// The place of a case.
    pub fn place_of(&self, name: &str) -> Option<u32> {
        let found = self.by_name.binary_search_by(|place| {
            self.cases[*place as usize].name.as_str().cmp(name)
        });
        found.ok().map(|place| self.by_name[place])
    }
}

/// A subset of the cases of a [`CaseNames`].
#[derive(Clone, Debug, Default)]
pub struct CaseSet {
    names: CaseNames,
    /// Sorted.
    places: Arc<[u32]>,
}

impl CaseSet {
    /// The cases for which `is_in` holds. It is called with each place and case, in
    /// order.
    pub fn new(
        names: &CaseNames,
        mut is_in: impl FnMut(usize, &Case) -> bool,
    ) -> Self {
        let places = (0..)
            .zip(names.cases())
            .filter(|(place, case)| is_in(*place as usize, case));
        Self {
            names: names.clone(),
            places: places.map(|(place, _)| place).collect(),
        }
    }

    /// The number of cases in the set.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether the set contains a case.
    pub fn contains(&self, name: &str) -> bool {
        self.names
            .place_of(name)
            .is_some_and(|place| self.places.binary_search(&place).is_ok())
    }

    /// The names of the cases, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.places
            .iter()
            .map(|place| self.names.cases[*place as usize].name.as_str())
    }
}

// The results that an example submission is expected to get on single cases and on sets
// of cases. Knows case names and verdicts; others check whether the expectations are
// met.

/// A submission's expectations besides its overall verdict. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct CaseExpectations {
    /// The verdicts allowed on single cases.
    pub allowed: AllowedVerdicts,
    /// Verdicts or points that certain sets of cases must produce.
    pub required: Arc<[CaseRequirement]>,
    /// The cases on which the submission's times say nothing about the time limit,
    /// since the package wants so.
    pub untimed: CaseSet,
    /// Whether judging may stop as soon as it is known whether the expectations are
    /// met; if not, every case is judged.
    pub stops_when_settled: bool,
}

/// The verdicts allowed on single cases: each expectation with its cases.
#[derive(Clone, Debug, Default)]
pub struct AllowedVerdicts(Arc<[(Expected, CaseSet)]>);

/// A requirement on a set of cases: one of them must get a certain verdict or message,
/// or they must be worth certain points together.
#[derive(Debug)]
pub struct CaseRequirement {
    /// The requirement, with the set's name.
    pub requirement: Requirement,
    /// The cases.
    pub cases: CaseSet,
}

/// At least one case of a set must get one of these verdicts, or a judge message with a
/// certain text, or a group must be worth certain points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// The set of cases as the package names it: a group, or a pattern; empty for all.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub cases: String,
    /// The verdicts of which one is required; empty if points are required. Nothing if
    /// a message is.
    #[serde(
        skip_serializing_if = "Expected::is_nothing",
        default = "Expected::nothing"
    )]
    pub expected: Expected,
    /// The text that a judge message must contain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl CaseExpectations {
    /// Whether nothing is expected.
    pub fn is_empty(&self) -> bool {
        self.allowed.is_empty() && self.required.is_empty()
    }

    /// Whether anything is expected of some cases only, or of a message.
    pub fn are_for_some_cases(&self) -> bool {
        self.allowed.0.len() > 1
            || self.required.iter().any(|one| {
                !one.requirement.cases.is_empty() || one.requirement.message.is_some()
            })
    }
}

impl AllowedVerdicts {
    /// Takes the expectation of each case in `names`, in order; `None` for a case
    /// without one.
    pub fn new(
        names: &CaseNames,
        of_cases: impl IntoIterator<Item = Option<Expected>>,
    ) -> Self {
        let mut each: Vec<(Expected, Vec<u32>)> = vec![];
        for (place, expected) in (0..).zip(of_cases) {
            let Some(expected) = expected else {
                continue;
            };
            match each.iter_mut().find(|(known, _)| *known == expected) {
                Some((_, places)) => places.push(place),
                None => each.push((expected, vec![place])),
            }
        }
        let sets = each.into_iter().map(|(expected, places)| {
            let cases = CaseSet {
                names: names.clone(),
                places: places.into(),
            };
            (expected, cases)
        });
        Self(sets.collect())
    }

    /// The verdicts allowed on a case, if it has an expectation.
    pub fn get(&self, case: &str) -> Option<&Expected> {
        let (expected, _) = self.0.iter().find(|(_, cases)| cases.contains(case))?;
        Some(expected)
    }

    /// Whether no case has an expectation.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
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
            (_, Some(message)) => {
                write!(out, "no judge message{of} contains `{message}`")
            }
            (Some(score), None) => write!(out, "the points{of} are not {score}"),
            (None, None) => write!(out, "no case{of} is {}", self.expected),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn cases_are_found_by_name_whatever_their_order() {
        let case = |name: &str| Case {
            name: name.to_owned(),
            input: PathBuf::new(),
            answer: PathBuf::new(),
        };
        let names = CaseNames::from_cases(
            &["secret/2", "sample/1", "secret/10"].map(case).into(),
        );
        let places = ["sample/1", "secret/10", "secret/2", "secret/1"]
            .map(|name| names.place_of(name));
        assert_eq!(places, [Some(1), Some(2), Some(0), None]);
        let secret = CaseSet::new(&names, |_, case| case.name.starts_with("secret/"));
        assert_eq!(secret.iter().collect::<Vec<_>>(), ["secret/2", "secret/10"]);
        assert!(
            secret.contains("secret/10")
                && !secret.contains("sample/1")
                && !secret.contains("other")
        );
    }
}
