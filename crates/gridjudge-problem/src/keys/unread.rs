//! Finds the keys of a table that nobody has read, and what they were probably meant to be.

use crate::keys::{FoundValue, KeyEntry, KeyTable};
use crate::mistake::{KeySyntax, meant_key, quoted};

impl KeyTable {
    /// The keys that were not read.
    pub(crate) fn unread_keys(&self) -> Vec<FoundValue<&str>> {
        self.unread()
            .map(|(value, entry)| FoundValue {
                value,
                place: entry.place,
            })
            .collect()
    }

    /// Notes every key that has not been read. Call it last.
    pub(crate) fn refuse_the_rest(&self) {
        self.refuse_the_rest_or_name(&[]);
    }

    /// Notes every key that has not been read. If the key is a known synonym, the remedy names the
    /// right key. The judges of all formats in YAML pass over keys that they do not know, so there
    /// one is a mistake only if it was probably meant as a known one. Call it last.
    pub(crate) fn refuse_the_rest_or_name(&self, synonyms: &[(&str, &[&str])]) {
        for key in self.unread_keys() {
            let message = format!("unknown key {}{}", quoted(key.value), self.within());
            match (self.document.syntax, self.meant(key.value, synonyms)) {
                (KeySyntax::Toml, Some(meant)) => self.note(key.place, message, meant),
                (KeySyntax::Toml, None) => {
                    let known = self.known.borrow().join(", ");
                    self.note(key.place, message, format!("known here: {known}"));
                }
                (_, Some(meant)) => self.document.slip(key.place, message, meant),
                (_, None) => {
                    let message = message + ", which nothing reads";
                    self.document.deviation(key.place, &message);
                }
            }
        }
    }

    /// Notes a key that was not read if it resembles a known one. Returns whether it does.
    pub(crate) fn note_misspelt(&self, key: &FoundValue<&str>) -> bool {
        let Some(remedy) = self.meant(key.value, &[]) else {
            return false;
        };
        let message = format!("unknown key {}{}", quoted(key.value), self.within());
        self.document.slip(key.place, message, remedy);
        true
    }

    /// The remedy that names the known key, or keys, that an unknown one was meant to be.
    fn meant(&self, key: &str, synonyms: &[(&str, &[&str])]) -> Option<String> {
        if !self.document.may_compare() {
            return None;
        }
        let known = self.known.borrow();
        let mut meant = Vec::new();
        for (_, keys) in synonyms.iter().filter(|(word, _)| *word == key) {
            meant.extend(keys.iter().copied().filter(|meant| known.contains(meant)));
        }
        if meant.is_empty() {
            return meant_key(key, &known, self.document.syntax);
        }
        Some(format!("did you mean `{}`?", meant.join("` or `")))
    }

    /// The entries that were not read.
    pub(super) fn unread(&self) -> impl Iterator<Item = (&str, &KeyEntry)> {
        self.entries().filter(|(key, entry)| {
            let is_table = self.knows_tables.get() && entry.value.table().is_some();
            !is_table && !self.known.borrow().contains(key)
        })
    }
}
