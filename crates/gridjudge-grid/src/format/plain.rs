//! The short way to read a grid: cells where the layout puts them. Says only yes or no; what is wrong with a text that it
//! does not take, the tolerant way tells. This is the inner loop of checking files of a million grids.

use crate::BlankLines;
use crate::CellSpacing;
use crate::LineEnd;
use crate::Value;
use crate::format::GridReader;
use crate::format::UNREAD;

/// White space that may stand around the lines of a grid, in bytes, before the short way is given up.
const SLACK: usize = 256;

/// The part of a window that a grid took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// In bytes.
    pub bytes: usize,
    /// In lines.
    pub lines: u64,
}

impl GridReader {
    /// Bytes of a window that are enough for a grid that is written plainly.
    #[inline]
    pub fn longest_plain(&self) -> usize {
        let banner = self.plain_banner.as_ref().map_or(0, |banner| banner.template.longest() + 1);
        let lead = self.lead.as_ref().map_or(0, |lead| lead.longest() + 1);
        let cell = if self.are_characters { 2 } else { 3 };
        cell * self.order * self.order + banner + lead + SLACK
    }

    /// Reads grid `number` (from 1) into `cells`, row-major, if it stands plainly at the start of the window: in the
    /// canonical writing, and where white space is not strict also with empty lines before it and blanks at the ends of
    /// its lines. Blank cells are not refused here: the rules refuse them.
    pub fn plain(&self, number: u64, window: &[u8], cells: &mut [Value]) -> Option<Extent> {
        // Of a map, mistakes are told by their lines.
        if !self.ignored.is_empty() || self.map.is_some() {
            return None;
        }
        let mut lines = 0;
        let rest = self.after_opening(number, window, &mut lines)?;
        let rest = match (self.cells, self.width) {
            (CellSpacing::Spaced, _) if !self.are_characters => self.after_numbers(rest, cells),
            // A width that is known to the compiler is unrolled.
            (CellSpacing::Joined, 9) => self.after_rows::<1, 9>(rest, cells),
            (CellSpacing::Spaced, 9) => self.after_rows::<2, 9>(rest, cells),
            (CellSpacing::Joined, 81) => self.after_rows::<1, 81>(rest, cells),
            (CellSpacing::Joined, _) => self.after_rows::<1, 0>(rest, cells),
            (CellSpacing::Spaced, _) => self.after_rows::<2, 0>(rest, cells),
        }?;
        lines += self.height as u64;
        let rest = match self.is_strict && self.blank_lines == BlankLines::After {
            true => {
                lines += 1;
                rest.strip_prefix(b"\n")?
            }
            false => rest,
        };
        Some(Extent { bytes: window.len() - rest.len(), lines })
    }

    /// The rest behind lines of cells of one character. `STEP` is the distance of two cells in a line; `WIDTH` the number
    /// of cells of a line where it is known, else 0.
    #[inline]
    fn after_rows<'a, const STEP: usize, const WIDTH: usize>(
        &self,
        mut rest: &'a [u8],
        cells: &mut [Value],
    ) -> Option<&'a [u8]> {
        let width = if WIDTH == 0 { self.width } else { WIDTH };
        let needs_space = self.is_strict && self.line_end == LineEnd::Space;
        let (mut strange, mut apart) = (0, 0);
        for values in cells.chunks_exact_mut(width) {
            let (row, behind) = rest.split_at_checked(STEP * (width - 1) + 1)?;
            for (value, cell) in values.iter_mut().zip(row.chunks(STEP)) {
                *value = self.values[usize::from(cell[0])];
                strange |= *value;
                apart |= cell.get(1).map_or(0, |separator| separator ^ b' ');
            }
            rest = match behind {
                [b'\n', behind @ ..] if !needs_space => behind,
                _ => self.after_row(behind)?,
            };
        }
        // Values end at 25, so only what is no symbol sets the top bit.
        (strange & (UNREAD ^ UNREAD >> 1) == 0 && apart == 0).then_some(rest)
    }

    /// The rest behind lines of cells that are numbers, one space apart.
    fn after_numbers<'a>(&self, mut rest: &'a [u8], cells: &mut [Value]) -> Option<&'a [u8]> {
        for line in cells.chunks_exact_mut(self.width) {
            for (column, value) in line.iter_mut().enumerate() {
                rest = if column == 0 { rest } else { rest.strip_prefix(b" ")? };
                let width = rest.iter().take(3).take_while(|byte| !byte.is_ascii_whitespace()).count();
                *value = self.value(&rest[..width]);
                rest = &rest[width..];
                if *value == UNREAD {
                    return None;
                }
            }
            rest = self.after_row(rest)?;
        }
        Some(rest)
    }

    /// The rest of a window behind the empty lines, the banner, the words and the order that open a grid. Counts lines.
    fn after_opening<'a>(&self, number: u64, window: &'a [u8], lines: &mut u64) -> Option<&'a [u8]> {
        let mut rest = window;
        let is_one_due =
            self.blank_lines == BlankLines::Before || self.blank_lines == BlankLines::Between && number > 1;
        let mut may_be_empty = if self.is_strict { u64::from(is_one_due) } else { SLACK as u64 };
        while may_be_empty > 0
            && let Some(next) =
                rest.first().filter(|byte| byte.is_ascii_whitespace()).and_then(|_| self.after_line(rest))
        {
            rest = next;
            may_be_empty -= 1;
            *lines += 1;
        }
        if self.is_strict && may_be_empty > 0 {
            return None;
        }
        if let Some(banner) = &self.plain_banner {
            rest = banner.template.strip(rest, (number + banner.first).checked_sub(1)?)?;
            if banner.is_alone {
                rest = self.after_line(rest)?;
                *lines += 1;
            }
        }
        if let Some(lead) = &self.lead {
            rest = self.after_line(lead.strip(rest, self.case_number(number))?)?;
            *lines += 1;
        }
        if let Some(order) = &self.order_line {
            rest = self.after_line(rest.strip_prefix(order.as_bytes())?)?;
            *lines += 1;
        }
        Some(rest)
    }

    /// The rest behind the end of a line of cells, with the space there that the layout allows or requires.
    fn after_row<'a>(&self, text: &'a [u8]) -> Option<&'a [u8]> {
        match (self.is_strict, self.line_end) {
            (true, LineEnd::Space) => text.strip_prefix(b" \n"),
            (true, LineEnd::MayHaveSpace) => text.strip_prefix(b" ").unwrap_or(text).strip_prefix(b"\n"),
            _ => self.after_line(text),
        }
    }

    /// The rest behind the end of a line, and where white space is not strict, behind blanks before that.
    fn after_line<'a>(&self, text: &'a [u8]) -> Option<&'a [u8]> {
        match text {
            [b'\n', rest @ ..] => Some(rest),
            [b' ' | b'\t' | b'\r', ..] if !self.is_strict => {
                let blanks = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
                text[blanks..].strip_prefix(b"\n")
            }
            _ => None,
        }
    }
}
