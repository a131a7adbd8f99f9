//! The kinds of values that keys may have, and how values of another kind are put right.

use crate::keys::tree::{KeyNode, KeyScalar, KeyValue};
use crate::mistake::{KeySyntax, shortened};

/// A kind of value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueKind<'a> {
    /// Its name, as `a number`.
    pub(crate) what: &'a str,
    /// An example, as written in a file.
    pub(crate) example: &'a str,
}

pub(super) const TEXT: ValueKind<'_> = ValueKind {
    what: "a text",
    example: "\"...\"",
};
pub(super) const FLAG: ValueKind<'_> = ValueKind {
    what: "`true` or `false`",
    example: "true",
};
pub(super) const NUMBER: ValueKind<'_> = ValueKind {
    what: "a number",
    example: "1e-6",
};
pub(super) const LIST: ValueKind<'_> = ValueKind {
    what: "a list of texts",
    example: "[\"...\", \"...\"]",
};
pub(super) const LISTS: ValueKind<'_> = ValueKind {
    what: "a list of lists of texts",
    example: "[[\"...\", \"...\"]]",
};
pub(super) const WORDS: ValueKind<'_> = ValueKind {
    what: "a text or a list of texts",
    example: LIST.example,
};

impl ValueKind<'_> {
    /// The remedy for a value of another kind. `written` is the value's text in the file.
    pub(super) fn remedy(
        &self,
        syntax: KeySyntax,
        key: &str,
        node: &KeyNode,
        written: &str,
    ) -> String {
        let is_quoted = self.example.starts_with(['"', '[']);
        let remedy = match &node.value {
            KeyValue::Scalar(KeyScalar::Text(text))
                if !is_quoted && (text.parse::<f64>().is_ok() || self.what == FLAG.what) =>
            {
                Some(("leave the quotes out: ", shortened(text, 40)))
            }
            KeyValue::Scalar(KeyScalar::Text(_)) => None,
            KeyValue::Scalar(_) if [TEXT.what, WORDS.what].contains(&self.what) => Some((
                "put it in quotes: ",
                format!("\"{}\"", shortened(written, 40)),
            )),
            _ => None,
        };
        let is_number = self.what.contains("number");
        let way = if is_number {
            "write such a number, as "
        } else {
            "write it as "
        };
        let (way, value) = remedy.unwrap_or_else(|| (way, self.example.to_owned()));
        let between = if syntax == KeySyntax::Toml {
            " = "
        } else {
            ": "
        };
        format!("{way}`{}{between}{value}`", key_as_written(key))
    }
}

/// A key as written in a file: in quotes if it has characters other than letters, digits, `-` and
/// `_`.
pub(super) fn key_as_written(key: &str) -> String {
    let key = shortened(key, 40);
    let is_plain = key
        .trim_end_matches("...")
        .chars()
        .all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter));
    if is_plain && !key.is_empty() {
        key
    } else {
        format!("{key:?}")
    }
}
