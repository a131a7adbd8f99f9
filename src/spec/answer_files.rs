//! A submission that is answers: which of its files answers which case, by their names. It may come from somebody hostile: no link
//! is followed, nothing but files is taken, and there is an end to what is looked at. Start at [`AnswerFiles::of`] and
//! [`unpack_answers`].

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;

use walkdir::DirEntry;
use walkdir::WalkDir;

use crate::mistake::Mistake;
use crate::mistake::Mistakes;
use crate::model::Case;
use crate::model::SourceFile;
use crate::model::SubmittedAnswers;
use crate::package;
use crate::package::UnpackError;
use crate::spec::archive_folder::ArchiveFolder;

/// Endings of files that are answers.
const ENDINGS: [&str; 2] = [".out", ".ans"];

/// Files and folders of a submission.
const MOST_ENTRIES: usize = 100_000;

/// Bytes that an archive of answers may come to. As many are there at once as are judged at once.
const MOST_UNPACKED: u64 = 256 << 20;

/// What archives of one system hold beside what was packed.
const MAC_FOLDER: &str = "__MACOSX";

/// The answers of a submission, and what they were unpacked into, if they were, for as long as this lives.
#[derive(Debug)]
pub struct UnpackedAnswers {
    /// The answers.
    pub answers: SubmittedAnswers,
    /// What they lie in.
    pub folder: Option<ArchiveFolder>,
}

/// Why a submission is no set of answers.
#[derive(Debug)]
pub enum AnswersError {
    /// Because of what was handed in: all that is wrong with it.
    Refused(Mistakes),
    /// It cannot be read, or not be unpacked, which may be nobody's fault who handed it in.
    Unreadable(Mistakes),
}

impl<T: Into<Mistakes>> From<T> for AnswersError {
    fn from(refused: T) -> Self {
        Self::Refused(refused.into())
    }
}

/// The files of a submission.
pub(super) struct AnswerFiles<'a> {
    /// The file, folder or archive that was handed in.
    submission: &'a Path,
    files: Vec<SourceFile>,
    /// Whether it is a single file, which is not known by its name.
    is_single: bool,
    folder: Option<ArchiveFolder>,
}

/// What an archive of answers answers to these cases. It is unpacked for that, and goes with the value.
///
/// # Errors
/// As of a folder of them; an archive that is refused, or cannot be unpacked.
pub fn unpack_answers(archive: &Path, cases: &[Case]) -> Result<UnpackedAnswers, AnswersError> {
    let folder = unpack(archive)?;
    let files = below(&folder.content(), archive)?;
    AnswerFiles { submission: archive, files, is_single: false, folder: Some(folder) }.by_case(cases)
}

/// Whether a submission is an archive, to be unpacked by [`unpack_answers`].
pub fn is_packed(submission: &Path) -> bool {
    package::is_archive(submission) && !submission.is_dir()
}

impl<'a> AnswerFiles<'a> {
    /// The files of a folder, or the only one.
    ///
    /// # Errors
    /// Every file that is a link or none at all, or has a name that is no text.
    pub(super) fn of(submission: &'a Path) -> Result<Self, AnswersError> {
        if submission.is_dir() {
            let files = below(submission, submission)?;
            return Ok(Self { submission, files, is_single: false, folder: None });
        }
        let name = submission.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let files = vec![SourceFile { name, path: real(submission)? }];
        Ok(Self { submission, files, is_single: true, folder: None })
    }

    /// The same of a submission in a package, whose files were looked at with it.
    ///
    /// # Errors
    /// As [`AnswerFiles::of`].
    pub(super) fn in_package(submission: &'a Path, files: &[SourceFile]) -> Result<Self, AnswersError> {
        if !submission.is_dir() {
            return Self::of(submission);
        }
        // Links within the package are its own affair.
        let files = files.iter().map(|file| Ok(SourceFile { path: real(&file.path)?, ..file.clone() }));
        let files = files.collect::<Result<_, AnswersError>>()?;
        Ok(Self { submission, files, is_single: false, folder: None })
    }

    /// The cases that they answer.
    ///
    /// # Errors
    /// Every file that answers no case, or one that another answers as well; none at all.
    pub(super) fn by_case(self, cases: &[Case]) -> Result<UnpackedAnswers, AnswersError> {
        let answers = self.answers(cases)?;
        Ok(UnpackedAnswers { answers, folder: self.folder })
    }

    fn answers(&self, cases: &[Case]) -> Result<SubmittedAnswers, Mistakes> {
        if let ([only], true) = (&self.files[..], self.is_single) {
            let [case] = cases else { return Err(self.single(cases).into()) };
            return Ok(SubmittedAnswers::new([(case.name.clone(), only.path.clone())].into()));
        }
        let around = self.folder_around(cases).map_or_else(String::new, |name| format!("{name}/"));
        let mut by_case = BTreeMap::new();
        let mut mistakes = Vec::new();
        for file in &self.files {
            let place = self.submission.join(&file.name);
            match case_of(file.name.strip_prefix(&around).unwrap_or(&file.name), cases) {
                Ok(case) if by_case.contains_key(case) => {
                    let message = format!("is a second answer to the case `{case}`");
                    mistakes.push(Mistake::of(place, message).with_remedy("leave one of the two out"));
                }
                Ok(case) => drop(by_case.insert(case.to_owned(), file.path.clone())),
                Err(message) => {
                    let remedy = format!("call it as its case: {}", example(cases));
                    mistakes.push(Mistake::of(place, message).with_remedy(remedy));
                }
            }
        }
        if self.files.is_empty() {
            let remedy = format!("put answers into it: {}", example(cases));
            mistakes.push(Mistake::of(self.submission, "holds no answers").with_remedy(remedy));
        }
        Mistakes::or(mistakes, SubmittedAnswers::new(by_case))
    }

    /// The only folder in it, where all files lie in one that no case knows of, as archives often have it.
    fn folder_around(&self, cases: &[Case]) -> Option<String> {
        let (first, _) = self.files.first()?.name.split_once('/')?;
        let is_around =
            self.files.iter().all(|file| file.name.split_once('/').is_some_and(|(top, _)| top == first));
        let is_known = cases.iter().any(|case| case.name.split('/').any(|part| part == first));
        (is_around && !is_known).then(|| first.to_owned())
    }

    fn single(&self, cases: &[Case]) -> Mistake {
        let message = format!("is one file, and the problem has {} cases", cases.len());
        let remedy =
            format!("hand in a folder or an archive (`.zip`) with a file for each: {}", example(cases));
        Mistake::of(self.submission, message).with_remedy(remedy)
    }
}

/// Unpacks an archive.
fn unpack(archive: &Path) -> Result<ArchiveFolder, AnswersError> {
    let failed = |error| unreadable(Mistake::of(archive, format!("cannot be unpacked: {error}")));
    let folder = ArchiveFolder::make().map_err(failed)?;
    let unpacked = package::unpack_within(archive, &folder.content(), MOST_UNPACKED);
    unpacked.map_err(|error| match error {
        UnpackError::Refused(mistakes) => AnswersError::Refused(mistakes),
        UnpackError::Failed(mistake) => unreadable(mistake),
    })?;
    Ok(folder)
}

/// How an answer may be called.
fn example(cases: &[Case]) -> String {
    let first = cases.first().map_or("secret/1", |case| case.name.as_str());
    format!("`{first}{}`", ENDINGS[0])
}

/// The case that a file answers: the one of its name, or the only one whose name ends with it.
fn case_of<'c>(name: &str, cases: &'c [Case]) -> Result<&'c str, String> {
    let Some(stem) = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)) else {
        return Err("is no answer: it ends with neither `.out` nor `.ans`".to_owned());
    };
    if let Some(case) = cases.iter().find(|case| case.name == stem) {
        return Ok(&case.name);
    }
    let ends = |case: &&Case| case.name.strip_suffix(stem).is_some_and(|rest| rest.ends_with('/'));
    let mut found = cases.iter().filter(ends);
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(&only.name),
        (Some(one), Some(other)) => {
            Err(format!("may be the answer to the case `{}` or to `{}`", one.name, other.name))
        }
        (None, _) => Err("is the answer to no case".to_owned()),
    }
}

/// All files below a folder, which is told as the submission that it holds.
fn below(folder: &Path, submission: &Path) -> Result<Vec<SourceFile>, AnswersError> {
    let is_hidden = |entry: &DirEntry| {
        let name = entry.file_name().as_encoded_bytes();
        entry.depth() > 0 && (name.starts_with(b".") || name == MAC_FOLDER.as_bytes())
    };
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter();
    let (mut files, mut mistakes) = (Vec::new(), Vec::new());
    for (looked, entry) in entries.filter_entry(|entry| !is_hidden(entry)).enumerate() {
        if looked > MOST_ENTRIES {
            let message = format!("more than {MOST_ENTRIES} files and folders are in the submission");
            return Err(Mistake::of(submission, message).with_remedy("hand in answers only").into());
        }
        match file(&entry.map_err(|error| not_walked(submission, &error))?, folder, submission) {
            Ok(found) => files.extend(found),
            Err(AnswersError::Refused(Mistakes(found))) => mistakes.extend(found),
            Err(unreadable) => return Err(unreadable),
        }
    }
    Ok(Mistakes::or(mistakes, files)?)
}

/// The file that an entry is; none of a folder.
fn file(entry: &DirEntry, folder: &Path, submission: &Path) -> Result<Option<SourceFile>, AnswersError> {
    let below = entry.path().strip_prefix(folder).unwrap_or(entry.path());
    let place = submission.join(below);
    // What was named may be a link; what lies in it may not.
    if entry.depth() == 0 || entry.file_type().is_dir() {
        return Ok(None);
    }
    if entry.path_is_symlink() {
        return Err(Mistake::of(place, "is a link").with_remedy("put the file itself in its place").into());
    }
    if !entry.file_type().is_file() {
        return Err(Mistake::of(place, "is neither a file nor a folder").with_remedy("leave it out").into());
    }
    match below.to_str().filter(|name| !name.chars().any(char::is_control)) {
        Some(name) => Ok(Some(SourceFile { name: name.to_owned(), path: real(entry.path())? })),
        None => {
            let message = "has a name that is no text, or has line breaks or control characters in it";
            Err(Mistake::of(place, message).with_remedy("rename it").into())
        }
    }
}

/// Where a file really lies, so that it is opened without following a link.
fn real(path: &Path) -> Result<PathBuf, AnswersError> {
    let failed = |error| unreadable(Mistake::of(path, format!("cannot be read: {error}")));
    path.canonicalize().map_err(failed)
}

fn not_walked(submission: &Path, error: &walkdir::Error) -> AnswersError {
    let cause = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
    unreadable(Mistake::of(submission, format!("cannot be read: {cause}")))
}

fn unreadable(mistake: Mistake) -> AnswersError {
    AnswersError::Unreadable(mistake.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(names: &[&str]) -> Vec<Case> {
        let case =
            |name: &&str| Case { name: (*name).to_owned(), input: PathBuf::new(), answer: PathBuf::new() };
        names.iter().map(case).collect()
    }

    #[test]
    fn a_file_answers_the_case_of_its_name_or_the_only_one_that_ends_with_it() {
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
            ("1.out", "may be the answer to the case `sample/1` or to `secret/1`"),
            ("3.out", "is the answer to no case"),
            (".out", "is the answer to no case"),
            ("secret/12", "is no answer: it ends with neither `.out` nor `.ans`"),
        ] {
            assert_eq!(case_of(name, &cases), Err(said.to_owned()), "{name}");
        }
    }
}
