//! Reads `problem.yaml` of any format. Start at [`read_problem_yaml`].

mod kattis_2025;
mod legacy;

use std::path::Path;

use crate::keys::{KeyDocument, KeyTable};
use crate::package::{
    GROUP_FILE, LEGACY_GROUP_FILE, PackageFormat, PackageMetadata, PackageTree,
    domjudge,
};

/// The prefix of the versions of drafts of `2025-09`.
const DRAFTS: &str = "2023-07";

/// Reads a `problem.yaml`, as the wanted format if one is given. Notes the mistakes in
/// it. Returns `None` if it is not YAML or names no known format.
pub(crate) fn read_problem_yaml(
    path: &Path,
    tree: &PackageTree,
    wanted: Option<PackageFormat>,
) -> Option<PackageMetadata> {
    let document = tree.ok_or_note(KeyDocument::read_yaml(path))?;
    let map = KeyTable::root(&document);
    if wanted.is_none() && is_of_hydro(&map) {
        let folder = path.parent().unwrap_or(path).join("testdata");
        tree.refuse(
            path,
            "is of a package of Hydro, which is not read",
            format!(
                "to judge by its cases alone, write `-p {}`",
                folder.display()
            ),
        );
        return None;
    }
    let stated = stated_format(&map, wanted.is_none(), tree);
    // A file that is not YAML says nothing more.
    let format = wanted.or(stated.map(|stated| stated.format));
    let metadata = format.filter(|_| document.is_sound()).map(|format| {
        if format == PackageFormat::Kattis2025 {
            return kattis_2025::read_2025(&map, tree);
        }
        let is_for_domjudge = domjudge::is_meant(tree, wanted);
        legacy::read_legacy(&map, format, is_for_domjudge, tree)
    });
    tree.close(&document);
    metadata.map(|metadata| {
        let is_as_stated =
            stated.is_some_and(|stated| stated.format == metadata.format && !stated.is_draft);
        let is_draft = wanted.is_none() && stated.is_some_and(|stated| stated.is_draft);
        let format_of_groups = if is_draft && has_older_groups(tree) {
            PackageFormat::Legacy
        } else {
            metadata.format
        };
        if format_of_groups != metadata.format {
            tree.ignore(
                "that `testdata.yaml` is not a file of `2025-09`: groups are read as `legacy`",
            );
        }
        PackageMetadata {
            has_overridden_format: !is_as_stated,
            format_of_groups,
            ..metadata
        }
    })
}

/// Whether the file has the keys of Hydro, whose packages have a file of the same name.
fn is_of_hydro(map: &KeyTable) -> bool {
    !map.has("name")
        && map.has("title")
        && (map.has("pid") || map.has("owner") || map.has("nSubmit"))
}

/// Whether groups have settings of the older formats and none has those of 2025-09.
/// Problemtools, for which drafts are written, knows only the older ones.
fn has_older_groups(tree: &PackageTree) -> bool {
    let has = |file: &str| {
        tree.below("data")
            .any(|(name, _)| name.ends_with(&format!("/{file}")))
    };
    has(LEGACY_GROUP_FILE) && !has(GROUP_FILE)
}

/// The format that a file claims.
#[derive(Clone, Copy)]
struct StatedFormat {
    format: PackageFormat,
    /// Whether it is a draft of this format.
    is_draft: bool,
}

/// Returns the format of the version in the file. Without a version it is the oldest;
/// drafts of the newest are read as the newest. An unknown version is a mistake only if
/// no other format is wanted.
fn stated_format(
    map: &KeyTable,
    decides: bool,
    tree: &PackageTree,
) -> Option<StatedFormat> {
    let stated = |format| StatedFormat {
        format,
        is_draft: false,
    };
    let Some(version) = map.text("problem_format_version") else {
        return Some(stated(PackageFormat::Legacy));
    };
    let shown = crate::mistake::ellipsized(&version, 40);
    if version.starts_with(DRAFTS) {
        if decides {
            tree.ignore(format!(
                "that the package is of a draft (`{shown}`): it is read as `2025-09`"
            ));
        }
        return Some(StatedFormat {
            format: PackageFormat::Kattis2025,
            is_draft: true,
        });
    }
    let format = PackageFormat::of_version(&version);
    if format.is_none() && decides {
        map.refuse_value(
            "problem_format_version",
            format!("the format `{shown}` is not read"),
            "use `legacy`, `legacy-icpc` or `2025-09`",
        );
    }
    format.map(stated)
}
