//! Reads grids the tolerant way: reads as much as it can of any text, grids and lines
//! of words, and reports what is wrong with it.

use std::iter::Peekable;

use crate::format::lines::lower_case;
use crate::format::parse_error::{ParseError, ParseErrorKind};
use crate::format::reader::LineCells;
use crate::format::{
    CaseOpening, GridBlock, GridReader, ReplyKind, TextLine, TextOffset, UNREAD,
    difference_of_words, lines, quoted_bytes,
};
use crate::{
    BLANK, BlankLines, CellSpacing, FollowingLine, Layout, RegionMap, Template, Value,
};

impl GridReader {
    /// Reads grid `number` from the start of the window as well as it can. The window
    /// should hold the whole grid or reach to the end of the text.
    pub fn tolerant(&self, number: u64, window: &[u8]) -> GridBlock {
        let opening = self.opening(number, window);
        let mut block = self.unread_after(&opening);
        block.errors.extend(opening.error.clone());
        let mut written = opening
            .rest(window)
            .filter(|line| !self.is_void(line.text))
            .peekable();
        let order = self.order_line.as_ref().map(String::as_bytes);
        if let Some(line) =
            written.next_if(|line| order == Some(line.text.trim_ascii()))
        {
            block.end = line.end;
        }
        if let Some(line) = written.peek() {
            block.start = line.start;
        }
        if let Some(error) = self.misplaced(
            &opening,
            number,
            self.content(number, &mut written, &mut block),
        ) {
            block.errors.insert(0, error);
        }
        self.consume_empty_line(window, &mut block);
        block
    }

    /// A block after an opening of which nothing has been read yet.
    pub(super) fn unread_after(&self, opening: &CaseOpening) -> GridBlock {
        let cells = self.width * self.height;
        GridBlock {
            cells: vec![UNREAD; cells],
            places: vec![TextOffset::START; cells],
            end: opening.end,
            ..GridBlock::default()
        }
    }

    /// In strict white space, the empty line after a grid belongs to it.
    pub(super) fn consume_empty_line(&self, window: &[u8], block: &mut GridBlock) {
        if let Some(line) = lines(&window[block.end.bytes..]).next()
            && self.layout.is_strict()
            && self.layout.blank_lines == BlankLines::After
            && line.text.is_empty()
        {
            block.end = block.end + line.end;
        }
    }

    /// Reads the content after a banner, and returns the kind of its first line.
    fn content<'a>(
        &self,
        number: u64,
        written: &mut Peekable<impl Iterator<Item = TextLine<'a>> + Clone>,
        block: &mut GridBlock,
    ) -> FollowingLine {
        let words = &self.layout.lead;
        let lead = written.next_if(|line| self.is_lead(line.text));
        if let (Some(line), Some(words)) = (&lead, words) {
            block
                .errors
                .extend(self.error_of_words(words, number, line));
            block.end = line.end;
        }
        let is_grid = self.is_unread_grid(written.clone());
        match written.next_if(|line| {
            let is_strange = !is_grid && self.is_strange(line.text);
            lead.is_none() && (self.reply(line.text).is_some() || is_strange)
        }) {
            Some(line) => {
                self.text(number, &line, block);
                // The words before a grid are wrong, or have wrong white space; a grid
                // still follows.
                let is_announced = self.is_lead_but_for_spaces(line.text)
                    || words.is_some()
                        && written.peek().is_some_and(|line| self.is_row(line.text));
                if block.reply.is_none() && is_announced {
                    self.rows(written, block);
                }
                FollowingLine::Words
            }
            None => {
                if let (None, Some(words)) = (&lead, words) {
                    let expected = words.line(self.layout.case_number(number));
                    block.errors.push(
                        ParseErrorKind::MissingLead { expected }.at(block.start),
                    );
                }
                self.rows(written, block);
                if lead.is_some() {
                    FollowingLine::Words
                } else {
                    FollowingLine::Cells
                }
            }
        }
    }

    fn rows<'a>(
        &self,
        written: &mut Peekable<impl Iterator<Item = TextLine<'a>> + Clone>,
        block: &mut GridBlock,
    ) {
        let mut rows = 0;
        let mut most = self.height;
        while let Some(line) = written.next_if(|line| {
            rows < most || self.is_surplus(line, line.start.lines > block.end.lines)
        }) {
            if self.closes_a_grid(&line) {
                break;
            }
            if rows < self.height {
                self.row(rows, &line, block);
            }
            rows += 1;
            block.end = line.end;
            if rows == self.height {
                // Lines up to the next separator are surplus. If there are enough of
                // them for a grid, they are the next grid and a separator is missing.
                most += written
                    .clone()
                    .take(self.height)
                    .position(|line| self.is_separator_like(line.text))
                    .unwrap_or(0);
            }
        }
        if rows != self.height {
            let found = rows;
            let expected = self.height;
            let kind = if self.height == self.width {
                ParseErrorKind::RowCount { found, expected }
            } else {
                ParseErrorKind::LineCount { found, expected }
            };
            block.errors.push(kind.at(block.end.end_of_line()));
        }
    }

    /// Reads a line that stands in place of a grid.
    fn text(&self, number: u64, line: &TextLine<'_>, block: &mut GridBlock) {
        block.reply = self
            .reply(line.text)
            .or_else(|| self.nearly_reply(line.text));
        match block.reply {
            Some(reply) => block
                .errors
                .extend(self.error_of_reply(reply, number, line)),
            None => block.errors.push(self.wrong_words(number, line)),
        }
        block.end = line.end;
    }

    /// The error for a line that is none of the texts that may stand before a grid or
    /// in place of it.
    fn wrong_words(&self, number: u64, line: &TextLine<'_>) -> ParseError {
        let lead = &self.layout.lead;
        if self.is_lead_but_for_spaces(line.text)
            && let Some(lead) = lead
            && let Some(error) = self.error_of_words(lead, number, line)
        {
            return error;
        }
        let number = self.layout.case_number(number);
        let expected = lead
            .iter()
            .chain(self.replies.texts().map(|(_, text)| text))
            .map(|text| text.line(number))
            .collect();
        let found = quoted_bytes(line.text);
        let kind = match lead {
            Some(_) => ParseErrorKind::WrongLead { expected, found },
            None => ParseErrorKind::UnknownText { expected, found },
        };
        kind.at(line.start)
    }

    /// Whether a line cannot belong to the grid that is being read.
    pub(super) fn closes_a_grid(&self, line: &TextLine<'_>) -> bool {
        let text = line.text;
        // If an order precedes each grid, a row may look like the line that ends the
        // text, and counts as a row.
        self.opens_a_case(text)
            || self.is_end(text) && self.row_values(text).is_none()
            || self.is_words_of_ours(text)
            || self.nearly_reply(text).is_some()
            || self.is_separator_like(text)
    }

    /// Whether a line is wrong words, if words may stand before a grid or in place of
    /// it: it has no known cell, or the letters of one of the texts.
    fn is_strange(&self, text: &[u8]) -> bool {
        let mut texts = self
            .replies
            .texts()
            .map(|(_, text)| text)
            .chain(&self.layout.lead)
            .peekable();
        texts.peek().is_some()
            && self.known_cells(&self.units(text)) == 0
            && !self.is_torn_row(text)
            || texts.any(|known| {
                // Digits are not compared if the text names a case, since it may be
                // another one.
                let is_compared = match known.digits {
                    Some(_) => u8::is_ascii_alphabetic,
                    None => u8::is_ascii_alphanumeric,
                };
                let plain = |text: &[u8]| lower_case(text, is_compared);
                self.row_values(text).is_none()
                    && plain(text) == plain(known.line(1).as_bytes())
            })
    }

    /// Whether lines are a grid in which a whole row, or every one, has other symbols:
    /// the first has as many cells as a row, and is not made of letters as the texts
    /// are, or so are all the others.
    fn is_unread_grid<'a>(
        &self,
        lines: impl Iterator<Item = TextLine<'a>> + Clone,
    ) -> bool {
        let is_unread_row = |line: &TextLine<'_>| {
            let units = self.units(line.text);
            units.cells.len() == self.width
                && units.spacing_fits
                && self.known_cells(&units) == 0
                && !self.closes_a_grid(line)
        };
        let has_letters = |text: &[u8]| text.iter().any(u8::is_ascii_alphabetic);
        let mut rows = lines.take(self.height);
        let Some(first) = rows.next().filter(is_unread_row) else {
            return false;
        };
        let mut texts = self.replies.texts().map(|(_, text)| text);
        let is_no_word = first.text.is_ascii()
            && !has_letters(first.text)
            && texts.all(|text| has_letters(text.line(1).as_bytes()));
        // The same word may stand in place of several grids.
        is_no_word
            || rows.clone().all(|row| row.text != first.text)
                && rows.filter(is_unread_row).count() + 1 == self.height
    }

    /// Whether a line after the last row still belongs to the grid. This can be decided
    /// only if each case has an opening. `is_after_gap` says whether empty lines
    /// precede the line.
    fn is_surplus(&self, line: &TextLine<'_>, is_after_gap: bool) -> bool {
        let Layout { banner, lead, .. } = &self.layout;
        let units = self.units(line.text);
        let is_wordy = 2 * self.known_cells(&units) < units.cells.len()
            && !self.is_torn_row(line.text);
        let may_be_an_opening = is_wordy || is_after_gap && !self.is_row(line.text);
        (banner.is_some() || lead.is_some())
            && !may_be_an_opening
            && !banner
                .as_ref()
                .is_some_and(|banner| banner.template.resembles(line.text))
    }
}

impl GridBlock {
    /// Whether its text could be read without errors. The grid itself may still break
    /// the rules.
    pub fn is_readable(&self) -> bool {
        self.errors.is_empty()
    }
}

// Reads a line of a grid or of its region map: the value of each cell, and the first
// error.

/// The most cells of a row that are counted: more than any grid has.
const MOST_COUNTED: usize = 1000;

impl GridReader {
    /// Reads line `number` (from 0) of a grid into a block.
    pub(super) fn row(
        &self,
        number: usize,
        line: &TextLine<'_>,
        block: &mut GridBlock,
    ) {
        let units = self.units(line.text);
        let is_map = self
            .layout
            .region_map
            .is_some_and(|map| map.has_line(number, self.lines));
        let error = |kind, cell: Option<usize>, byte| {
            let error = ParseError {
                kind,
                // If a line holds a whole grid, a place has a row only with its column.
                row: if self.lines == self.width {
                    Some(number % self.lines + 1)
                } else {
                    cell.map(|cell| cell / self.order + 1)
                },
                column: cell.map(|cell| cell % self.order + 1),
                place: line.byte(byte),
            };
            if is_map {
                ParseError {
                    kind: ParseErrorKind::InMap(Box::new(error.clone())),
                    ..error
                }
            } else {
                error
            }
        };
        if let Some((kind, column, byte)) = self.error_of(&units, line, is_map) {
            block.errors.push(error(kind, column, byte));
        }
        if units.cells.len() != self.width {
            return;
        }
        for (column, &(start, text)) in units.cells.iter().enumerate() {
            let value = self.value_in(is_map, text);
            block.cells[number * self.width + column] = value;
            block.places[number * self.width + column] = line.byte(start);
            if value == BLANK && !self.may_be_blank {
                block.errors.push(error(
                    ParseErrorKind::Blank(char::from(text[0])),
                    Some(column),
                    start,
                ));
            }
        }
    }

    /// The error in the white space of row `number` (from 0) of a block, if it is not as
    /// the layout requires.
    pub fn error_of_spacing(
        &self,
        number: usize,
        line: &TextLine<'_>,
        block: &GridBlock,
    ) -> Option<ParseError> {
        let places = &block.places[number * self.width..][..self.width];
        let starts = places.iter().map(|place| place.bytes - line.start.bytes);
        let kind = self.wrong_spacing(line.text, starts);
        self.row_values(line.text).is_none().then_some(ParseError {
            row: (self.lines == self.width).then_some(number + 1),
            ..kind.at(line.start)
        })
    }

    /// The error for a line with wrong white space, whose cells start at these bytes.
    fn wrong_spacing(
        &self,
        text: &[u8],
        starts: impl Iterator<Item = usize>,
    ) -> ParseErrorKind {
        let mut groups: Vec<(usize, usize)> = vec![];
        for (start, column) in starts.zip(1..).skip(1) {
            let before = text[start - 1];
            let ignored = self.layout.ignored.as_bytes();
            if before.is_ascii_whitespace() || ignored.contains(&before) {
                continue;
            }
            match groups.last_mut() {
                Some((_, last)) if *last + 1 == column => *last = column,
                _ => groups.push((column - 1, column)),
            }
        }
        let is_whole = groups.is_empty() && !self.has_numbers()
            || groups == [(1, self.width)]
            || self.lines != self.width;
        if is_whole || self.layout.cells == CellSpacing::Joined {
            ParseErrorKind::Spacing(self.layout.cells)
        } else {
            ParseErrorKind::MissingSpaces(groups)
        }
    }

    /// The value of a cell of a grid; for a cell of its map, the byte in the text.
    fn value_in(&self, is_map: bool, text: &[u8]) -> Value {
        match text {
            [byte] if is_map && byte.is_ascii_graphic() => *byte,
            _ if is_map => UNREAD,
            text => self.value(text),
        }
    }

    /// The first error in a line, other than a blank cell: its kind, its cell (from 0)
    /// if it has one, and its byte in the line.
    fn error_of(
        &self,
        units: &LineCells<'_>,
        line: &TextLine<'_>,
        is_map: bool,
    ) -> Option<(ParseErrorKind, Option<usize>, usize)> {
        let wrong_count = || {
            let kind = self.wrong_count(units.cells.len(), line);
            Some((kind, None, line.text.len()))
        };
        let has_other_count = units.cells.len() != self.width;
        if has_other_count && self.is_torn_row(line.text) {
            return wrong_count();
        }
        // A character that looks like a space or like nothing may be all that is too
        // much.
        let unknown = units.cells.iter().zip(0..).find(|&(&(_, cell), column)| {
            (column < self.width || !cell.is_ascii())
                && self.value_in(is_map, cell) == UNREAD
        });
        if let Some(((start, text), column)) = unknown {
            let unknown = match self.layout.region_map {
                _ if is_map => ParseErrorKind::UnknownRegion,
                Some(RegionMap::Walls) => ParseErrorKind::UnknownWalls,
                _ => ParseErrorKind::UnknownSymbol,
            };
            return Some((
                unknown(quoted_bytes(text)),
                Some(column).filter(|column| *column < self.width),
                *start,
            ));
        }
        if has_other_count {
            return wrong_count();
        }
        let starts = units.cells.iter().map(|(start, _)| *start);
        (!units.spacing_fits)
            .then(|| (self.wrong_spacing(line.text, starts), None, 0))
    }

    /// The error for a row with this wrong number of cells. Only the start of a line
    /// that is far too long is in the window.
    fn wrong_count(&self, found: usize, line: &TextLine<'_>) -> ParseErrorKind {
        let expected = self.width;
        let is_cut = line.text.len() > self.longest_line;
        match found {
            MOST_COUNTED.. => ParseErrorKind::TooManyCells {
                counted: MOST_COUNTED,
                expected,
            },
            found if is_cut && found > expected => ParseErrorKind::TooManyCells {
                counted: found - 1,
                expected,
            },
            found => ParseErrorKind::CellCount { found, expected },
        }
    }
}

// Recognises the lines of words before a grid or in place of it, and checks whether
// they name the right case.

impl GridReader {
    /// The meaning of a line that may stand in place of a grid, whichever case it
    /// names, ignoring spaces at its ends; `None` for any other line.
    pub fn reply(&self, text: &[u8]) -> Option<ReplyKind> {
        self.replies.kind_of(|known| self.is_line_of(known, text))
    }

    /// Like [`Self::reply`], but ignores all white space.
    pub fn nearly_reply(&self, text: &[u8]) -> Option<ReplyKind> {
        let reply = self.replies.kind_of(|known| {
            !known.is_bare() && known.resembles_but_for_spaces(text)
        })?;
        self.row_values(text).is_none().then_some(reply)
    }

    /// Whether a line is the number of solutions, even with other white space inside.
    pub fn is_count(&self, text: &[u8]) -> bool {
        let count = self.replies.count.as_ref().map(|count| &count.template);
        // A bare number with spaces in it may be a broken row.
        self.is_plain_count(text)
            || count.is_some_and(|count| {
                !count.is_bare() && count.resembles_but_for_spaces(text)
            }) && !self.is_row_but_for_spaces(text)
    }

    /// Whether a line is the number of solutions, ignoring white space at its ends.
    pub fn is_plain_count(&self, text: &[u8]) -> bool {
        let count = self.replies.count.as_ref();
        count.is_some_and(|count| count.template.resembles(text))
            && !self.is_row_but_for_spaces(text)
    }

    /// The number on a line that is a misspelt line of the number of solutions: it has one
    /// number, and words that begin as those of that line, or more words than cells.
    pub fn misspelt_count(&self, line: &TextLine<'_>) -> Option<u64> {
        let count = &self.replies.count.as_ref()?.template;
        let letters = |text: &[u8]| lower_case(text, u8::is_ascii_alphabetic);
        let words = letters(line.text);
        let own = letters(count.line(1).as_bytes());
        let units = self.units(line.text);
        let known = self.known_cells(&units);
        let cells = units.cells.len();
        let is_row = cells == self.width && 2 * known >= cells;
        let is_ours = !own.is_empty()
            && !words.is_empty()
            && (own[0] == words[0] || 2 * known < cells)
            && !is_row
            && !self.closes_a_grid(line);
        let mut numbers = { line.text.split(|byte| !byte.is_ascii_digit()) }
            .filter(|number| !number.is_empty());
        let number = numbers.next().filter(|_| is_ours)?;
        if numbers.next().is_some() {
            return None;
        }
        str::from_utf8(number).ok()?.parse().ok()
    }

    /// The error in a line with this meaning in place of grid `number`: its white
    /// space, or the case that it names.
    pub fn error_of_reply(
        &self,
        reply: ReplyKind,
        number: u64,
        line: &TextLine<'_>,
    ) -> Option<ParseError> {
        self.error_of_words(self.replies.text(reply)?, number, line)
    }

    /// Whether a line is the one that precedes a grid, whichever case it names,
    /// ignoring spaces at its ends.
    pub(super) fn is_lead(&self, text: &[u8]) -> bool {
        let lead = self.layout.lead.as_ref();
        lead.is_some_and(|lead| self.is_line_of(lead, text))
    }

    /// Whether a line is these words, whichever case it names, and no row.
    fn is_line_of(&self, words: &Template, text: &[u8]) -> bool {
        words.resembles(text)
            && (words.digits.is_none() || self.row_values(text).is_none())
    }

    fn is_lead_but_for_spaces(&self, text: &[u8]) -> bool {
        self.layout.lead.as_ref().is_some_and(|lead| {
            !lead.is_bare() && lead.resembles_but_for_spaces(text)
        })
    }

    /// The error in a line that equals these words of case `number` except for its
    /// white space or that number.
    pub(super) fn error_of_words(
        &self,
        words: &Template,
        number: u64,
        line: &TextLine<'_>,
    ) -> Option<ParseError> {
        let words = words.line(self.layout.case_number(number));
        let error = difference_of_words(&words, line)?;
        Some(match error.kind {
            ParseErrorKind::WrongWords { expected, found } => ParseError {
                kind: ParseErrorKind::WrongCase { expected, found },
                ..error
            },
            _ => error,
        })
    }
}
