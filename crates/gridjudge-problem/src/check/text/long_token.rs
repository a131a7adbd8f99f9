//! Compares two tokens, at least one of which is longer than the view, piece by piece. Keeps no
//! more of them than a message shows.

use std::io;
use std::io::Read;

use crate::check::text::wording::MOST_SHOWN;
use crate::check::text::{
    ComparisonRules, LongNumeral, ShownToken, TextStream, same_bytes, token_length,
};

/// A token of any length that has been passed.
#[derive(Default)]
pub(super) struct LongToken {
    start: Vec<u8>,
    bytes: u64,
    numeral: LongNumeral,
}

impl LongToken {
    fn read(&mut self, piece: &[u8], may_be_number: bool) {
        let room = MOST_SHOWN - self.start.len();
        self.start.extend(&piece[..piece.len().min(room)]);
        self.bytes += piece.len() as u64;
        if may_be_number {
            self.numeral.read(piece);
        }
    }

    pub(super) fn shown(&self) -> ShownToken<'_> {
        ShownToken {
            start: &self.start,
            bytes: self.bytes,
            number: self.numeral.value(),
        }
    }
}

/// The comparison of two tokens, at least one of them long.
#[derive(Default)]
pub(super) struct LongPair {
    pub(super) found: LongToken,
    pub(super) expected: LongToken,
    /// Bytes that they have in common at their start.
    pub(super) same: u64,
    has_other_letters: bool,
}

impl LongPair {
    /// Whether the token found is accepted for the expected one.
    pub(super) fn is_accepted(&self, rules: &ComparisonRules) -> bool {
        let is_same_text = self.found.bytes == self.expected.bytes && !self.has_other_letters;
        let answer = self
            .expected
            .numeral
            .value()
            .filter(|number| number.is_finite());
        match rules.tolerance.zip(answer) {
            Some((tolerance, answer)) => self
                .found
                .numeral
                .value()
                .is_some_and(|found| tolerance.accepts(found, answer)),
            None => is_same_text,
        }
    }

    /// Compares the pieces that come next.
    fn compare(&mut self, rules: &ComparisonRules, found: &[u8], expected: &[u8]) {
        if self.same == self.found.bytes {
            self.same += same_bytes(found, expected) as u64;
        }
        self.has_other_letters |= !rules.same_letters(found, expected);
        self.found.read(found, rules.tolerance.is_some());
        self.expected.read(expected, rules.tolerance.is_some());
    }
}

/// Which of the two streams could not be read.
pub(super) enum UnreadableSide {
    Found(io::Error),
    Expected(io::Error),
}

/// Compares and passes the tokens that come next in both streams.
pub(super) fn pass_tokens<F: Read, E: Read>(
    rules: &ComparisonRules,
    found: &mut TextStream<F>,
    expected: &mut TextStream<E>,
    mut passed: impl FnMut(&[u8]),
) -> Result<LongPair, UnreadableSide> {
    let mut pair = LongPair::default();
    loop {
        found.fill().map_err(UnreadableSide::Found)?;
        expected.fill().map_err(UnreadableSide::Expected)?;
        let lengths = (token_length(found.view()), token_length(expected.view()));
        let (one, other) = match lengths {
            (0, 0) => return Ok(pair),
            // The shorter token has ended, so the rest of the longer one is read alone.
            (0, _) | (_, 0) => lengths,
            (one, other) => (one.min(other), one.min(other)),
        };
        let piece = &found.view()[..one];
        let other_piece = &expected.view()[..other];
        pair.compare(rules, piece, other_piece);
        passed(piece);
        found.pass(one);
        expected.pass(other);
    }
}
