//! Maps bytes of a text to line numbers, and cuts excerpts for messages. Of a long line, only a
//! piece is shown.

use std::ops::Range;

use crate::keys::FilePlace;
use crate::mistake::SourceExcerpt;

/// The longest line that is shown whole, in bytes.
const SHORT: usize = 120;

/// Bytes shown of a longer line: before the place in question, and from there on.
const BEFORE: usize = 40;
const AFTER: usize = 60;

const CUT: &str = "...";

/// A text and where its lines begin.
pub(super) struct LineIndex {
    text: String,
    starts: Vec<usize>,
}

impl LineIndex {
    pub(super) fn of(text: String) -> Self {
        let after = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1);
        let starts = std::iter::once(0).chain(after).collect();
        Self { text, starts }
    }

    /// The text at a place; empty if it is out of range or splits a character.
    pub(super) fn text(&self, place: FilePlace) -> &str {
        self.text.get(place.start..place.end).unwrap_or_default()
    }

    /// The number of the line that contains a byte, from 1.
    pub(super) fn number(&self, byte: usize) -> u64 {
        self.starts.partition_point(|start| *start <= byte) as u64
    }

    /// The line that a place begins on, or a piece of it, with the part of the place in it marked.
    pub(super) fn excerpt(&self, place: FilePlace) -> SourceExcerpt {
        let start = self.char_start(place.start);
        let line = self.bounds(start);
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

    /// The line that contains a byte, without its line end.
    fn bounds(&self, byte: usize) -> Range<usize> {
        let next = self.starts.partition_point(|start| *start <= byte);
        let start = self.starts[next - 1];
        let end = self
            .starts
            .get(next)
            .map_or(self.text.len(), |next| next - 1);
        start..start + self.text[start..end].trim_end_matches('\r').len()
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
mod tests {
    use super::*;

    #[test]
    fn a_newline_byte_belongs_to_the_line_it_ends() {
        let lines = LineIndex::of("a\nbc\r\n\nd".to_owned());
        let numbers = [0, 1, 2, 4, 5, 6, 7, 8].map(|byte| lines.number(byte));
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
        let lines = LineIndex::of(text.clone());
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
