//! The lines of a text: which one a byte stands on, and what is shown of it. However long a line is, a piece of it is shown.

use std::ops::Range;

use crate::mistake::SourceExcerpt;

/// Bytes of a line that are shown whole.
const SHORT: usize = 120;

/// Of a longer one, bytes before the place in question, and from there on.
const BEFORE: usize = 40;
const BEHIND: usize = 60;

const CUT: &str = "...";

/// A text and where its lines begin.
pub(super) struct LineIndex<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> LineIndex<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let behind = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self { text, starts: std::iter::once(0).chain(behind).collect() }
    }

    /// Some bytes of the text.
    pub(super) fn text(&self, span: Range<usize>) -> &'t str {
        self.text.get(span).unwrap_or_default()
    }

    /// The number of the line that a byte stands on, from 1.
    pub(super) fn number(&self, byte: usize) -> u64 {
        self.starts.partition_point(|start| *start <= byte) as u64
    }

    /// The line that some bytes begin on, or a piece of it, with those of them marked that it holds.
    pub(super) fn excerpt(&self, span: Range<usize>) -> SourceExcerpt {
        let start = self.at_a_letter(span.start);
        let line = self.bounds(start);
        let shown = match line.len() <= SHORT {
            true => line.clone(),
            false => {
                let from = self.at_a_letter(start.saturating_sub(BEFORE)).max(line.start);
                from..self.at_a_letter(start + BEHIND).min(line.end)
            }
        };
        let cut = |is_cut: bool| if is_cut { CUT } else { "" };
        let (before, behind) = (cut(shown.start > line.start), cut(shown.end < line.end));
        let start = start.clamp(shown.start, shown.end);
        let end = self.at_a_letter(span.end).clamp(start, shown.end);
        SourceExcerpt {
            text: format!("{before}{}{behind}", &self.text[shown.clone()]),
            start: before.len() + self.text[shown.start..start].chars().count(),
            length: self.text[start..end].chars().count(),
        }
    }

    /// The bytes of the line around a byte, without what ends it.
    fn bounds(&self, byte: usize) -> Range<usize> {
        let next = self.starts.partition_point(|start| *start <= byte);
        let start = self.starts[next - 1];
        let end = self.starts.get(next).map_or(self.text.len(), |next| next - 1);
        start..start + self.text[start..end].trim_end_matches('\r').len()
    }

    /// The start of the letter that a byte belongs to.
    fn at_a_letter(&self, byte: usize) -> usize {
        let byte = byte.min(self.text.len());
        (0..=byte).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_stands_on_the_line_that_its_newline_ends() {
        let lines = LineIndex::of("a\nbc\r\n\nd");
        let numbers = [0, 1, 2, 4, 5, 6, 7, 8].map(|byte| lines.number(byte));
        assert_eq!(numbers, [1, 1, 2, 2, 2, 3, 4, 4]);
        assert_eq!(lines.excerpt(3..4), SourceExcerpt { text: "bc".to_owned(), start: 1, length: 1 });
        assert_eq!(lines.excerpt(99..100), SourceExcerpt { text: "d".to_owned(), start: 1, length: 0 });
    }

    #[test]
    fn of_a_long_line_a_piece_is_shown() {
        let text = format!("{}key = 1{}", "\u{e9}".repeat(5000), "x".repeat(1 << 20));
        let start = text.find("key").unwrap();
        let excerpt = LineIndex::of(&text).excerpt(start..text.len());
        let shown = format!("...{}key = 1{}...", "\u{e9}".repeat(20), "x".repeat(53));
        assert_eq!(excerpt, SourceExcerpt { text: shown, start: 23, length: 60 });
        assert_eq!(LineIndex::of(&text).excerpt(0..3).length, 1);
    }
}
