//! What kind of value a key must have, and what to write where it has another.

use toml::de::DeValue;

use crate::mistake::shortened;

/// A kind of value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueKind<'a> {
    /// In words, as `a whole number`.
    pub(super) what: &'a str,
    /// One of them, as it is written.
    pub(super) example: &'a str,
}

pub(super) const STRING: ValueKind<'_> = ValueKind { what: "a string", example: "\"...\"" };
pub(super) const NUMBER: ValueKind<'_> = ValueKind { what: "a whole number", example: "9" };
pub(super) const NUMBERS: ValueKind<'_> =
    ValueKind { what: "a whole number or a list of them", example: "9" };
pub(super) const FLOAT: ValueKind<'_> = ValueKind { what: "a number", example: "1e-6" };
pub(super) const FLAG: ValueKind<'_> = ValueKind { what: "`true` or `false`", example: "true" };
pub(super) const LIST: ValueKind<'_> = ValueKind { what: "a list of strings", example: "[\"...\", \"...\"]" };
pub(super) const LISTS: ValueKind<'_> =
    ValueKind { what: "a list of lists of strings", example: "[[\"...\", \"...\"]]" };
pub(super) const WORDS: ValueKind<'_> =
    ValueKind { what: "a string or a list of strings", example: "[\"...\", \"...\"]" };
pub(super) const TABLE: ValueKind<'_> = ValueKind { what: "a table", example: "{ ... }" };
pub(super) const TABLES: ValueKind<'_> = ValueKind { what: "a list of tables", example: "[{ ... }]" };
pub(super) const TIME: ValueKind<'_> = ValueKind { what: "a time in quotes, as \"1s\"", example: "\"1s\"" };
pub(super) const SIZE: ValueKind<'_> =
    ValueKind { what: "a size in quotes, as \"64MiB\"", example: "\"64MiB\"" };
pub(super) const SIZE_OR_NONE: ValueKind<'_> =
    ValueKind { what: "a size in quotes, as \"256MiB\"", example: "\"256MiB\"" };

impl ValueKind<'_> {
    /// What to write for a value of another kind; `written` is how that stands in the file.
    pub(super) fn remedy(&self, key: &str, value: &DeValue<'_>, written: &str) -> String {
        let key = key_as_written(key);
        let is_plain = value.is_integer() || value.is_float() || value.is_bool() || value.is_datetime();
        let number = value.as_str().filter(|text| text.parse::<u64>().is_ok());
        match (self.what, number) {
            (what, _) if what == TABLE.what => format!("write a line `[{key}]`, and its keys below"),
            (what, _) if what == TABLES.what => format!("write a line `[[{key}]]`, and its keys below"),
            (what, _) if is_plain && (what == STRING.what || what == WORDS.what) => {
                format!("put it in quotes: `{key} = \"{}\"`", shortened(written, 40))
            }
            (_, Some(number)) if self.example == NUMBER.example => {
                format!("leave the quotes out: `{key} = {}`", shortened(number, 40))
            }
            _ if self.what == FLOAT.what
                && value.as_str().is_some_and(|text| text.parse::<f64>().is_ok()) =>
            {
                format!(
                    "leave the quotes out: `{key} = {}`",
                    shortened(value.as_str().unwrap_or_default(), 40)
                )
            }
            _ => format!("write it as `{key} = {}`", self.example),
        }
    }

    /// What was found in its place, with an article.
    pub(super) fn found(value: &DeValue<'_>) -> String {
        let kind = value.type_str();
        let article = if kind.starts_with(['a', 'i', 'o']) { "an" } else { "a" };
        format!("{article} {kind}")
    }
}

/// A key as it stands in a file: in quotes if it has other signs than letters, digits, `-` and `_`.
pub(super) fn key_as_written(key: &str) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    let key = shortened(key, 40);
    if !key.is_empty() && key.trim_end_matches("...").chars().all(is_bare) { key } else { format!("{key:?}") }
}
