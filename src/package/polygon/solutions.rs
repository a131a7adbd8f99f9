//! Reads the solutions of a Polygon package, and the verdicts that their tags promise. Start at
//! [`read`].

use std::path::{Path, PathBuf};

use crate::mistake::{Mistake, quoted};
use crate::model::{CaseExpectations, Expected, SourceFile, Verdict};
use crate::package::polygon::source_file::source_of;
use crate::package::reading::ReadingNotes;
use crate::package::submissions::{PackageSubmission, PackageSubmissions, SkippedSubmission};
use crate::package::tree::PackageTree;
use crate::package::xml::XmlElement;

/// The folder that most solutions are in.
const FOLDER: &str = "solutions/";

/// The tag of the model solution.
const MAIN: &str = "main";

/// The verdicts that each tag expectations. A program that is too slow may be idle too long, and
/// one that is refused memory may end with an error.
const TAGS: [(&str, &[Verdict]); 11] = {
    use Verdict::*;
    [
        (MAIN, &[Accepted]),
        ("accepted", &[Accepted]),
        ("wrong-answer", &[WrongAnswer]),
        ("presentation-error", &[PresentationError]),
        ("time-limit-exceeded", &[TimeLimit, IdleLimit]),
        (
            "time-limit-exceeded-or-accepted",
            &[TimeLimit, IdleLimit, Accepted],
        ),
        ("memory-limit-exceeded", &[MemoryLimit, RuntimeError]),
        (
            "time-limit-exceeded-or-memory-limit-exceeded",
            &[TimeLimit, IdleLimit, MemoryLimit, RuntimeError],
        ),
        ("runtime-error", &[RuntimeError]),
        ("failed", &[RuntimeError]),
        (
            "rejected",
            &[
                WrongAnswer,
                PresentationError,
                TimeLimit,
                IdleLimit,
                MemoryLimit,
                OutputLimit,
                RuntimeError,
                CompileError,
            ],
        ),
    ]
};

/// Finds the solutions.
pub(super) fn read(
    assets: &XmlElement<'_>,
    tree: &PackageTree,
    notes: &mut ReadingNotes,
) -> PackageSubmissions {
    let mut found = PackageSubmissions::default();
    for solution in assets
        .child("solutions")
        .into_iter()
        .flat_map(|all| all.children("solution"))
    {
        let Some(source) = notes.take_unless_noted(source_of(&solution, tree)) else {
            continue;
        };
        let name = source
            .strip_prefix(&tree.root)
            .unwrap_or(source)
            .to_string_lossy()
            .into_owned();
        let name = name.strip_prefix(FOLDER).unwrap_or(&name).to_owned();
        let tag = solution.attribute("tag").unwrap_or_default();
        if is_python_2(&solution) {
            let reason = "it is in Python 2, which is not a language of this judge".to_owned();
            found.left_out.push(SkippedSubmission { name, reason });
            continue;
        }
        match TAGS.iter().find(|row| row.0 == tag) {
            Some((_, verdicts)) => found.judged.push(PackageSubmission {
                files: vec![SourceFile {
                    name: source_name(source),
                    path: source.to_owned(),
                }],
                language: None,
                entrypoint: None,
                name,
                expected: Expected::one_of(verdicts.iter().copied()),
                expectations: CaseExpectations::default(),
                is_model: tag == MAIN,
            }),
            None => {
                let reason = format!(
                    "its tag {} says nothing of what is expected of it",
                    quoted(tag)
                );
                found.left_out.push(SkippedSubmission { name, reason });
            }
        }
    }
    notes.mistakes.extend(named_twice(&found, assets));
    found
}

/// Whether the type of a solution says that it is in Python 2, which has the ending of Python 3.
fn is_python_2(solution: &XmlElement<'_>) -> bool {
    let kind = solution
        .child("source")
        .and_then(|source| source.attribute("type"));
    kind.is_some_and(is_type_of_python_2)
}

/// Whether Polygon's name of a type is that of Python 2, in any implementation, or a mask for it.
pub(super) fn is_type_of_python_2(kind: &str) -> bool {
    kind == "python.2" || kind.starts_with("python.2.") || kind.starts_with("python.pypy2")
}

fn source_name(source: &Path) -> String {
    source
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// The mistake that two solutions are the same file.
fn named_twice(found: &PackageSubmissions, assets: &XmlElement<'_>) -> Option<Mistake> {
    let mut paths: Vec<&PathBuf> = found
        .judged
        .iter()
        .flat_map(|one| &one.files)
        .map(|file| &file.path)
        .collect();
    paths.sort();
    let twice = paths.windows(2).find(|pair| pair[0] == pair[1])?[0];
    let name = twice.file_name().unwrap_or_default().to_string_lossy();
    let mistake = assets.mistake(format!("two solutions are the file {}", quoted(&name)));
    Some(mistake.with_remedy("delete one of the two, or its tag"))
}
