//! Turns the tables of the TOML parser into a tree. Knows no key.

use std::ops::Range;
use std::rc::Rc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::keys::toml_syntax::explained;
use crate::keys::tree::{
    FilePlace, KeyEntries, KeyEntry, KeyNode, KeyScalar, KeyValue, ParsedFile,
};

/// The largest file, in bytes, in which all syntax errors are looked for: there may be one for each
/// byte, and the parser keeps them all. In a larger one the first is enough.
pub(super) const MOST_RECOVERED: usize = 1 << 16;

impl From<Range<usize>> for FilePlace {
    fn from(Range { start, end }: Range<usize>) -> Self {
        Self { start, end }
    }
}

/// Parses a text. Where its syntax is broken, the tree may be an artefact of the parser's recovery.
pub(super) fn parse(text: &str) -> ParsedFile {
    let (root, errors) = match DeTable::parse(text) {
        Ok(root) => (root, Vec::new()),
        Err(_) if text.len() <= MOST_RECOVERED => DeTable::parse_recoverable(text),
        Err(error) => (Spanned::new(0..0, DeTable::default()), vec![error]),
    };
    let refusals = errors.iter().map(|error| explained(error, text)).collect();
    let place = root.span().into();
    let value = KeyValue::Table(entries(root.into_inner()));
    ParsedFile {
        root: Some(Rc::new(KeyNode { place, value })),
        refusals,
        ..ParsedFile::default()
    }
}

fn entries(table: DeTable<'_>) -> KeyEntries {
    let entries = table.into_iter().map(|(key, value)| {
        let place = key.span().into();
        let value = node(value);
        (key.into_inner().into_owned(), KeyEntry { place, value })
    });
    let mut entries: KeyEntries = entries.collect();
    entries.sort_by_key(|_, entry| entry.place.start);
    entries
}

fn node(value: Spanned<DeValue<'_>>) -> Rc<KeyNode> {
    let place = value.span().into();
    let value = match value.into_inner() {
        DeValue::Table(table) => KeyValue::Table(entries(table)),
        DeValue::Array(items) => KeyValue::List(items.into_iter().map(node).collect()),
        DeValue::String(text) => KeyValue::Scalar(KeyScalar::Text(text.into_owned())),
        DeValue::Boolean(flag) => KeyValue::Scalar(KeyScalar::Flag(flag)),
        DeValue::Float(number) => KeyValue::Scalar(KeyScalar::Float(
            number.as_str().parse().unwrap_or(f64::NAN),
        )),
        DeValue::Datetime(_) => KeyValue::Scalar(KeyScalar::Date),
        DeValue::Integer(number) => {
            let digits = number.as_str();
            let bound = if digits.starts_with('-') {
                i128::MIN
            } else {
                i128::MAX
            };
            let number = i128::from_str_radix(digits, number.radix()).unwrap_or(bound);
            KeyValue::Scalar(KeyScalar::Whole(number))
        }
    };
    Rc::new(KeyNode { place, value })
}
