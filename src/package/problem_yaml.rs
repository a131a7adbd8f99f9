//! `problem.yaml`, whatever its format. Start at [`read`].

mod kattis_2025;
mod legacy;

use std::path::Path;

use crate::package::format::PackageFormat;
use crate::package::metadata::PackageMetadata;
use crate::package::reading::ReadingNotes;
use crate::package::tree::PackageTree;
use crate::package::yaml::YamlDocument;
use crate::package::yaml::YamlMap;

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
    let told = told_format(&map, wanted.is_none());
    // Of a file that is no YAML, nothing more is known.
    let metadata = match wanted.or(told).filter(|_| document.is_sound()) {
        Some(PackageFormat::Kattis2025) => Some(kattis_2025::read(&map, tree, notes)),
        Some(format) => Some(legacy::read(&map, format, tree, notes)),
        None => None,
    };
    drop(map);
    notes.close(document);
    metadata.map(|metadata| PackageMetadata { is_read_otherwise: told != Some(metadata.format), ..metadata })
}

/// The format that a version names. Without a version it is the oldest. That it is none that is read matters where it is all
/// that tells the format.
fn told_format(map: &YamlMap<'_>, is_all: bool) -> Option<PackageFormat> {
    let Some(version) = map.text("problem_format_version") else { return Some(PackageFormat::Legacy) };
    let format = PackageFormat::of_version(&version.value);
    if format.is_none() && is_all {
        let message = format!("the format `{}` is not read", crate::mistake::shortened(&version.value, 40));
        let remedy = match version.value.starts_with("2023-07") {
            true => "bring the package to `2025-09`, as `bt upgrade` of BAPCtools does",
            false => "use `legacy`, `legacy-icpc` or `2025-09`",
        };
        map.note(version.place, message, remedy);
    }
    format
}
