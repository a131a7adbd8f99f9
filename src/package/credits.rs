//! What a package says of those who made it, and what may be done with it. Nothing here depends on that: it is carried, and what is written
//! otherwise than the formats want it is left out.

use crate::package::yaml::YamlMap;

/// What a package says of those who made it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageCredits {
    /// What tells the problem from all others.
    pub uuid: Option<String>,
    /// Who wrote it.
    pub authors: Vec<String>,
    /// Under which licence, in the words of the format.
    pub license: Option<String>,
    /// Whose it is.
    pub rights_owner: Option<String>,
    /// The address of where it comes from.
    pub source_url: Option<String>,
    /// Words that tell what it is about.
    pub keywords: Vec<String>,
}

/// What `problem.yaml` says.
pub(super) fn read(map: &YamlMap<'_>) -> PackageCredits {
    let one = |key| map.names_in(key, "name").into_iter().next();
    let older = map.names_in("author", "name");
    // One text for several people: `One Name and Another, A Third`.
    let older = older.iter().flat_map(|text| text.split(',')).flat_map(|text| text.split(" and "));
    let older = older.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let keywords = map.names_in("keywords", "name");
    let keywords = match &keywords[..] {
        [one] => one.split_whitespace().map(str::to_owned).collect(),
        _ => keywords,
    };
    PackageCredits {
        uuid: one("uuid"),
        authors: older.chain(map.names_in("credits", "authors")).collect(),
        license: one("license"),
        rights_owner: one("rights_owner"),
        source_url: one("source_url").or_else(|| map.text_of_first("source", "url")),
        keywords,
    }
}
