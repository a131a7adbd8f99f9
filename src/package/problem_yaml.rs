//! `problem.yaml`, whatever its format. Start at [`read`].

mod kattis_2025;
mod legacy;

use std::path::Path;

use crate::package::format::GROUP_FILE;
use crate::package::format::LEGACY_GROUP_FILE;
use crate::package::format::PackageFormat;
use crate::package::metadata::PackageMetadata;
use crate::package::reading::ReadingNotes;
use crate::package::tree::PackageTree;
use crate::package::yaml::YamlDocument;
use crate::package::yaml::YamlMap;

/// How the versions of drafts of `2025-09` begin.
const DRAFTS: &str = "2023-07";

/// Reads a `problem.yaml`, as of the format that somebody wants, if anybody does. What is wrong in it is noted; nothing comes of it
/// if it names no format that is read.
pub(super) fn read(
    path: &Path,
    tree: &PackageTree,
    wanted: Option<PackageFormat>,
    notes: &mut ReadingNotes,
) -> Option<PackageMetadata> {
    let document = notes.take(YamlDocument::read(path))?;
    let map = YamlMap::root(&document);
    let told = told_format(&map, wanted.is_none(), notes);
    // Of a file that is no YAML, nothing more is known.
    let metadata = match wanted.or(told.map(|told| told.format)).filter(|_| document.is_sound()) {
        Some(PackageFormat::Kattis2025) => Some(kattis_2025::read(&map, tree, notes)),
        Some(format) => Some(legacy::read(&map, format, tree, notes)),
        None => None,
    };
    drop(map);
    notes.close(document);
    metadata.map(|metadata| {
        let is_told = told.is_some_and(|told| told.format == metadata.format && !told.is_draft);
        let is_draft = wanted.is_none() && told.is_some_and(|told| told.is_draft);
        let format_of_groups = match is_draft && has_older_groups(tree) {
            true => PackageFormat::Legacy,
            false => metadata.format,
        };
        if format_of_groups != metadata.format {
            notes.ignore("that `testdata.yaml` is no file of `2025-09`: groups are read as `legacy`");
        }
        PackageMetadata { is_read_otherwise: !is_told, format_of_groups, ..metadata }
    })
}

/// Whether groups have settings as in the older formats, and none has those of the newest. Problemtools, which drafts are written
/// for, knows no others.
fn has_older_groups(tree: &PackageTree) -> bool {
    let has = |file: &str| tree.below("data").any(|(name, _)| name.ends_with(&format!("/{file}")));
    has(LEGACY_GROUP_FILE) && !has(GROUP_FILE)
}

/// What a file says that it is of.
#[derive(Clone, Copy)]
struct ToldFormat {
    format: PackageFormat,
    /// Whether it is of a draft of this format.
    is_draft: bool,
}

/// The format that a version names. Without a version it is the oldest, and drafts of the newest are read as that. That it is none
/// that is read matters where it is all that tells the format.
fn told_format(map: &YamlMap<'_>, is_all: bool, notes: &mut ReadingNotes) -> Option<ToldFormat> {
    let told = |format| ToldFormat { format, is_draft: false };
    let Some(version) = map.text("problem_format_version") else { return Some(told(PackageFormat::Legacy)) };
    let shown = crate::mistake::shortened(&version.value, 40);
    if version.value.starts_with(DRAFTS) {
        if is_all {
            notes.ignore(format!("that the package is of a draft (`{shown}`): it is read as `2025-09`"));
        }
        return Some(ToldFormat { format: PackageFormat::Kattis2025, is_draft: true });
    }
    let format = PackageFormat::of_version(&version.value);
    if format.is_none() && is_all {
        let message = format!("the format `{shown}` is not read");
        map.note(version.place, message, "use `legacy`, `legacy-icpc` or `2025-09`");
    }
    format.map(told)
}
