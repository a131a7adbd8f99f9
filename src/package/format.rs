//! Which format the package in a folder is of. Looks at the names of files at its root, and at one key of one of them.

use std::fmt;
use std::path::Path;
use std::path::PathBuf;

/// The file that says what a package of Kattis' formats is.
pub(super) const PROBLEM_YAML: &str = "problem.yaml";

/// The file that says what a package of Polygon is.
pub(super) const PROBLEM_XML: &str = "problem.xml";

/// The file that says what a package of DOMjudge is, alone or beside the other.
pub(super) const DOMJUDGE_INI: &str = "domjudge-problem.ini";

/// The file that says what a problem of DMOJ is.
pub(super) const INIT_YML: &str = "init.yml";

/// The folder of cases that online-judge-tools makes, and which alone makes a folder a package if it is named by its path.
pub(super) const OJ_FOLDER: &str = "test";

/// What a group of cases sets, in the older formats and in 2025-09.
pub(super) const LEGACY_GROUP_FILE: &str = "testdata.yaml";
pub(super) const GROUP_FILE: &str = "test_group.yaml";

/// The ending of folders with files for submissions.
pub(super) const CASE_FILES: &str = ".files";

/// The formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackageFormat {
    /// Kattis' format before it had versions, with DOMjudge's additions.
    Legacy,
    /// The same, as the ICPC wants it: no points.
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
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Legacy,
        Self::LegacyIcpc,
        Self::Kattis2025,
        Self::DomJudge,
        Self::Polygon,
        Self::Dmoj,
        Self::Oj,
    ];

    /// Its name, as the format itself has it.
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

    /// The format of a version that a `problem.yaml` names, if it is read.
    pub(super) fn of_version(version: &str) -> Option<Self> {
        [Self::Legacy, Self::LegacyIcpc, Self::Kattis2025].into_iter().find(|format| format.name() == version)
    }

    /// Whether it is one of Kattis', DOMjudge's among them.
    pub fn is_of_kattis(self) -> bool {
        !matches!(self, Self::Polygon | Self::Dmoj | Self::Oj)
    }

    /// Whether it is one of those without a version in the year's form.
    pub(super) fn is_legacy(self) -> bool {
        self != Self::Kattis2025
    }

    /// What a folder lacks that is no package of it, in words.
    pub(crate) fn lacking(self) -> &'static str {
        match self {
            Self::Legacy | Self::LegacyIcpc | Self::Kattis2025 => "it has no `problem.yaml`",
            Self::DomJudge => "it has no `domjudge-problem.ini` and no `problem.yaml`",
            Self::Polygon => "it has no `problem.xml`",
            Self::Dmoj => "it has no `init.yml`",
            Self::Oj => "it has no cases (`.in`) in `test/`",
        }
    }

    /// The files of which one makes a folder a package of it.
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

/// The files that make a folder a package. Of several, the first says more than the others.
const PACKAGE_FILES: [&str; 4] = [PROBLEM_XML, PROBLEM_YAML, DOMJUDGE_INI, INIT_YML];

/// What a folder lacks that is no package, in words.
pub(crate) const NO_PACKAGE: &str = "it has no `problem.yaml`, `problem.xml`, `domjudge-problem.ini` or `init.yml`, and no cases (`.in`) in `test/`";

/// The file that makes a folder a package, if there is one.
pub(crate) fn package_file(folder: &Path) -> Option<&'static str> {
    PACKAGE_FILES.into_iter().find(|name| folder.join(name).symlink_metadata().is_ok())
}

/// The folder of a package that its cases lie in, by the file that makes it a package.
pub(crate) fn case_folder(file: &Path) -> &'static str {
    match file.file_name() {
        Some(name) if name == PROBLEM_XML => "tests",
        Some(name) if name == OJ_FOLDER => OJ_FOLDER,
        Some(name) if name == INIT_YML => "",
        _ => "data",
    }
}

/// The folder of a package of this format, or of any, and the file there that makes it one: this folder, or else the only one in it.
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

/// What makes a folder a package of this format, or of any, that somebody named: nobody would look at `test` otherwise.
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
    // Of thousands of files, few are looked at on the disk.
    PACKAGE_FILES.iter().any(|name| file.ends_with(name))
        && file.parent().and_then(package_file).is_some_and(|name| file.ends_with(name))
}
