//! Reads files of keys and values, TOML and YAML alike: a parser makes a tree whose
//! values know their places, and [`KeyTable`] reads it key by key, each as the type
//! that its reader asks for. Notes every mistake with its line and goes on. Knows no
//! key.
//!
//! A scalar says what it may be: in TOML that is one type; in YAML, without quotes,
//! whatever is asked for. Start at [`KeyTable::read_file`].

mod document;
mod mixed;
mod table;
mod toml;
mod tree;
mod yaml;

use document::KeyDocument;
pub(crate) use table::KeyTable;
pub(crate) use tree::{
    FilePlace, FoundValue, ValueKind, decimal, listed_number, listed_whole, word_of,
};
use tree::{KeyEntries, KeyEntry, KeyNode, KeyValue};

#[cfg(test)]
mod tests;
