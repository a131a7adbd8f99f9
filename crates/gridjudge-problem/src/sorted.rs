//! Maps and sets in the order of their keys. Knows nothing of what they hold.
//!
//! Those of the standard library do the same, but the compiler makes some seven
//! thousand lines of intermediate code of them for each pair of types. There are more
//! than 150 pairs here, and their copies were a fifth of all that it had to optimise.
//! These keep keys and values apart, so that searching is compiled once for each type
//! of key.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt::{self, Debug, Formatter};
use std::iter::{self, Flatten, Skip, Zip};
use std::ops::Index;
use std::{mem, slice, vec};

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// The most items of a row. An insertion moves fewer, and one in a few dozen moves the
/// list of rows, which is short enough for millions of items.
const ROW: usize = 64;

/// The row of an item, and its place there.
type Place = (usize, usize);

/// Items in rows, none of which is empty.
#[derive(Clone)]
struct Rows<T>(Vec<Vec<T>>);

impl<T> Rows<T> {
    fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// Where a key is, or where it belongs.
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<Place, Place>
    where
        T: Borrow<Q>,
    {
        let Some(last) = self.0.len().checked_sub(1) else {
            return Err((0, 0));
        };
        // The last row also takes what comes after it.
        let row = self.0[..last]
            .partition_point(|row| row.last().is_some_and(|item| item.borrow() < key));
        match self.0[row].binary_search_by(|item| item.borrow().cmp(key)) {
            Ok(at) => Ok((row, at)),
            Err(at) => Err((row, at)),
        }
    }

    fn get(&self, (row, at): Place) -> &T {
        &self.0[row][at]
    }

    fn get_mut(&mut self, (row, at): Place) -> &mut T {
        &mut self.0[row][at]
    }

    /// Returns where the item is then.
    fn insert(&mut self, (mut row, mut at): Place, item: T) -> Place {
        if self.0.is_empty() {
            self.0.push(Vec::new());
        }
        if self.0[row].len() == ROW {
            // What comes in order fills its rows.
            let stay = if at == ROW { ROW } else { ROW / 2 };
            let rest = self.0[row].split_off(stay);
            self.0.insert(row + 1, rest);
            if at >= stay {
                (row, at) = (row + 1, at - stay);
            }
        }
        self.0[row].insert(at, item);
        (row, at)
    }

    fn remove(&mut self, (row, at): Place) -> T {
        let item = self.0[row].remove(at);
        if self.0[row].is_empty() {
            self.0.remove(row);
        }
        item
    }

    fn iter(&self) -> Items<'_, T> {
        self.0.iter().flatten()
    }

    fn iter_from(&self, (row, at): Place) -> Skip<Items<'_, T>> {
        self.0[row..].iter().flatten().skip(at)
    }

    fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut().flatten()
    }

    fn into_items(self) -> OwnedItems<T> {
        self.0.into_iter().flatten()
    }
}

/// The items of a set, the keys of a map or its values, in their order.
pub type Items<'a, T> = Flatten<slice::Iter<'a, Vec<T>>>;

/// The same, to keep.
pub type OwnedItems<T> = Flatten<vec::IntoIter<Vec<T>>>;

/// A map in the order of its keys.
#[derive(Clone)]
pub struct SortedMap<K, V> {
    keys: Rows<K>,
    /// In the same places as their keys.
    values: Rows<V>,
}

impl<K, V> SortedMap<K, V> {
    /// Creates an empty map.
    pub const fn new() -> Self {
        Self {
            keys: Rows(Vec::new()),
            values: Rows(Vec::new()),
        }
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.keys.0.is_empty()
    }

    /// The keys and their values.
    pub fn iter(&self) -> Zip<Items<'_, K>, Items<'_, V>> {
        iter::zip(self.keys(), self.values())
    }

    /// The keys and their values, which may be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        iter::zip(self.keys.iter(), self.values.iter_mut())
    }

    /// The keys.
    pub fn keys(&self) -> Items<'_, K> {
        self.keys.iter()
    }

    /// The values, in the order of their keys.
    pub fn values(&self) -> Items<'_, V> {
        self.values.iter()
    }

    /// The values, in the order of their keys.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.values.iter_mut()
    }

    /// The keys.
    pub fn into_keys(self) -> OwnedItems<K> {
        self.keys.into_items()
    }

    /// The values, in the order of their keys.
    pub fn into_values(self) -> OwnedItems<V> {
        self.values.into_items()
    }

    /// Removes the first key and its value.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        (!self.is_empty()).then(|| self.remove_at((0, 0)))
    }

    fn remove_at(&mut self, place: Place) -> (K, V) {
        (self.keys.remove(place), self.values.remove(place))
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        Some(self.values.get(self.keys.find(key).ok()?))
    }

    /// The value of a key.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        Some(self.values.get_mut(self.keys.find(key).ok()?))
    }

    /// A key as it is kept, and its value.
    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        let place = self.keys.find(key).ok()?;
        Some((self.keys.get(place), self.values.get(place)))
    }

    /// Whether there is this key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.keys.find(key).is_ok()
    }

    /// Gives a key a value, and returns the one that it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.keys.find(&key) {
            Ok(place) => Some(mem::replace(self.values.get_mut(place), value)),
            Err(place) => {
                self.keys.insert(place, key);
                self.values.insert(place, value);
                None
            }
        }
    }

    /// Removes a key, and returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        Some(self.remove_at(self.keys.find(key).ok()?).1)
    }

    /// The place of a key, whether it is there or not.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        Entry {
            place: self.keys.find(&key),
            map: self,
            key,
        }
    }

    /// The keys from this one on, and their values.
    pub fn range_from<Q: Ord + ?Sized>(
        &self,
        key: &Q,
    ) -> Zip<Skip<Items<'_, K>>, Skip<Items<'_, V>>>
    where
        K: Borrow<Q>,
    {
        let (Ok(place) | Err(place)) = self.keys.find(key);
        iter::zip(self.keys.iter_from(place), self.values.iter_from(place))
    }

    /// Keeps those for which this holds.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&K, &V) -> bool) {
        let entries = mem::take(self).into_iter();
        *self = entries.filter(|(key, value)| is_kept(key, value)).collect();
    }
}

/// The place of a key in a map.
pub struct Entry<'a, K, V> {
    map: &'a mut SortedMap<K, V>,
    key: K,
    /// Where the key is, or where it belongs.
    place: Result<Place, Place>,
}

impl<'a, K, V> Entry<'a, K, V> {
    /// The value of the key, which is this one if it had none.
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// The value of the key, which is made if it had none.
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'a mut V {
        let place = match self.place {
            Ok(place) => place,
            Err(place) => {
                self.map.values.insert(place, value());
                self.map.keys.insert(place, self.key)
            }
        };
        self.map.values.get_mut(place)
    }

    /// The value of the key, which is the default if it had none.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Debug, V: Debug> Debug for SortedMap<K, V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for SortedMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other)
    }
}

impl<K: Eq, V: Eq> Eq for SortedMap<K, V> {}

impl<K: Ord, V: Ord> PartialOrd for SortedMap<K, V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Ord, V: Ord> Ord for SortedMap<K, V> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other)
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for SortedMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = Zip<OwnedItems<K>, OwnedItems<V>>;

    fn into_iter(self) -> Self::IntoIter {
        iter::zip(self.keys.into_items(), self.values.into_items())
    }
}

impl<'a, K, V> IntoIterator for &'a SortedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Zip<Items<'a, K>, Items<'a, V>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V> Index<&Q> for SortedMap<K, V> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("no such key")
    }
}

impl<K: Serialize, V: Serialize> Serialize for SortedMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Deserialize<'de>
    for SortedMap<K, V>
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MapVisitor(Self::new()))
    }
}

struct MapVisitor<K, V>(SortedMap<K, V>);

impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Visitor<'de>
    for MapVisitor<K, V>
{
    type Value = SortedMap<K, V>;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(
        mut self,
        mut entries: A,
    ) -> Result<Self::Value, A::Error> {
        while let Some((key, value)) = entries.next_entry()? {
            self.0.insert(key, value);
        }
        Ok(self.0)
    }
}

/// A set in the order of its items.
#[derive(Clone)]
pub struct SortedSet<T>(Rows<T>);

impl<T> SortedSet<T> {
    /// Creates an empty set.
    pub const fn new() -> Self {
        Self(Rows(Vec::new()))
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.0.0.is_empty()
    }

    /// The items.
    pub fn iter(&self) -> Items<'_, T> {
        self.0.iter()
    }

    /// Removes the first item.
    pub fn pop_first(&mut self) -> Option<T> {
        (!self.is_empty()).then(|| self.0.remove((0, 0)))
    }
}

impl<T: Ord> SortedSet<T> {
    /// Whether there is this item.
    pub fn contains<Q: Ord + ?Sized>(&self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.find(item).is_ok()
    }

    /// Adds an item, and says whether it is new.
    pub fn insert(&mut self, item: T) -> bool {
        let place = self.0.find(&item);
        if let Err(place) = place {
            self.0.insert(place, item);
        }
        place.is_err()
    }

    /// The items from this one on.
    pub fn range_from<Q: Ord + ?Sized>(&self, item: &Q) -> Skip<Items<'_, T>>
    where
        T: Borrow<Q>,
    {
        let (Ok(place) | Err(place)) = self.0.find(item);
        self.0.iter_from(place)
    }

    /// Keeps those for which this holds.
    pub fn retain(&mut self, is_kept: impl FnMut(&T) -> bool) {
        *self = mem::take(self).into_iter().filter(is_kept).collect();
    }

    /// Removes an item, and says whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.find(item).map(|place| self.0.remove(place)).is_ok()
    }
}

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Debug> Debug for SortedSet<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}

impl<T: PartialEq> PartialEq for SortedSet<T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other)
    }
}

impl<T: Eq> Eq for SortedSet<T> {}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut set = Self::new();
        set.extend(items);
        set
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        for item in items {
            self.insert(item);
        }
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for SortedSet<T> {
    fn from(items: [T; N]) -> Self {
        items.into_iter().collect()
    }
}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = OwnedItems<T>;

    fn into_iter(self) -> OwnedItems<T> {
        self.0.into_items()
    }
}

impl<'a, T> IntoIterator for &'a SortedSet<T> {
    type Item = &'a T;
    type IntoIter = Items<'a, T>;

    fn into_iter(self) -> Items<'a, T> {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    type Steps = Vec<(u8, u16, u16)>;

    /// Kinds of steps, each with a key and a value.
    fn steps() -> impl Strategy<Value = Steps> {
        prop::collection::vec((0..10_u8, 0..1_000_u16, any::<u16>()), 0..1_000)
    }

    proptest! {
        #[test]
        fn a_map_does_what_that_of_the_standard_library_does(start in 0..400_u16, steps in steps()) {
            let mut map: SortedMap<u16, u16> = (0..start).map(|key| (key, 0)).collect();
            let mut expected: BTreeMap<u16, u16> = (0..start).map(|key| (key, 0)).collect();
            for (kind, key, value) in steps {
                match kind {
                    0 => assert_eq!(map.remove(&key), expected.remove(&key)),
                    1 => assert_eq!(map.pop_first(), expected.pop_first()),
                    2 => assert_eq!(map.get(&key), expected.get(&key)),
                    3 => assert!(map.range_from(&key).take(100).eq(expected.range(key..).take(100))),
                    4 => assert_eq!(map.entry(key).or_insert(value), expected.entry(key).or_insert(value)),
                    _ => assert_eq!(map.insert(key, value), expected.insert(key, value)),
                }
            }
            assert_eq!(map.len(), expected.len());
            assert!(map.iter().eq(&expected));
            assert!(map.clone().into_iter().eq(expected.clone()));
            map.retain(|key, _| key % 3 == 0);
            expected.retain(|key, _| key % 3 == 0);
            assert!(map.iter_mut().map(|(key, value)| (key, &*value)).eq(&expected));
            // However they are divided into rows.
            assert_eq!(map, expected.into_iter().collect());
        }

        #[test]
        fn a_set_does_what_that_of_the_standard_library_does(steps in steps()) {
            let mut set = SortedSet::new();
            let mut expected = BTreeSet::new();
            for (kind, item, _) in steps {
                match kind {
                    0 => assert_eq!(set.remove(&item), expected.remove(&item)),
                    1 => assert_eq!(set.pop_first(), expected.pop_first()),
                    2 => assert_eq!(set.contains(&item), expected.contains(&item)),
                    3 => assert!(set.range_from(&item).take(100).eq(expected.range(item..).take(100))),
                    _ => assert_eq!(set.insert(item), expected.insert(item)),
                }
            }
            assert!(set.iter().eq(&expected));
        }
    }
}
