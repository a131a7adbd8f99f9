//! Reads a map of a YAML file: the keys are read one by one, each with the type that it must have,
//! and keys that were not read are mistakes. Start at [`YamlMap::root`].

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::mistake::quoted;
use crate::package::yaml::build::{YamlEntry, YamlNode, YamlPlace, YamlValue};
use crate::package::yaml::document::YamlDocument;

/// The remedy for a number that cannot be read.
const DECIMALS: &str = "write it in decimals, as `1.5`, without quotes";

/// A map of a YAML file while it is read.
pub(crate) struct YamlMap<'d> {
    pub(crate) document: &'d YamlDocument,
    /// The words after a key in messages, as ` in `limits``.
    pub(super) within: String,
    pub(super) entries: &'d [YamlEntry],
    pub(super) known: RefCell<Vec<&'static str>>,
}

/// A value that was read, and its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct YamlFound<T> {
    pub(crate) value: T,
    pub(crate) place: YamlPlace,
}

impl<'d> YamlMap<'d> {
    /// The map of a whole file; an empty file is an empty map.
    pub(crate) fn root(document: &'d YamlDocument) -> Self {
        let entries: &[YamlEntry] = match document.root().map(|root| (&root.value, root)) {
            Some((YamlValue::Map(entries), _)) => entries,
            Some((_, root)) if !root.is_null() => {
                let message = format!("the file must be a map, found {}", root.kind());
                document.note(root.place, message, "write lines as `key: value`");
                &[]
            }
            _ => &[],
        };
        Self::of(document, String::new(), entries)
    }

    /// The map of these entries; messages print `within` after a key.
    pub(super) fn of(document: &'d YamlDocument, within: String, entries: &'d [YamlEntry]) -> Self {
        Self {
            document,
            within,
            entries,
            known: RefCell::default(),
        }
    }

    /// Reads the text of a key.
    pub(crate) fn text(&self, key: &'static str) -> Option<YamlFound<String>> {
        self.typed(key, "a text", "write it in quotes", |node| {
            node.text().map(str::to_owned)
        })
    }

    /// Reads the flag of a key.
    pub(crate) fn flag(&self, key: &'static str) -> Option<YamlFound<bool>> {
        self.typed(
            key,
            "`true` or `false`",
            "write `true` or `false`, without quotes",
            YamlNode::flag,
        )
    }

    /// Reads the text of a key; a flag is `true` or `false`.
    pub(crate) fn flag_or_text(&self, key: &'static str) -> Option<YamlFound<String>> {
        self.typed(
            key,
            "`true`, `false` or a word",
            "write one of them",
            |node| match node.flag() {
                Some(flag) => Some(flag.to_string()),
                None => node.text().map(str::to_owned),
            },
        )
    }

    /// Reads the number of a key, which must be at least `least`.
    pub(crate) fn number(&self, key: &'static str, least: f64) -> Option<YamlFound<f64>> {
        let what = format!("a number, {least} at least");
        self.numeral(key, &what, DECIMALS, |number| {
            Some(number).filter(|number| *number >= least)
        })
    }

    /// Reads the number of a key, which must be more than zero.
    pub(crate) fn positive(&self, key: &'static str) -> Option<YamlFound<f64>> {
        self.numeral(key, "a number more than 0", DECIMALS, |number| {
            Some(number).filter(|number| *number > 0.0)
        })
    }

    /// Reads the whole number of a key, which must be within these bounds.
    pub(crate) fn whole(&self, key: &'static str, least: u64, most: u64) -> Option<YamlFound<u64>> {
        let what = format!("a whole number from {least} to {most}");
        self.numeral(key, &what, "write it in digits, without quotes", |number| {
            let number = Some(number).filter(|number| number.fract() == 0.0 && *number >= 0.0)?;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "whole, and not negative"
            )]
            let number = number as u64;
            (least..=most).contains(&number).then_some(number)
        })
    }

    /// Reads the texts of a key: a list of texts, or a single one.
    pub(crate) fn texts(&self, key: &'static str) -> Option<YamlFound<Vec<String>>> {
        self.typed(
            key,
            "a text or a list of texts",
            "write it as `[one, another]`",
            |node| {
                node.text()
                    .map(|text| vec![text.to_owned()])
                    .or_else(|| node.texts())
            },
        )
    }

    /// Reads the list of texts of a key.
    pub(crate) fn list(&self, key: &'static str) -> Option<YamlFound<Vec<String>>> {
        self.typed(
            key,
            "a list of texts",
            "write it as `[one, another]`",
            YamlNode::texts,
        )
    }

    /// Reads the map of a key.
    pub(crate) fn map(&self, key: &'static str) -> Option<YamlMap<'d>> {
        let entry = self.entry(key)?;
        self.map_of(entry)
    }

    /// Reads the text of a key, or a map of texts; returns each with its key, which is empty for a
    /// single text.
    pub(crate) fn text_or_map(
        &self,
        key: &'static str,
    ) -> Option<YamlFound<Vec<(String, String)>>> {
        self.typed(
            key,
            "a text or a map of texts",
            "write it in quotes",
            |node| {
                texts_by_key(node).or_else(|| Some(vec![(String::new(), node.text()?.to_owned())]))
            },
        )
    }

    /// Reads a map of a key in which every value is a text or a number, or a map of several forms
    /// of it. The form `usual` gets the plain name, and others both names with a dot between.
    pub(crate) fn text_map(
        &self,
        key: &'static str,
        usual: &str,
    ) -> Option<YamlFound<Vec<(String, String)>>> {
        self.typed(
            key,
            "a map of texts and numbers",
            "write lines as `max_n: 1000`, indented",
            |node| forms_by_key(node, usual),
        )
    }

    /// Reads the text of a key. If its value is a list, the first item counts; of a map, the text
    /// of the key `inner`.
    pub(crate) fn text_of_first(&self, key: &'static str, inner: &str) -> Option<String> {
        let mut node = &self.entry(key)?.value;
        if let YamlValue::List(items) = &node.value {
            node = items.first()?;
        }
        match &node.value {
            YamlValue::Map(entries) => entries
                .iter()
                .find(|entry| entry.key == inner)?
                .value
                .text(),
            _ => node.text(),
        }
        .map(str::to_owned)
    }

    /// Reads the texts of a key, of lists, and of the key `inner` in maps. Other values are skipped
    /// without a mistake.
    pub(crate) fn names_in(&self, key: &'static str, inner: &str) -> Vec<String> {
        self.entry(key)
            .map(|entry| names_of(&entry.value, inner))
            .unwrap_or_default()
    }

    /// Reads a map of a key in which every value is a list of texts; returns `None`, without a
    /// mistake, for anything else.
    pub(crate) fn lists_by_key(&self, key: &'static str) -> Option<BTreeMap<String, Vec<String>>> {
        let YamlValue::Map(entries) = &self.entry(key)?.value.value else {
            return None;
        };
        entries
            .iter()
            .map(|entry| Some((entry.key.clone(), entry.value.texts()?)))
            .collect()
    }

    /// Reads all its values, under any keys, as maps.
    pub(crate) fn maps(&self) -> Vec<(YamlFound<String>, YamlMap<'d>)> {
        self.entries
            .iter()
            .filter_map(|entry| {
                let name = YamlFound {
                    value: entry.key.clone(),
                    place: entry.place,
                };
                Some((name, self.map_of(entry)?))
            })
            .collect()
    }

    /// The place of a key, if it has a value.
    pub(crate) fn place(&self, key: &'static str) -> Option<YamlPlace> {
        self.entry(key).map(|entry| entry.place)
    }

    /// Accepts keys with any value, since nothing here depends on them.
    pub(crate) fn pass_over(&self, keys: &[&'static str]) {
        self.known.borrow_mut().extend(keys);
    }

    /// Notes a mistake, and a remedy.
    pub(crate) fn note(
        &self,
        at: YamlPlace,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.document.note(at, message, remedy);
    }

    /// Reads the values of unread keys that are maps. Must be called after all keys with known
    /// names were read.
    pub(crate) fn maps_of_the_rest(&self) -> Vec<(YamlFound<String>, YamlMap<'d>)> {
        let known = self.known.borrow();
        let rest = self
            .entries
            .iter()
            .filter(|entry| !known.contains(&entry.key.as_str()))
            .filter(|entry| matches!(entry.value.value, YamlValue::Map(_)));
        rest.filter_map(|entry| {
            let name = YamlFound {
                value: entry.key.clone(),
                place: entry.place,
            };
            Some((name, self.map_of(entry)?))
        })
        .collect()
    }

    /// Notes every key that was not read. Must be called last.
    pub(crate) fn refuse_the_rest(&self) {
        self.refuse_all_but(|_| false);
    }

    /// Notes every key that was not read, unless its value is a map.
    pub(crate) fn refuse_the_rest_but_maps(&self) {
        self.refuse_all_but(|entry| matches!(entry.value.value, YamlValue::Map(_)));
    }

    fn refuse_all_but(&self, may_stay: impl Fn(&YamlEntry) -> bool) {
        let known = self.known.borrow();
        for entry in self.entries {
            if !known.contains(&entry.key.as_str()) && !may_stay(entry) {
                self.document
                    .note_unknown_key(&entry.key, entry.place, &self.within, &known);
            }
        }
    }

    /// Whether there is this key, with a value.
    pub(crate) fn has(&self, key: &'static str) -> bool {
        self.entry(key).is_some()
    }

    /// The entry of a key, if it has a value. Marks the key as known.
    pub(super) fn entry(&self, key: &'static str) -> Option<&'d YamlEntry> {
        self.known.borrow_mut().push(key);
        self.entries
            .iter()
            .find(|entry| entry.key == key && !entry.value.is_null())
    }

    /// Reads the number of a key, and remarks if it is another one to readers of YAML 1.2.
    fn numeral<T>(
        &self,
        key: &'static str,
        what: &str,
        remedy: &str,
        convert: impl FnOnce(f64) -> Option<T>,
    ) -> Option<YamlFound<T>> {
        let found = self.typed(key, what, remedy, |node| node.number().and_then(convert))?;
        let other = self
            .entry(key)
            .and_then(|entry| entry.value.other_reading());
        if let Some(other) = other {
            self.document
                .remark(found.place, &format!("`{key}`{} is {other}", self.within));
        }
        Some(found)
    }

    fn typed<T>(
        &self,
        key: &'static str,
        what: &str,
        remedy: &str,
        read: impl FnOnce(&YamlNode) -> Option<T>,
    ) -> Option<YamlFound<T>> {
        let node = &self.entry(key)?.value;
        match read(node) {
            Some(value) => Some(YamlFound {
                value,
                place: node.place,
            }),
            None => {
                let found = node.text().map_or_else(|| node.kind().to_owned(), quoted);
                let message = format!("`{key}`{} must be {what}, found {found}", self.within);
                self.note(node.place, message, remedy);
                None
            }
        }
    }

    fn map_of(&self, entry: &'d YamlEntry) -> Option<YamlMap<'d>> {
        let YamlValue::Map(entries) = &entry.value.value else {
            if !entry.value.is_null() {
                let message = format!(
                    "`{}` must be a map, found {}",
                    entry.key,
                    entry.value.kind()
                );
                self.note(
                    entry.value.place,
                    message,
                    "write its keys below it, indented",
                );
            }
            return None;
        };
        let within = format!(" in {}", quoted(&entry.key));
        Some(YamlMap::of(self.document, within, entries))
    }
}

/// Returns the texts of a map by key; `None` if it is not a map, or has other values.
fn texts_by_key(node: &YamlNode) -> Option<Vec<(String, String)>> {
    let YamlValue::Map(entries) = &node.value else {
        return None;
    };
    entries
        .iter()
        .map(|entry| Some((entry.key.clone(), entry.value.text()?.to_owned())))
        .collect()
}

/// Like [`texts_by_key`], but a value may also be a map of forms; the form `usual` gets the plain
/// name.
fn forms_by_key(node: &YamlNode, usual: &str) -> Option<Vec<(String, String)>> {
    let YamlValue::Map(entries) = &node.value else {
        return None;
    };
    Some(
        entries
            .iter()
            .map(|entry| {
                let Some(forms) = texts_by_key(&entry.value) else {
                    return Some(vec![(entry.key.clone(), entry.value.text()?.to_owned())]);
                };
                Some(
                    forms
                        .into_iter()
                        .map(|(form, text)| {
                            (
                                (match form == usual {
                                    true => entry.key.clone(),
                                    false => format!("{}.{form}", entry.key),
                                }),
                                text,
                            )
                        })
                        .collect(),
                )
            })
            .collect::<Option<Vec<_>>>()?
            .concat(),
    )
}

/// Returns the texts of a node: a text, the items of a list, or the key `inner`, else `name`, of a
/// map.
fn names_of(node: &YamlNode, inner: &str) -> Vec<String> {
    match &node.value {
        YamlValue::List(items) => items
            .iter()
            .flat_map(|item| names_of(item, inner))
            .collect(),
        YamlValue::Map(entries) => {
            let of_key = |key: &str| entries.iter().find(|entry| entry.key == key);
            let found = of_key(inner).or_else(|| of_key("name"));
            found
                .map(|entry| names_of(&entry.value, "name"))
                .unwrap_or_default()
        }
        _ => node.text().map(str::to_owned).into_iter().collect(),
    }
}
