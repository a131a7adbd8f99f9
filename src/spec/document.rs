//! A parsed TOML file, and the mistakes found in it so far, each with its line. Knows nothing of
//! problems or languages.

mod lines;
mod syntax;

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::DeTable;

use crate::mistake::{Mistake, shortened};
use lines::LineIndex;

/// The most mistakes of one file that are listed. The rest are only counted: a file may consist of
/// mistakes.
const MOST_LISTED: usize = 49;

/// The largest file, in bytes, in which all syntax errors are looked for: there may be one for each
/// byte, and the parser keeps them all. In a larger one the first is enough.
const MOST_RECOVERED: usize = 1 << 16;

/// The longest message, in characters. Messages quote the file, so they would otherwise have no
/// bound.
const LONGEST_MESSAGE: usize = 400;

/// A parsed TOML file, and the mistakes found in it so far.
pub(crate) struct TomlDocument<'t> {
    path: PathBuf,
    lines: LineIndex<'t>,
    root: DeTable<'t>,
    is_readable: bool,
    mistakes: RefCell<Vec<Mistake>>,
    unlisted: Cell<u64>,
}

impl<'t> TomlDocument<'t> {
    /// Parses a file's text. If its syntax is broken, only syntax errors are noted: a further
    /// mistake might be an artefact of the parser's recovery.
    pub(crate) fn parse(path: &Path, text: &'t str) -> Self {
        let (root, errors) = match DeTable::parse(text) {
            Ok(root) => (root, Vec::new()),
            Err(_) if text.len() <= MOST_RECOVERED => DeTable::parse_recoverable(text),
            Err(error) => (Spanned::new(0..0, DeTable::default()), vec![error]),
        };
        let mut document = Self {
            path: path.to_owned(),
            lines: LineIndex::of(text),
            root: root.into_inner(),
            is_readable: true,
            mistakes: RefCell::default(),
            unlisted: Cell::default(),
        };
        let mut latest = 0;
        for error in &errors {
            let wrong = syntax::explained(error, text);
            // The parser reports follow-up errors in the rest of a broken line.
            let line = document.line(wrong.span.start);
            if std::mem::replace(&mut latest, line) != line {
                document.note(wrong.span, wrong.message, wrong.remedy);
            }
        }
        document.is_readable = errors.is_empty();
        document
    }

    /// The keys and values at the top level.
    pub(super) fn root(&self) -> &DeTable<'t> {
        &self.root
    }

    /// The noted mistakes, sorted by line.
    pub(crate) fn into_mistakes(self) -> Vec<Mistake> {
        let mut mistakes = self.mistakes.into_inner();
        mistakes.sort_by_key(|mistake| mistake.line);
        if self.unlisted.get() > 0 {
            let message = format!(
                "holds {} more mistakes, which are not listed",
                self.unlisted.get()
            );
            mistakes.push(Mistake::of(self.path, message).with_remedy("fix those above first"));
        }
        mistakes
    }

    pub(super) fn line(&self, byte: usize) -> u64 {
        self.lines.number(byte)
    }

    /// The text of a span of bytes.
    pub(super) fn text(&self, span: Range<usize>) -> &'t str {
        self.lines.text(span)
    }

    /// Notes a mistake at a span of bytes, with its remedy.
    pub(super) fn note(
        &self,
        span: Range<usize>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        if !self.is_readable {
            return;
        }
        if self.is_full() {
            self.unlisted.set(self.unlisted.get() + 1);
            return;
        }
        let mistake = self.mistake(span, message.into(), remedy.into());
        let mut mistakes = self.mistakes.borrow_mut();
        // The same wrong word twice in one list is one mistake.
        if !mistakes.contains(&mistake) {
            mistakes.push(mistake);
        }
    }

    /// Whether further mistakes are only counted.
    pub(super) fn is_full(&self) -> bool {
        self.mistakes.borrow().len() >= MOST_LISTED
    }

    /// Builds a mistake at a span of bytes without noting it.
    pub(super) fn mistake(&self, span: Range<usize>, message: String, remedy: String) -> Mistake {
        let line = Some(self.line(span.start));
        let excerpt = Some(Box::new(self.lines.excerpt(span)));
        let message = shortened(&message, LONGEST_MESSAGE);
        let remedy = Some(shortened(&remedy, LONGEST_MESSAGE));
        Mistake {
            path: self.path.clone(),
            line,
            message,
            remedy,
            excerpt,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_large_file_only_the_first_syntax_error_is_looked_for() {
        let mistakes = |lines: usize| {
            let text = "name = 1\n".to_owned() + &"\r\n=\n".repeat(lines);
            TomlDocument::parse(Path::new("f"), &text).into_mistakes()
        };
        assert_eq!(mistakes(3).len(), 3);
        let found = mistakes(MOST_RECOVERED);
        assert_eq!((found.len(), found[0].line), (1, Some(3)));
    }
}
