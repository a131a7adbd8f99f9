//! The values of variables while an input is checked, up to a bound.

use std::collections::{BTreeMap, HashMap};

use crate::checktestdata::arithmetic::steps_of;
use crate::checktestdata::number::CtdInteger;
use crate::checktestdata::syntax::CtdValue;

/// The bytes that a value takes beside its own.
const BYTES_OF_A_PLACE: usize = 100;

/// The steps that it takes to find a place near the one before.
const STEPS_TO_FIND: u64 = 2;

/// How far apart such indices are.
const NEAR: u64 = 64;

/// The indices of a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// A variable without indices.
    Whole,
    /// One small index, as most have.
    At(i64),
    Indices(Box<[CtdInteger]>),
}

/// The values of one variable.
#[derive(Default)]
struct Places {
    by_place: BTreeMap<Place, CtdValue>,
    /// The place that was looked for last.
    last: Option<Place>,
    /// How often each value occurs, once that has been asked for.
    counts: Option<BTreeMap<CtdValue, u32>>,
}

/// All variables.
pub(super) struct Variables {
    by_name: HashMap<String, Places>,
    bytes: usize,
    most_bytes: usize,
}

impl Place {
    pub(super) fn new(mut indices: Vec<CtdInteger>) -> Self {
        match &mut indices[..] {
            [] => Self::Whole,
            [CtdInteger::Small(index)] => Self::At(*index),
            _ => Self::Indices(indices.into()),
        }
    }

    /// Whether two places follow each other closely.
    fn is_near(&self, other: &Self) -> bool {
        let are_near = |one: i64, other: i64| one.abs_diff(other) <= NEAR;
        match (self, other) {
            (Self::At(one), Self::At(other)) => are_near(*one, *other),
            (Self::Indices(one), Self::Indices(other)) => match (&**one, &**other) {
                ([one @ .., CtdInteger::Small(last)], [other @ .., CtdInteger::Small(before)]) => {
                    one == other && are_near(*last, *before)
                }
                _ => false,
            },
            (one, other) => one == other,
        }
    }

    /// The place as it is shown after the name of a variable.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Whole => String::new(),
            Self::At(index) => format!("[{index}]"),
            Self::Indices(indices) => {
                let indices: Vec<String> = indices.iter().map(CtdInteger::to_string).collect();
                format!("[{}]", indices.join(","))
            }
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Whole | Self::At(_) => 0,
            Self::Indices(indices) => indices
                .iter()
                .map(|index| 16 + 8 * index.words() as usize)
                .sum::<usize>(),
        }
    }
}

impl Places {
    fn bytes_of(&self, place: &Place, value: &CtdValue) -> usize {
        let copies = 1 + usize::from(self.counts.is_some());
        copies * (BYTES_OF_A_PLACE + value.bytes()) + place.bytes()
    }

    fn forget(&mut self, value: &CtdValue) {
        let Some(counts) = &mut self.counts else {
            return;
        };
        let Some(count) = counts.get_mut(value) else {
            return;
        };
        *count -= 1;
        if *count == 0 {
            counts.remove(value);
        }
    }
}

impl Variables {
    /// No variables yet. They may take this many bytes.
    pub(super) fn of_at_most(most_bytes: usize) -> Self {
        Self {
            by_name: HashMap::new(),
            bytes: 0,
            most_bytes,
        }
    }

    pub(super) fn get(&self, name: &str, place: &Place) -> Option<&CtdValue> {
        self.by_name.get(name)?.by_place.get(place)
    }

    /// Sets a value, and returns whether there is room for it.
    pub(super) fn set(&mut self, name: &str, place: Place, value: CtdValue) -> bool {
        let places = match self.by_name.get_mut(name) {
            Some(places) => places,
            None => self.by_name.entry(name.to_owned()).or_default(),
        };
        self.bytes += places.bytes_of(&place, &value);
        if let Some(before) = places.by_place.get(&place).cloned() {
            self.bytes = self.bytes.saturating_sub(places.bytes_of(&place, &before));
            places.forget(&before);
        }
        if let Some(counts) = &mut places.counts {
            *counts.entry(value.clone()).or_default() += 1;
        }
        places.by_place.insert(place, value);
        self.bytes <= self.most_bytes
    }

    pub(super) fn unset(&mut self, name: &str) {
        let Some(gone) = self.by_name.remove(name) else {
            return;
        };
        let bytes: usize = gone
            .by_place
            .iter()
            .map(|(place, value)| gone.bytes_of(place, value))
            .sum();
        self.bytes = self.bytes.saturating_sub(bytes);
    }

    /// How many values a variable has.
    pub(super) fn count(&self, name: &str) -> usize {
        self.by_name
            .get(name)
            .map_or(0, |places| places.by_place.len())
    }

    /// The steps that it takes to find the place of a value of a variable: few if it is near the
    /// one before, as most are. Others of a large variable are in memory that no cache of the
    /// processor holds.
    pub(super) fn steps_to_find(&mut self, name: &str, place: &Place) -> u64 {
        let Some(places) = self.by_name.get_mut(name) else {
            return STEPS_TO_FIND;
        };
        let is_near = places.last.as_ref().is_some_and(|last| place.is_near(last));
        places.last = Some(place.clone());
        if is_near {
            STEPS_TO_FIND
        } else {
            STEPS_TO_FIND + depth(places.by_place.len())
        }
    }

    /// Any value of a variable.
    pub(super) fn any(&self, name: &str) -> Option<&CtdValue> {
        self.by_name.get(name)?.by_place.values().next()
    }

    /// Whether a value occurs in a variable. Makes an index of its values first, if there is none;
    /// `count` is called with the steps of that and may end it.
    pub(super) fn contains<E>(
        &mut self,
        name: &str,
        wanted: &CtdValue,
        mut count: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<bool, E> {
        let Some(places) = self.by_name.get_mut(name) else {
            return Ok(false);
        };
        let depth = depth(places.by_place.len());
        if places.counts.is_none() {
            let mut counts = BTreeMap::new();
            for value in places.by_place.values() {
                count(1 + depth * (1 + steps_of('-', value, value)))?;
                self.bytes += BYTES_OF_A_PLACE + value.bytes();
                *counts.entry(value.clone()).or_default() += 1;
            }
            places.counts = Some(counts);
        }
        count(1 + depth * (1 + steps_of('-', wanted, wanted)))?;
        Ok(places
            .counts
            .as_ref()
            .is_some_and(|counts| counts.contains_key(wanted)))
    }

    /// Why the values of several variables, combined by their indices, are not unique; `None` if
    /// they are. The variables must exist. `count` is called with the steps that each value takes,
    /// before it is examined, and may end the search.
    pub(super) fn why_not_unique<E>(
        &self,
        names: &[String],
        mut count: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Option<String>, E> {
        let all: Vec<&Places> = names
            .iter()
            .filter_map(|name| self.by_name.get(name))
            .collect();
        let Some((first, others)) = all.split_first() else {
            return Ok(None);
        };
        if let Some(other) = others
            .iter()
            .position(|places| places.by_place.len() != first.by_place.len())
        {
            return Ok(Some(format!(
                "{} and {} have different indices",
                names[0],
                names[other + 1]
            )));
        }
        let depth = depth(first.by_place.len());
        // The values of all tuples, one tuple after the other, and their indices.
        let mut values = Vec::new();
        let mut places = Vec::new();
        for (place, value) in &first.by_place {
            places.push(place);
            values.push(value);
            for (other, name) in others.iter().zip(&names[1..]) {
                let Some(value) = other.by_place.get(place) else {
                    return Ok(Some(format!("{name}{} has no value", place.shown())));
                };
                values.push(value);
            }
            for value in &values[values.len() - names.len()..] {
                count(1 + depth * (1 + steps_of('-', value, value)))?;
            }
        }
        let tuple = |number: &usize| &values[number * names.len()..(number + 1) * names.len()];
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_unstable_by(|left, right| tuple(left).cmp(tuple(right)).then(left.cmp(right)));
        let twice = order
            .windows(2)
            .find(|pair| tuple(&pair[0]) == tuple(&pair[1]));
        Ok(twice.map(|pair| {
            let before = places[pair[0]].shown();
            let after = places[pair[1]].shown();
            format!("the values at index {before} and {after} are the same")
        }))
    }
}

/// How often a search among this many values halves them.
fn depth(values: usize) -> u64 {
    u64::from(usize::BITS - values.leading_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled() -> Variables {
        let mut variables = Variables::of_at_most(1 << 20);
        for index in 0..100 {
            assert!(variables.set(
                "a",
                Place::At(index),
                CtdValue::Int(CtdInteger::Small(index % 50))
            ));
            assert!(variables.set(
                "b",
                Place::At(index),
                CtdValue::Int(CtdInteger::Small(index / 50))
            ));
        }
        variables
    }

    #[test]
    fn the_search_for_duplicates_ends_when_the_count_fails() {
        let names = ["a".to_owned(), "b".to_owned()];
        let mut values = 0;
        let duplicate = filled().why_not_unique(&names, |_| {
            values += 1;
            if values == 7 { Err("stop") } else { Ok(()) }
        });
        assert_eq!((duplicate, values), (Err("stop"), 7));
        assert_eq!(
            filled().why_not_unique(&names, |_| Ok::<_, ()>(())),
            Ok(None)
        );
        let twice = filled().why_not_unique(&names[..1], |_| Ok::<_, ()>(()));
        assert_eq!(
            twice,
            Ok(Some(
                "the values at index [0] and [50] are the same".to_owned()
            ))
        );
    }

    #[test]
    fn the_index_of_values_follows_every_change() {
        let mut variables = filled();
        let has = |variables: &mut Variables, value: i64| {
            variables
                .contains("a", &CtdValue::Int(CtdInteger::Small(value)), |_| {
                    Ok::<_, ()>(())
                })
                .unwrap()
        };
        assert!(has(&mut variables, 7) && !has(&mut variables, 50));
        variables.set("a", Place::At(7), CtdValue::Int(CtdInteger::Small(50)));
        assert!(has(&mut variables, 7) && has(&mut variables, 50));
        variables.set("a", Place::At(57), CtdValue::Int(CtdInteger::Small(50)));
        assert!(!has(&mut variables, 7));
        variables.unset("a");
        variables.unset("b");
        assert_eq!(variables.bytes, 0);
        assert!(!has(&mut variables, 50));
    }
}
