//! A parsed file, its lines, and what was found in it so far, each with its line. Knows
//! no key.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::keys::FilePlace;
use crate::mistake::{
    KeySyntax, Mistake, RemarkKind, Remarks, SourceExcerpt, ellipsized,
};

/// The most mistakes of one file that are listed; the others are counted: a file may
/// consist of mistakes.
const MOST_LISTED: usize = 49;

/// The most unknown keys of one file that are compared with the known ones, which takes
/// a while.
const MOST_COMPARED: usize = 200;

/// The longest message, in characters. Messages quote the file, so they would otherwise
/// have no bound.
const LONGEST_MESSAGE: usize = 400;

/// A parsed file, and what was found in it so far.
pub(crate) struct KeyDocument {
    pub(super) syntax: KeySyntax,
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    /// Where the lines of `text` begin.
    starts: Vec<usize>,
    /// Whether its syntax is right, so that there is something to read.
    pub(crate) is_readable: bool,
    /// Whether a number may be in quotes, as the judges of the format read it.
    ///
    /// Source: pydantic, "Conversion Table", which problemtools reads values by.
    pub(crate) ignores_quotes: Cell<bool>,
    mistakes: RefCell<NotedMistakes>,
    /// Unknown keys that resemble a known one, where the judges of the format pass them
    /// over.
    slips: RefCell<NotedMistakes>,
    /// Deviations that change no verdict.
    deviations: RefCell<Vec<Mistake>>,
    /// How many unknown keys were compared with known ones.
    compared: Cell<usize>,
}

/// Noted mistakes. The first of the file are kept, and the others are counted.
#[derive(Default)]
struct NotedMistakes {
    /// By line, and then in the order in which they were noted.
    kept: BTreeMap<(u64, usize), Mistake>,
    count: usize,
}

impl NotedMistakes {
    fn add(&mut self, mistake: Mistake) {
        let line = mistake.line.unwrap_or_default();
        // The same wrong word twice in one list is one mistake.
        let mut beside = self.kept.range((line, 0)..=(line, usize::MAX));
        if beside.any(|(_, other)| *other == mistake) {
            return;
        }
        self.kept.insert((line, self.count), mistake);
        self.count += 1;
        if self.kept.len() > MOST_LISTED {
            self.kept.pop_last();
        }
    }
}

impl KeyDocument {
    /// The text of a file that is yet to be parsed. The ending of the file tells its
    /// syntax.
    pub(super) fn new(path: &Path, text: String) -> Self {
        let ending = path.extension().unwrap_or_default();
        let syntax = if ending == "yaml" || ending == "yml" {
            KeySyntax::Yaml
        } else {
            KeySyntax::Toml
        };
        let after = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1);
        Self {
            syntax,
            path: path.to_owned(),
            starts: std::iter::once(0).chain(after).collect(),
            text,
            is_readable: true,
            ignores_quotes: Cell::default(),
            mistakes: RefCell::default(),
            slips: RefCell::default(),
            deviations: RefCell::default(),
            compared: Cell::new(0),
        }
    }

    /// Whether no mistake was noted so far.
    pub(crate) fn is_sound(&self) -> bool {
        self.mistakes.borrow().count == 0
    }

    /// Returns the mistakes, in the order of the file.
    pub(crate) fn take_mistakes(&self) -> Vec<Mistake> {
        self.listed(self.mistakes.take(), "mistakes")
    }

    /// Returns everything that was noted.
    pub(crate) fn take_remarks(&self) -> Remarks {
        let mut remarks = Remarks::default();
        let slips = self.listed(self.slips.take(), "unknown keys");
        remarks.add(RemarkKind::Slip, slips);
        remarks.add(RemarkKind::Deviation, self.deviations.take());
        remarks.add(RemarkKind::Mistake, self.take_mistakes());
        remarks
    }

    /// The mistakes that are kept, and one that counts the others.
    fn listed(&self, noted: NotedMistakes, what: &str) -> Vec<Mistake> {
        let unlisted = noted.count - noted.kept.len();
        let mut listed: Vec<_> = noted.kept.into_values().collect();
        if unlisted > 0 {
            listed.push(Mistake::new(
                &self.path,
                format!("holds {unlisted} more {what}, which are not listed"),
                "fix those above first",
            ));
        }
        listed
    }

    /// Notes a mistake.
    pub(super) fn note_mistake(&self, mistake: Mistake) {
        if self.is_readable {
            self.mistakes.borrow_mut().add(mistake);
        }
    }

    /// Notes a mistake that the judges of the format pass over, and a remedy.
    pub(crate) fn slip(
        &self,
        place: FilePlace,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        let slip = self.mistake(place, message, remedy);
        self.slips.borrow_mut().add(slip);
    }

    /// Notes a deviation that changes no verdict.
    pub(crate) fn deviation(&self, place: FilePlace, what: &str) {
        let mut deviations = self.deviations.borrow_mut();
        if deviations.len() < MOST_LISTED {
            let file = self.path.file_name().unwrap_or_default().to_string_lossy();
            let line = self.line(place);
            let message = format!("{file}:{line}: {what}");
            let message = ellipsized(&message, LONGEST_MESSAGE);
            deviations.push(Mistake::about_file(&self.path, message));
        }
    }

    /// Whether one more unknown key may be compared with the known ones.
    pub(super) fn may_compare(&self) -> bool {
        self.compared.set(self.compared.get() + 1);
        self.compared.get() <= MOST_COMPARED
    }

    /// The line on which a place begins, from 1.
    pub(crate) fn line(&self, place: FilePlace) -> u64 {
        self.line_of(place.start) as u64
    }

    /// The text at a place; empty if it is out of range or splits a character.
    pub(crate) fn text(&self, place: FilePlace) -> &str {
        self.text.get(place.start..place.end).unwrap_or_default()
    }

    /// Creates a mistake without noting it.
    pub(crate) fn mistake(
        &self,
        place: FilePlace,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Mistake {
        Mistake {
            path: self.path.clone(),
            line: Some(self.line(place)),
            message: ellipsized(&message.into(), LONGEST_MESSAGE),
            remedy: Some(ellipsized(&remedy.into(), LONGEST_MESSAGE)),
            excerpt: Some(Box::new(self.excerpt(place))),
        }
    }
}

// Maps bytes of a text to line numbers, and cuts excerpts for messages. Of a long line,
// only a piece is shown.

/// The longest line that is shown whole, in bytes.
const SHORT: usize = 120;

/// Bytes shown of a longer line: before the place in question, and from there on.
const BEFORE: usize = 40;
const AFTER: usize = 60;

const CUT: &str = "...";

impl KeyDocument {
    /// The number of the line that contains a byte, from 1.
    fn line_of(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte)
    }

    /// The line that a place begins on, or a piece of it, with the part of the place in
    /// it marked.
    fn excerpt(&self, place: FilePlace) -> SourceExcerpt {
        let start = self.char_start(place.start);
        let first = self.starts[self.line_of(start) - 1];
        // Without its line end.
        let length = self.text[first..].lines().next().map_or(0, str::len);
        let line = first..first + length;
        let shown = if line.len() <= SHORT {
            line.clone()
        } else {
            let from = self
                .char_start(start.saturating_sub(BEFORE))
                .max(line.start);
            from..self.char_start(start + AFTER).min(line.end)
        };
        let cut = |is_cut: bool| if is_cut { CUT } else { "" };
        let before = cut(shown.start > line.start);
        let after = cut(shown.end < line.end);
        let start = start.clamp(shown.start, shown.end);
        let end = self.char_start(place.end).clamp(start, shown.end);
        SourceExcerpt {
            text: format!("{before}{}{after}", &self.text[shown.clone()]),
            start: before.len() + self.text[shown.start..start].chars().count(),
            length: self.text[start..end].chars().count(),
        }
    }

    /// The start of the character that a byte belongs to.
    fn char_start(&self, byte: usize) -> usize {
        let byte = byte.min(self.text.len());
        (0..=byte)
            .rev()
            .find(|at| self.text.is_char_boundary(*at))
            .unwrap_or(0)
    }
}

#[cfg(test)]
mod lines_tests {
    use super::*;
    use crate::keys::KeyTable;

    #[test]
    fn a_newline_byte_belongs_to_the_line_it_ends() {
        let lines = KeyTable::of_text(Path::new("f.yaml"), "a\nbc\r\n\nd").document;
        let numbers = [0, 1, 2, 4, 5, 6, 7, 8].map(|byte| lines.line_of(byte));
        assert_eq!(numbers, [1, 1, 2, 2, 2, 3, 4, 4]);
        assert_eq!(
            lines.excerpt((3..4).into()),
            SourceExcerpt {
                text: "bc".to_owned(),
                start: 1,
                length: 1
            }
        );
        assert_eq!(
            lines.excerpt((99..100).into()),
            SourceExcerpt {
                text: "d".to_owned(),
                start: 1,
                length: 0
            }
        );
    }

    #[test]
    fn only_a_piece_of_a_long_line_is_shown() {
        let text = format!("{}key = 1{}", "\u{e9}".repeat(5000), "x".repeat(1 << 20));
        let start = text.find("key").unwrap();
        let lines = KeyTable::of_text(Path::new("f.yaml"), text.clone()).document;
        let excerpt = lines.excerpt((start..text.len()).into());
        let shown = format!("...{}key = 1{}...", "\u{e9}".repeat(20), "x".repeat(53));
        assert_eq!(
            excerpt,
            SourceExcerpt {
                text: shown,
                start: 23,
                length: 60
            }
        );
        assert_eq!(lines.excerpt((0..3).into()).length, 1);
    }
}
