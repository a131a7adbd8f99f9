//! Reads grids the fast way: every cell must be exactly where the layout puts it. Only
//! accepts or refuses a text; [`GridReader::tolerant`] reports what is wrong with a
//! refused one. This is the inner loop of checking files of a million grids.

use crate::format::{GridReader, TextOffset, UNREAD};
use crate::{BlankLines, CellSpacing, LineEnd, Value};

/// How much white space may stand around the lines of a grid, in bytes, before the fast
/// reader refuses it.
const SLACK: usize = 256;

impl GridReader {
    /// The bytes of a window that suffice for a grid in the canonical form.
    #[inline]
    pub fn longest_plain(&self) -> usize {
        let banner = self
            .plain_banner
            .as_ref()
            .map_or(0, |banner| banner.longest() + 1);
        let lead = &self.layout.lead;
        let cell = if self.are_characters { 2 } else { 3 };
        cell * self.order * self.order
            + banner
            + lead.as_ref().map_or(0, |lead| lead.longest() + 1)
            + SLACK
    }

    /// Reads grid `number` (from 1) into `cells`, row-major, if the window starts with
    /// it in the canonical form; in lenient white space also with empty lines before it
    /// and white space at the ends of its lines. Does not refuse blank cells:
    /// [`GridRules`](crate::GridRules) do. Returns its end.
    pub fn plain(
        &self,
        number: u64,
        window: &[u8],
        cells: &mut [Value],
    ) -> Option<TextOffset> {
        // Mistakes in a map are reported with their lines, which only the tolerant
        // reader knows.
        let layout = &self.layout;
        if !layout.ignored.is_empty() || layout.region_map.is_some() {
            return None;
        }
        let mut lines = 0;
        let rest = self.after_opening(number, window, &mut lines)?;
        let rest = match (layout.cells, self.width) {
            (CellSpacing::Spaced, _) if !self.are_characters => {
                self.after_numbers(rest, cells)
            }
            // The compiler unrolls the loop over a width known at compile time.
            (CellSpacing::Joined, 9) => self.after_rows::<1, 9>(rest, cells),
            (CellSpacing::Spaced, 9) => self.after_rows::<2, 9>(rest, cells),
            (CellSpacing::Joined, 81) => self.after_rows::<1, 81>(rest, cells),
            (CellSpacing::Joined, _) => self.after_rows::<1, 0>(rest, cells),
            (CellSpacing::Spaced, _) => self.after_rows::<2, 0>(rest, cells),
        }?;
        lines += self.height as u64;
        let rest = if layout.is_strict() && layout.blank_lines == BlankLines::After {
            lines += 1;
            rest.strip_prefix(b"\n")?
        } else {
            rest
        };
        Some(TextOffset {
            bytes: window.len() - rest.len(),
            lines,
        })
    }

    /// Reads lines of one-character cells and returns the rest of the text. `STEP` is
    /// the distance between two cells in a line; `WIDTH` is the number of cells per
    /// line if it is known at compile time, else 0.
    #[inline]
    fn after_rows<'a, const STEP: usize, const WIDTH: usize>(
        &self,
        mut rest: &'a [u8],
        cells: &mut [Value],
    ) -> Option<&'a [u8]> {
        let width = if WIDTH == 0 { self.width } else { WIDTH };
        let needs_space =
            self.layout.is_strict() && self.layout.line_end == LineEnd::Space;
        let mut all_values = 0;
        let mut wrong_separators = 0;
        for values in cells.chunks_exact_mut(width) {
            let (row, after) = rest.split_at_checked(STEP * (width - 1) + 1)?;
            for (value, cell) in values.iter_mut().zip(row.chunks(STEP)) {
                *value = self.values[usize::from(cell[0])];
                all_values |= *value;
                wrong_separators |=
                    cell.get(1).map_or(0, |separator| separator ^ b' ');
            }
            rest = match after {
                [b'\n', after @ ..] if !needs_space => after,
                _ => self.after_row(after)?,
            };
        }
        // Values are at most 25, so only `UNREAD` sets the top bit.
        (all_values & (UNREAD ^ UNREAD >> 1) == 0 && wrong_separators == 0)
            .then_some(rest)
    }

    /// Reads lines of cells that are numbers, separated by one space, and returns the
    /// rest of the text.
    fn after_numbers<'a>(
        &self,
        mut rest: &'a [u8],
        cells: &mut [Value],
    ) -> Option<&'a [u8]> {
        for line in cells.chunks_exact_mut(self.width) {
            for (column, value) in line.iter_mut().enumerate() {
                rest = if column == 0 {
                    rest
                } else {
                    rest.strip_prefix(b" ")?
                };
                let width = rest
                    .iter()
                    .take(3)
                    .take_while(|byte| !byte.is_ascii_whitespace())
                    .count();
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

    /// The rest of a window after the empty lines, banner, words and order that open a
    /// grid. Adds their number to `lines`.
    fn after_opening<'a>(
        &self,
        number: u64,
        window: &'a [u8],
        lines: &mut u64,
    ) -> Option<&'a [u8]> {
        let layout = &self.layout;
        let mut rest = window;
        let mut may_be_empty = if layout.is_strict() {
            u64::from(layout.has_blank_line_before(number))
        } else {
            SLACK as u64
        };
        while may_be_empty > 0
            && let Some(next) = rest
                .first()
                .filter(|byte| byte.is_ascii_whitespace())
                .and_then(|_| self.after_line(rest))
        {
            rest = next;
            may_be_empty -= 1;
            *lines += 1;
        }
        if layout.is_strict() && may_be_empty > 0 {
            return None;
        }
        if let (Some(banner), Some(plain)) = (&layout.banner, &self.plain_banner) {
            rest = plain.strip(rest, banner.number(number))?;
            if banner.is_alone_before(layout.first_line()) {
                rest = self.after_line(rest)?;
                *lines += 1;
            }
        }
        if let Some(lead) = &layout.lead {
            rest = self.after_line(lead.strip(rest, layout.case_number(number))?)?;
            *lines += 1;
        }
        if let Some(order) = &self.order_line {
            rest = self.after_line(rest.strip_prefix(order.as_bytes())?)?;
            *lines += 1;
        }
        Some(rest)
    }

    /// The rest after the end of a line of cells, including the space that the layout
    /// allows or requires there.
    fn after_row<'a>(&self, text: &'a [u8]) -> Option<&'a [u8]> {
        match (self.layout.is_strict(), self.layout.line_end) {
            (true, LineEnd::Space) => text.strip_prefix(b" \n"),
            (true, LineEnd::MayHaveSpace) => {
                text.strip_prefix(b" ").unwrap_or(text).strip_prefix(b"\n")
            }
            _ => self.after_line(text),
        }
    }

    /// The rest after the end of a line; in lenient white space, the line may end with
    /// white space.
    fn after_line<'a>(&self, text: &'a [u8]) -> Option<&'a [u8]> {
        match text {
            [b'\n', rest @ ..] => Some(rest),
            [b' ' | b'\t' | b'\r', ..] if !self.layout.is_strict() => {
                let blanks = text
                    .iter()
                    .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
                    .count();
                text[blanks..].strip_prefix(b"\n")
            }
            _ => None,
        }
    }
}
