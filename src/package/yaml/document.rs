//! Holds a YAML file while it is read, and the mistakes found in it so far, each with its line. Knows no key.

use std::cell::Cell;
use std::cell::OnceCell;
use std::cell::RefCell;
use std::path::Path;
use std::path::PathBuf;
use std::rc::Rc;

use crate::mistake;
use crate::mistake::MOST_TEXT;
use crate::mistake::Mistake;
use crate::mistake::SourceExcerpt;
use crate::mistake::shortened;
use crate::model::Constants;
use crate::package::yaml::build;
use crate::package::yaml::build::YamlNode;
use crate::package::yaml::build::YamlPlace;

/// The most mistakes of one file that are listed; the others are counted.
const MOST_LISTED: usize = 49;

/// The most characters of a message, and of a quoted line: both quote the file.
const LONGEST_MESSAGE: usize = 400;
const LONGEST_LINE: usize = 120;

/// A YAML file while it is read, and the mistakes found in it so far.
pub(crate) struct YamlDocument {
    path: PathBuf,
    text: String,
    /// Where each line starts, found when the first mistake is noted.
    line_starts: OnceCell<Vec<usize>>,
    root: Option<Rc<YamlNode>>,
    is_readable: bool,
    mistakes: RefCell<Vec<Mistake>>,
    /// How many of the mistakes are unknown keys.
    unknown_keys: Cell<usize>,
}

impl YamlDocument {
    /// Reads a file and parses it. If its syntax is wrong, only that is noted.
    ///
    /// # Errors
    /// Returns a mistake that says why the file cannot be read.
    pub(crate) fn read(path: &Path) -> Result<Self, Mistake> {
        Ok(Self::parse(path, mistake::read(path)?))
    }

    /// Like [`Self::read`], with constants filled in before the text is parsed.
    ///
    /// # Errors
    /// Returns a mistake if the file cannot be read, or is too large with the constants filled in.
    pub(crate) fn read_with(path: &Path, constants: &Constants) -> Result<Self, Mistake> {
        let filled = constants.filled_in(mistake::read(path)?.as_bytes(), MOST_TEXT);
        let text = filled.ok_or_else(|| {
            let message =
                format!("has more than {} MiB with the package's `constants` filled in", MOST_TEXT >> 20);
            Mistake::of(path, message).with_remedy("shorten their values, or name fewer of them")
        })?;
        Ok(Self::parse(path, String::from_utf8_lossy(&text).into_owned()))
    }

    /// Parses a text.
    pub(crate) fn parse(path: &Path, text: String) -> Self {
        let (root, refusal) = match build::tree(&text) {
            Ok(root) => (root, None),
            Err(refusal) => (None, Some(refusal)),
        };
        let (mistakes, unknown_keys) = Default::default();
        let (line_starts, is_readable) = (OnceCell::new(), refusal.is_none());
        let document =
            Self { path: path.to_owned(), text, line_starts, root, is_readable, mistakes, unknown_keys };
        if let Some(refusal) = refusal {
            document.note(refusal.place, refusal.message, refusal.remedy);
        }
        document
    }

    pub(super) fn root(&self) -> Option<&Rc<YamlNode>> {
        self.root.as_ref()
    }

    /// Whether its syntax is right, so that there is something to read.
    pub(crate) fn is_readable(&self) -> bool {
        self.is_readable
    }

    /// Whether no mistake was noted so far.
    pub(crate) fn is_sound(&self) -> bool {
        self.mistakes.borrow().is_empty()
    }

    /// Whether all mistakes noted so far are unknown keys.
    pub(crate) fn has_only_unknown_keys(&self) -> bool {
        self.mistakes.borrow().len() == self.unknown_keys.get()
    }

    /// Returns all noted mistakes, sorted by line.
    pub(crate) fn into_mistakes(self) -> Vec<Mistake> {
        let mut mistakes = self.mistakes.into_inner();
        mistakes.sort_by_key(|mistake| mistake.line);
        if mistakes.len() > MOST_LISTED {
            let message =
                format!("holds {} more mistakes, which are not listed", mistakes.len() - MOST_LISTED);
            mistakes.truncate(MOST_LISTED);
            mistakes.push(Mistake::of(self.path, message).with_remedy("fix those above first"));
        }
        mistakes
    }

    /// Notes a mistake at a place of the file, and a remedy.
    pub(crate) fn note(&self, at: YamlPlace, message: impl Into<String>, remedy: impl Into<String>) {
        self.mistakes.borrow_mut().push(self.mistake(at, message, remedy));
    }

    /// Notes a key that the format does not know, and a remedy.
    pub(super) fn note_unknown_key(&self, at: YamlPlace, message: String, remedy: String) {
        self.unknown_keys.set(self.unknown_keys.get() + 1);
        self.note(at, message, remedy);
    }

    /// Creates a mistake at a place of the file without noting it.
    pub(crate) fn mistake(
        &self,
        at: YamlPlace,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Mistake {
        let excerpt = SourceExcerpt {
            text: shortened(self.line(at.line), LONGEST_LINE),
            start: at.column.min(LONGEST_LINE),
            length: at.length.min(LONGEST_LINE.saturating_sub(at.column)),
        };
        Mistake {
            path: self.path.clone(),
            line: Some(at.line.max(1) as u64),
            message: shortened(&message.into(), LONGEST_MESSAGE),
            remedy: Some(shortened(&remedy.into(), LONGEST_MESSAGE)),
            excerpt: Some(Box::new(excerpt)),
        }
    }

    /// A line, from 1. Does not search the text each time, since a file may hold very many mistakes.
    fn line(&self, number: usize) -> &str {
        let starts = self.line_starts.get_or_init(|| {
            let ends = memchr::memchr_iter(b'\n', self.text.as_bytes());
            std::iter::once(0).chain(ends.map(|end| end + 1)).collect()
        });
        let start = starts.get(number.saturating_sub(1)).copied().unwrap_or(self.text.len());
        self.text[start..].lines().next().unwrap_or_default()
    }
}
