//! Parses a YAML text into a tree of nodes with their lines. Scalars stay texts, so that the reader
//! of a key decides their type: `yes` is true where a flag is expected, and a name where a name is.
//! Values are read as by PyYAML, which most judges use: of a key that is there twice the last
//! counts, `<<` merges maps. Hostile texts are refused while they are parsed: deeply nested ones,
//! expanding aliases, several documents. Start at [`YamlDocument::parse`].

mod build;
mod document;
mod list;
mod map;
mod numeral;
mod scalar;

pub(super) use build::YamlPlace;
pub(super) use document::YamlDocument;
#[cfg(test)]
use document::YamlFindings;
pub(super) use list::YamlShape;
pub(super) use map::{YamlFound, YamlMap};
pub(super) use numeral::{decimal, listed_number};

#[cfg(test)]
mod tests;
