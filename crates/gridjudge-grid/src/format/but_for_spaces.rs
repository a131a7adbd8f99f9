//! Reads an answer that has every character of a well written one, line by line, and only other
//! white space. It knows what belongs on each line, so it never has to guess what a line was meant
//! to be.

use crate::FollowingLine;
use crate::format::lines::same_but_for_spaces;
use crate::format::{GridBlock, GridReader, ReplyKind, TextLine, UNREAD, lines};

/// An answer as it stands in a text with any white space.
pub struct LooseAnswer<'a> {
    /// The answer. Cells that are numbers are [`UNREAD`]: their digits may be divided in several
    /// ways.
    pub block: GridBlock,
    /// The lines of its rows; none if a text stands in place of them.
    pub rows: Vec<TextLine<'a>>,
}

impl GridReader {
    /// The answer to grid `number` at the start of a window, if nothing but its white space can be
    /// wrong before the first cell, and its lines have as many characters as rows have.
    pub fn but_for_spaces<'a>(&self, number: u64, window: &'a [u8]) -> Option<LooseAnswer<'a>> {
        self.text_but_for_spaces(number, window)
            .or_else(|| self.grid_but_for_spaces(number, window))
    }

    fn text_but_for_spaces<'a>(&self, number: u64, window: &'a [u8]) -> Option<LooseAnswer<'a>> {
        let opening = self.opening_but_for_spaces(number, window, FollowingLine::Words)?;
        let line = lines(&window[opening.bytes..]).find(|line| !line.is_empty())?;
        let reply = self.reply_but_for_spaces(number, line.text)?;
        let line = line.shifted_by(opening.bytes, opening.lines);
        let mut block = GridBlock {
            cells: vec![UNREAD; self.width * self.height],
            places: vec![(0, 0); self.width * self.height],
            reply: Some(reply),
            errors: opening.error.into_iter().collect(),
            start: (line.number, line.start),
            bytes: 0,
            lines: 0,
        };
        block
            .errors
            .extend(self.error_of_reply(reply, number, &line));
        block.consume(&line);
        self.consume_empty_line(window, &mut block);
        Some(LooseAnswer {
            block,
            rows: Vec::new(),
        })
    }

    fn grid_but_for_spaces<'a>(&self, number: u64, window: &'a [u8]) -> Option<LooseAnswer<'a>> {
        let follows = if self.lead.is_some() {
            FollowingLine::Words
        } else {
            FollowingLine::Cells
        };
        let opening = self.opening_but_for_spaces(number, window, follows)?;
        let rest = lines(&window[opening.bytes..])
            .map(|line| line.shifted_by(opening.bytes, opening.lines));
        let mut written = rest.filter(|line| !line.is_empty());
        let mut errors: Vec<_> = opening.error.into_iter().collect();
        let mut first = None;
        if let Some(lead) = &self.lead {
            let line = written.next()?;
            if !same_but_for_spaces(lead.line(self.case_number(number)).as_bytes(), line.text) {
                return None;
            }
            errors.extend(self.error_of_words(lead, number, &line));
            first = Some(line);
        }
        let rows: Vec<_> = written.take(self.height).collect();
        let first = first.or(rows.first().copied())?;
        let mut block = GridBlock {
            cells: Vec::with_capacity(self.width * self.height),
            places: Vec::with_capacity(self.width * self.height),
            reply: None,
            errors,
            start: (first.number, first.start),
            bytes: 0,
            lines: 0,
        };
        for (line, row) in rows.iter().zip(0..) {
            self.row_but_for_spaces(line, &mut block)?;
            block.errors.extend(self.error_of_spacing(row, line));
            block.consume(line);
        }
        self.consume_empty_line(window, &mut block);
        (rows.len() == self.height).then_some(LooseAnswer { block, rows })
    }

    /// Reads the cells of a row from its characters. `None` if these cannot be the cells of a row.
    fn row_but_for_spaces(&self, line: &TextLine<'_>, block: &mut GridBlock) -> Option<()> {
        let letters = || {
            line.text
                .iter()
                .enumerate()
                .filter(|(_, byte)| !byte.is_ascii_whitespace())
        };
        if !self.are_characters {
            block.cells.resize(block.cells.len() + self.width, UNREAD);
            block
                .places
                .resize(block.cells.len(), (line.number, line.start));
            return Some(());
        }
        if letters().count() != self.width {
            return None;
        }
        for (place, &byte) in letters() {
            let value = Some(self.values[usize::from(byte)]).filter(|&value| value != UNREAD)?;
            block.cells.push(value);
            block.places.push((line.number, line.start + place));
        }
        Some(())
    }

    /// The meaning of a line in place of grid `number`, whatever its white space.
    pub fn reply_but_for_spaces(&self, number: u64, text: &[u8]) -> Option<ReplyKind> {
        self.texts
            .iter()
            .find(|(_, words)| {
                same_but_for_spaces(words.line(self.case_number(number)).as_bytes(), text)
            })
            .map(|(reply, _)| *reply)
    }
}
