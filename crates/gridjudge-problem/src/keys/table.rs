//! Reads a table key by key: a value of another type than its key must have is a
//! mistake, and so is a key that nobody has read. Start at [`KeyTable::read_file`].

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;

use crate::keys::toml::parse_toml;
use crate::keys::tree::{FLAG, LIST, LISTS, NUMBER, TEXT, WORDS, key_as_written};
use crate::keys::yaml::parse_yaml;
use crate::keys::{
    FilePlace, FoundValue, KeyDocument, KeyEntry, KeyNode, KeyValue, ValueKind,
};
use crate::mistake::{self, KeySyntax, Mistake, ellipsized, quoted};

/// One table of a document. It records the keys that are read;
/// [`KeyTable::refuse_the_rest`] notes all others.
pub(crate) struct KeyTable {
    pub(crate) document: Rc<KeyDocument>,
    /// Its key, in TOML after those of the tables around it; empty for the root.
    name: String,
    /// The place of its key, or of it as an item of a list.
    pub(crate) header: FilePlace,
    /// `None` if it is empty.
    node: Option<Rc<KeyNode>>,
    /// The keys that were read or passed over.
    pub(super) known: RefCell<Vec<&'static str>>,
    /// Whether tables under any other keys were read.
    pub(super) knows_tables: Cell<bool>,
}

impl KeyTable {
    /// Reads and parses a file.
    ///
    /// # Errors
    /// Returns a mistake that says why the file cannot be read.
    pub(crate) fn read_file(path: &Path) -> Result<Self, Mistake> {
        Ok(Self::of_text(path, mistake::read_text(path)?))
    }

    /// The root table of the text of a file, in YAML by the ending of the path or in TOML.
    /// If its syntax is wrong, only that is noted. An empty file is an empty table.
    pub(crate) fn of_text(path: &Path, text: impl Into<String>) -> Self {
        let mut document = KeyDocument::new(path, text.into());
        let root = if document.syntax == KeySyntax::Toml {
            parse_toml(&document)
        } else {
            parse_yaml(&document)
        };
        let root = root.filter(|root| !root.is_null());
        document.is_readable = document.is_sound();
        let document = Rc::new(document);
        let table = Self::new(&document, String::new(), FilePlace::default(), root);
        if let Some(root) = &table.node
            && root.table().is_none()
        {
            let found = table.found(root);
            let message =
                format!("the file must be {}, found {found}", table.kind_of_tables());
            table.note_mistake(root.place, message, "write lines as `key: value`");
        }
        table
    }

    fn new(
        document: &Rc<KeyDocument>,
        name: String,
        header: FilePlace,
        node: Option<Rc<KeyNode>>,
    ) -> Self {
        Self {
            document: Rc::clone(document),
            name,
            header,
            node,
            known: RefCell::default(),
            knows_tables: Cell::default(),
        }
    }

    /// An empty table in place of one that this one need not have.
    pub(crate) fn without_keys(&self) -> Self {
        Self::new(&self.document, String::new(), self.header, None)
    }

    /// A text.
    pub(crate) fn text(&self, key: &'static str) -> Option<String> {
        self.value(key, TEXT, KeyNode::owned_text)
    }

    pub(crate) fn flag(&self, key: &'static str) -> Option<bool> {
        self.value(key, FLAG, KeyNode::flag)
    }

    /// A list of texts.
    pub(crate) fn list(&self, key: &'static str) -> Option<Vec<String>> {
        self.value(key, LIST, KeyNode::texts)
    }

    /// A list of scalars, as Python's `str` shows them.
    pub(crate) fn python_texts(&self, key: &'static str) -> Option<Vec<String>> {
        self.value(key, LIST, |node| {
            node.list()?.iter().map(|item| item.python_text()).collect()
        })
    }

    /// The texts of a list, each with its place.
    pub(crate) fn placed_list(
        &self,
        key: &'static str,
    ) -> Option<Vec<FoundValue<String>>> {
        self.value(key, LIST, |node| {
            let items = node.list()?.iter();
            let placed = items.map(|item| {
                let value = item.owned_text()?;
                let place = item.place;
                Some(FoundValue { value, place })
            });
            placed.collect()
        })
    }

    /// A list of lists of texts.
    pub(crate) fn lists(&self, key: &'static str) -> Option<Vec<Vec<String>>> {
        self.value(key, LISTS, |node| {
            node.list()?.iter().map(|item| item.texts()).collect()
        })
    }

    /// A text, or a list of them.
    pub(crate) fn words(&self, key: &'static str) -> Option<Vec<String>> {
        self.value(key, WORDS, KeyNode::words)
    }

    /// Any number. In TOML it may be infinite or `nan`.
    pub(crate) fn number(&self, key: &'static str) -> Option<f64> {
        self.numeral(key, NUMBER, KeyNode::number)
    }

    /// A number that is at least `least`.
    pub(crate) fn number_from(&self, key: &'static str, least: f64) -> Option<f64> {
        let what = format!("a number of at least {least}");
        self.numeral(key, ValueKind::new(&what, "1.5"), |node| {
            node.number().filter(|number| *number >= least)
        })
    }

    /// A number that is more than zero.
    pub(crate) fn positive(&self, key: &'static str) -> Option<f64> {
        let kind = ValueKind::new("a number more than 0", "1.5");
        self.numeral(key, kind, |node| {
            node.number().filter(|number| *number > 0.0)
        })
    }

    /// A whole number within bounds.
    pub(crate) fn whole(
        &self,
        key: &'static str,
        least: u64,
        most: u64,
    ) -> Option<u64> {
        let [what, example] = whole_number(&self.entry(key)?.value, least, most);
        self.numeral(key, ValueKind::new(&what, &example), |node| {
            node.whole(least, most)
        })
    }

    /// Whole numbers within bounds: one, or a list of them.
    pub(crate) fn wholes(
        &self,
        key: &'static str,
        least: u64,
        most: u64,
    ) -> Option<Vec<u64>> {
        let node = &self.entry(key)?.value;
        let items = node.list().unwrap_or(std::slice::from_ref(node));
        // Collected first, so that every wrong one is noted.
        let numbers: Vec<_> = items
            .iter()
            .map(|item| self.whole_in(key, item, least, most))
            .collect();
        numbers.into_iter().collect()
    }

    /// The whole number within bounds that a value is. Notes a mistake if it is none.
    fn whole_in(
        &self,
        key: &str,
        node: &KeyNode,
        least: u64,
        most: u64,
    ) -> Option<u64> {
        let [what, example] = whole_number(node, least, most);
        let kind = ValueKind::new(&what, &example);
        self.converted(key, node, kind, |node| node.whole(least, most))
    }

    /// One of several words.
    pub(crate) fn choice<T: Copy>(
        &self,
        key: &'static str,
        choices: &[(&'static str, T)],
    ) -> Option<T> {
        let node = &self.entry(key)?.value;
        let word = node.text();
        if let Some((_, value)) =
            choices.iter().find(|(known, _)| word == Some(known))
        {
            return Some(*value);
        }
        let message = match word {
            Some(word) => format!("unknown {key} {}", quoted(word)),
            None => self.of_another_kind(key, node, TEXT.what),
        };
        let words: Vec<_> = choices
            .iter()
            .map(|(word, _)| format!("`{word}`"))
            .collect();
        let quotes = if word.is_none() { ", in quotes" } else { "" };
        self.note_mistake(
            node.place,
            message,
            format!("use {}{quotes}", words.join(" or ")),
        );
        None
    }

    /// A table inside this one.
    pub(crate) fn table(&self, key: &'static str) -> Option<Self> {
        self.inner(key, self.entry(key)?)
    }

    /// The tables of a list; empty if the key is missing. Notes items that are no
    /// tables.
    pub(crate) fn list_of_tables(&self, key: &'static str) -> Vec<Self> {
        let Some(entry) = self.entry(key) else {
            return vec![];
        };
        let (name, what, remedy) = if self.document.syntax == KeySyntax::Toml {
            let remedy = format!("write a line `[[{key}]]`, and its keys below");
            (format!("[{key}]"), "a list of tables", remedy)
        } else {
            let remedy = "write lines as `- {key: value}` below it";
            (key.to_owned(), "a list of maps", remedy.to_owned())
        };
        let items = entry.value.list();
        let mut tables = vec![];
        for item in items.unwrap_or(std::slice::from_ref(&entry.value)) {
            if items.is_some() && item.table().is_some() {
                let node = Some(Rc::clone(item));
                let name = name.clone();
                tables.push(Self::new(&self.document, name, item.place, node));
            } else {
                let message = self.of_another_kind(key, item, what);
                self.note_mistake(item.place, message, &remedy);
            }
        }
        tables
    }

    /// All values, which must be tables, by their keys. The writer of the file chooses
    /// the keys.
    pub(crate) fn tables(&self) -> Vec<(&str, Self)> {
        self.by_key(|key, entry| self.inner(key, entry))
    }

    /// The tables under keys that were not read yet, by their keys; they count as read.
    pub(crate) fn tables_of_the_rest(&self) -> Vec<(&str, Self)> {
        let rest = self
            .unread()
            .filter(|(_, entry)| entry.value.table().is_some());
        let tables = rest
            .filter_map(|(key, entry)| Some((key, self.inner(key, entry)?)))
            .collect();
        self.knows_tables.set(true);
        tables
    }

    /// All values, which must be texts, by their keys. The writer of the file chooses
    /// the keys.
    pub(crate) fn texts_by_key(&self) -> Vec<(&str, String)> {
        self.by_key(|key, KeyEntry { value, .. }| {
            self.converted(key, value, TEXT, KeyNode::owned_text)
        })
    }

    /// All values, which must be texts or lists of them, by their keys. The writer of
    /// the file chooses the keys.
    pub(crate) fn words_by_key(&self) -> Vec<(&str, Vec<String>)> {
        self.by_key(|key, KeyEntry { value, .. }| {
            self.converted(key, value, WORDS, KeyNode::words)
        })
    }

    /// All values, which must be whole numbers up to a bound, by their keys. The writer
    /// of the file chooses the keys.
    pub(crate) fn wholes_by_key(&self, most: u64) -> Vec<(&str, u64)> {
        self.by_key(|key, entry| self.whole_in(key, &entry.value, 0, most))
    }

    fn by_key<T>(
        &self,
        read: impl Fn(&str, &KeyEntry) -> Option<T>,
    ) -> Vec<(&str, T)> {
        self.entries()
            .filter_map(|(key, entry)| Some((key, read(key, entry)?)))
            .collect()
    }

    /// Notes a mistake, with the example as the remedy, if a key is missing, which
    /// counts as read.
    pub(crate) fn require(&self, key: &'static str, example: &str) -> &Self {
        if self.mark_read(key).is_some() {
            return self;
        }
        let place = if self.name.is_empty() {
            "the file".to_owned()
        } else {
            self.title()
        };
        self.refuse_table(
            format!("{place} has no `{key}`"),
            format!("add it, for example {example}"),
        );
        self
    }

    /// Whether a key has a value. It does not count as read.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.find(key).is_some()
    }

    /// Whether a key's value is a text. It does not count as read.
    pub(crate) fn is_text(&self, key: &str) -> bool {
        self.find(key)
            .is_some_and(|entry| entry.value.text().is_some())
    }

    /// The place of a key and its value, if it has one. It does not count as read.
    pub(crate) fn place(&self, key: &str) -> Option<FilePlace> {
        let entry = self.find(key)?;
        Some(entry.place.to(entry.value.place))
    }

    /// The place of the value of a key.
    pub(crate) fn value_place(&self, key: &str) -> FilePlace {
        self.find(key)
            .map_or_else(FilePlace::default, |entry| entry.value.place)
    }

    /// Counts a key as read, whatever its value, and returns its place.
    pub(crate) fn mark_read(&self, key: &'static str) -> Option<FilePlace> {
        self.entry(key)?;
        self.place(key)
    }

    /// Counts keys as read, since nothing here depends on them.
    pub(crate) fn pass_over(&self, keys: impl IntoIterator<Item = &'static str>) {
        for key in keys {
            self.mark_read(key);
        }
    }

    /// All keys, whatever their values.
    pub(crate) fn names(&self) -> Vec<String> {
        self.entries().map(|(key, _)| key.to_owned()).collect()
    }

    /// The line on which this table begins.
    pub(crate) fn line(&self) -> u64 {
        self.document.line(self.header)
    }

    /// Notes a mistake, with its remedy.
    pub(crate) fn note_mistake(
        &self,
        at: FilePlace,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        let mistake = self.document.mistake(at, message, remedy);
        self.document.note_mistake(mistake);
    }

    /// Notes a mistake in the table as a whole.
    pub(crate) fn refuse_table(
        &self,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.note_mistake(self.header, message, remedy);
    }

    /// Notes a mistake in the value of a key.
    pub(crate) fn refuse_value(
        &self,
        key: &str,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.note_mistake(self.value_place(key), message, remedy);
    }

    /// Notes a mistake in a key and its value, if the table has it.
    pub(crate) fn refuse_key(
        &self,
        key: &str,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        if let Some(place) = self.place(key) {
            self.note_mistake(place, message, remedy);
        }
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, &KeyEntry)> {
        self.node
            .iter()
            .filter_map(|node| node.table())
            .flatten()
            .map(|(key, entry)| (key.as_str(), entry))
    }

    /// The entry of a key, if it has a value.
    fn find(&self, key: &str) -> Option<&KeyEntry> {
        let entry = self.node.as_ref()?.table()?.get(key)?;
        (!entry.value.is_null()).then_some(entry)
    }

    /// The entry of a key, if it has a value. The key counts as read.
    pub(super) fn entry(&self, key: &'static str) -> Option<&KeyEntry> {
        if !self.known.borrow().contains(&key) {
            self.known.borrow_mut().push(key);
        }
        self.find(key)
    }

    /// A number. Remarks if it is another one to readers of YAML 1.2.
    fn numeral<T>(
        &self,
        key: &'static str,
        kind: ValueKind,
        read: impl Fn(&KeyNode) -> Option<T>,
    ) -> Option<T> {
        let ignores_quotes = self.document.ignores_quotes.get();
        let number = self.value(key, kind, |node| {
            read(node)
                .or_else(|| read(&node.without_quotes().filter(|_| ignores_quotes)?))
        })?;
        let node = &self.entry(key)?.value;
        if let Some(other) = node.other_reading() {
            self.document.deviation(
                node.place,
                &format!("`{key}`{} is {other}", self.within()),
            );
        }
        Some(number)
    }

    pub(crate) fn value<'s, T>(
        &'s self,
        key: &'static str,
        kind: ValueKind,
        read: impl FnOnce(&'s KeyNode) -> Option<T>,
    ) -> Option<T> {
        self.converted(key, &self.entry(key)?.value, kind, read)
    }

    /// Converts a value with `read`. Notes a mistake if it is of another kind.
    fn converted<'n, T>(
        &self,
        key: &str,
        node: &'n KeyNode,
        kind: ValueKind,
        read: impl FnOnce(&'n KeyNode) -> Option<T>,
    ) -> Option<T> {
        let value = read(node);
        if value.is_none() {
            let written = self.document.text(node.place);
            let remedy = kind.remedy(self.document.syntax, key, node, written);
            let is_list = node.list().is_some() && kind.what.contains("list");
            let message = if is_list {
                format!("{}{} must be {}", quoted(key), self.within(), kind.what)
            } else {
                self.of_another_kind(key, node, kind.what)
            };
            self.note_mistake(node.place, message, remedy);
        }
        value
    }

    fn inner(&self, key: &str, entry: &KeyEntry) -> Option<Self> {
        let node = &entry.value;
        let is_toml = self.document.syntax == KeySyntax::Toml;
        if node.table().is_none() {
            if !node.is_null() {
                let message = self.of_another_kind(key, node, self.kind_of_tables());
                let remedy = if is_toml {
                    format!(
                        "write a line `[{}]`, and its keys below",
                        key_as_written(key)
                    )
                } else {
                    "write its keys below it, indented".to_owned()
                };
                self.note_mistake(node.place, message, remedy);
            }
            return None;
        }
        let name = if is_toml && !self.name.is_empty() {
            format!("{}.{key}", self.name)
        } else {
            key.to_owned()
        };
        let node = Some(Rc::clone(node));
        Some(Self::new(&self.document, name, entry.place, node))
    }

    fn of_another_kind(&self, key: &str, node: &KeyNode, what: &str) -> String {
        let found = self.found(node);
        format!(
            "{}{} must be {what}, found {found}",
            quoted(key),
            self.within()
        )
    }

    /// What was found, for a message: what stands there unquoted, or else its kind.
    fn found(&self, node: &KeyNode) -> String {
        match &node.value {
            _ if node.is_null() => "nothing".to_owned(),
            KeyValue::Text(_) => "a text".to_owned(),
            KeyValue::Plain(text) => quoted(text),
            KeyValue::List(_) => "a list".to_owned(),
            KeyValue::Table(_) => self.kind_of_tables().to_owned(),
            _ => quoted(self.document.text(node.place)),
        }
    }

    fn kind_of_tables(&self) -> &'static str {
        match self.document.syntax {
            KeySyntax::Toml => "a table",
            _ => "a map",
        }
    }

    /// Its name as messages show it.
    fn title(&self) -> String {
        match self.document.syntax {
            KeySyntax::Toml => format!("[{}]", ellipsized(&self.name, 40)),
            _ => quoted(&self.name),
        }
    }

    /// The words after a key in messages.
    pub(super) fn within(&self) -> String {
        if self.name.is_empty() {
            String::new()
        } else {
            format!(" in {}", self.title())
        }
    }
}

/// The kind of whole numbers within bounds, in words, and the one of them nearest to
/// what is written.
fn whole_number(node: &KeyNode, least: u64, most: u64) -> [String; 2] {
    let what = if most >= i64::MAX as u64 {
        format!("a whole number of at least {least} with at most 18 digits")
    } else {
        format!("a whole number from {least} to {most}")
    };
    [what, node.nearest_whole(least, most).to_string()]
}
