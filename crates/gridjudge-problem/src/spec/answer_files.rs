//! Matches the files of an answer submission to cases by their names. A submission may
//! be hostile: links in it are not followed, only regular files are accepted, and the
//! number of entries is bounded. Start at [`answers_in`] and [`unpack_answers`].

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::files::{self, UnfinishedFolder};
use crate::mistake::{Mistake, Mistakes, ReadFailure};
use crate::model::{Case, SourceFile, SubmittedAnswers};
use crate::package::{self, UnpackBounds};

/// Endings of answer files.
const ENDINGS: [&str; 2] = [".out", ".ans"];

/// The most files and folders of a submission.
const MOST_ENTRIES: usize = 100_000;

/// The most bytes that an archive of answers may unpack to. Each submission judged at
/// the same time may need this much.
const MOST_UNPACKED: u64 = 256 << 20;

/// The answers of a submission. If they were unpacked, their folder exists as long as
/// this value.
#[derive(Debug)]
pub struct UnpackedAnswers {
    /// The answers.
    pub answers: SubmittedAnswers,
    /// The folder they were unpacked into; `None` if they were no archive.
    pub folder: Option<ArchiveFolder>,
}

/// Unpacks an archive of answers and matches its files to the cases. It is read only at
/// its place without links, if that is given. The unpacked files are removed with the
/// returned value.
///
/// # Errors
/// Returns an error as for a folder of answers, and if the archive is refused or cannot
/// be unpacked.
pub fn unpack_answers(
    archive: &Path,
    real: Option<&Path>,
    cases: &[Case],
) -> Result<UnpackedAnswers, ReadFailure> {
    let folder = ArchiveFolder::make(archive).map_err(ReadFailure::unreadable)?;
    let opened = real.map_or_else(|| files::open_file(archive), files::open_real);
    let most = UnpackBounds {
        bytes: MOST_UNPACKED,
        files: MOST_ENTRIES,
    };
    package::unpack_within(archive, opened, &folder.content(), most)?;
    let files = below(&folder.content(), archive)?;
    Ok(UnpackedAnswers {
        answers: by_case(archive, files, cases)?,
        folder: Some(folder),
    })
}

/// Whether a submission is an archive, to be unpacked by [`unpack_answers`].
pub fn is_packed(submission: &Path) -> bool {
    package::is_archive(submission) && !submission.is_dir()
}

/// Matches the files of a submission to the cases: those of a folder, or a single file,
/// whose name does not matter. The files of a folder in a package are `listed`: they
/// were found and checked with the package.
///
/// # Errors
/// Reports every entry that is a link or not a regular file, or whose name is not
/// UTF-8; every file that answers no case or a case that another file answers; and a
/// submission without files.
pub(super) fn answers_in(
    submission: &Path,
    listed: Option<&[SourceFile]>,
    cases: &[Case],
) -> Result<SubmittedAnswers, ReadFailure> {
    if submission.is_dir() {
        let files = match listed {
            // Links within a package are allowed.
            Some(listed) => listed
                .iter()
                .map(|file| Ok(SourceFile::new(&file.name, real(&file.path)?)))
                .collect::<Result<_, ReadFailure>>()?,
            None => below(submission, submission)?,
        };
        return Ok(by_case(submission, files, cases)?);
    }
    let path = real(submission)?;
    let [case] = cases else {
        return Mistake::refuse(
            submission,
            format!("is one file, and the problem has {} cases", cases.len()),
            format!(
                "hand in a folder or an archive (`.zip`) with a file for each: {}",
                example(cases)
            ),
        );
    };
    Ok([(case.name.clone(), path)].into())
}

/// Matches the files of a folder or an archive to the cases.
fn by_case(
    submission: &Path,
    files: Vec<SourceFile>,
    cases: &[Case],
) -> Result<SubmittedAnswers, Mistakes> {
    let around = folder_around(&files, cases)
        .map(|name| format!("{name}/"))
        .unwrap_or_default();
    let mut by_case = BTreeMap::new();
    let mut mistakes = vec![];
    for file in &files {
        let name = file.name.strip_prefix(&around).unwrap_or(&file.name);
        let (message, remedy) = match case_of(name, cases) {
            Ok(case) if by_case.contains_key(case) => (
                format!("is a second answer to the case `{case}`"),
                "leave one of the two out".to_owned(),
            ),
            Ok(case) => {
                by_case.insert(case.to_owned(), file.path.clone());
                continue;
            }
            Err(message) => {
                (message, format!("call it as its case: {}", example(cases)))
            }
        };
        mistakes.push(Mistake::new(submission.join(&file.name), message, remedy));
    }
    if files.is_empty() {
        mistakes.push(Mistake::new(
            submission,
            "holds no answers",
            format!("put answers into it: {}", example(cases)),
        ));
    }
    Mistakes::or(mistakes, by_case)
}

/// The folder that all files are in, if no case name has a part of its name. Archives
/// often have such a folder.
fn folder_around<'f>(files: &'f [SourceFile], cases: &[Case]) -> Option<&'f str> {
    let (first, _) = files.first()?.name.split_once('/')?;
    let is_around = files.iter().all(|file| {
        file.name
            .split_once('/')
            .is_some_and(|(top, _)| top == first)
    });
    let is_known = cases
        .iter()
        .any(|case| case.name.split('/').any(|part| part == first));
    (is_around && !is_known).then_some(first)
}

/// An example of the name of an answer file, for messages.
fn example(cases: &[Case]) -> String {
    let first = cases.first().map_or("secret/1", |case| case.name.as_str());
    format!("`{first}{}`", ENDINGS[0])
}

/// The case that a file answers: the case with the file's name, or the only case whose
/// name ends with it.
fn case_of<'c>(name: &str, cases: &'c [Case]) -> Result<&'c str, String> {
    let Some(stem) = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending))
    else {
        return Err(
            "is not an answer: it ends with neither `.out` nor `.ans`".to_owned()
        );
    };
    if let Some(case) = cases.iter().find(|case| case.name == stem) {
        return Ok(&case.name);
    }
    let mut found = cases.iter().filter(|case| {
        case.name
            .strip_suffix(stem)
            .is_some_and(|rest| rest.ends_with('/'))
    });
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(&only.name),
        (Some(one), Some(other)) => Err(format!(
            "may be the answer to the case `{}` or to `{}`",
            one.name, other.name
        )),
        (None, _) => Err("is the answer to no case".to_owned()),
    }
}

/// Whether an entry is looked at: the folder itself, and what no system hides or adds.
fn is_shown(entry: &DirEntry) -> bool {
    entry.depth() == 0 || !package::is_hidden_name(entry.file_name())
}

/// All files below a folder. Mistakes name the path of the submission in its place.
fn below(folder: &Path, submission: &Path) -> Result<Vec<SourceFile>, ReadFailure> {
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter();
    let mut files = vec![];
    let mut mistakes = vec![];
    for (looked, entry) in entries.filter_entry(is_shown).enumerate() {
        if looked > MOST_ENTRIES {
            let message = format!(
                "more than {MOST_ENTRIES} files and folders are in the submission"
            );
            return Mistake::refuse(submission, message, "hand in answers only");
        }
        let entry = entry.map_err(|error| {
            let cause = error.io_error().map(ToString::to_string);
            let cause = cause.unwrap_or_else(|| error.to_string());
            ReadFailure::unreadable(Mistake::unreadable(submission, cause))
        })?;
        // The submission itself may be a link; entries in it may not.
        if entry.depth() == 0 || entry.file_type().is_dir() {
            continue;
        }
        let path = entry.path();
        let below = path.strip_prefix(folder).unwrap_or(path);
        let name = below.to_str();
        let (message, remedy) = if entry.path_is_symlink() {
            ("is a link", "put the file itself in its place")
        } else if !entry.file_type().is_file() {
            ("is neither a file nor a folder", "leave it out")
        } else if let Some(name) = name
            && !name.contains(char::is_control)
        {
            files.push(SourceFile::new(name, real(path)?));
            continue;
        } else {
            let message = "has a name that is not text, or has line breaks or control \
                           characters in it";
            (message, "rename it")
        };
        mistakes.push(Mistake::new(submission.join(below), message, remedy));
    }
    Ok(Mistakes::or(mistakes, files)?)
}

/// The canonical path of a file, so that opening it follows no link.
fn real(path: &Path) -> Result<PathBuf, ReadFailure> {
    path.canonicalize()
        .map_err(|error| ReadFailure::unreadable(Mistake::unreadable(path, error)))
}

/// A temporary folder for the files of an archive.
#[derive(Debug)]
pub struct ArchiveFolder(UnfinishedFolder);

impl ArchiveFolder {
    /// Creates it for an archive.
    pub(super) fn make(archive: &Path) -> Result<Self, Mistake> {
        let folder = UnfinishedFolder::temporary().and_then(|folder| {
            folder.with(|path| fs::create_dir(path.join(CONTENT)))?;
            Ok(Self(folder))
        });
        folder.map_err(|error| {
            Mistake::about_file(archive, format!("cannot be unpacked: {error}"))
        })
    }

    /// The folder to unpack into, whose name is the same each time.
    pub(super) fn content(&self) -> PathBuf {
        self.0.path().join(CONTENT)
    }
}

const CONTENT: &str = "content";

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(names: &[&str]) -> Vec<Case> {
        names
            .iter()
            .map(|name| Case {
                name: (*name).to_owned(),
                input: PathBuf::new(),
                answer: PathBuf::new(),
            })
            .collect()
    }

    #[test]
    fn a_file_answers_the_case_with_its_name_or_the_only_case_that_ends_with_it() {
        let cases = cases(&["sample/1", "secret/1", "secret/a/2", "secret/12"]);
        for (name, case) in [
            ("sample/1.out", "sample/1"),
            ("a/2.ans", "secret/a/2"),
            ("2.out", "secret/a/2"),
            ("12.out", "secret/12"),
        ] {
            assert_eq!(case_of(name, &cases), Ok(case), "{name}");
        }
        for (name, said) in [
            (
                "1.out",
                "may be the answer to the case `sample/1` or to `secret/1`",
            ),
            ("3.out", "is the answer to no case"),
            (".out", "is the answer to no case"),
            (
                "secret/12",
                "is not an answer: it ends with neither `.out` nor `.ans`",
            ),
        ] {
            assert_eq!(case_of(name, &cases), Err(said.to_owned()), "{name}");
        }
    }
}
