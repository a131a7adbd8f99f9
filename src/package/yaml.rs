//! Parses a YAML text into a tree of nodes with their lines. Scalars stay texts, so that the reader of a key
//! decides their type: `yes` is true where a flag is expected, and a name where a name is. Hostile texts are
//! refused while they are parsed: deeply nested ones, expanding aliases, duplicate keys, several documents.
//! Start at [`YamlDocument::parse`].

mod build;
mod document;
mod list;
mod map;
mod scalar;

pub(super) use build::YamlPlace;
pub(super) use document::YamlDocument;
pub(super) use list::YamlShape;
pub(super) use map::YamlFound;
pub(super) use map::YamlMap;

#[cfg(test)]
mod tests;
