//! Finds out the format of the package in a folder. Looks only at names of files at its
//! root and in `test`.

use std::fmt;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::model::ending;
use crate::package::oj::case_patterns::foreign_problem;
use crate::package::{CasePatterns, first_part, is_hidden_name, paired_files};
use crate::text::JoinedTexts;

use PackageFormat::{Dmoj, DomJudge, Kattis2025, Legacy, LegacyIcpc, Oj, Polygon};

/// The main file of a package of Kattis' formats.
pub(super) const PROBLEM_YAML: &str = "problem.yaml";

/// The main file of a Polygon package.
pub(super) const PROBLEM_XML: &str = "problem.xml";

/// The main file of a DOMjudge package, alone or beside `problem.yaml`.
pub(crate) const DOMJUDGE_INI: &str = "domjudge-problem.ini";

/// The main file of a DMOJ problem.
pub(super) const INIT_YML: &str = "init.yml";

/// The folder of cases that online-judge-tools creates. It makes a folder a package
/// only if the user names that folder, or directly among the judge's problems; and so
/// do cases that lie in the folder itself.
pub(super) const OJ_FOLDER: &str = "test";

/// The ending of inputs, and those of answers, in folders of cases. The first answer is
/// used where one is written.
pub(super) const INPUT: &str = "in";
pub(super) const ANSWERS: [&str; 2] = ["out", "ans"];

/// The files with the settings of a group, in the older formats and in 2025-09.
pub(super) const LEGACY_GROUP_FILE: &str = "testdata.yaml";
pub(super) const GROUP_FILE: &str = "test_group.yaml";

/// The ending of a case's folder of files for submissions.
pub(super) const CASE_FILES: &str = ".files";

/// The formats that are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PackageFormat {
    /// Kattis' format before it had versions. DOMjudge's additions are read as well,
    /// unless the user names the format.
    #[default]
    Legacy,
    /// Kattis' `legacy-icpc`: `legacy` without points.
    LegacyIcpc,
    /// Kattis' format of September 2025.
    Kattis2025,
    /// DOMjudge's: of a package without `problem.yaml`, or of one for which the user
    /// names it.
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
    pub const ALL: [Self; 7] =
        [Legacy, LegacyIcpc, Kattis2025, DomJudge, Polygon, Dmoj, Oj];

    /// The name by which users select it; for Kattis' formats, their own version name.
    pub fn name(self) -> &'static str {
        match self {
            Legacy => "legacy",
            LegacyIcpc => "legacy-icpc",
            Kattis2025 => "2025-09",
            DomJudge => "domjudge",
            Polygon => "polygon",
            Dmoj => "dmoj",
            Oj => "oj",
        }
    }

    /// Whether it has the files and folders of Kattis' formats, as DOMjudge's has.
    pub fn has_kattis_layout(self) -> bool {
        !matches!(self, Polygon | Dmoj | Oj)
    }

    /// Whether it is a format of Kattis itself, not only of the same layout.
    pub(crate) fn is_of_kattis(self) -> bool {
        self.has_kattis_layout() && self != DomJudge
    }

    /// Whether files that Kattis' formats place or name differently are those of the
    /// older format. Where other formats have such files, they are.
    pub(super) fn has_legacy_layout(self) -> bool {
        self != Kattis2025
    }

    /// What a folder lacks if it is not a package of this format, in words.
    pub(crate) fn lacking(self) -> String {
        let files = self.files().iter().rev();
        match &*files.map(|file| format!("`{file}`")).joined(" and no ") {
            "" => "it has no cases (`NAME.in`) in it or in `test/`".to_owned(),
            files => format!("it has no {files}"),
        }
    }

    /// The files of which any one makes a folder a package of this format. None makes
    /// it a folder of cases.
    fn files(self) -> &'static [&'static str] {
        match self {
            Legacy | LegacyIcpc | Kattis2025 => &[PROBLEM_YAML],
            DomJudge => &[PROBLEM_YAML, DOMJUDGE_INI],
            Polygon => &[PROBLEM_XML],
            Dmoj => &[INIT_YML],
            Oj => &[],
        }
    }
}

impl fmt::Display for PackageFormat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DomJudge => out.pad("DOMjudge package"),
            Polygon => out.pad("Polygon package"),
            Dmoj => out.pad("DMOJ problem"),
            Oj => out.pad("folder of cases, as of online-judge-tools"),
            kattis => write!(out, "Kattis package, format {}", kattis.name()),
        }
    }
}

/// How the user asks for a package to be read.
#[derive(Clone, Debug, Default)]
pub enum WantedPackage {
    /// As its files tell.
    #[default]
    Any,
    /// As one of this format.
    Format(PackageFormat),
    /// As one of the cases that these patterns name, which any folder may be.
    Cases(Box<CasePatterns>),
}

impl WantedPackage {
    /// Says that a folder is not such a package, after its name, and what to do about it.
    pub(crate) fn refusal(&self, folder: &Path) -> (String, &'static str) {
        match self {
            Self::Cases(patterns) => (
                format!(
                    "holds no case: no file in it matches `{}`",
                    patterns.inputs()
                ),
                "correct the patterns, which are relative to that folder",
            ),
            Self::Format(format) => (
                format!("is not a {format}: {}", format.lacking()),
                "leave `--format` out, and the files in it tell the format",
            ),
            Self::Any => {
                if let Some((file, judges)) = foreign_problem(folder) {
                    let message = format!(
                        "is a problem of {judges} by its `{file}`, which is not read, and has no \
                         cases"
                    );
                    let remedy = "have its own tools write its cases, inputs and answers: these \
                                  are judged, within `--time-limit`";
                    return (message, remedy);
                }
                let message = if folder.is_file() {
                    "is a file, and neither a folder with a problem nor a `.zip`"
                        .to_owned()
                } else {
                    format!("is the folder of no problem: {NO_PACKAGE}")
                };
                let remedy = "name a problem by its id, or the folder of a package; `--cases` \
                              names the cases in any folder";
                (message, remedy)
            }
        }
    }
}

/// How deep cases under any names may lie.
const DEEPEST_CASE: usize = 5;

/// The files of our own problems and folders.
const OUR_FILES: [&str; 2] = ["problem.toml", "judge.toml"];

/// The files that make a folder a package. If there are several, the first here has
/// precedence.
const PACKAGE_FILES: [&str; 4] = [PROBLEM_XML, PROBLEM_YAML, DOMJUDGE_INI, INIT_YML];

/// What a folder lacks if it is not a package of any format, in words.
pub const NO_PACKAGE: &str = "it has no `problem.yaml`, `problem.xml`, \
                                     `domjudge-problem.ini` or `init.yml`, and no cases \
                                     (`NAME.in`) in it or in `test/`";

/// Returns the first of some files that is in a folder.
fn first_there(folder: &Path, names: &[&str]) -> Option<PathBuf> {
    let mut files = names.iter().map(|name| folder.join(name));
    files.find(|file| file.symlink_metadata().is_ok())
}

/// Returns the folder of a package that contains its cases, by the file that makes it a
/// package.
pub fn case_folder(file: &Path) -> &'static str {
    if file.ends_with(PROBLEM_XML) {
        "tests"
    } else if file.ends_with(OJ_FOLDER) {
        OJ_FOLDER
    } else if file.ends_with(INIT_YML) || is_of_cases(file) {
        ""
    } else {
        "data"
    }
}

/// Whether the file that makes a folder a package makes it a folder of cases.
pub fn is_of_cases(file: &Path) -> bool {
    !PACKAGE_FILES.iter().any(|name| file.ends_with(name))
}

/// Whether a file has the ending of an input in a folder of cases.
pub fn is_input(file: &Path) -> bool {
    ending(file) == INPUT
}

/// Whether a folder has an input with its answer beside it, in it or in `test`.
pub fn has_answered_cases(folder: &Path) -> bool {
    [folder.to_owned(), folder.join(OJ_FOLDER)]
        .iter()
        .any(|folder| {
            inputs(folder).iter().any(|input| {
                ANSWERS
                    .iter()
                    .any(|ending| input.with_extension(ending).is_file())
            })
        })
}

/// The inputs directly in a folder, sorted.
fn inputs(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = folder
        .read_dir()
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| !is_hidden_name(&entry.file_name()))
        .map(|entry| entry.path())
        .filter(|path| is_input(path) && path.is_file())
        .collect();
    found.sort();
    found
}

/// Returns the file that makes a folder a package of the wanted format, or of any. The
/// package is the folder itself or the only folder in it. Cases are looked for among this
/// many files and folders.
pub fn found_package_file(
    folder: &Path,
    wanted: &WantedPackage,
    most_files: usize,
) -> Option<PathBuf> {
    file_among(&with_only_folder(folder), wanted, most_files)
}

/// Returns the folders of which one may be a package: this one, and the folder in it if
/// nothing else is there.
fn with_only_folder(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut seen = entries.filter(|entry| !is_hidden_name(&entry.file_name()));
    let mut folders = vec![folder.to_owned()];
    if let (Some(only), None) = (seen.next(), seen.next())
        && only.file_type().is_ok_and(|kind| kind.is_dir())
    {
        folders.push(only.path());
    }
    folders
}

/// Returns the file that makes one of some folders a package of the wanted format, or
/// of any: for a folder of cases, `test`, or the first case that lies in the folder
/// itself. Pairs of files make only the first one.
pub(super) fn file_among(
    folders: &[PathBuf],
    wanted: &WantedPackage,
    most_files: usize,
) -> Option<PathBuf> {
    let mut each = folders.iter();
    let format = match wanted {
        WantedPackage::Cases(patterns) => {
            return each
                .find_map(|folder| matching_entry(folder, patterns, most_files));
        }
        WantedPackage::Format(format) => Some(*format),
        WantedPackage::Any => None,
    };
    let takes_pairs = format.is_none_or(|format| format == Oj);
    each.find_map(|folder| file_of_format(folder, format))
        .or_else(|| {
            let folder = folders.first().filter(|_| takes_pairs)?;
            paired_entry(folder, most_files)
        })
}

/// Whether a folder, or the only folder in it, is a package by its files, and not only
/// by pairs of files.
pub fn has_package_file(folder: &Path) -> bool {
    with_only_folder(folder)
        .iter()
        .any(|folder| file_of_format(folder, None).is_some())
}

/// The first entry of a folder that holds a pair of an input and an answer. A folder
/// with problems in it is none of cases, and neither is one of very many files.
fn paired_entry(folder: &Path, most_files: usize) -> Option<PathBuf> {
    let mut files = vec![];
    let entries = WalkDir::new(folder)
        .max_depth(DEEPEST_CASE)
        .into_iter()
        .filter_entry(|entry| {
            entry.depth() == 0 || !is_hidden_name(entry.file_name())
        });
    for (number, entry) in entries.enumerate() {
        let Ok(entry) = entry else {
            continue;
        };
        let name = entry.file_name();
        let is_of_problem = PACKAGE_FILES
            .iter()
            .chain(&OUR_FILES)
            .any(|file| name == *file);
        if is_of_problem || number > most_files {
            return None;
        }
        let below = entry
            .path()
            .strip_prefix(folder)
            .ok()
            .and_then(Path::to_str);
        files.extend(
            below
                .filter(|_| !entry.file_type().is_dir())
                .map(str::to_owned),
        );
    }
    let found = paired_files(files.iter().map(String::as_str));
    Some(folder.join(first_part(&found.cases.first()?.input)))
}

/// The first entry of a folder that is an input by these patterns, or holds one.
fn matching_entry(
    folder: &Path,
    patterns: &CasePatterns,
    most_files: usize,
) -> Option<PathBuf> {
    let names = WalkDir::new(folder)
        .max_depth(patterns.depth())
        .follow_links(true)
        .sort_by_file_name()
        .into_iter()
        .flatten()
        .take(most_files)
        .filter(|entry| entry.file_type().is_file());
    let names = names.filter_map(|entry| {
        Some(entry.path().strip_prefix(folder).ok()?.to_str()?.to_owned())
    });
    let input = { names }.find(|name| patterns.matches_input(name))?;
    Some(folder.join(first_part(&input)))
}

/// Returns the file that makes a folder a package of a format, or of any, without cases
/// under other names than `NAME.in`.
fn file_of_format(folder: &Path, wanted: Option<PackageFormat>) -> Option<PathBuf> {
    let of_cases = || {
        let test = folder.join(OJ_FOLDER);
        // Such a file may be the first case of Polygon or of an Italian contest.
        let has_other_cases = ["1", "01", "001", "input0.txt", "input1.txt"]
            .iter()
            .any(|name| test.join(name).is_file());
        if inputs(&test).is_empty() && !has_other_cases {
            inputs(folder).into_iter().next()
        } else {
            Some(test)
        }
    };
    match wanted {
        Some(Oj) => of_cases(),
        Some(wanted) => first_there(folder, wanted.files()),
        None => first_there(folder, &PACKAGE_FILES).or_else(of_cases),
    }
}

/// Whether a file makes its folder a package.
pub fn is_package_file(file: &Path) -> bool {
    // Names first: of thousands of files, few need a look at the disk.
    !is_of_cases(file)
        && file
            .parent()
            .and_then(|folder| first_there(folder, &PACKAGE_FILES))
            .is_some_and(|first| first == file)
}
