//! Compares the white space between two tokens where carriage returns end lines as line feeds do,
//! as in DMOJ. Knows bytes only.

use crate::check::text::rules::GapRule;

/// A summary of such white space, however long it is.
#[derive(Default)]
pub(super) struct LineGap {
    /// Line ends.
    ends: u64,
    /// Lines between the first line end and the last that hold white space.
    filled: u64,
    /// Whether there is white space before the first line end.
    is_first_filled: bool,
    /// Bytes after the last line end, and their hash.
    last_bytes: u64,
    last: blake3::Hasher,
}

impl LineGap {
    /// Summarises a text.
    pub(super) fn of(text: &[u8]) -> Self {
        let mut gap = Self::default();
        gap.read(text);
        gap
    }

    /// Adds the next piece.
    pub(super) fn read(&mut self, text: &[u8]) {
        let mut lines = text.split(|byte| matches!(byte, b'\n' | b'\r'));
        self.read_line(lines.next().unwrap_or_default());
        for line in lines {
            let is_filled = self.last_bytes > 0;
            match self.ends {
                0 => self.is_first_filled = is_filled,
                _ => self.filled += u64::from(is_filled),
            }
            self.ends += 1;
            self.last_bytes = 0;
            self.last.reset();
            self.read_line(line);
        }
    }

    fn read_line(&mut self, line: &[u8]) {
        self.last_bytes += line.len() as u64;
        self.last.update(line);
    }

    /// Whether two gaps are alike; `is_last` if nothing follows either.
    pub(super) fn is_like(&self, other: &Self, rule: GapRule, is_last: bool) -> bool {
        match rule {
            GapRule::TokenLines => is_last || (self.ends == 0) == (other.ends == 0),
            GapRule::FilledLines | GapRule::StrippedFilledLines if is_last => {
                self.filled_at_end() == other.filled_at_end()
            }
            GapRule::FilledLines => {
                (self.ends == 0) == (other.ends == 0) && self.filled == other.filled
            }
            GapRule::StrippedFilledLines => {
                self.is_like(other, GapRule::FilledLines, is_last) && self.has_same_last(other)
            }
            _ => self.ends == other.ends && (is_last || self.has_same_last(other)),
        }
    }

    /// Lines before the first token that hold only white space; `is_last` if there is no token at
    /// all.
    pub(super) fn filled_at_start(&self, is_last: bool) -> u64 {
        match (self.ends, is_last) {
            (0, false) => 0,
            (0, true) => u64::from(self.last_bytes > 0),
            (_, false) => self.filled + u64::from(self.is_first_filled),
            (_, true) => self.filled_at_end() + u64::from(self.is_first_filled),
        }
    }

    /// Lines after the last token that hold only white space.
    fn filled_at_end(&self) -> u64 {
        self.filled + u64::from(self.ends > 0 && self.last_bytes > 0)
    }

    /// Whether the white space after the last line end is the same.
    pub(super) fn has_same_last(&self, other: &Self) -> bool {
        self.last_bytes == other.last_bytes && self.last.finalize() == other.last.finalize()
    }
}
