//! The submissions of a package and what is expected of them: by the folder that each lies in, by `submissions.yaml`, by
//! `@EXPECTED_RESULTS@` in the source. Start at [`PackageSubmissions::read`].

mod rules_2025;

use std::path::Path;
use std::path::PathBuf;

use crate::mistake::Mistake;
use crate::model::Expected;
use crate::model::Verdict;
use crate::package::expected_results;
use crate::package::metadata::PackageMetadata;
use crate::package::reading::ReadingNotes;
use crate::package::tree::PackageTree;
use rules_2025::SubmissionRules;

/// Folders that mean the same to all judges, whatever a source says.
const OFFICIAL: [(&str, &[Verdict]); 4] = [
    ("accepted", &[Verdict::Accepted]),
    ("wrong_answer", &[Verdict::WrongAnswer]),
    ("time_limit_exceeded", &[Verdict::TimeLimit, Verdict::IdleLimit]),
    ("run_time_error", &[Verdict::RuntimeError, Verdict::MemoryLimit]),
];

/// Files beside the folders that are no submissions.
const BESIDE: [&str; 2] = ["submissions.yaml", "submissions.json"];

/// Bytes of a source in which constants are looked for.
const MOST_SOURCE: u64 = 1 << 20;

/// A submission of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageSubmission {
    /// As seen from `submissions`.
    pub name: String,
    /// Its only source.
    pub path: PathBuf,
    /// What is expected of it altogether.
    pub expected: Expected,
}

/// A submission of a package that is not judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOutSubmission {
    /// As seen from `submissions`.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// The submissions of a package.
#[derive(Clone, Debug, Default)]
pub(super) struct PackageSubmissions {
    pub(super) judged: Vec<PackageSubmission>,
    pub(super) left_out: Vec<LeftOutSubmission>,
}

impl PackageSubmissions {
    /// Finds the submissions.
    pub(super) fn read(tree: &PackageTree, metadata: &PackageMetadata, notes: &mut ReadingNotes) -> Self {
        let mut found = Self::default();
        let rules = match metadata.format.is_legacy() {
            true => None,
            false => Some(SubmissionRules::read(tree, notes)),
        };
        for name in programs(tree, notes) {
            let short = name["submissions/".len()..].to_owned();
            match program(tree, &name, metadata) {
                Err(reason) => found.left_out.push(LeftOutSubmission { name: short, reason }),
                Ok(path) => match expected(&short, path, rules.as_ref(), notes) {
                    Ok(Some(expected)) => {
                        found.judged.push(PackageSubmission { name: short, path: path.to_owned(), expected });
                    }
                    Ok(None) => {
                        let reason = "nothing says what is expected of it".to_owned();
                        found.left_out.push(LeftOutSubmission { name: short, reason });
                    }
                    Err(mistake) => notes.mistakes.push(mistake),
                },
            }
        }
        rules.iter().for_each(|rules| rules.refuse_unused(notes));
        found
    }
}

/// The programs in the folders of `submissions`: files, and folders of files.
fn programs(tree: &PackageTree, notes: &mut ReadingNotes) -> Vec<String> {
    let (folders, files): (Vec<_>, Vec<_>) =
        tree.children("submissions").into_iter().partition(|name| tree.has_folder(name));
    for file in files.iter().filter(|file| !BESIDE.iter().any(|known| file.ends_with(&format!("/{known}")))) {
        notes.ignore(format!("`{file}`: it lies in no folder of `submissions`"));
    }
    folders.iter().flat_map(|folder| tree.children(folder)).map(str::to_owned).collect()
}

/// The only source of a program; why it is not judged if it has none, or several, or is too large.
fn program<'t>(tree: &'t PackageTree, name: &str, metadata: &PackageMetadata) -> Result<&'t Path, String> {
    let path = match tree.file(name) {
        Some(path) => path,
        None => {
            let files: Vec<_> = tree.below(name).collect();
            match files[..] {
                [(_, path)] => path,
                [] => return Err("its folder is empty".to_owned()),
                _ => {
                    return Err(format!(
                        "it has {} files, and programs of several are not built yet",
                        files.len()
                    ));
                }
            }
        }
    };
    let bytes = path.metadata().map_or(0, |found| found.len());
    if bytes > metadata.limits.code_bytes {
        return Err(format!("it has {bytes} bytes, and {} are allowed", metadata.limits.code_bytes));
    }
    match constant_in(path, &metadata.constants) {
        Some(name) => {
            Err(format!("it holds the constant `{{{{{name}}}}}`, and constants are not filled in yet"))
        }
        None => Ok(path),
    }
}

/// The constant that a source holds.
fn constant_in<'c>(path: &Path, constants: &'c [String]) -> Option<&'c str> {
    if constants.is_empty() {
        return None;
    }
    let bytes = crate::files::read(path, MOST_SOURCE).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    constants.iter().map(String::as_str).find(|name| text.contains(&format!("{{{{{name}}}}}")))
}

/// What is expected of a submission, if anything says so.
fn expected(
    name: &str,
    path: &Path,
    rules: Option<&SubmissionRules>,
    notes: &mut ReadingNotes,
) -> Result<Option<Expected>, Mistake> {
    let folder = name.split('/').next().unwrap_or(name);
    if let Some(rules) = rules {
        return Ok(rules.expected(name, folder));
    }
    let official = OFFICIAL.iter().find(|row| row.0 == folder);
    if let Some((_, verdicts)) = official {
        if matches!(expected_results::of_source(path), Ok(Some(_)) | Err(_)) {
            notes.ignore(format!(
                "`{}` in `submissions/{name}`, since its folder says it",
                expected_results::WORD
            ));
        }
        return Ok(Some(Expected::one_of(verdicts.iter().copied())));
    }
    let of_source = expected_results::of_source(path)?.map(|(_, expected)| expected);
    let of_folder = || expected_results::verdicts_of(folder).map(Expected::one_of);
    Ok(of_source.or_else(of_folder))
}
