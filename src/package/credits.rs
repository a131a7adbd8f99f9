//! Reads the authors, licence and origin of a package. Judging does not depend on them: they are passed on,
//! and what does not follow the format is left out.

use crate::package::yaml::YamlMap;

/// The authors, licence and origin of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageCredits {
    /// The identifier that is unique to the problem.
    pub uuid: Option<String>,
    /// Its authors.
    pub authors: Vec<String>,
    /// Its licence, in the words of the format.
    pub license: Option<String>,
    /// The owner of its rights.
    pub rights_owner: Option<String>,
    /// The URL of its source.
    pub source_url: Option<String>,
    /// Keywords about its subject.
    pub keywords: Vec<String>,
}

/// Reads the credits in `problem.yaml`.
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
