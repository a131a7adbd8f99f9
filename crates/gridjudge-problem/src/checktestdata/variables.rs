//! The values of variables while an input is checked, up to a bound.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use crate::checktestdata::{Checked, CtdInteger, CtdValue, StepCounter, steps_of};

/// The bytes that a value takes beside its own: in the tree of values, half of whose
/// room is empty, and while it is compared with others.
const BYTES_OF_A_PLACE: usize = 100;

/// Those of a small integer in a list.
const BYTES_OF_A_SMALL: usize = 20;

/// The steps that it takes to find a place near the one before.
const STEPS_TO_FIND: u64 = 2;

/// How far apart such indices are.
const NEAR: u64 = 64;

/// The indices of a value; none for that of a variable without indices.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place(pub(super) Box<[CtdInteger]>);

/// The values of one variable.
enum PlacedValues {
    /// Small integers at indices that follow each other, as a large input has them.
    Listed { start: i64, values: Vec<i64> },
    /// Any others.
    Placed(BTreeMap<Place, CtdValue>),
}

/// A variable.
struct Places {
    values: PlacedValues,
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
    /// The place with this index only.
    fn at(index: i64) -> Self {
        Self([CtdInteger::Small(index)].into())
    }

    /// The index, if it is the only one and small, as most are.
    fn small_index(&self) -> Option<i64> {
        match *self.0 {
            [CtdInteger::Small(index)] => Some(index),
            _ => None,
        }
    }

    /// Whether two places follow each other closely.
    fn is_near(&self, other: &Self) -> bool {
        match (&*self.0, &*other.0) {
            ([], []) => true,
            (
                [one @ .., CtdInteger::Small(last)],
                [other @ .., CtdInteger::Small(before)],
            ) => one == other && last.abs_diff(*before) <= NEAR,
            _ => false,
        }
    }

    /// The place as it is shown after the name of a variable.
    pub(super) fn shown(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let indices: Vec<String> = self.0.iter().map(CtdInteger::to_string).collect();
        format!("[{}]", indices.join(","))
    }

    /// The bytes that it takes beyond those of most places.
    fn bytes(&self) -> usize {
        if self.small_index().is_some() {
            return 0;
        }
        self.0
            .iter()
            .map(|index| 16 + 8 * index.words() as usize)
            .sum()
    }
}

impl PlacedValues {
    fn len(&self) -> usize {
        match self {
            Self::Listed { values, .. } => values.len(),
            Self::Placed(values) => values.len(),
        }
    }

    fn get(&self, place: &Place) -> Option<CtdValue> {
        match self {
            Self::Listed { start, values } => {
                let offset = place.small_index()?.checked_sub(*start)?;
                values
                    .get(usize::try_from(offset).ok()?)
                    .copied()
                    .map(small)
            }
            Self::Placed(values) => values.get(place).cloned(),
        }
    }

    /// Sets a value, in the list if it belongs there.
    fn set(&mut self, place: Place, value: CtdValue) {
        if let Self::Listed { start, values } = self
            && let Some(index) = place.small_index()
            && let CtdValue::Int(CtdInteger::Small(number)) = value
        {
            if values.is_empty() {
                *start = index;
            }
            let at = usize::try_from(index.wrapping_sub(*start));
            if at == Ok(values.len()) {
                values.push(number);
                return;
            }
            if let Some(value) = at.ok().and_then(|at| values.get_mut(at)) {
                *value = number;
                return;
            }
        }
        self.placed().insert(place, value);
    }

    /// The values by their places, from now on.
    fn placed(&mut self) -> &mut BTreeMap<Place, CtdValue> {
        if let Self::Listed { .. } = self {
            *self = Self::Placed(self.iter().collect());
        }
        let Self::Placed(values) = self else {
            unreachable!("it was placed above");
        };
        values
    }

    /// The values with their places, in the order of these.
    fn iter(&self) -> Box<dyn Iterator<Item = (Place, CtdValue)> + '_> {
        match self {
            Self::Listed { start, values } => {
                let values = (0..).zip(values);
                Box::new(values.map(|(offset, value)| {
                    (Place::at(start.wrapping_add(offset)), small(*value))
                }))
            }
            Self::Placed(values) => Box::new(
                values
                    .iter()
                    .map(|(place, value)| (place.clone(), value.clone())),
            ),
        }
    }

    fn column(&self) -> Column<'_> {
        match self {
            Self::Listed { values, .. } => Column::Small(values),
            Self::Placed(values) => Column::Any(values.values().collect()),
        }
    }
}

fn small(number: i64) -> CtdValue {
    CtdValue::Int(CtdInteger::Small(number))
}

/// The values of a variable, in the order of their places.
enum Column<'a> {
    Small(&'a [i64]),
    Any(Vec<&'a CtdValue>),
}

impl Column<'_> {
    fn cmp(&self, one: usize, other: usize) -> Ordering {
        match self {
            Self::Small(values) => values[one].cmp(&values[other]),
            Self::Any(values) => values[one].cmp(values[other]),
        }
    }

    /// The steps that it takes at most to compare a value with an equal one.
    fn steps_of(&self, at: usize) -> u64 {
        match self {
            Self::Small(_) => 0,
            Self::Any(values) => steps_of('-', values[at], values[at]),
        }
    }
}

impl Default for Places {
    fn default() -> Self {
        Self {
            values: PlacedValues::Listed {
                start: 0,
                values: vec![],
            },
            last: None,
            counts: None,
        }
    }
}

impl Places {
    /// What a value takes in the present form of the variable.
    fn bytes_of(&self, place: &Place, value: &CtdValue) -> usize {
        let index = usize::from(self.counts.is_some());
        let placed = BYTES_OF_A_PLACE + value.bytes();
        let own = match self.values {
            PlacedValues::Listed { .. } => BYTES_OF_A_SMALL,
            PlacedValues::Placed(_) => placed + place.bytes(),
        };
        own + index * placed
    }

    /// What all values take.
    fn bytes(&self) -> usize {
        let of = |place: &Place, value: &CtdValue| self.bytes_of(place, value);
        match &self.values {
            PlacedValues::Listed { values, .. } => {
                values.len() * of(&Place::at(0), &small(0))
            }
            PlacedValues::Placed(values) => {
                values.iter().map(|(place, value)| of(place, value)).sum()
            }
        }
    }

    fn forget(&mut self, value: &CtdValue) {
        if let Some(counts) = &mut self.counts
            && let Some(count) = counts.get_mut(value)
        {
            *count -= 1;
            if *count == 0 {
                counts.remove(value);
            }
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

    pub(super) fn get(&self, name: &str, place: &Place) -> Option<CtdValue> {
        self.by_name.get(name)?.values.get(place)
    }

    /// Sets a value, and returns whether there is room for it.
    pub(super) fn set(&mut self, name: &str, place: Place, value: CtdValue) -> bool {
        let places = if let Some(places) = self.by_name.get_mut(name) {
            places
        } else {
            self.by_name.entry(name.to_owned()).or_default()
        };
        let is_listed = matches!(places.values, PlacedValues::Listed { .. });
        let before = places.values.get(&place);
        // All values of a list may take more afterwards.
        let bytes = match &before {
            _ if is_listed => places.bytes(),
            Some(before) => places.bytes_of(&place, before),
            None => 0,
        };
        self.bytes = self.bytes.saturating_sub(bytes);
        if let Some(before) = before {
            places.forget(&before);
        }
        if let Some(counts) = &mut places.counts {
            *counts.entry(value.clone()).or_default() += 1;
        }
        let bytes = places.bytes_of(&place, &value);
        places.values.set(place, value);
        self.bytes += if is_listed { places.bytes() } else { bytes };
        self.bytes <= self.most_bytes
    }

    pub(super) fn unset(&mut self, name: &str) {
        if let Some(gone) = self.by_name.remove(name) {
            self.bytes = self.bytes.saturating_sub(gone.bytes());
        }
    }

    /// How many values a variable has.
    pub(super) fn count(&self, name: &str) -> usize {
        self.by_name
            .get(name)
            .map_or(0, |places| places.values.len())
    }

    /// The steps that it takes to find the place of a value of a variable: few if it is
    /// near the one before, as most are. Others of a large variable are in memory that
    /// no cache of the processor holds.
    pub(super) fn steps_to_find(&mut self, name: &str, place: &Place) -> u64 {
        let Some(places) = self.by_name.get_mut(name) else {
            return STEPS_TO_FIND;
        };
        let is_near = places.last.as_ref().is_some_and(|last| place.is_near(last));
        places.last = Some(place.clone());
        if is_near {
            STEPS_TO_FIND
        } else {
            STEPS_TO_FIND + depth(places.values.len())
        }
    }

    /// Any value of a variable.
    pub(super) fn any(&self, name: &str) -> Option<CtdValue> {
        let (_, value) = self.by_name.get(name)?.values.iter().next()?;
        Some(value)
    }

    /// Whether a value occurs in a variable. Makes an index of its values first, if
    /// there is none.
    pub(super) fn contains(
        &mut self,
        name: &str,
        wanted: &CtdValue,
        steps: &mut StepCounter<'_>,
    ) -> Checked<bool> {
        let Some(places) = self.by_name.get_mut(name) else {
            return Ok(false);
        };
        let depth = depth(places.values.len());
        if places.counts.is_none() {
            let mut counts = BTreeMap::new();
            for (_, value) in places.values.iter() {
                steps.count(1 + depth * (1 + steps_of('-', &value, &value)))?;
                self.bytes += BYTES_OF_A_PLACE + value.bytes();
                *counts.entry(value).or_default() += 1;
            }
            places.counts = Some(counts);
        }
        steps.count(1 + depth * (1 + steps_of('-', wanted, wanted)))?;
        Ok(places
            .counts
            .as_ref()
            .is_some_and(|counts| counts.contains_key(wanted)))
    }

    /// Why the values of several variables, combined by their indices, are not unique;
    /// `None` if they are. The variables must exist. The steps that each value takes are
    /// counted before it is examined.
    pub(super) fn why_not_unique(
        &self,
        names: &[String],
        steps: &mut StepCounter<'_>,
    ) -> Checked<Option<String>> {
        let all: Vec<&Places> = names
            .iter()
            .filter_map(|name| self.by_name.get(name))
            .collect();
        let Some((first, others)) = all.split_first() else {
            return Ok(None);
        };
        if let Some(other) = others
            .iter()
            .position(|places| places.values.len() != first.values.len())
        {
            return Ok(Some(format!(
                "{} and {} have different indices",
                names[0],
                names[other + 1]
            )));
        }
        // Places are in the same order in all of them.
        for (other, name) in others.iter().zip(&names[1..]) {
            let mut places = first.values.iter().map(|(place, _)| place);
            if let Some(place) =
                places.find(|place| other.values.get(place).is_none())
            {
                let place = place.shown();
                return Ok(Some(format!("{name}{place} has no value")));
            }
        }
        let depth = depth(first.values.len());
        let columns: Vec<Column<'_>> =
            all.iter().map(|places| places.values.column()).collect();
        for at in 0..first.values.len() {
            for column in &columns {
                steps.count(1 + depth * (1 + column.steps_of(at)))?;
            }
        }
        let Some([one, other]) = equal_rows(&columns, first.values.len()) else {
            return Ok(None);
        };
        let [before, after] = [one, other].map(|at| {
            let found = first.values.iter().nth(at);
            found.map_or_else(String::new, |(place, _)| place.shown())
        });
        Ok(Some(format!(
            "the values at index {before} and {after} are the same"
        )))
    }
}

/// The first two rows, in the order of their values, that are equal.
fn equal_rows(columns: &[Column<'_>], count: usize) -> Option<[usize; 2]> {
    let compared = |one: u32, other: u32| {
        let one = one as usize;
        let other = other as usize;
        columns
            .iter()
            .map(|column| column.cmp(one, other))
            .fold(Ordering::Equal, Ordering::then)
    };
    // Four bytes each.
    let mut order: Vec<u32> = (0..).take(count).collect();
    order.sort_unstable_by(|one, other| compared(*one, *other).then(one.cmp(other)));
    let twice = order
        .windows(2)
        .find(|pair| compared(pair[0], pair[1]).is_eq())?;
    Some([twice[0] as usize, twice[1] as usize])
}

/// How often a search among this many values halves them.
fn depth(values: usize) -> u64 {
    u64::from(usize::BITS - values.leading_zeros())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    fn filled() -> Variables {
        let mut variables = Variables::of_at_most(1 << 20);
        for index in 0..100 {
            assert!(variables.set(
                "a",
                Place::at(index),
                CtdValue::Int(CtdInteger::Small(index % 50))
            ));
            assert!(variables.set(
                "b",
                Place::at(index),
                CtdValue::Int(CtdInteger::Small(index / 50))
            ));
        }
        variables
    }

    #[test]
    fn the_search_for_duplicates_ends_when_the_count_fails() {
        let names = ["a".to_owned(), "b".to_owned()];
        let is_cancelled = AtomicBool::new(false);
        let why_not = |names: &[String], steps: &mut StepCounter<'_>| {
            filled().why_not_unique(names, steps)
        };
        // Each value takes eight steps: one, and one for each halving of a hundred.
        let mut few = StepCounter::new(8 * 6 + 7, &is_cancelled);
        assert!(why_not(&names, &mut few).is_err());
        assert!(few.count(8).is_err() && few.count(7).is_ok());
        let mut enough = StepCounter::new(8 * 200, &is_cancelled);
        assert_eq!(why_not(&names, &mut enough), Ok(None));
        let mut enough = StepCounter::new(8 * 100, &is_cancelled);
        let twice = why_not(&names[..1], &mut enough);
        assert_eq!(
            twice,
            Ok(Some(
                "the values at index [0] and [50] are the same".to_owned()
            ))
        );
    }

    /// Sets the same values in several orders; some of them leave the list.
    #[test]
    fn small_integers_in_a_list_are_found_like_any_others() {
        let wide = CtdValue::Text(b"x"[..].into());
        for order in [[5, 6, 7, 8], [8, 5, 6, 7], [6, 7, 8, 5]] {
            let mut variables = Variables::of_at_most(10_000);
            for index in order {
                assert!(variables.set("a", Place::at(index), small(index)));
            }
            assert!(variables.set("a", Place::at(6), small(5)));
            let names = ["a".to_owned()];
            let same = |variables: &mut Variables| {
                let is_cancelled = AtomicBool::new(false);
                let mut steps = StepCounter::new(u64::MAX, &is_cancelled);
                variables.why_not_unique(&names, &mut steps).unwrap()
            };
            let expected = "the values at index [5] and [6] are the same";
            let found = same(&mut variables);
            assert_eq!(found.as_deref(), Some(expected), "{order:?}");
            assert!(variables.set("a", Place::at(6), wide.clone()));
            assert!(variables.set("a", Place::at(i64::MAX), small(1)));
            let get = |index| variables.get("a", &Place::at(index));
            assert_eq!(get(6), Some(wide.clone()));
            assert_eq!(get(8), Some(small(8)));
            assert_eq!(get(9), None);
            assert_eq!(get(4), None);
            assert_eq!(variables.count("a"), 5);
            assert_eq!(same(&mut variables), None);
            variables.unset("a");
            assert_eq!(variables.bytes, 0);
        }
    }

    #[test]
    fn a_list_of_small_integers_takes_a_fifth_of_what_other_values_take() {
        for (step, room) in [(1, 5 * 1000), (2, 1000)] {
            let mut variables = Variables::of_at_most(1000 * BYTES_OF_A_PLACE);
            let zero = CtdValue::Text(b""[..].into());
            let value = |index| {
                if step == 1 {
                    small(index)
                } else {
                    zero.clone()
                }
            };
            let mut indices = (0..).map(|number| number * step);
            let fit = indices.position(|index| {
                !variables.set("a", Place::at(index), value(index))
            });
            assert_eq!(fit, Some(room));
        }
    }

    #[test]
    fn the_index_of_values_follows_every_change() {
        let mut variables = filled();
        let has = |variables: &mut Variables, value: i64| {
            let is_cancelled = AtomicBool::new(false);
            let mut steps = StepCounter::new(u64::MAX, &is_cancelled);
            variables.contains("a", &small(value), &mut steps).unwrap()
        };
        assert!(has(&mut variables, 7) && !has(&mut variables, 50));
        variables.set("a", Place::at(7), CtdValue::Int(CtdInteger::Small(50)));
        assert!(has(&mut variables, 7) && has(&mut variables, 50));
        variables.set("a", Place::at(57), CtdValue::Int(CtdInteger::Small(50)));
        assert!(!has(&mut variables, 7));
        variables.unset("a");
        variables.unset("b");
        assert_eq!(variables.bytes, 0);
        assert!(!has(&mut variables, 50));
    }
}
