//! The values of variables while an input is checked, up to a bound.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::collections::HashSet;

use crate::checktestdata::syntax::CtdValue;

/// Most bytes of strings at once.
const MOST_BYTES: usize = 256 << 20;

/// The values of one variable by their indices, which are empty for a variable without any.
type Places = BTreeMap<Vec<i128>, CtdValue>;

/// All variables.
pub(super) struct Variables {
    by_name: HashMap<String, Places>,
    values: usize,
    most_values: usize,
    bytes: usize,
}

impl Variables {
    /// No variables yet. They may have this many values at once.
    pub(super) fn of_at_most(most_values: usize) -> Self {
        Self { by_name: HashMap::new(), values: 0, most_values, bytes: 0 }
    }

    pub(super) fn get(&self, name: &str, indices: &[i128]) -> Option<&CtdValue> {
        self.by_name.get(name)?.get(indices)
    }

    /// Sets a value, and returns whether there is room for it.
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

    /// All values of a variable, if it has any.
    pub(super) fn all(&self, name: &str) -> Option<impl Iterator<Item = &CtdValue>> {
        self.by_name.get(name).map(BTreeMap::values)
    }

    /// Why the values of several variables, combined by their indices, are not unique; `None` if they are.
    /// The variables must exist. `count` is called for each value before it is examined, with the length of
    /// its text in bytes, and may end the search.
    pub(super) fn why_not_unique<E>(
        &self,
        names: &[String],
        mut count: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<Option<String>, E> {
        let all: Vec<&Places> = names.iter().filter_map(|name| self.by_name.get(name)).collect();
        let Some((first, others)) = all.split_first() else { return Ok(None) };
        if let Some(other) = others.iter().position(|places| places.len() != first.len()) {
            return Ok(Some(format!("{} and {} have different indices", names[0], names[other + 1])));
        }
        let mut seen = HashSet::new();
        for (indices, value) in *first {
            count(value.bytes())?;
            let mut tuple = vec![key(value)];
            for (other, name) in others.iter().zip(&names[1..]) {
                let Some(value) = other.get(indices) else {
                    return Ok(Some(format!("{name} has no value at index {indices:?}")));
                };
                count(value.bytes())?;
                tuple.push(key(value));
            }
            if !seen.insert(tuple) {
                return Ok(Some(format!("the values at index {indices:?} are not unique")));
            }
        }
        Ok(None)
    }
}

/// A value as a key of a set: equal values have the same key.
fn key(value: &CtdValue) -> Vec<u8> {
    match value {
        CtdValue::Text(text) => [&b"s"[..], text].concat(),
        CtdValue::Int(number) => format!("i{number}").into_bytes(),
        // Zero is zero, with a sign or without.
        CtdValue::Float(number) if number.fract() == 0.0 => format!("i{:.0}", number + 0.0).into_bytes(),
        CtdValue::Float(number) => format!("f{number:e}").into_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_for_duplicates_ends_when_the_count_fails() {
        let mut variables = Variables::of_at_most(1000);
        for index in 0..100 {
            assert!(variables.set("a", vec![index], CtdValue::Int(index)));
            assert!(variables.set("b", vec![index], CtdValue::Text(b"same".to_vec())));
        }
        let names = ["a".to_owned(), "b".to_owned()];
        let (mut values, mut bytes) = (0, 0);
        let duplicate = variables.why_not_unique(&names, |more| {
            (values, bytes) = (values + 1, bytes + more);
            if values == 7 { Err("stop") } else { Ok(()) }
        });
        assert_eq!((duplicate, values, bytes), (Err("stop"), 7, 12));
        assert_eq!(variables.why_not_unique(&names, |_| Ok::<_, ()>(())), Ok(None));
    }
}
