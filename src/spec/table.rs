//! Reading TOML key by key, noting every mistake with its line and going on. Knows no problem and no language.

mod bound;
mod list;
mod named_numbers;

use std::cell::RefCell;
use std::ops::Range;
use std::time::Duration;

use toml::Spanned;
use toml::de::DeTable;
use toml::de::DeValue;

use crate::spec::document::Document;
use crate::spec::measure;
use crate::spec::mistake::nearest;

/// One table of a document. Keys that are asked for are known; the rest are mistakes.
pub(crate) struct Table<'d> {
    document: &'d Document<'d>,
    /// As in `[languages.cpp]`; empty for the root.
    name: String,
    /// Where its key stands.
    span: Range<usize>,
    entries: &'d DeTable<'d>,
    known: RefCell<Vec<&'static str>>,
    /// Keys that the user chose, and that were read.
    chosen: RefCell<Vec<&'d str>>,
}

/// A value and the place where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Placed<T> {
    pub(crate) value: T,
    /// Its bytes in the file.
    pub(crate) span: Range<usize>,
}

impl<'d> Table<'d> {
    pub(super) fn root(document: &'d Document<'d>, entries: &'d DeTable<'d>) -> Self {
        Self {
            document,
            name: String::new(),
            span: 0..0,
            entries,
            known: RefCell::default(),
            chosen: RefCell::default(),
        }
    }

    /// A table inside this one.
    pub(crate) fn table(&self, key: &'static str) -> Option<Table<'d>> {
        let (key, value) = self.entry(key)?;
        self.inner(key, value)
    }

    /// All tables inside this one, by their keys, which the user chose.
    pub(crate) fn tables(&self) -> Vec<(&'d str, Table<'d>)> {
        let tables = self.entries.iter().filter_map(|(key, value)| {
            let name: &'d str = key.get_ref();
            Some((name, self.inner(key, value)?))
        });
        tables.collect()
    }

    /// The tables among the values of this one, by their keys, which the user chose. Those are known then.
    pub(crate) fn inner_tables(&self) -> Vec<(&'d str, Table<'d>)> {
        let tables = self.entries.iter().filter(|(_, value)| value.get_ref().is_table());
        let tables = tables.filter_map(|(key, value)| {
            let name: &'d str = key.get_ref();
            Some((name, self.inner(key, value)?))
        });
        let tables: Vec<_> = tables.collect();
        self.chosen.borrow_mut().extend(tables.iter().map(|(name, _)| *name));
        tables
    }

    /// All strings inside this one, by their keys, which the user chose.
    pub(crate) fn strings(&self) -> Vec<(&'d str, Placed<String>)> {
        let strings = self.entries.iter().filter_map(|(key, value)| {
            let text = self.typed(key, value, "a string", |value| value.as_str().map(str::to_owned))?;
            let name: &'d str = key.get_ref();
            Some((name, text))
        });
        strings.collect()
    }

    pub(crate) fn string(&self, key: &'static str) -> Option<Placed<String>> {
        self.value(key, "a string", |value| value.as_str().map(str::to_owned))
    }

    pub(crate) fn integer(&self, key: &'static str) -> Option<Placed<i64>> {
        self.value(key, "a whole number", integer)
    }

    /// A whole number between two bounds.
    pub(crate) fn number(&self, key: &'static str, least: u64, most: u64) -> Option<Placed<u64>> {
        let found = self.integer(key)?;
        let number = u64::try_from(found.value).ok().filter(|number| (least..=most).contains(number));
        if number.is_none() {
            let range =
                if most == u64::MAX { format!("at least {least}") } else { format!("{least} to {most}") };
            self.note(&found.span, format!("`{key} = {}` must be {range}", found.value), None);
        }
        Some(Placed { value: number?, span: found.span })
    }

    pub(crate) fn flag(&self, key: &'static str) -> Option<Placed<bool>> {
        self.value(key, "`true` or `false`", DeValue::as_bool)
    }

    /// A whole number, or a list of them.
    pub(crate) fn numbers(&self, key: &'static str) -> Option<Placed<Vec<i64>>> {
        self.value(key, "a whole number or a list of them", |value| match value.as_array() {
            Some(list) => list.iter().map(|item| integer(item.get_ref())).collect(),
            None => Some(vec![integer(value)?]),
        })
    }

    /// Where a key stands, if it is there.
    pub(crate) fn place(&self, key: &str) -> Option<Range<usize>> {
        self.entries.get_key_value(key).map(|(key, value)| key.span().start..value.span().end)
    }

    /// A list of strings, and where it stands.
    pub(crate) fn placed_list(&self, key: &'static str) -> Option<Placed<Vec<String>>> {
        self.value(key, "a list of strings", strings)
    }

    /// A list of strings.
    pub(crate) fn list(&self, key: &'static str) -> Option<Vec<String>> {
        self.placed_list(key).map(|found| found.value)
    }

    /// A list of lists of strings.
    pub(crate) fn lists(&self, key: &'static str) -> Option<Placed<Vec<Vec<String>>>> {
        self.value(key, "a list of lists of strings", |value| {
            value.as_array()?.iter().map(|item| strings(item.get_ref())).collect()
        })
    }

    /// A duration greater than zero, as `"1s"`.
    pub(crate) fn duration(&self, key: &'static str) -> Option<Duration> {
        self.measure(key, "a time in quotes, as \"1s\"", measure::duration)
    }

    /// A number of bytes greater than zero, as `"64MiB"`.
    pub(crate) fn bytes(&self, key: &'static str) -> Option<u64> {
        self.measure(key, "a size in quotes, as \"64MiB\"", measure::bytes)
    }

    /// One of several words.
    pub(crate) fn choice<T: Copy>(
        &self,
        key: &'static str,
        choices: &[(&'static str, T)],
    ) -> Option<Placed<T>> {
        let found = self.string(key)?;
        if let Some((_, value)) = choices.iter().find(|choice| choice.0 == found.value) {
            return Some(Placed { value: *value, span: found.span });
        }
        let words: Vec<_> = choices.iter().map(|choice| format!("`{}`", choice.0)).collect();
        self.note(
            &found.span,
            format!("unknown {key} `{}`", found.value),
            Some(&format!("use {}", words.join(" or "))),
        );
        None
    }

    /// What `read` gives for a key, which must be there.
    pub(crate) fn required<T>(
        &self,
        key: &'static str,
        read: impl FnOnce(&Self, &'static str) -> Option<T>,
    ) -> Option<T> {
        if !self.entries.contains_key(key) {
            self.known.borrow_mut().push(key);
            let place = if self.name.is_empty() { "the file".to_owned() } else { format!("[{}]", self.name) };
            self.note(&self.span, format!("{place} has no `{key}`"), None);
            return None;
        }
        read(self, key)
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// Where the key of this table stands.
    pub(crate) fn span(&self) -> &Range<usize> {
        &self.span
    }

    pub(crate) fn note(&self, at: &Range<usize>, message: impl Into<String>, remedy: Option<&str>) {
        self.document.note(at.clone(), message, remedy.map(str::to_owned));
    }

    /// Notes every key that nobody asked for. To be called last.
    pub(crate) fn refuse_the_rest(&self) {
        self.refuse_the_rest_or_name(&[]);
    }

    /// Notes every key that nobody asked for, and where others have another word for a key, names that. To be called last.
    pub(crate) fn refuse_the_rest_or_name(&self, synonyms: &[(&str, &[&str])]) {
        let known = self.known.borrow();
        let chosen = self.chosen.borrow();
        let is_known = |key: &str| known.contains(&key) || chosen.contains(&key);
        for (key, _) in self.entries.iter().filter(|(key, _)| !is_known(key.get_ref())) {
            let name = key.get_ref();
            let place = if self.name.is_empty() { String::new() } else { format!(" in [{}]", self.name) };
            let meant = synonyms.iter().filter(|(word, _)| *word == name).flat_map(|(_, meant)| *meant);
            let meant: Vec<_> = meant.copied().filter(|meant| known.contains(meant)).collect();
            let remedy =
                match (Some(meant).filter(|meant| !meant.is_empty()), nearest(name, known.iter().copied())) {
                    (Some(meant), _) => format!("did you mean `{}`?", meant.join("` or `")),
                    (None, Some(meant)) => format!("did you mean `{meant}`?"),
                    (None, None) => format!("known here: {}", known.join(", ")),
                };
            self.document.note(key.span(), format!("unknown key `{name}`{place}"), Some(remedy));
        }
    }

    fn measure<T>(&self, key: &'static str, wanted: &str, read: fn(&str) -> Result<T, String>) -> Option<T> {
        let found = self.value(key, wanted, |value| value.as_str().map(str::to_owned))?;
        let measure = read(&found.value);
        measure
            .map_err(|why| self.note(&found.span, format!("`{key} = \"{}\"` {why}", found.value), None))
            .ok()
    }

    fn entry(
        &self,
        key: &'static str,
    ) -> Option<(&'d Spanned<std::borrow::Cow<'d, str>>, &'d Spanned<DeValue<'d>>)> {
        self.known.borrow_mut().push(key);
        self.entries.get_key_value(key)
    }

    fn value<T>(
        &self,
        key: &'static str,
        wanted: &str,
        read: impl FnOnce(&'d DeValue<'d>) -> Option<T>,
    ) -> Option<Placed<T>> {
        let (key, value) = self.entry(key)?;
        self.typed(key, value, wanted, read)
    }

    fn typed<T>(
        &self,
        key: &'d Spanned<std::borrow::Cow<'d, str>>,
        value: &'d Spanned<DeValue<'d>>,
        wanted: &str,
        read: impl FnOnce(&'d DeValue<'d>) -> Option<T>,
    ) -> Option<Placed<T>> {
        let found = read(value.get_ref());
        if found.is_none() {
            let kind = value.get_ref().type_str();
            self.document.note(
                value.span(),
                format!("`{}` must be {wanted}, found {}", key.get_ref(), with_article(kind)),
                None,
            );
        }
        Some(Placed { value: found?, span: value.span() })
    }

    fn inner(
        &self,
        key: &'d Spanned<std::borrow::Cow<'d, str>>,
        value: &'d Spanned<DeValue<'d>>,
    ) -> Option<Table<'d>> {
        let entries = self.typed(key, value, "a table", DeValue::as_table)?.value;
        let prefix = if self.name.is_empty() { String::new() } else { format!("{}.", self.name) };
        Some(Table {
            document: self.document,
            name: prefix + key.get_ref(),
            span: key.span(),
            entries,
            known: RefCell::default(),
            chosen: RefCell::default(),
        })
    }
}

fn integer(value: &DeValue<'_>) -> Option<i64> {
    value.as_integer().and_then(|number| i64::from_str_radix(number.as_str(), number.radix()).ok())
}

/// The strings of a list that holds nothing else.
fn strings(value: &DeValue<'_>) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.get_ref().as_str().map(str::to_owned)).collect()
}

fn with_article(kind: &str) -> String {
    let article = if kind.starts_with(['a', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {kind}")
}
