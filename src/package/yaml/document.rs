//! Holds a YAML file while it is read, and the mistakes found in it so far, each with its line.
//! Knows no key.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::mistake;
use crate::mistake::{KeySyntax, MOST_TEXT, Mistake, SourceExcerpt, meant_key, quoted, shortened};
use crate::model::Constants;
use crate::package::yaml::build;
use crate::package::yaml::build::{YamlNode, YamlPlace, YamlTree};

/// The most mistakes of one file that are listed; the others are counted.
const MOST_LISTED: usize = 49;

/// The most unknown keys of one file that are compared with the known ones, which takes a while.
const MOST_COMPARED: usize = 200;

/// The most characters of a message, and of a quoted line: both quote the file.
const LONGEST_MESSAGE: usize = 400;
const LONGEST_LINE: usize = 120;

/// A YAML file while it is read, and what was found in it so far.
pub(crate) struct YamlDocument {
    path: PathBuf,
    text: String,
    /// Where each line starts, found when the first mistake is noted.
    line_starts: OnceCell<Vec<usize>>,
    root: Option<Rc<YamlNode>>,
    is_readable: bool,
    mistakes: RefCell<NotedMistakes>,
    /// Keys that the format does not know and that resemble a known one.
    slips: RefCell<NotedMistakes>,
    /// Deviations that change no verdict, a sentence each.
    remarks: RefCell<Vec<String>>,
    /// How many unknown keys were compared with known ones.
    compared: Cell<usize>,
}

/// What was found in a file.
#[derive(Default)]
pub(crate) struct YamlFindings {
    /// Mistakes, sorted by line.
    pub(crate) mistakes: Vec<Mistake>,
    /// Mistakes that the judges of the format pass over, sorted by line.
    pub(crate) slips: Vec<Mistake>,
    /// Deviations that change no verdict, a sentence each without a full stop.
    pub(crate) remarks: Vec<String>,
}

/// Noted mistakes, with their places. Those of the first lines are kept, and the others are
/// counted.
#[derive(Default)]
struct NotedMistakes {
    /// By line, and then in the order in which they were noted.
    kept: BTreeMap<(usize, usize), NotedMistake>,
    count: usize,
}

struct NotedMistake {
    place: YamlPlace,
    message: String,
    remedy: String,
}

impl NotedMistakes {
    fn add(&mut self, noted: NotedMistake) {
        self.kept.insert((noted.place.line, self.count), noted);
        self.count += 1;
        if self.kept.len() > MOST_LISTED {
            self.kept.pop_last();
        }
    }
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
            let message = format!(
                "has more than {} MiB with the package's `constants` filled in",
                MOST_TEXT >> 20
            );
            Mistake::of(path, message).with_remedy("shorten their values, or name fewer of them")
        })?;
        Ok(Self::parse(
            path,
            String::from_utf8_lossy(&text).into_owned(),
        ))
    }

    /// Parses a text.
    pub(crate) fn parse(path: &Path, text: String) -> Self {
        let (tree, refusal) = match build::tree(&text) {
            Ok(tree) => (tree, None),
            Err(refusal) => (YamlTree::default(), Some(refusal)),
        };
        let document = Self {
            path: path.to_owned(),
            text,
            line_starts: OnceCell::new(),
            root: tree.root,
            is_readable: refusal.is_none(),
            mistakes: RefCell::default(),
            slips: RefCell::default(),
            remarks: RefCell::default(),
            compared: Cell::new(0),
        };
        for repeated in tree.repeated {
            let key = quoted(&repeated.key);
            let before = repeated.line_before;
            let what =
                format!("the key {key} is on line {before} already, and the one here counts");
            document.remark(repeated.place, &what);
        }
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
        self.mistakes.borrow().count == 0
    }

    /// Returns everything that was noted.
    pub(crate) fn into_findings(self) -> YamlFindings {
        let mistakes = self.listed(self.mistakes.take(), "mistakes");
        let slips = self.listed(self.slips.take(), "unknown keys");
        YamlFindings {
            mistakes,
            slips,
            remarks: self.remarks.into_inner(),
        }
    }

    /// The mistakes that are kept, and one that counts the others.
    fn listed(&self, noted: NotedMistakes, what: &str) -> Vec<Mistake> {
        let unlisted = noted.count - noted.kept.len();
        let kept = noted.kept.into_values();
        let mut listed: Vec<_> = kept
            .map(|noted| self.mistake(noted.place, noted.message, noted.remedy))
            .collect();
        if unlisted > 0 {
            let message = format!("holds {unlisted} more {what}, which are not listed");
            listed.push(Mistake::of(&self.path, message).with_remedy("fix those above first"));
        }
        listed
    }

    /// Notes a mistake at a place of the file, and a remedy.
    pub(crate) fn note(
        &self,
        at: YamlPlace,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        let noted = NotedMistake {
            place: at,
            message: message.into(),
            remedy: remedy.into(),
        };
        self.mistakes.borrow_mut().add(noted);
    }

    /// Notes a mistake that the judges of the format pass over, and a remedy.
    pub(crate) fn slip(
        &self,
        at: YamlPlace,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        let noted = NotedMistake {
            place: at,
            message: message.into(),
            remedy: remedy.into(),
        };
        self.slips.borrow_mut().add(noted);
    }

    /// Notes a deviation at a place of the file that changes no verdict.
    pub(crate) fn remark(&self, at: YamlPlace, what: &str) {
        let mut remarks = self.remarks.borrow_mut();
        if remarks.len() < MOST_LISTED {
            let file = self.path.file_name().unwrap_or_default().to_string_lossy();
            remarks.push(shortened(
                &format!("{file}:{}: {what}", at.line()),
                LONGEST_MESSAGE,
            ));
        }
    }

    /// Notes a key that the format does not know, which the judges of all formats pass over.
    /// `within` are the words after the key in messages.
    pub(super) fn note_unknown_key(
        &self,
        key: &str,
        at: YamlPlace,
        within: &str,
        known: &[&'static str],
    ) {
        if !self.note_misspelt_key(key, at, within, known) {
            self.remark(
                at,
                &format!("unknown key {}{within}, which nothing reads", quoted(key)),
            );
        }
    }

    /// Notes a key that the format does not know if it is probably meant as one of the known ones.
    /// Returns whether it is.
    pub(super) fn note_misspelt_key(
        &self,
        key: &str,
        at: YamlPlace,
        within: &str,
        known: &[&'static str],
    ) -> bool {
        self.compared.set(self.compared.get() + 1);
        if self.compared.get() > MOST_COMPARED {
            return false;
        }
        let meant = meant_key(key, known, KeySyntax::Yaml);
        let is_meant = meant.is_some();
        if let Some(remedy) = meant {
            self.slip(at, format!("unknown key {}{within}", quoted(key)), remedy);
        }
        is_meant
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

    /// A line, from 1. Does not search the text each time, since a file may hold very many
    /// mistakes.
    fn line(&self, number: usize) -> &str {
        let starts = self.line_starts.get_or_init(|| {
            let ends = memchr::memchr_iter(b'\n', self.text.as_bytes());
            std::iter::once(0).chain(ends.map(|end| end + 1)).collect()
        });
        let start = starts
            .get(number.saturating_sub(1))
            .copied()
            .unwrap_or(self.text.len());
        self.text[start..].lines().next().unwrap_or_default()
    }
}
