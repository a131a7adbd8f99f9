//! Reads lists of tables, as `[[generate]]`, lists of strings, and values that may be one string or
//! a list.

use std::cell::RefCell;
use std::ops::Range;

use toml::de::DeValue;

use crate::mistake::Mistake;
use crate::spec::table::{SpannedValue, TomlTable, kind, strings};

impl<'d> TomlTable<'d> {
    /// The tables of a list. Empty if the key is missing.
    pub(crate) fn list_of_tables(&self, key: &'static str) -> Vec<TomlTable<'d>> {
        let Some((key, value)) = self.entry(key) else {
            return Vec::new();
        };
        let Some(list) = self.typed(key, value, &kind::TABLES, DeValue::as_array) else {
            return Vec::new();
        };
        let tables = list.value.iter().filter_map(|item| {
            let entries = self.typed(key, item, &kind::TABLES, DeValue::as_table)?;
            Some(TomlTable {
                document: self.document,
                name: format!("[{}]", key.get_ref()),
                span: entries.span,
                entries: entries.value,
                known: RefCell::default(),
                chosen: RefCell::default(),
            })
        });
        tables.collect()
    }

    /// The strings of a list, each with its place.
    pub(crate) fn placed_strings(&self, key: &'static str) -> Option<Vec<SpannedValue<String>>> {
        let (key, value) = self.entry(key)?;
        let found = self.typed(key, value, &kind::LIST, strings)?;
        let spans = value
            .get_ref()
            .as_array()
            .into_iter()
            .flatten()
            .map(toml::Spanned::span);
        Some(
            found
                .value
                .into_iter()
                .zip(spans)
                .map(|(value, span)| SpannedValue { value, span })
                .collect(),
        )
    }

    /// The line on which this table begins.
    pub(crate) fn line(&self) -> u64 {
        self.document.line(self.span.start)
    }

    /// Marks a key as known without reading it, so that [`TomlTable::refuse_the_rest`] does not
    /// note it.
    pub(crate) fn pass_over(&self, key: &'static str) {
        self.known.borrow_mut().push(key);
    }

    /// Builds a mistake at a span of bytes, with its remedy, without noting it.
    pub(crate) fn mistake(
        &self,
        at: &Range<usize>,
        message: impl Into<String>,
        remedy: &str,
    ) -> Mistake {
        self.document
            .mistake(at.clone(), message.into(), remedy.to_owned())
    }

    /// Whether a key's value is a string.
    pub(crate) fn is_string(&self, key: &str) -> bool {
        self.entries
            .get(key)
            .is_some_and(|value| value.get_ref().is_str())
    }

    /// All values of this table, which must be strings or lists of strings, by their keys. The user
    /// chooses the keys.
    pub(crate) fn chosen_words(&self) -> Vec<(&'d str, SpannedValue<Vec<String>>)> {
        let words = self.entries.iter().filter_map(|(key, value)| {
            let found = self.typed(key, value, &kind::WORDS, words)?;
            let name: &'d str = key.get_ref();
            Some((
                name,
                SpannedValue {
                    span: key.span().start..found.span.end,
                    value: found.value,
                },
            ))
        });
        words.collect()
    }

    /// All keys of this table, whether their values are valid or not.
    pub(crate) fn names(&self) -> Vec<&'d str> {
        self.entries
            .keys()
            .map(|key| key.get_ref().as_ref())
            .collect()
    }

    /// All values of this table, which must be strings, by their keys. The user chooses the keys;
    /// they count as read.
    pub(crate) fn strings_by_name(&self) -> Vec<(&'d str, SpannedValue<String>)> {
        let strings = self.entries.iter().filter_map(|(key, value)| {
            let name: &'d str = key.get_ref();
            self.chosen.borrow_mut().push(name);
            let found = self.typed(key, value, &kind::STRING, DeValue::as_str)?;
            Some((
                name,
                SpannedValue {
                    value: found.value.to_owned(),
                    span: found.span,
                },
            ))
        });
        strings.collect()
    }

    /// A string, or a list of them.
    pub(crate) fn words(&self, key: &'static str) -> Option<SpannedValue<Vec<String>>> {
        self.value(key, &kind::WORDS, words)
    }
}

/// One string, or the strings of a list. `None` if the value is anything else.
fn words(value: &DeValue<'_>) -> Option<Vec<String>> {
    value
        .as_str()
        .map(|word| vec![word.to_owned()])
        .or_else(|| strings(value))
}
