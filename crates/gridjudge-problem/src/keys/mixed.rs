//! Reads values that files of packages write in several shapes, a text, a list, or a
//! table, or leave out, and finds the keys of a table that nobody has read.

use crate::keys::{FilePlace, KeyEntry, KeyNode, KeyTable, KeyValue, ValueKind};
use crate::mistake::{KeySyntax, Mistakes, meant_key, quoted};

impl KeyTable {
    /// A table inside this one, which is empty if the key is missing.
    pub(crate) fn table_or_empty(&self, key: &'static str) -> Self {
        self.table(key).unwrap_or_else(|| self.without_keys())
    }

    /// A text; a flag is `true` or `false`.
    pub(crate) fn flag_or_text(&self, key: &'static str) -> Option<String> {
        let kind = ValueKind::new("`true`, `false` or a word", "true");
        self.value(key, kind, |node| match node.flag() {
            Some(flag) => Some(flag.to_string()),
            None => node.owned_text(),
        })
    }

    /// A text, or a table of texts; each with its key, which is empty for a single
    /// text.
    pub(crate) fn text_or_table(
        &self,
        key: &'static str,
    ) -> Option<Vec<(String, String)>> {
        let kind = ValueKind::new("a text or a map of texts", "\"...\"");
        self.value(key, kind, |node| match node.text() {
            Some(text) => Some(vec![(String::new(), text.to_owned())]),
            None => texts_by_key(node),
        })
    }

    /// A table in which every value is a text or a number, or a table of several forms
    /// of it. The form `value` gets the plain name, and others both names with a dot
    /// between.
    pub(crate) fn forms_by_key(
        &self,
        key: &'static str,
    ) -> Option<Vec<(String, String)>> {
        let kind = ValueKind::new("a map of texts and numbers", "{max_n: 1000}");
        self.value(key, kind, |node| {
            let mut texts = vec![];
            for (key, entry) in node.table()? {
                if let Some(text) = entry.value.text() {
                    texts.push((key.clone(), text.to_owned()));
                    continue;
                }
                for (form, text) in texts_by_key(&entry.value)? {
                    let name = if form == "value" {
                        key.clone()
                    } else {
                        format!("{key}.{form}")
                    };
                    texts.push((name, text));
                }
            }
            Some(texts)
        })
    }

    /// A text. If the value is a list, the first item counts; of a table, the text of
    /// the key `inner`.
    pub(crate) fn text_of_first(
        &self,
        key: &'static str,
        inner: &str,
    ) -> Option<String> {
        let mut node = &self.entry(key)?.value;
        if let Some(items) = node.list() {
            node = items.first()?;
        }
        match node.table() {
            Some(entries) => entries.get(inner)?.value.owned_text(),
            None => node.owned_text(),
        }
    }

    /// The texts of a key, of lists, and of the key `inner` in tables. Other values are
    /// skipped without a mistake.
    pub(crate) fn names_in(&self, key: &'static str, inner: &str) -> Vec<String> {
        self.entry(key)
            .map_or_else(Vec::new, |entry| names_of(&entry.value, inner))
    }

    /// The value of a key, of whatever kind. The key counts as read.
    pub(crate) fn node(&self, key: &'static str) -> Option<&KeyNode> {
        Some(&self.entry(key)?.value)
    }
}

/// The texts of a table by key; `None` if it is none, or has other values.
fn texts_by_key(node: &KeyNode) -> Option<Vec<(String, String)>> {
    node.table()?
        .iter()
        .map(|(key, entry)| Some((key.clone(), entry.value.owned_text()?)))
        .collect()
}

/// The texts of a node: a text, the items of a list, or the key `inner`, else `name`,
/// of a table.
fn names_of(node: &KeyNode, inner: &str) -> Vec<String> {
    match &node.value {
        KeyValue::List(items) => items
            .iter()
            .flat_map(|item| names_of(item, inner))
            .collect(),
        KeyValue::Table(entries) => {
            let found = entries.get(inner).or_else(|| entries.get("name"));
            found.map_or_else(Vec::new, |entry| names_of(&entry.value, "name"))
        }
        _ => node.owned_text().into_iter().collect(),
    }
}

// Finds the keys of a table that nobody has read, and what they were probably meant to
// be.

impl KeyTable {
    /// Notes every key that has not been read. Call it last.
    pub(crate) fn refuse_the_rest(&self) {
        self.refuse_the_rest_or_name(&[]);
    }

    /// Notes every key that has not been read, and returns what was read. Call it last.
    ///
    /// # Errors
    /// Returns every mistake in the file, in its order.
    pub(crate) fn finish<T>(&self, value: T) -> Result<T, Mistakes> {
        self.refuse_the_rest();
        Mistakes::or(self.document.take_mistakes(), value)
    }

    /// Notes every key that has not been read. If the key is a known synonym, which
    /// only files in TOML have, the remedy names the right key. The judges of all
    /// formats in YAML pass over keys that they do not know, so there one is a mistake
    /// only if it was probably meant as a known one. Call it last.
    pub(crate) fn refuse_the_rest_or_name(&self, synonyms: &[(&str, &str)]) {
        for (key, entry) in self.unread() {
            if self.document.syntax == KeySyntax::Toml {
                let remedy = self.meant(key, synonyms).unwrap_or_else(|| {
                    format!("known here: {}", self.known.borrow().join(", "))
                });
                self.note_mistake(entry.place, self.unknown(key), remedy);
            } else if !self.note_misspelt(key, entry.place) {
                let message = self.unknown(key) + ", which nothing reads";
                self.document.deviation(entry.place, &message);
            }
        }
    }

    fn unknown(&self, key: &str) -> String {
        format!("unknown key {}{}", quoted(key), self.within())
    }

    /// Notes a key that was not read if it resembles a known one. Returns whether it
    /// does.
    pub(crate) fn note_misspelt(&self, key: &str, place: FilePlace) -> bool {
        let Some(remedy) = self.meant(key, &[]) else {
            return false;
        };
        self.document.slip(place, self.unknown(key), remedy);
        true
    }

    /// The remedy that names the known key, or keys, that an unknown one was meant to
    /// be.
    fn meant(&self, key: &str, synonyms: &[(&str, &str)]) -> Option<String> {
        if !self.document.may_compare() {
            return None;
        }
        let known = self.known.borrow();
        let mut meant = vec![];
        for (_, keys) in synonyms.iter().filter(|(word, _)| *word == key) {
            meant.extend(keys.split(' ').filter(|meant| known.contains(meant)));
        }
        if meant.is_empty() {
            return meant_key(key, &known, self.document.syntax);
        }
        Some(format!("did you mean `{}`?", meant.join("` or `")))
    }

    /// The keys that were not read, and their values.
    pub(crate) fn unread(&self) -> impl Iterator<Item = (&str, &KeyEntry)> {
        self.entries().filter(|(key, entry)| {
            let is_table = self.knows_tables.get() && entry.value.table().is_some();
            !is_table && !self.known.borrow().contains(key)
        })
    }
}
