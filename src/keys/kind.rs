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

pub(super) const TEXT: ValueKind<'_> = ValueKind::new("a text", "\"...\"");
pub(super) const FLAG: ValueKind<'_> = ValueKind::new("`true` or `false`", "true");
pub(super) const NUMBER: ValueKind<'_> = ValueKind::new("a number", "1e-6");
pub(super) const LIST: ValueKind<'_> = ValueKind::new("a list of texts", "[\"...\", \"...\"]");
pub(super) const LISTS: ValueKind<'_> =
    ValueKind::new("a list of lists of texts", "[[\"...\", \"...\"]]");
pub(super) const WORDS: ValueKind<'_> = ValueKind::new("a text or a list of texts", LIST.example);

impl<'a> ValueKind<'a> {
    pub(crate) const fn new(what: &'a str, example: &'a str) -> Self {
        Self { what, example }
    }

    /// The remedy for a value of another kind. `written` is the value's text in the file.
    pub(super) fn remedy(
        &self,
        syntax: KeySyntax,
        key: &str,
        node: &KeyNode,
        written: &str,
    ) -> String {
        let is_text = matches!(&node.value, KeyValue::Scalar(KeyScalar::Text(_)));
        let is_plain = !is_text && matches!(&node.value, KeyValue::Scalar(_));
        let wants_text = self.what.starts_with(TEXT.what);
        let wants_quotes = self.example.starts_with(['"', '[']);
        let text = shortened(node.text().unwrap_or_default(), 40);
        let (way, value) = if is_plain && wants_text {
            (
                "put it in quotes: ",
                format!("\"{}\"", shortened(written, 40)),
            )
        } else if is_text && !wants_quotes && is_number_or_flag(&text) {
            ("leave the quotes out: ", text)
        } else if self.what.contains("number") {
            ("write such a number, as ", self.example.to_owned())
        } else {
            ("write it as ", self.example.to_owned())
        };
        let between = if syntax == KeySyntax::Toml {
            " = "
        } else {
            ": "
        };
        format!("{way}`{}{between}{value}`", key_as_written(key))
    }
}

fn is_number_or_flag(text: &str) -> bool {
    ["true", "false"].contains(&text) || text.parse::<f64>().is_ok()
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
