//! The settings of a problem in a package of the Kattis family, from all its files.

use std::path::{Path, PathBuf};

use crate::keys::KeyTable;
use crate::mistake;
use crate::mistake::{MOST_TEXT, Mistake, quoted, suggestion};
use crate::model::Constants;
use crate::package::kattis::LegacyGrading;
use crate::package::{
    GROUP_FILE, PackageFormat, PackageLimits, PackageTree, blank_separated,
};

/// The settings of a problem.
#[derive(Default)]
pub(crate) struct PackageMetadata {
    pub(crate) format: PackageFormat,
    /// The format of its groups' settings: drafts may have those of an older one.
    pub(crate) format_of_groups: PackageFormat,
    /// Its title, if it has one.
    pub(crate) name: Option<String>,
    /// The languages of its titles.
    pub(crate) names: Vec<String>,
    pub(crate) credits: PackageCredits,
    /// Its source.
    pub(crate) source: Option<String>,
    pub(crate) limits: PackageLimits,
    /// The programs that judge outputs or interact with submissions, all of which must
    /// accept an output; none if the default validator judges.
    pub(crate) checkers: Vec<PathBuf>,
    /// Whether they interact with submissions.
    pub(crate) is_interactive: bool,
    /// The program that judges sources, if there is one.
    pub(crate) static_validator: Option<PathBuf>,
    /// Flags for the validator, in all groups.
    pub(crate) validator_flags: Vec<String>,
    /// Whether it gives points.
    pub(crate) is_scoring: bool,
    /// Whether the program that judges outputs decides the points.
    pub(crate) checker_gives_points: bool,
    /// Whether a submission may be run several times on a case, as the program that
    /// judges outputs asks.
    pub(crate) is_multi_pass: bool,
    /// Whether submissions are answers to cases rather than programs.
    pub(crate) submissions_are_answers: bool,
    /// The settings of `problem.yaml` about points that hold for all groups, whatever
    /// those say.
    pub(crate) grading: LegacyGrading,
    /// Whether it is made for DOMjudge, which interprets some settings differently.
    pub(crate) is_for_domjudge: bool,
    /// Whether it is read otherwise than its files alone suggest: as another format, or
    /// another meaning of it.
    pub(crate) has_overridden_format: bool,
    /// The codes of the languages that submissions may be written in; `None` for all.
    pub(crate) languages: Option<Vec<String>>,
    /// The constants that are filled in in sources.
    pub(crate) constants: Constants,
}

impl PackageMetadata {
    /// The defaults of a format.
    pub(crate) fn for_format(format: PackageFormat) -> Self {
        Self {
            format,
            format_of_groups: format,
            limits: PackageLimits::of_legacy(),
            is_for_domjudge: format == PackageFormat::DomJudge,
            ..Self::default()
        }
    }

    /// Opens a file of settings among the cases. That of a group may use constants.
    ///
    /// # Errors
    /// Returns a mistake that says why it cannot be read.
    pub(crate) fn settings(&self, file: &Path) -> Result<KeyTable, Mistake> {
        if file.ends_with(GROUP_FILE) {
            let text = mistake::read_text(file)?;
            let filled = self.constants.filled_in(text.as_bytes(), MOST_TEXT);
            let Some(filled) = filled else {
                let most = MOST_TEXT >> 20;
                let message = format!(
                    "has more than {most} MiB with the package's `constants` filled in"
                );
                let remedy = "shorten their values, or name fewer of them";
                return Mistake::refuse(file, message, remedy);
            };
            let table = KeyTable::of_text(file, String::from_utf8_lossy(&filled));
            self.note_unknown_constants(&table);
            Ok(table)
        } else {
            KeyTable::read_file(file)
        }
    }

    /// Notes names in two braces that are no constants, and so stay as they are.
    fn note_unknown_constants(&self, table: &KeyTable) {
        let document = &table.document;
        for (start, _) in document.text.match_indices("{{") {
            let inner = &document.text[start + 2..];
            let name = inner.split(['{', '}', '\n']).next().unwrap_or_default();
            if !name.is_empty() && inner[name.len()..].starts_with("}}") {
                document.slip(
                    (start..start + 2).into(),
                    format!("{} is no constant of the package", quoted(name)),
                    suggestion(name, self.constants.names(), "its `constants`: "),
                );
            }
        }
    }
}

// Reads the authors, licence and origin of a package. Judging does not depend on them:
// they are passed on, and what does not follow the format is left out.

/// The licences of the formats.
pub(crate) const LICENSES: [&str; 7] = [
    "unknown",
    "public domain",
    "cc0",
    "cc by",
    "cc by-sa",
    "educational",
    "permission",
];

/// The authors, licence and origin of a package.
#[derive(Clone, Debug, Default)]
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
pub(crate) fn read_credits(map: &KeyTable, tree: &PackageTree) -> PackageCredits {
    let one = |key| map.names_in(key, "name").into_iter().next();
    let older = map.names_in("author", "name");
    // One text for several people: `One Name and Another, A Third`.
    let older = older
        .iter()
        .flat_map(|text| text.split(','))
        .flat_map(|text| text.split(" and "))
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty());
    let keywords = map.names_in("keywords", "name");
    let keywords = match &keywords[..] {
        [one] => blank_separated(one),
        _ => keywords,
    };
    let uuid = one("uuid");
    if let Some(uuid) = &uuid
        && !fits(uuid, "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh")
    {
        tree.deviation(format!(
            "`uuid` is {}, and no UUID: `uuidgen` makes one",
            quoted(uuid)
        ));
    }
    let license = one("license");
    if let Some(license) = &license
        && !LICENSES.contains(&license.as_str())
    {
        let known = LICENSES.join(", ");
        tree.deviation(format!(
            "`license` is {}, and the format knows {known}",
            quoted(license)
        ));
    }
    PackageCredits {
        uuid,
        authors: older.chain(map.names_in("credits", "authors")).collect(),
        license,
        rights_owner: one("rights_owner"),
        source_url: one("source_url").or_else(|| map.text_of_first("source", "url")),
        keywords,
    }
}

/// Remarks on a time until which the problem is secret that is not one.
pub(crate) fn remark_embargo(map: &KeyTable, tree: &PackageTree) {
    let until = map.names_in("embargo_until", "name").into_iter().next();
    if let Some(until) = until
        && !fits(&until, "dddd-dd-dd")
        && !fits(&until, "dddd-dd-ddTdd:dd:ddZ")
    {
        let example = "write it as `2030-01-31` or `2030-01-31T12:00:00Z`";
        tree.deviation(format!(
            "`embargo_until` is {}, and no date: {example}",
            quoted(&until)
        ));
    }
}

/// Whether a text has this form, in which `h` stands for a hexadecimal digit, `d` for a
/// decimal one, and any other letter for itself.
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
