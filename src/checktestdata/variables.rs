//! The values of variables while an input is checked, up to a bound.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::collections::HashSet;

use crate::checktestdata::syntax::CtdValue;

/// Bytes of strings that are kept at once.
const MOST_BYTES: usize = 256 << 20;

/// The values of one variable, by indices; without any, of itself.
type Places = BTreeMap<Vec<i128>, CtdValue>;

/// All variables.
pub(super) struct Variables {
    by_name: HashMap<String, Places>,
    values: usize,
    most_values: usize,
    bytes: usize,
}

impl Variables {
    /// None yet, of which so many values may be kept at once.
    pub(super) fn of_at_most(most_values: usize) -> Self {
        Self { by_name: HashMap::new(), values: 0, most_values, bytes: 0 }
    }

    pub(super) fn get(&self, name: &str, indices: &[i128]) -> Option<&CtdValue> {
        self.by_name.get(name)?.get(indices)
    }

    /// Sets a value; whether there is room for it.
    pub(super) fn set(&mut self, name: &str, indices: Vec<i128>, value: CtdValue) -> bool {
        self.bytes += value.bytes();
        let places = match self.by_name.get_mut(name) {
            Some(places) => places,
            None => self.by_name.entry(name.to_owned()).or_default(),
        };
        match places.insert(indices, value) {
            Some(before) => self.bytes -= before.bytes(),
            None => self.values += 1,
        }
        self.values <= self.most_values && self.bytes <= MOST_BYTES
    }

    pub(super) fn unset(&mut self, name: &str) {
        let gone = self.by_name.remove(name).unwrap_or_default();
        self.values -= gone.len();
        self.bytes -= gone.values().map(CtdValue::bytes).sum::<usize>();
    }

    /// Bytes of all strings that are kept.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// All values of a variable, if it has any.
    pub(super) fn all(&self, name: &str) -> Option<impl Iterator<Item = &CtdValue>> {
        self.by_name.get(name).map(BTreeMap::values)
    }

    /// How many values a variable has.
    pub(super) fn count(&self, name: &str) -> usize {
        self.by_name.get(name).map_or(0, BTreeMap::len)
    }

    /// Why the values of several variables, taken together by their indices, are not unique; none if they are. The variables are there.
    pub(super) fn twice(&self, names: &[String]) -> Option<String> {
        let all: Vec<&Places> = names.iter().filter_map(|name| self.by_name.get(name)).collect();
        let (first, others) = all.split_first()?;
        if let Some(other) = others.iter().position(|places| places.len() != first.len()) {
            return Some(format!("{} and {} have different indices", names[0], names[other + 1]));
        }
        let mut seen = HashSet::new();
        for (indices, value) in *first {
            let mut tuple = vec![key(value)];
            for (other, name) in others.iter().zip(&names[1..]) {
                match other.get(indices) {
                    Some(value) => tuple.push(key(value)),
                    None => return Some(format!("{name} has no value at index {indices:?}")),
                }
            }
            if !seen.insert(tuple) {
                return Some(format!("the values at index {indices:?} are there already"));
            }
        }
        None
    }
}

/// A value as one that can be looked up: what is equal has the same.
fn key(value: &CtdValue) -> Vec<u8> {
    match value {
        CtdValue::Text(text) => [&b"s"[..], text].concat(),
        CtdValue::Int(number) => format!("i{number}").into_bytes(),
        // Zero is zero, with a sign or without.
        CtdValue::Float(number) if number.fract() == 0.0 => format!("i{:.0}", number + 0.0).into_bytes(),
        CtdValue::Float(number) => format!("f{number:e}").into_bytes(),
    }
}
