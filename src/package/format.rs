//! Finds out the format of the package in a folder. Looks only at names of files at its root and in `test`.

use std::fmt;
use std::path::Path;
use std::path::PathBuf;

/// The main file of a package of Kattis' formats.
pub(super) const PROBLEM_YAML: &str = "problem.yaml";

/// The main file of a Polygon package.
pub(super) const PROBLEM_XML: &str = "problem.xml";

/// The main file of a DOMjudge package, alone or beside `problem.yaml`.
pub(super) const DOMJUDGE_INI: &str = "domjudge-problem.ini";

/// The main file of a DMOJ problem.
pub(super) const INIT_YML: &str = "init.yml";

/// The folder of cases that online-judge-tools creates. It alone makes a folder a package, if the user names
/// that folder.
pub(super) const OJ_FOLDER: &str = "test";

/// The files with the settings of a group, in the older formats and in 2025-09.
pub(super) const LEGACY_GROUP_FILE: &str = "testdata.yaml";
pub(super) const GROUP_FILE: &str = "test_group.yaml";

/// The ending of a case's folder of files for submissions.
pub(super) const CASE_FILES: &str = ".files";

/// The formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackageFormat {
    /// Kattis' format before it had versions, with DOMjudge's additions.
    Legacy,
    /// Kattis' `legacy-icpc`: `legacy` without points.
    LegacyIcpc,
    /// Kattis' format of September 2025.
    Kattis2025,
    /// DOMjudge's, without a `problem.yaml`.
    DomJudge,
    /// Polygon's.
    Polygon,
    /// DMOJ's.
    Dmoj,
    /// A folder of cases of online-judge-tools.
    Oj,
}

impl PackageFormat {
    /// All formats.
    pub const ALL: [Self; 7] = [
        Self::Legacy,
        Self::LegacyIcpc,
        Self::Kattis2025,
        Self::DomJudge,
        Self::Polygon,
        Self::Dmoj,
        Self::Oj,
    ];

    /// The name by which users select it; for Kattis' formats, their own version name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Legacy => "legacy",
            Self::LegacyIcpc => "legacy-icpc",
            Self::Kattis2025 => "2025-09",
            Self::DomJudge => "domjudge",
            Self::Polygon => "polygon",
            Self::Dmoj => "dmoj",
            Self::Oj => "oj",
        }
    }

    /// Returns the format of a version in `problem.yaml`, if it is read.
    pub(super) fn of_version(version: &str) -> Option<Self> {
        [Self::Legacy, Self::LegacyIcpc, Self::Kattis2025].into_iter().find(|format| format.name() == version)
    }

    /// Whether it is one of Kattis' formats or DOMjudge's.
    pub fn is_of_kattis(self) -> bool {
        !matches!(self, Self::Polygon | Self::Dmoj | Self::Oj)
    }

    /// Whether it is any format except 2025-09.
    pub(super) fn is_legacy(self) -> bool {
        self != Self::Kattis2025
    }

    /// What a folder lacks if it is not a package of this format, in words.
    pub(crate) fn lacking(self) -> &'static str {
        match self {
            Self::Legacy | Self::LegacyIcpc | Self::Kattis2025 => "it has no `problem.yaml`",
            Self::DomJudge => "it has no `domjudge-problem.ini` and no `problem.yaml`",
            Self::Polygon => "it has no `problem.xml`",
            Self::Dmoj => "it has no `init.yml`",
            Self::Oj => "it has no cases (`.in`) in `test/`",
        }
    }

    /// The files of which any one makes a folder a package of this format.
    fn files(self) -> &'static [&'static str] {
        match self {
            Self::Legacy | Self::LegacyIcpc | Self::Kattis2025 => &[PROBLEM_YAML],
            Self::DomJudge => &[PROBLEM_YAML, DOMJUDGE_INI],
            Self::Polygon => &[PROBLEM_XML],
            Self::Dmoj => &[INIT_YML],
            Self::Oj => &[OJ_FOLDER],
        }
    }
}

impl fmt::Display for PackageFormat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DomJudge => out.pad("DOMjudge package"),
            Self::Polygon => out.pad("Polygon package"),
            Self::Dmoj => out.pad("DMOJ problem"),
            Self::Oj => out.pad("folder of online-judge-tools"),
            kattis => write!(out, "Kattis package, format {}", kattis.name()),
        }
    }
}

/// The files that make a folder a package. If there are several, the first here has precedence.
const PACKAGE_FILES: [&str; 4] = [PROBLEM_XML, PROBLEM_YAML, DOMJUDGE_INI, INIT_YML];

/// What a folder lacks if it is not a package of any format, in words.
pub(crate) const NO_PACKAGE: &str = "it has no `problem.yaml`, `problem.xml`, `domjudge-problem.ini` or `init.yml`, and no cases (`.in`) in `test/`";

/// Returns the file that makes a folder a package, if there is one.
pub(crate) fn package_file(folder: &Path) -> Option<&'static str> {
    PACKAGE_FILES.into_iter().find(|name| folder.join(name).symlink_metadata().is_ok())
}

/// Returns the folder of a package that contains its cases, by the file that makes it a package.
pub(crate) fn case_folder(file: &Path) -> &'static str {
    match file.file_name() {
        Some(name) if name == PROBLEM_XML => "tests",
        Some(name) if name == OJ_FOLDER => OJ_FOLDER,
        Some(name) if name == INIT_YML => "",
        _ => "data",
    }
}

/// Returns the folder of a package of the wanted format, or of any, and the file that makes it one. The
/// package is the folder itself or the only folder in it.
pub(crate) fn package_folder(
    folder: &Path,
    wanted: Option<PackageFormat>,
) -> Option<(PathBuf, &'static str)> {
    if let Some(name) = named_package_file(folder, wanted) {
        return Some((folder.to_owned(), name));
    }
    let is_ignored = |name: &[u8]| name.starts_with(b".") || name == b"__MACOSX";
    let entries = folder.read_dir().ok()?.flatten();
    let mut seen = entries.filter(|entry| !is_ignored(entry.file_name().as_encoded_bytes()));
    let only = seen.next().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))?.path();
    if seen.next().is_some() {
        return None;
    }
    named_package_file(&only, wanted).map(|name| (only, name))
}

/// Returns what makes a folder that the user named a package of the wanted format, or of any. Only for such a
/// folder, `test` counts.
pub(super) fn named_package_file(folder: &Path, wanted: Option<PackageFormat>) -> Option<&'static str> {
    let entries = || folder.join(OJ_FOLDER).read_dir().into_iter().flatten().flatten();
    let has_cases = || entries().any(|entry| entry.path().extension().is_some_and(|ending| ending == "in"));
    let makes_it = |name: &str| match name {
        OJ_FOLDER => has_cases(),
        name => folder.join(name).symlink_metadata().is_ok(),
    };
    match wanted {
        Some(wanted) => wanted.files().iter().copied().find(|name| makes_it(name)),
        None => package_file(folder).or_else(|| has_cases().then_some(OJ_FOLDER)),
    }
}

/// Whether a file makes its folder a package.
pub(crate) fn is_package_file(file: &Path) -> bool {
    // Names first: of thousands of files, few need a look at the disk.
    PACKAGE_FILES.iter().any(|name| file.ends_with(name))
        && file.parent().and_then(package_file).is_some_and(|name| file.ends_with(name))
}
