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

    /// All values of a variable, if it has any.
    pub(super) fn all(&self, name: &str) -> Option<impl Iterator<Item = &CtdValue>> {
        self.by_name.get(name).map(BTreeMap::values)
    }

    /// Why the values of several variables, taken together by their indices, are not unique; none if they are. The variables are there.
    /// `count` is told of each value before it is looked at, with the bytes of its text, and may end this.
    pub(super) fn twice<E>(
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
                return Ok(Some(format!("the values at index {indices:?} are there already")));
            }
        }
        Ok(None)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_for_a_value_that_is_there_twice_ends_when_it_is_told_to() {
        let mut variables = Variables::of_at_most(1000);
        for index in 0..100 {
            assert!(variables.set("a", vec![index], CtdValue::Int(index)));
            assert!(variables.set("b", vec![index], CtdValue::Text(b"same".to_vec())));
        }
        let names = ["a".to_owned(), "b".to_owned()];
        let (mut values, mut bytes) = (0, 0);
        let twice = variables.twice(&names, |more| {
            (values, bytes) = (values + 1, bytes + more);
            if values == 7 { Err("stop") } else { Ok(()) }
        });
        assert_eq!((twice, values, bytes), (Err("stop"), 7, 12));
        assert_eq!(variables.twice(&names, |_| Ok::<_, ()>(())), Ok(None));
    }
}
