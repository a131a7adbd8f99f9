//! Reads a grid that is right but for lines that belong to no grid, such as a heading
//! or what was printed to find a mistake, and an answer that is right but for its white
//! space. Start at
//! [`GridReader::among_strays`] and [`LooseAnswer`].

use crate::format::lines::{lower_case, same_but_for_spaces};
use crate::format::parse_error::ParseErrorKind;
use crate::format::{
    CaseOpening, GridBlock, GridReader, ReplyKind, StrayLine, StrayPlace, TextLine,
    UNREAD, lines,
};
use crate::{FollowingLine, Separator};

/// The most lines that are passed over.
pub const MOST_STRAYS: usize = 10;

impl GridReader {
    /// Reads case `number` from the start of a window, passing over lines that are
    /// neither its banner, nor words, nor rows of cells. `None` if there are no such
    /// lines, or if something else is wrong.
    pub fn among_strays(&self, number: u64, window: &[u8]) -> Option<GridBlock> {
        let opening = self.opening(number, window);
        let (opening, strays) = match opening.error {
            None => (opening, vec![]),
            Some(_) => self.opening_among_strays(number, window)?,
        };
        let mut block = GridBlock {
            strays,
            ..self.unread_after(&opening)
        };
        let lead = self
            .layout
            .lead
            .as_ref()
            .map(|lead| lead.line(self.layout.case_number(number)));
        let mut is_led = lead.is_none();
        let mut rows = 0;
        for line in opening.rest(window).filter(|line| !self.is_void(line.text)) {
            let reply = self.reply(line.text).filter(|_| rows == 0);
            if !is_led && self.is_lead(line.text) {
                is_led = true;
            } else if is_led && self.row_values(line.text).is_some() {
                self.row(rows, &line, &mut block);
                rows += 1;
            } else if reply.is_some() {
                block.reply = reply;
                let words =
                    String::from_utf8_lossy(line.text.trim_ascii()).into_owned();
                for stray in &mut block.strays {
                    stray.before = StrayPlace::Words(words.clone());
                }
            } else if self.closes_a_grid(&line) || block.strays.len() == MOST_STRAYS {
                return None;
            } else {
                let before = match &lead {
                    Some(lead) if !is_led => StrayPlace::Words(lead.clone()),
                    _ => StrayPlace::Row(rows),
                };
                block.strays.push(StrayLine::new(&line, before));
                continue;
            }
            if rows <= 1 {
                block.start = line.start;
            }
            block.end = line.end;
            if rows == self.height || reply.is_some() {
                self.consume_empty_line(window, &mut block);
                return Some(block).filter(|block| !block.strays.is_empty());
            }
        }
        None
    }

    /// Finds the right banner of case `number` after lines that are nothing that
    /// belongs into an output. `None` if there are no such lines, or no such banner
    /// after them.
    pub fn opening_among_strays(
        &self,
        number: u64,
        window: &[u8],
    ) -> Option<(CaseOpening, Vec<StrayLine>)> {
        let banner = self.layout.banner.as_ref()?.line(number).trim().to_owned();
        let mut strays = vec![];
        for line in lines(window)
            .filter(|line| !self.is_void(line.text))
            .take(MOST_STRAYS + 1)
        {
            let opening = self.opening(number, &window[line.start.bytes..]);
            let Some(error) = &opening.error else {
                let found = (opening.shifted_by(line.start), strays);
                return Some(found).filter(|(_, strays)| !strays.is_empty());
            };
            let is_ours = !matches!(error.kind, ParseErrorKind::WrongBanner { .. })
                || self.is_row(line.text)
                || self.opens_a_case(line.text)
                || self.is_words_of_ours(line.text)
                || self.is_separator_like(line.text)
                || self.is_count(line.text);
            if is_ours {
                return None;
            }
            strays.push(StrayLine::new(&line, StrayPlace::Words(banner.clone())));
        }
        None
    }
}

// Decides whether a line is the separator between two grids, or a misspelt one.

/// How much a line resembles the separator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeparatorLikeness {
    /// It is the separator, ignoring spaces at its ends.
    Same,
    /// Only its white space differs.
    Spaced,
    /// It is a misspelt separator.
    Wrong,
    /// It is something else.
    Other,
}

impl GridReader {
    /// The line between two cases.
    pub fn separator(&self) -> Option<&Separator> {
        self.layout.separator.as_ref()
    }

    /// How much a line resembles the separator. A misspelt separator has the same
    /// letters and digits as the right one (none if that has none), ignoring case.
    pub fn likeness_of_separator(&self, text: &[u8]) -> SeparatorLikeness {
        let Some(Separator { line, .. }) = self.separator() else {
            return SeparatorLikeness::Other;
        };
        let letters = |text: &[u8]| lower_case(text, u8::is_ascii_alphanumeric);
        match text.trim_ascii() {
            text if text == line.as_bytes() => SeparatorLikeness::Same,
            [] => SeparatorLikeness::Other,
            text if letters(text) != letters(line.as_bytes())
                || self.is_row(text)
                || self.is_banner(text)
                || self.is_words_of_ours(text)
                || self.nearly_reply(text).is_some() =>
            {
                SeparatorLikeness::Other
            }
            text if same_but_for_spaces(text, line.as_bytes()) => {
                SeparatorLikeness::Spaced
            }
            _ => SeparatorLikeness::Wrong,
        }
    }

    /// Whether a line is the separator, ignoring spaces at its ends.
    pub fn is_separator(&self, text: &[u8]) -> bool {
        self.likeness_of_separator(text) == SeparatorLikeness::Same
    }

    /// Whether a line is a separator, even a misspelt one.
    pub fn is_separator_like(&self, text: &[u8]) -> bool {
        self.likeness_of_separator(text) != SeparatorLikeness::Other
    }
}

// Reads an answer that has every character of a well written one, line by line, and
// only other white space. It knows what belongs on each line, so it never has to guess
// what a line was meant to be.

/// An answer as it stands in a text with any white space.
pub struct LooseAnswer<'a> {
    /// The answer, without errors of the white space in its rows. Cells that are numbers
    /// are [`UNREAD`]: their digits may be divided in several ways.
    pub block: GridBlock,
    /// The lines of its rows; none if a text stands in place of them.
    pub rows: Vec<TextLine<'a>>,
}

impl GridReader {
    /// The answer to grid `number` at the start of a window, if nothing but its white
    /// space can be wrong before the first cell, and its lines have as many characters
    /// as rows have.
    pub fn but_for_spaces<'a>(
        &self,
        number: u64,
        window: &'a [u8],
    ) -> Option<LooseAnswer<'a>> {
        self.text_but_for_spaces(number, window)
            .or_else(|| self.grid_but_for_spaces(number, window))
    }

    fn text_but_for_spaces<'a>(
        &self,
        number: u64,
        window: &'a [u8],
    ) -> Option<LooseAnswer<'a>> {
        let opening =
            self.opening_but_for_spaces(number, window, FollowingLine::Words)?;
        let line = opening.rest(window).find(|line| !line.is_empty())?;
        let reply = self.reply_but_for_spaces(number, line.text)?;
        let mut block = self.unread_after(&opening);
        block.reply = Some(reply);
        block.start = line.start;
        block.errors.extend(opening.error);
        block
            .errors
            .extend(self.error_of_reply(reply, number, &line));
        block.end = line.end;
        self.consume_empty_line(window, &mut block);
        Some(LooseAnswer {
            block,
            rows: vec![],
        })
    }

    fn grid_but_for_spaces<'a>(
        &self,
        number: u64,
        window: &'a [u8],
    ) -> Option<LooseAnswer<'a>> {
        let layout = &self.layout;
        let opening =
            self.opening_but_for_spaces(number, window, layout.first_line())?;
        let mut written = opening.rest(window).filter(|line| !line.is_empty());
        let mut errors: Vec<_> = opening.error.into_iter().collect();
        let mut first = None;
        if let Some(lead) = &layout.lead {
            let words = lead.line(layout.case_number(number));
            let line = written
                .next()
                .filter(|line| same_but_for_spaces(words.as_bytes(), line.text))?;
            errors.extend(self.error_of_words(lead, number, &line));
            first = Some(line);
        }
        let rows: Vec<_> = written.take(self.height).collect();
        let first = first.or(rows.first().copied())?;
        let mut block = GridBlock {
            errors,
            start: first.start,
            ..GridBlock::default()
        };
        for line in &rows {
            self.row_but_for_spaces(line, &mut block)?;
            block.end = line.end;
        }
        self.consume_empty_line(window, &mut block);
        (rows.len() == self.height).then_some(LooseAnswer { block, rows })
    }

    /// Reads the cells of a row from its characters. `None` if these cannot be the
    /// cells of a row.
    fn row_but_for_spaces(
        &self,
        line: &TextLine<'_>,
        block: &mut GridBlock,
    ) -> Option<()> {
        let before = block.cells.len();
        if !self.are_characters {
            block.cells.resize(before + self.width, UNREAD);
            block.places.resize(before + self.width, line.start);
            return Some(());
        }
        for (place, byte) in line.text.iter().enumerate() {
            if byte.is_ascii_whitespace() {
                continue;
            }
            block.cells.push(self.values[usize::from(*byte)]);
            block.places.push(line.byte(place));
        }
        let row = &block.cells[before..];
        (row.len() == self.width && !row.contains(&UNREAD)).then_some(())
    }

    /// The meaning of a line in place of grid `number`, whatever its white space.
    pub fn reply_but_for_spaces(
        &self,
        number: u64,
        text: &[u8],
    ) -> Option<ReplyKind> {
        let number = self.layout.case_number(number);
        self.replies
            .kind_of(|words| same_but_for_spaces(words.line(number).as_bytes(), text))
    }
}
