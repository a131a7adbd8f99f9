//! Reads lists of maps, and the unread keys of a map, for formats that allow further keys.

use crate::package::yaml::build::{YamlPlace, YamlValue};
use crate::package::yaml::map::{YamlFound, YamlMap};

/// The shape of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum YamlShape {
    Scalar,
    List,
    Map,
}

impl<'d> YamlMap<'d> {
    /// Returns the shape of the value of a key, if there is one.
    pub(crate) fn shape(&self, key: &'static str) -> Option<YamlShape> {
        Some(match &self.entry(key)?.value.value {
            YamlValue::Scalar(..) => YamlShape::Scalar,
            YamlValue::List(_) => YamlShape::List,
            YamlValue::Map(_) => YamlShape::Map,
        })
    }

    /// Returns the maps in the list of a key, each with its place. Notes items that are not maps.
    pub(crate) fn maps_in(&self, key: &'static str) -> Option<Vec<(YamlPlace, YamlMap<'d>)>> {
        let node = &self.entry(key)?.value;
        let YamlValue::List(items) = &node.value else {
            let message = format!(
                "`{key}`{} must be a list, found {}",
                self.within,
                node.kind()
            );
            self.note(
                node.place,
                message,
                "write lines as `- {key: value}` below it",
            );
            return None;
        };
        Some(
            items
                .iter()
                .filter_map(|item| match &item.value {
                    YamlValue::Map(entries) => {
                        let within = format!(" in `{key}`");
                        Some((item.place, YamlMap::of(self.document, within, entries)))
                    }
                    _ => {
                        let message =
                            format!("each of `{key}` must be a map, found {}", item.kind());
                        self.note(item.place, message, "write it as `{key: value}`");
                        None
                    }
                })
                .collect(),
        )
    }

    /// The place of its first key.
    pub(crate) fn start(&self) -> YamlPlace {
        self.entries
            .first()
            .map_or_else(YamlPlace::default, |entry| entry.place)
    }

    /// Returns the keys that were not read.
    pub(crate) fn unread_keys(&self) -> Vec<YamlFound<String>> {
        let known = self.known.borrow();
        let unknown = self
            .entries
            .iter()
            .filter(|entry| !known.contains(&entry.key.as_str()));
        unknown
            .map(|entry| YamlFound {
                value: entry.key.clone(),
                place: entry.place,
            })
            .collect()
    }

    /// Notes a key that was not read if it resembles a known one. Returns whether it does.
    pub(crate) fn note_misspelt(&self, key: &YamlFound<String>) -> bool {
        self.document
            .note_misspelt_key(&key.value, key.place, &self.within, &self.known.borrow())
    }
}
