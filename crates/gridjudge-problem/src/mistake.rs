//! Mistakes in files that people wrote for the judge, each with its place and a remedy.
//! Readers report all mistakes of a file at once.

mod key_words;

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};

use crate::files::{self, FileError};

pub(crate) use key_words::{KeySyntax, meant_key, suggestion_or};
pub use key_words::{misspelt, nearest, path_remedy, suggestion};

/// One mistake in one file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mistake {
    /// The file or folder.
    pub path: PathBuf,
    /// The line, from 1; `None` if the mistake has no single line.
    pub line: Option<u64>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub remedy: Option<String>,
    /// The line itself, if it helps to see it.
    pub excerpt: Option<Box<SourceExcerpt>>,
}

/// A line of a file, part of which is marked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourceExcerpt {
    /// The line.
    pub text: String,
    /// Characters before the marked part.
    pub start: usize,
    /// Characters of the marked part; it may be empty.
    pub length: usize,
}

/// One or more mistakes.
#[derive(Clone, Debug, thiserror::Error)]
pub struct Mistakes(pub Vec<Mistake>);

impl Mistake {
    /// Creates a mistake about a whole file or folder.
    pub fn about_file(path: impl Into<PathBuf>, message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            line: None,
            message: message.into(),
            remedy: None,
            excerpt: None,
        }
    }

    /// Creates a mistake about a whole file or folder, with its remedy.
    pub fn new(
        path: impl Into<PathBuf>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::about_file(path, message).with_remedy(remedy)
    }

    /// Returns a mistake about a whole file or folder in place of a value.
    ///
    /// # Errors
    /// Always.
    pub fn refuse<T, E: From<Self>>(
        path: impl Into<PathBuf>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Result<T, E> {
        Err(Self::new(path, message, remedy).into())
    }

    /// Creates a mistake about a file or folder that the system cannot read.
    pub fn unreadable(path: impl Into<PathBuf>, why: impl fmt::Display) -> Self {
        Self::about_file(path, format!("cannot be read: {why}"))
    }

    /// Creates a mistake about a file that is refused.
    pub fn refused(path: impl Into<PathBuf>, refused: &FileError) -> Self {
        Self::new(path, refused.to_string(), refused.remedy())
    }

    /// Returns the mistake with a line number.
    #[must_use]
    pub fn on_line(self, line: u64) -> Self {
        Self {
            line: Some(line),
            ..self
        }
    }

    /// Returns the mistake with a remedy.
    #[must_use]
    pub fn with_remedy(self, remedy: impl Into<String>) -> Self {
        Self {
            remedy: Some(remedy.into()),
            ..self
        }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match self.line {
            Some(line) => write!(out, "{path}:{line}: {}", self.message),
            None => write!(out, "{path}: {}", self.message),
        }
    }
}

impl fmt::Display for SourceExcerpt {
    /// Writes the line, and marks below it. Tabs become single spaces, or the marks
    /// would not line up.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text.replace('\t', " ");
        let indent = " ".repeat(self.start);
        let marks = "^".repeat(self.length.max(1));
        write!(out, "{}\n{indent}{marks}", text.trim_end())
    }
}

/// Quotes a text from a file for a message.
pub(crate) fn quoted(text: &str) -> String {
    format!("`{}`", ellipsized(text, LONGEST_QUOTE))
}

/// Cuts a text to `most` characters, followed by `...` if anything is cut.
pub fn ellipsized(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<_> = self.0.iter().map(ToString::to_string).collect();
        out.write_str(&lines.join("\n"))
    }
}

impl From<Mistake> for Mistakes {
    fn from(mistake: Mistake) -> Self {
        Self(vec![mistake])
    }
}

impl Mistakes {
    /// Returns all values, or else all mistakes.
    pub fn of_all<T>(
        each: impl IntoIterator<Item = Result<T, Self>>,
    ) -> Result<Vec<T>, Self> {
        let mut values = vec![];
        let mut mistakes = vec![];
        for found in each {
            match found {
                Ok(value) => values.push(value),
                Err(Self(found)) => mistakes.extend(found),
            }
        }
        Self::or(mistakes, values)
    }

    /// Fails with these mistakes if there are any.
    pub fn refuse(found: impl IntoIterator<Item = Mistake>) -> Result<(), Self> {
        Self::or(found, ())
    }

    /// Returns `value` if there are no mistakes, else the mistakes.
    pub fn or<T>(
        found: impl IntoIterator<Item = Mistake>,
        value: T,
    ) -> Result<T, Self> {
        let found: Vec<_> = found.into_iter().collect();
        if found.is_empty() {
            Ok(value)
        } else {
            Err(Self(found))
        }
    }
}

/// Why files that people have made are not read.
#[derive(Debug)]
pub enum ReadFailure {
    /// They are wrong: all mistakes in them.
    Refused(Mistakes),
    /// They cannot be read or unpacked, which need not be their author's fault.
    Unreadable(Mistakes),
}

impl ReadFailure {
    /// The failure to read or unpack something.
    pub(crate) fn unreadable(mistake: Mistake) -> Self {
        Self::Unreadable(mistake.into())
    }

    /// The mistakes, whoever is to blame.
    pub(crate) fn into_mistakes(self) -> Mistakes {
        match self {
            Self::Refused(mistakes) | Self::Unreadable(mistakes) => mistakes,
        }
    }
}

impl<T: Into<Mistakes>> From<T> for ReadFailure {
    fn from(refused: T) -> Self {
        Self::Refused(refused.into())
    }
}

/// The most characters of a file that a message quotes.
const LONGEST_QUOTE: usize = 60;

/// The largest configuration or spec that is read, in bytes. Ours are a thousandth of
/// it.
pub(crate) const MOST_TEXT: u64 = 1 << 20;

/// Reads a whole text file.
///
/// # Errors
/// Returns a mistake that says why it cannot be read: it is not a file, too large, or
/// not UTF-8.
pub(crate) fn read_text(path: &Path) -> Result<String, Mistake> {
    let bytes = files::read_bounded(path, MOST_TEXT)
        .map_err(|refused| Mistake::refused(path, &refused))?;
    String::from_utf8(bytes).map_err(|error| {
        let bytes = error.as_bytes();
        let valid = error.utf8_error().valid_up_to();
        let line = memchr::memchr_iter(b'\n', &bytes[..valid]).count() as u64 + 1;
        let is_wide = matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
        let what = if is_wide {
            "is UTF-16 text, by the byte order mark at its start"
        } else {
            "is not UTF-8 text"
        };
        Mistake::new(path, what, "save the file as UTF-8").on_line(line)
    })
}

/// The character U+FEFF, which some editors put at the start of UTF-8 text.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// The remedy for a file that begins with [`BYTE_ORDER_MARK`].
pub(crate) const WITHOUT_MARK: &str =
    "save the file as UTF-8 without a byte order mark (BOM)";

// Everything that is to be said of files that were read, by what it means for judging.

/// What a remark means for judging. From [`Self::Violation`] on, remarks are sentences
/// without a full stop, which say everything and are shown without their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RemarkKind {
    /// A mistake on which verdicts may depend, but that leaves the rest to be read. A
    /// package with any is only verified.
    Mistake,
    /// A mistake on which no verdict depends. The judges of the format pass over it,
    /// and so do we.
    Slip,
    /// A feature that is needed and not judged. A package without any can be judged.
    Unsupported,
    /// Cases have no input, and a generator of the package makes them.
    MissingTests,
    /// A case has no answer.
    MissingAnswer,
    /// Something that the format forbids, though it does not prevent judging.
    Violation,
    /// A deviation from the format that does not prevent judging.
    Deviation,
    /// Something that other judges read differently.
    Disagreement,
    /// Something that is there but ignored, a phrase.
    Ignored,
}

/// Remarks, those of a kind in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub struct Remarks {
    by_kind: BTreeMap<RemarkKind, Vec<Mistake>>,
    /// The sentences among them, each of which is there once.
    sentences: HashSet<(RemarkKind, String)>,
}

impl Remarks {
    /// The remarks of a kind.
    pub fn of_kind(&self, kind: RemarkKind) -> &[Mistake] {
        self.by_kind.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// Whether there is a remark of a kind.
    pub fn has(&self, kind: RemarkKind) -> bool {
        self.by_kind.contains_key(&kind)
    }

    /// The messages of a kind.
    pub fn messages(&self, kind: RemarkKind) -> Vec<&str> {
        self.of_kind(kind)
            .iter()
            .map(|remark| remark.message.as_str())
            .collect()
    }

    /// Whether a sentence was added.
    pub fn says(&self, kind: RemarkKind, sentence: &str) -> bool {
        self.sentences.contains(&(kind, sentence.to_owned()))
    }

    /// Adds remarks of a kind. Repeated sentences are dropped.
    pub(crate) fn add(
        &mut self,
        kind: RemarkKind,
        found: impl IntoIterator<Item = Mistake>,
    ) {
        for remark in found {
            if kind < RemarkKind::Violation
                || self.sentences.insert((kind, remark.message.clone()))
            {
                self.by_kind.entry(kind).or_default().push(remark);
            }
        }
    }

    /// Adds all of these.
    pub(crate) fn append(&mut self, others: Self) {
        for (kind, found) in others.by_kind {
            self.add(kind, found);
        }
    }

    /// Returns the remarks with their places mapped by `relocate`.
    #[must_use]
    pub(crate) fn map(mut self, relocate: impl Fn(Mistake) -> Mistake) -> Self {
        for remark in self.by_kind.values_mut().flatten() {
            *remark = relocate(remark.clone());
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_kept_once_and_a_case_without_answer_each_time() {
        let kinds = [RemarkKind::Ignored, RemarkKind::MissingAnswer];
        let mut file = Remarks::default();
        for kind in kinds {
            file.add(
                kind,
                ["b", "a", "b"].map(|what| Mistake::about_file("f", what)),
            );
        }
        let mut all = file.clone();
        all.append(file);
        assert_eq!(all.messages(RemarkKind::Ignored), ["b", "a"]);
        assert!(
            all.says(RemarkKind::Ignored, "a")
                && !all.says(RemarkKind::Deviation, "a")
        );
        let missing = all.messages(RemarkKind::MissingAnswer);
        assert_eq!(missing, ["b", "a", "b", "b", "a", "b"]);
    }
}
