//! Finds the entries of a plan that have the same results, because they have the same key. Keys are
//! computed only of entries that may have the same one, each once, in the order of the plan. Knows
//! nothing of what is in a key.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use crate::cache::CacheKey;

/// The entries of a plan, by what is known of them without a key.
pub(super) struct EqualEntries {
    groups: Vec<SimilarEntries>,
    /// For each entry its group and its place in that, if it is in one.
    places: Vec<Option<(usize, usize)>>,
}

/// Entries that may have the same key.
struct SimilarEntries {
    /// In the order of the plan.
    entries: Vec<usize>,
    known: Mutex<KnownKeys>,
}

/// What is known of the first entries of a group.
#[derive(Default)]
struct KnownKeys {
    /// The last entry with each key.
    last: HashMap<CacheKey, usize>,
    /// For each entry of the group so far, the one before it with the same key.
    before: Vec<Option<usize>>,
}

impl EqualEntries {
    /// Entries may have the same key if they have the same of these facts.
    pub(super) fn new<T: Hash + Eq>(facts: impl Iterator<Item = Option<T>>) -> Self {
        let mut by_fact: HashMap<T, Vec<usize>> = HashMap::new();
        let mut places = Vec::new();
        for (entry, fact) in facts.enumerate() {
            places.push(None);
            if let Some(fact) = fact {
                by_fact.entry(fact).or_default().push(entry);
            }
        }
        let mut groups = Vec::new();
        for entries in by_fact.into_values().filter(|entries| entries.len() > 1) {
            for (place, entry) in entries.iter().enumerate() {
                places[*entry] = Some((groups.len(), place));
            }
            groups.push(SimilarEntries {
                entries,
                known: Mutex::default(),
            });
        }
        Self { groups, places }
    }

    /// The last entry before this one that has the same key.
    pub(super) fn before(
        &self,
        entry: usize,
        key_of: impl Fn(usize) -> Option<CacheKey>,
    ) -> Option<usize> {
        let (group, place) = self.places[entry]?;
        let SimilarEntries { entries, known } = &self.groups[group];
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        let known_already = known.before.len();
        for next in entries.iter().take(place + 1).skip(known_already) {
            let before = key_of(*next).and_then(|key| known.last.insert(key, *next));
            known.before.push(before);
        }
        known.before[place]
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::cache::KeyHasher;

    #[test]
    fn each_entry_has_the_last_one_before_it_with_the_same_key() {
        let facts = ["x", "x", "y", "x", "z", "x", "y"];
        let names = [
            Some("a"),
            Some("b"),
            Some("a"),
            Some("a"),
            Some("c"),
            Some("a"),
            None,
        ];
        let asked = RefCell::new(Vec::new());
        let equal = EqualEntries::new(facts.into_iter().map(Some));
        let before = |entry: usize| {
            equal.before(entry, |entry| {
                asked.borrow_mut().push(entry);
                names[entry].map(|name| KeyHasher::of(name).finish())
            })
        };
        // Workers may ask in any order.
        assert_eq!(before(4), None);
        assert_eq!(before(5), Some(3));
        assert_eq!(
            [before(0), before(1), before(3), before(5)],
            [None, None, Some(0), Some(3)]
        );
        assert_eq!([before(2), before(6)], [None, None]);
        assert_eq!(asked.into_inner(), [0, 1, 3, 5, 2, 6]);
    }

    #[test]
    fn an_entry_without_facts_is_equal_to_none() {
        let equal = EqualEntries::new([Some(1), None, None, Some(1)].into_iter());
        let key_of = |_: usize| Some(KeyHasher::of("a").finish());
        assert_eq!(
            [0, 1, 2, 3].map(|entry| equal.before(entry, key_of)),
            [None, None, None, Some(0)]
        );
    }
}
