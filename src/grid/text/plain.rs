//! The short way to read a grid: cells where the layout puts them. Says only yes or no; what is wrong with a text that it
//! does not take, the tolerant way tells. This is the inner loop of checking files of a million grids.

use crate::grid::Cells;
use crate::grid::Value;
use crate::grid::text::Reader;
use crate::grid::text::UNREAD;

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

impl Reader {
    /// Bytes of a window that are enough for a grid that is written plainly.
    pub fn longest_plain(&self) -> usize {
        let banner = self.banner.as_ref().map_or(0, |banner| banner.before.len() + banner.after.len() + 21);
        2 * self.order * self.order + banner + SLACK
    }

    /// Reads grid `number` (from 1) into `cells`, row-major, if it stands plainly at the start of the window: in the
    /// canonical writing, and where white space is not strict also with empty lines before it and blanks at the ends of
    /// its lines. Blank cells are not refused here: the rules refuse them.
    pub fn plain(&self, number: u64, window: &[u8], cells: &mut [Value]) -> Option<Extent> {
        match (self.cells, self.order) {
            // An order that is known to the compiler is unrolled.
            (Cells::Joined, 9) => self.plain_rows::<1, 9>(number, window, cells, 9),
            (Cells::Spaced, 9) => self.plain_rows::<2, 9>(number, window, cells, 9),
            (Cells::Joined, order) => self.plain_rows::<1, 0>(number, window, cells, order),
            (Cells::Spaced, order) => self.plain_rows::<2, 0>(number, window, cells, order),
        }
    }

    /// `STEP` is the distance of two cells in a row; `ORDER` the order where it is known, else 0.
    fn plain_rows<const STEP: usize, const ORDER: usize>(
        &self,
        number: u64,
        window: &[u8],
        cells: &mut [Value],
        order: usize,
    ) -> Option<Extent> {
        let order = if ORDER == 0 { order } else { ORDER };
        let width = STEP * (order - 1) + 1;
        let mut lines = 0;
        let mut rest = self.after_opening(number, window, &mut lines)?;
        let (mut strange, mut apart) = (0, 0);
        for values in cells.chunks_exact_mut(order) {
            let (row, behind) = rest.split_at_checked(width)?;
            for (value, cell) in values.iter_mut().zip(row.chunks(STEP)) {
                *value = self.values[usize::from(cell[0])];
                strange |= *value;
                apart |= cell.get(1).map_or(0, |separator| separator ^ b' ');
            }
            rest = match behind {
                [b'\n', behind @ ..] => behind,
                _ => self.after_line(behind)?,
            };
            lines += 1;
        }
        // Values end at 25, so only what is no symbol sets the top bit.
        let fits = strange & (UNREAD ^ UNREAD >> 1) == 0 && apart == 0;
        fits.then(|| Extent { bytes: window.len() - rest.len(), lines })
    }

    /// The rest of a window behind the empty lines and the banner that open a grid. Counts lines.
    fn after_opening<'a>(&self, number: u64, window: &'a [u8], lines: &mut u64) -> Option<&'a [u8]> {
        let mut rest = window;
        let mut may_be_empty = if self.is_strict { u64::from(self.blank_line_before) } else { SLACK as u64 };
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
        let Some(banner) = &self.banner else { return Some(rest) };
        let rest = rest.strip_prefix(banner.before.as_bytes())?;
        let rest = if banner.numbered { strip_number(rest, number)? } else { rest };
        *lines += 1;
        self.after_line(rest.strip_prefix(banner.after.as_bytes())?)
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

fn strip_number(text: &[u8], number: u64) -> Option<&[u8]> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (found, rest) = text.split_at(digits);
    let canonical = digits > 0 && (digits == 1 || found[0] != b'0');
    let value = found
        .iter()
        .try_fold(0u64, |value, digit| value.checked_mul(10)?.checked_add(u64::from(digit - b'0')))?;
    (canonical && value == number).then_some(rest)
}
