//! A TOML file under reading, and the mistakes found in it so far, each with its line. Knows no problem and no language.

use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;
use std::path::PathBuf;

use toml::de::DeTable;

use crate::spec::mistake::Excerpt;
use crate::spec::mistake::Mistake;
use crate::spec::table::Table;

/// A TOML file under reading, and the mistakes found in it so far.
pub(crate) struct Document<'t> {
    path: PathBuf,
    text: &'t str,
    root: DeTable<'t>,
    is_readable: bool,
    mistakes: RefCell<Vec<Mistake>>,
}

impl<'t> Document<'t> {
    /// Parses a file's text. Where its syntax is broken, that is all that is noted: what a guess at the rest would
    /// find wrong may be the guess's fault.
    pub(crate) fn parse(path: &Path, text: &'t str) -> Self {
        let (root, errors) = DeTable::parse_recoverable(text);
        let mut document = Self {
            path: path.to_owned(),
            text,
            root: root.into_inner(),
            is_readable: true,
            mistakes: RefCell::default(),
        };
        let mut latest = 0;
        for error in &errors {
            // The parser stumbles on over the rest of a broken line.
            let line = error.span().map_or(1, |span| document.line(span.start));
            if std::mem::replace(&mut latest, line) != line {
                let span = error.span().map_or(0..0, |span| span.start..span.start);
                document.note(span, error.message().replace('\n', ", "), None);
            }
        }
        document.is_readable = errors.is_empty();
        document
    }

    pub(crate) fn root(&self) -> Table<'_> {
        Table::root(self, &self.root)
    }

    /// All mistakes noted, by line.
    pub(crate) fn into_mistakes(self) -> Vec<Mistake> {
        let mut mistakes = self.mistakes.into_inner();
        mistakes.sort_by_key(|mistake| mistake.line);
        mistakes
    }

    pub(super) fn line(&self, byte: usize) -> u64 {
        self.text.bytes().take(byte).filter(|&byte| byte == b'\n').count() as u64 + 1
    }

    /// Notes a mistake at some bytes of the file.
    pub(super) fn note(&self, span: Range<usize>, message: impl Into<String>, remedy: Option<String>) {
        if !self.is_readable {
            return;
        }
        let mistake = self.mistake(span, message.into(), remedy);
        self.mistakes.borrow_mut().push(mistake);
    }

    /// A mistake at some bytes of the file, not noted.
    pub(super) fn mistake(&self, span: Range<usize>, message: String, remedy: Option<String>) -> Mistake {
        let line = Some(self.line(span.start));
        let excerpt = self.excerpt(span).map(Box::new);
        Mistake { path: self.path.clone(), line, message, remedy, excerpt }
    }

    /// The line that some bytes begin on, with those of them marked that it holds.
    fn excerpt(&self, span: Range<usize>) -> Option<Excerpt> {
        let start = span.start.min(self.text.len());
        let line_start = self.text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let text = self.text[line_start..].lines().next()?;
        let marked = text.get(start - line_start..).unwrap_or("");
        let marked = marked.get(..span.len().min(marked.len())).unwrap_or(marked);
        let before = &text[..text.len().min(start - line_start)];
        Some(Excerpt { text: text.to_owned(), start: before.chars().count(), length: marked.chars().count() })
    }
}
