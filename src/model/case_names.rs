//! Refers to cases by number, so that data about many cases and many submissions takes little room
//! and is cheap to copy. Does not know the data.

use std::sync::Arc;

use crate::model::Case;

/// A list of cases, in which a case is found by its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaseNames {
    cases: Arc<[Case]>,
    /// Places in `cases`, sorted by the name of the case.
    by_name: Arc<[u32]>,
}

impl CaseNames {
    /// Indexes these cases by name; the list is shared, not copied.
    pub fn of(cases: &Arc<[Case]>) -> Self {
        let mut by_name: Vec<u32> = (0..).take(cases.len()).collect();
        by_name.sort_by(|one, other| cases[*one as usize].name.cmp(&cases[*other as usize].name));
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
        let found = self
            .by_name
            .binary_search_by(|place| self.cases[*place as usize].name.as_str().cmp(name));
        found.ok().map(|place| self.by_name[place])
    }
}

/// A subset of the cases of a [`CaseNames`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaseSet {
    names: CaseNames,
    /// Sorted.
    places: Arc<[u32]>,
}

impl CaseSet {
    /// The cases for which `is_in` holds. It is called with each place and case, in order.
    pub fn new(names: &CaseNames, mut is_in: impl FnMut(usize, &Case) -> bool) -> Self {
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
        let names = CaseNames::of(&["secret/2", "sample/1", "secret/10"].map(case).into());
        let places =
            ["sample/1", "secret/10", "secret/2", "secret/1"].map(|name| names.place_of(name));
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
