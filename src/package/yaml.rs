//! A YAML text as a tree of nodes that know their lines. Scalars stay texts, so that who reads one decides its type: `yes` is
//! true where a flag is due, and a name where a name is. Hostile texts are refused while they are parsed: deep ones, ones that
//! grow by aliases, keys that stand twice, several documents. Start at [`YamlDocument::parse`].

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
