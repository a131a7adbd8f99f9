//! Reads the authors, licence and origin of a package. Judging does not depend on them: they are
//! passed on, and what does not follow the format is left out.

use crate::keys::KeyTable;
use crate::mistake::quoted;
use crate::package::reading::ReadingNotes;

/// The licences of the formats.
const LICENSES: [&str; 7] = [
    "unknown",
    "public domain",
    "cc0",
    "cc by",
    "cc by-sa",
    "educational",
    "permission",
];

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

/// Reads the credits in `problem.yaml`, with remarks on what the format does not know.
pub(super) fn read(map: &KeyTable<'_>, notes: &mut ReadingNotes) -> PackageCredits {
    let credits = found(map);
    credits.remark(notes);
    credits
}

fn found(map: &KeyTable<'_>) -> PackageCredits {
    let one = |key| map.names_in(key, "name").into_iter().next();
    let older = map.names_in("author", "name");
    // One text for several people: `One Name and Another, A Third`.
    let older = older
        .iter()
        .flat_map(|text| text.split(','))
        .flat_map(|text| text.split(" and "));
    let older = older
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty());
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

impl PackageCredits {
    /// Remarks on an identifier and a licence that the format does not know.
    fn remark(&self, notes: &mut ReadingNotes) {
        if let Some(uuid) = self
            .uuid
            .as_ref()
            .filter(|uuid| !fits(uuid, "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh"))
        {
            notes.remark(format!(
                "`uuid` is {}, and no UUID: `uuidgen` makes one",
                quoted(uuid)
            ));
        }
        if let Some(license) = self
            .license
            .as_ref()
            .filter(|license| !LICENSES.contains(&license.as_str()))
        {
            let known = LICENSES.join(", ");
            notes.remark(format!(
                "`license` is {}, and the format knows {known}",
                quoted(license)
            ));
        }
    }
}

/// Remarks on a time until which the problem is secret that is not one.
pub(super) fn remark_embargo(map: &KeyTable<'_>, notes: &mut ReadingNotes) {
    let until = map.names_in("embargo_until", "name").into_iter().next();
    if let Some(until) =
        until.filter(|until| !(fits(until, "dddd-dd-dd") || fits(until, "dddd-dd-ddTdd:dd:ddZ")))
    {
        let example = "write it as `2030-01-31` or `2030-01-31T12:00:00Z`";
        notes.remark(format!(
            "`embargo_until` is {}, and no date: {example}",
            quoted(&until)
        ));
    }
}

/// Whether a text has this form, in which `h` stands for a hexadecimal digit, `d` for a decimal
/// one, and any other letter for itself.
fn fits(text: &str, form: &str) -> bool {
    text.len() == form.len()
        && text
            .bytes()
            .zip(form.bytes())
            .all(|(found, wanted)| match wanted {
                b'h' => found.is_ascii_hexdigit(),
                b'd' => found.is_ascii_digit(),
                _ => found == wanted,
            })
}
