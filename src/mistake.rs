//! What is wrong in files that people wrote for the judge, with the place and the remedy. Always all of a file's
//! mistakes at once.

use std::fmt;
use std::path::Path;
use std::path::PathBuf;

use crate::files;
use crate::files::FileError;

/// One mistake in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The file or folder.
    pub path: PathBuf,
    /// The line, from 1, where there is one.
    pub line: Option<u64>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub remedy: Option<String>,
    /// The line itself, where seeing it helps.
    pub excerpt: Option<Box<SourceExcerpt>>,
}

/// A line of a file with a part of it marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceExcerpt {
    /// The line.
    pub text: String,
    /// Characters before the marked part.
    pub start: usize,
    /// Characters of the marked part; it may be empty.
    pub length: usize,
}

/// One mistake or more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Mistakes(pub Vec<Mistake>);

impl Mistake {
    /// A mistake of a whole file or folder.
    pub fn of(path: impl Into<PathBuf>, message: impl Into<String>) -> Self {
        Self { path: path.into(), line: None, message: message.into(), remedy: None, excerpt: None }
    }

    /// A file that is not read.
    pub fn refused(path: impl Into<PathBuf>, refused: &FileError) -> Self {
        Self::of(path, refused.to_string()).with_remedy(refused.remedy())
    }

    /// The same, on a line.
    #[must_use]
    pub fn on_line(self, line: u64) -> Self {
        Self { line: Some(line), ..self }
    }

    /// The same, with advice.
    #[must_use]
    pub fn with_remedy(self, remedy: impl Into<String>) -> Self {
        Self { remedy: Some(remedy.into()), ..self }
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
    /// The line, and below it what is marked. Tabs are shown as spaces, or the marks would not stand below it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text.replace('\t', " ");
        let (indent, marks) = (" ".repeat(self.start), "^".repeat(self.length.max(1)));
        write!(out, "{}\n{indent}{marks}", text.trim_end())
    }
}

/// A text of a file, as a message quotes it.
pub(crate) fn quoted(text: &str) -> String {
    format!("`{}`", shortened(text, LONGEST_QUOTE))
}

/// The start of a text that is longer than this many letters.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, mistake) in self.0.iter().enumerate() {
            let separator = if number == 0 { "" } else { "\n" };
            write!(out, "{separator}{mistake}")?;
        }
        Ok(())
    }
}

impl From<Mistake> for Mistakes {
    fn from(mistake: Mistake) -> Self {
        Self(vec![mistake])
    }
}

impl Mistakes {
    /// All values, or else the mistakes of all that have some.
    pub(crate) fn of_all<T>(each: impl IntoIterator<Item = Result<T, Self>>) -> Result<Vec<T>, Self> {
        let (mut values, mut mistakes) = (Vec::new(), Vec::new());
        for found in each {
            match found {
                Ok(value) => values.push(value),
                Err(Self(found)) => mistakes.extend(found),
            }
        }
        Self::or(mistakes, values)
    }

    /// `value` if there are no mistakes, else these.
    pub(crate) fn or<T>(found: Vec<Mistake>, value: T) -> Result<T, Self> {
        if found.is_empty() { Ok(value) } else { Err(Self(found)) }
    }
}

/// The name that `found` was probably meant to be, if one is near enough.
pub fn nearest<'a>(found: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if found.len() > LONGEST_NAME {
        return None;
    }
    let likeness =
        |name: &str| strsim::normalized_damerau_levenshtein(&found.to_lowercase(), &name.to_lowercase());
    let starts = |name: &str| found.len() >= 3 && (name.starts_with(found) || name.ends_with(found));
    let scored = names.into_iter().map(|name| (if starts(name) { 1.0 } else { likeness(name) }, name));
    scored
        .filter(|(score, _)| *score >= 0.5)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, name)| name)
}

/// Bytes of a name that is compared with others. Comparing takes as long as the two are when multiplied.
const LONGEST_NAME: usize = 100;

/// Letters of a file that a message quotes.
const LONGEST_QUOTE: usize = 60;

/// Bytes of a configuration or a spec. Ours have a thousandth of it.
pub(crate) const MOST_TEXT: u64 = 1 << 20;

/// Reads a text file whole.
///
/// # Errors
/// A mistake that says why it cannot be read: not a file, too large, no text.
pub(crate) fn read(path: &Path) -> Result<String, Mistake> {
    files::read(path, MOST_TEXT)
        .map_err(|refused| Mistake::refused(path, &refused))
        .and_then(|bytes| String::from_utf8(bytes).map_err(|error| not_text(path, &error)))
}

fn not_text(path: &Path, error: &std::string::FromUtf8Error) -> Mistake {
    let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
    Mistake::of(path, "is not UTF-8 text").on_line(line).with_remedy("save the file as UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_one_that_looks_like_it_or_none() {
        let names = ["luogu-p1784", "poj-2676", "uestc-1222"];
        assert_eq!(nearest("poj2676", names), Some("poj-2676"));
        assert_eq!(nearest("POJ-2677", names), Some("poj-2676"));
        assert_eq!(nearest("1222", names), Some("uestc-1222"));
        assert_eq!(nearest("codeforces", names), None);
    }
}
