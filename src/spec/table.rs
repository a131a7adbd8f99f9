//! Reading TOML key by key, noting every mistake with its line and going on. Knows no problem and no language.

use std::cell::RefCell;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use toml::Spanned;
use toml::de::DeTable;
use toml::de::DeValue;

use crate::spec::measure;
use crate::spec::mistake::Mistake;
use crate::spec::mistake::nearest;

/// A TOML file under reading, and the mistakes found in it so far.
pub(crate) struct Document<'t> {
    path: PathBuf,
    text: &'t str,
    root: DeTable<'t>,
    is_readable: bool,
    mistakes: RefCell<Vec<Mistake>>,
}

/// One table of a document. Keys that are asked for are known; the rest are mistakes.
pub(crate) struct Table<'d> {
    document: &'d Document<'d>,
    /// As in `[languages.cpp]`; empty for the root.
    name: String,
    line: u64,
    entries: &'d DeTable<'d>,
    known: RefCell<Vec<&'static str>>,
}

/// A value and the line it stands on.
#[derive(Clone, Debug)]
pub(crate) struct Placed<T> {
    pub(crate) value: T,
    pub(crate) line: u64,
}

impl<'t> Document<'t> {
    /// Parses a file's text. Where its syntax is broken, that is all that is noted: what a guess at the rest would
    /// find wrong may be the guess's fault.
    pub(crate) fn parse(path: &Path, text: &'t str) -> Self {
        let (root, errors) = DeTable::parse_recoverable(text);
        let mut document = Self {
            path: path.to_owned(),
            text,
            root: root.into_inner(),
            is_readable: true,
            mistakes: RefCell::default(),
        };
        let mut latest = 0;
        for error in &errors {
            // The parser stumbles on over the rest of a broken line.
            let line = error.span().map_or(1, |span| document.line(span.start));
            if std::mem::replace(&mut latest, line) != line {
                document.note(line, error.message().replace('\n', ", "), None);
            }
        }
        document.is_readable = errors.is_empty();
        document
    }

    pub(crate) fn root(&self) -> Table<'_> {
        Table { document: self, name: String::new(), line: 1, entries: &self.root, known: RefCell::default() }
    }

    /// All mistakes noted, by line.
    pub(crate) fn into_mistakes(self) -> Vec<Mistake> {
        let mut mistakes = self.mistakes.into_inner();
        mistakes.sort_by_key(|mistake| mistake.line);
        mistakes
    }

    fn line(&self, byte: usize) -> u64 {
        self.text.bytes().take(byte).filter(|&byte| byte == b'\n').count() as u64 + 1
    }

    fn note(&self, line: u64, message: impl Into<String>, remedy: Option<String>) {
        if !self.is_readable {
            return;
        }
        let mistake = Mistake { path: self.path.clone(), line: Some(line), message: message.into(), remedy };
        self.mistakes.borrow_mut().push(mistake);
    }
}

impl<'d> Table<'d> {
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
        self.value(key, "a whole number", |value| {
            value.as_integer().and_then(|number| i64::from_str_radix(number.as_str(), number.radix()).ok())
        })
    }

    /// A whole number between two bounds.
    pub(crate) fn number(&self, key: &'static str, least: u64, most: u64) -> Option<Placed<u64>> {
        let found = self.integer(key)?;
        let number = u64::try_from(found.value).ok().filter(|number| (least..=most).contains(number));
        if number.is_none() {
            let range =
                if most == u64::MAX { format!("at least {least}") } else { format!("{least} to {most}") };
            self.note(found.line, format!("`{key} = {}` must be {range}", found.value), None);
        }
        Some(Placed { value: number?, line: found.line })
    }

    /// A list of strings.
    pub(crate) fn list(&self, key: &'static str) -> Option<Vec<String>> {
        self.value(key, "a list of strings", strings).map(|found| found.value)
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
            return Some(Placed { value: *value, line: found.line });
        }
        let words: Vec<_> = choices.iter().map(|choice| format!("`{}`", choice.0)).collect();
        self.note(
            found.line,
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
            self.note(self.line, format!("{place} has no `{key}`"), None);
            return None;
        }
        read(self, key)
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// The line that opens this table.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    pub(crate) fn note(&self, line: u64, message: impl Into<String>, remedy: Option<&str>) {
        self.document.note(line, message, remedy.map(str::to_owned));
    }

    /// Notes every key that nobody asked for. To be called last.
    pub(crate) fn refuse_the_rest(&self) {
        let known = self.known.borrow();
        for (key, _) in self.entries.iter().filter(|(key, _)| !known.contains(&key.get_ref().as_ref())) {
            let line = self.document.line(key.span().start);
            let name = key.get_ref();
            let place = if self.name.is_empty() { String::new() } else { format!(" in [{}]", self.name) };
            let remedy = match nearest(name, known.iter().copied()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("known here: {}", known.join(", ")),
            };
            self.document.note(line, format!("unknown key `{name}`{place}"), Some(remedy));
        }
    }

    fn measure<T>(&self, key: &'static str, wanted: &str, read: fn(&str) -> Result<T, String>) -> Option<T> {
        let found = self.value(key, wanted, |value| value.as_str().map(str::to_owned))?;
        let measure = read(&found.value);
        measure
            .map_err(|why| self.note(found.line, format!("`{key} = \"{}\"` {why}", found.value), None))
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
        let line = self.document.line(value.span().start);
        let found = read(value.get_ref());
        if found.is_none() {
            let kind = value.get_ref().type_str();
            self.document.note(
                line,
                format!("`{}` must be {wanted}, found {}", key.get_ref(), with_article(kind)),
                None,
            );
        }
        Some(Placed { value: found?, line })
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
            line: self.document.line(key.span().start),
            entries,
            known: RefCell::default(),
        })
    }
}

/// The strings of a list that holds nothing else.
fn strings(value: &DeValue<'_>) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.get_ref().as_str().map(str::to_owned)).collect()
}

fn with_article(kind: &str) -> String {
    let article = if kind.starts_with(['a', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {kind}")
}
