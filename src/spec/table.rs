//! Reads TOML key by key. Notes every mistake with its line and goes on. Knows nothing of problems
//! or languages.

mod float;
mod kind;
mod list;
mod measured;
mod number;

use std::cell::RefCell;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::mistake::{KeySyntax, meant_key, quoted, shortened};
use crate::spec::document::TomlDocument;
use kind::ValueKind;

/// One table of a document. It records the keys that are read; [`TomlTable::refuse_the_rest`] notes
/// all others as mistakes.
pub(crate) struct TomlTable<'d> {
    document: &'d TomlDocument<'d>,
    /// The name in its header, as `languages.cpp`; empty for the root.
    name: String,
    /// The span of its key.
    span: Range<usize>,
    entries: &'d DeTable<'d>,
    /// The keys that were read or passed over.
    known: RefCell<Vec<&'static str>>,
    /// The keys chosen by the user that were read.
    chosen: RefCell<Vec<&'d str>>,
}

/// A value and its place in the file.
#[derive(Clone, Debug)]
pub(crate) struct SpannedValue<T> {
    pub(crate) value: T,
    /// Its bytes in the file.
    pub(crate) span: Range<usize>,
}

impl<'d> TomlTable<'d> {
    /// The root table of a document.
    pub(crate) fn root(document: &'d TomlDocument<'d>) -> Self {
        Self {
            document,
            name: String::new(),
            span: 0..0,
            entries: document.root(),
            known: RefCell::default(),
            chosen: RefCell::default(),
        }
    }

    /// A table inside this one.
    pub(crate) fn table(&self, key: &'static str) -> Option<TomlTable<'d>> {
        let (key, value) = self.entry(key)?;
        self.inner(key, value)
    }

    /// All values of this table, which must be tables, by their keys. The user chooses the keys.
    pub(crate) fn tables(&self) -> Vec<(&'d str, TomlTable<'d>)> {
        let tables = self.entries.iter().filter_map(|(key, value)| {
            let name: &'d str = key.get_ref();
            Some((name, self.inner(key, value)?))
        });
        tables.collect()
    }

    /// The tables among the values of this table, by their keys. The user chooses the keys; they
    /// count as read.
    pub(crate) fn inner_tables(&self) -> Vec<(&'d str, TomlTable<'d>)> {
        let tables = self
            .entries
            .iter()
            .filter(|(_, value)| value.get_ref().is_table());
        let tables = tables.filter_map(|(key, value)| {
            let name: &'d str = key.get_ref();
            Some((name, self.inner(key, value)?))
        });
        let tables: Vec<_> = tables.collect();
        self.chosen
            .borrow_mut()
            .extend(tables.iter().map(|(name, _)| *name));
        tables
    }

    /// All values of this table, which must be strings, by their keys. The user chooses the keys.
    pub(crate) fn strings(&self) -> Vec<(&'d str, SpannedValue<String>)> {
        let strings = self.entries.iter().filter_map(|(key, value)| {
            let text = self.typed(key, value, &kind::STRING, |value| {
                value.as_str().map(str::to_owned)
            })?;
            let name: &'d str = key.get_ref();
            Some((name, text))
        });
        strings.collect()
    }

    pub(crate) fn string(&self, key: &'static str) -> Option<SpannedValue<String>> {
        self.value(key, &kind::STRING, |value| {
            value.as_str().map(str::to_owned)
        })
    }

    pub(crate) fn flag(&self, key: &'static str) -> Option<SpannedValue<bool>> {
        self.value(key, &kind::FLAG, DeValue::as_bool)
    }

    /// The span of a key and its value, if the key exists.
    pub(crate) fn place(&self, key: &str) -> Option<Range<usize>> {
        self.entries
            .get_key_value(key)
            .map(|(key, value)| key.span().start..value.span().end)
    }

    /// A list of strings, with its place.
    pub(crate) fn placed_list(&self, key: &'static str) -> Option<SpannedValue<Vec<String>>> {
        self.value(key, &kind::LIST, strings)
    }

    /// A list of lists of strings.
    pub(crate) fn lists(&self, key: &'static str) -> Option<SpannedValue<Vec<Vec<String>>>> {
        self.value(key, &kind::LISTS, |value| {
            value
                .as_array()?
                .iter()
                .map(|item| strings(item.get_ref()))
                .collect()
        })
    }

    /// One of several words.
    pub(crate) fn choice<T: Copy>(
        &self,
        key: &'static str,
        choices: &[(&'static str, T)],
    ) -> Option<SpannedValue<T>> {
        let words: Vec<_> = choices.iter().map(|choice| choice.0).collect();
        let SpannedValue { value: place, span } = self.chosen_word(key, &words)?;
        Some(SpannedValue {
            value: choices[place].1,
            span,
        })
    }

    /// The index of a key's value among several words.
    fn chosen_word(&self, key: &'static str, words: &[&str]) -> Option<SpannedValue<usize>> {
        let all_of_them = |quote: &str| {
            words
                .iter()
                .map(|word| format!("{quote}{word}{quote}"))
                .collect::<Vec<_>>()
        };
        let examples = all_of_them("\"").join("` or `");
        let kind = ValueKind {
            what: "a string",
            example: &examples,
        };
        let (written, value) = self.entry(key)?;
        let found = self.typed_or(
            written,
            value,
            &kind,
            |value| value.as_str().map(str::to_owned),
            || format!("use `{examples}`"),
        )?;
        let place = words.iter().position(|word| *word == found.value);
        if place.is_none() {
            let message = format!("unknown {key} {}", quoted(&found.value));
            self.note(
                &found.span,
                message,
                format!("use {}", all_of_them("`").join(" or ")),
            );
        }
        Some(SpannedValue {
            value: place?,
            span: found.span,
        })
    }

    /// Reads a key with `read`. Notes a mistake, with the example as the remedy, if the key is
    /// missing.
    pub(crate) fn required<T>(
        &self,
        key: &'static str,
        example: &str,
        read: impl FnOnce(&Self, &'static str) -> Option<T>,
    ) -> Option<T> {
        if !self.entries.contains_key(key) {
            self.known.borrow_mut().push(key);
            let place = if self.name.is_empty() {
                "the file".to_owned()
            } else {
                format!("[{}]", shortened(&self.name, 40))
            };
            self.note(
                &self.span,
                format!("{place} has no `{key}`"),
                format!("add it, as {example}"),
            );
            return None;
        }
        read(self, key)
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// The span of this table's key.
    pub(crate) fn span(&self) -> &Range<usize> {
        &self.span
    }

    /// Notes a mistake, with its remedy.
    pub(crate) fn note(
        &self,
        at: &Range<usize>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.document.note(at.clone(), message, remedy);
    }

    /// Notes every key that has not been read. Call it last.
    pub(crate) fn refuse_the_rest(&self) {
        self.refuse_the_rest_or_name(&[]);
    }

    /// Notes every key that has not been read. If the key is a known synonym, the remedy names the
    /// right key. Call it last.
    pub(crate) fn refuse_the_rest_or_name(&self, synonyms: &[(&str, &[&str])]) {
        let known = self.known.borrow();
        let chosen = self.chosen.borrow();
        let is_known = |key: &str| known.contains(&key) || chosen.contains(&key);
        for (key, _) in self
            .entries
            .iter()
            .filter(|(key, _)| !is_known(key.get_ref()))
        {
            if self.document.is_full() {
                // Only counted: finding the nearest key for each of very many keys takes long.
                self.document.note(key.span(), "", "");
                continue;
            }
            let name = key.get_ref();
            let place = if self.name.is_empty() {
                String::new()
            } else {
                format!(" in [{}]", shortened(&self.name, 40))
            };
            let meant = synonyms
                .iter()
                .filter(|(word, _)| *word == name)
                .flat_map(|(_, meant)| *meant);
            let meant: Vec<_> = meant
                .copied()
                .filter(|meant| known.contains(meant))
                .collect();
            let remedy = if meant.is_empty() {
                meant_key(name, &known, KeySyntax::Toml)
                    .unwrap_or_else(|| format!("known here: {}", known.join(", ")))
            } else {
                format!("did you mean `{}`?", meant.join("` or `"))
            };
            self.document.note(
                key.span(),
                format!("unknown key {}{place}", quoted(name)),
                remedy,
            );
        }
    }

    fn entry(
        &self,
        key: &'static str,
    ) -> Option<(
        &'d Spanned<std::borrow::Cow<'d, str>>,
        &'d Spanned<DeValue<'d>>,
    )> {
        self.known.borrow_mut().push(key);
        self.entries.get_key_value(key)
    }

    fn value<T>(
        &self,
        key: &'static str,
        kind: &ValueKind<'_>,
        read: impl FnOnce(&'d DeValue<'d>) -> Option<T>,
    ) -> Option<SpannedValue<T>> {
        let (key, value) = self.entry(key)?;
        self.typed(key, value, kind, read)
    }

    fn typed<T>(
        &self,
        key: &'d Spanned<std::borrow::Cow<'d, str>>,
        value: &'d Spanned<DeValue<'d>>,
        kind: &ValueKind<'_>,
        read: impl FnOnce(&'d DeValue<'d>) -> Option<T>,
    ) -> Option<SpannedValue<T>> {
        self.typed_or(key, value, kind, read, || {
            kind.remedy(
                key.get_ref(),
                value.get_ref(),
                self.document.text(value.span()),
            )
        })
    }

    /// As [`TomlTable::typed`], with its own remedy.
    fn typed_or<T>(
        &self,
        key: &'d Spanned<std::borrow::Cow<'d, str>>,
        value: &'d Spanned<DeValue<'d>>,
        kind: &ValueKind<'_>,
        read: impl FnOnce(&'d DeValue<'d>) -> Option<T>,
        remedy: impl FnOnce() -> String,
    ) -> Option<SpannedValue<T>> {
        let found = read(value.get_ref());
        if found.is_none() {
            self.note_another_type(key.get_ref(), value, kind, remedy());
        }
        Some(SpannedValue {
            value: found?,
            span: value.span(),
        })
    }

    fn note_another_type(
        &self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        kind: &ValueKind<'_>,
        remedy: String,
    ) {
        let instead = ValueKind::found(value.get_ref());
        self.note(
            &value.span(),
            format!("{} must be {}, found {instead}", quoted(key), kind.what),
            remedy,
        );
    }

    fn inner(
        &self,
        key: &'d Spanned<std::borrow::Cow<'d, str>>,
        value: &'d Spanned<DeValue<'d>>,
    ) -> Option<TomlTable<'d>> {
        let entries = self
            .typed(key, value, &kind::TABLE, DeValue::as_table)?
            .value;
        let prefix = if self.name.is_empty() {
            String::new()
        } else {
            format!("{}.", self.name)
        };
        Some(TomlTable {
            document: self.document,
            name: prefix + key.get_ref(),
            span: key.span(),
            entries,
            known: RefCell::default(),
            chosen: RefCell::default(),
        })
    }
}

/// The strings of a list. `None` if the value is no list or has anything else in it.
fn strings(value: &DeValue<'_>) -> Option<Vec<String>> {
    value
        .as_array()?
        .iter()
        .map(|item| item.get_ref().as_str().map(str::to_owned))
        .collect()
}
