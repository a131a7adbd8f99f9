//! Tracks the position in a text while it is read. Knows bytes only.

use crate::check::text::scan::{gap_length, is_space, token_starts};

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextPlace {
    /// Lines that have ended before it.
    pub(super) lines: u64,
    /// Tokens that have begun before it in its line.
    pub(super) tokens: u64,
    /// Bytes before it.
    pub(super) bytes: u64,
    follows_space: bool,
    /// Whether only white space stands before it.
    pub(super) is_blank: bool,
}

impl TextPlace {
    pub(super) const START: Self = Self {
        lines: 0,
        tokens: 0,
        bytes: 0,
        follows_space: true,
        is_blank: true,
    };

    /// Moves the place past a text.
    pub(super) fn advance(&mut self, text: &[u8]) {
        let Some(last) = text.last() else { return };
        self.is_blank = self.is_blank && gap_length(text) == text.len();
        let mut line = text;
        if let Some(end) = memchr::memrchr(b'\n', text) {
            self.lines += memchr::memchr_iter(b'\n', text).count() as u64;
            self.tokens = 0;
            self.follows_space = true;
            line = &text[end + 1..];
        }
        self.tokens += token_starts(line, self.follows_space);
        self.follows_space = is_space(*last);
        self.bytes += text.len() as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_the_same_however_the_text_is_cut() {
        let text = b" one two\n\nthree\tfour f";
        for cut in 0..=text.len() {
            let mut place = TextPlace::START;
            place.advance(&text[..cut]);
            place.advance(&text[cut..]);
            assert_eq!(
                (place.lines, place.tokens, place.bytes),
                (2, 3, 22),
                "{cut}"
            );
        }
    }
}
