//! Reads an input from its current place. Knows bytes and lines.

use std::collections::HashMap;

use crate::checktestdata::pattern::DataPattern;
use crate::checktestdata::syntax::FloatNotation;

/// Most patterns that are compiled for one input.
const MOST_PATTERNS: usize = 100;

/// Bytes that a pattern may look at. No rule needs tokens of this length, and a pattern that is matched at
/// each byte must not take forever.
const FARTHEST_LOOK: usize = 4 << 10;

/// An input, and the current place in it.
pub(super) struct DataCursor<'a> {
    data: &'a [u8],
    at: usize,
    /// The line, and the byte in it, both from 1.
    pub(super) line: usize,
    pub(super) column: usize,
    patterns: HashMap<Vec<u8>, DataPattern>,
}

impl<'a> DataCursor<'a> {
    pub(super) fn new(data: &'a [u8]) -> Self {
        Self { data, at: 0, line: 1, column: 1, patterns: HashMap::new() }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.data.len()
    }

    /// The next byte.
    pub(super) fn peek(&self) -> Option<u8> {
        self.data.get(self.at).copied()
    }

    /// Passes this text if it comes next. If not, passes the bytes that agree with it, and returns their
    /// number as the error.
    pub(super) fn take_text(&mut self, text: &[u8]) -> Result<(), usize> {
        let rest = &self.data[self.at..];
        let alike = text.iter().zip(rest).take_while(|(wanted, found)| wanted == found).count();
        self.advance(alike);
        if alike == text.len() { Ok(()) } else { Err(alike) }
    }

    /// The digits that come next, perhaps after a sign. Does not pass them.
    pub(super) fn integer(&self) -> &'a [u8] {
        let rest = &self.data[self.at..];
        let sign = usize::from(rest.first() == Some(&b'-'));
        let digits = rest[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        &rest[..sign + digits]
    }

    /// The number that comes next, in this notation; empty if there is none. Does not pass it.
    pub(super) fn float(&self, notation: FloatNotation) -> &'a [u8] {
        let rest = &self.data[self.at..];
        let digits = |from: usize| {
            rest[from.min(rest.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count()
        };
        let sign = usize::from(rest.first() == Some(&b'-'));
        let whole = digits(sign);
        let mut end = sign + whole;
        if rest.get(end) == Some(&b'.') && digits(end + 1) > 0 {
            end += 1 + digits(end + 1);
        }
        let exponent_sign = usize::from(matches!(rest.get(end + 1), Some(b'+' | b'-')));
        let has_exponent = matches!(rest.get(end), Some(b'e' | b'E')) && digits(end + 1 + exponent_sign) > 0;
        let behind = end + 1 + exponent_sign;
        let length = match (notation, has_exponent) {
            _ if whole == 0 => 0,
            (FloatNotation::Fixed, _) | (FloatNotation::Any, false) => end,
            (FloatNotation::Scientific, false) => 0,
            (_, true) => behind + digits(behind),
        };
        &rest[..length]
    }

    /// Compiles a pattern if it is new, and returns its size as a multiple of the usual one.
    ///
    /// # Errors
    /// Returns a message if the pattern is not supported, or if there are too many patterns.
    pub(super) fn size_of(&mut self, pattern: &[u8]) -> Result<u64, String> {
        if !self.patterns.contains_key(pattern) {
            if self.patterns.len() == MOST_PATTERNS {
                return Err(format!("there are more than {MOST_PATTERNS} regular expressions"));
            }
            let known = DataPattern::new(pattern);
            let known = known.ok_or("a regular expression that this judge does not know")?;
            self.patterns.insert(pattern.to_owned(), known);
        }
        Ok(self.patterns[pattern].size)
    }

    /// The bytes that come next and match a pattern, if any do. Does not pass them. The pattern must have
    /// been passed to [`Self::size_of`] before.
    ///
    /// # Errors
    /// Returns a message if the match may be longer than patterns look.
    pub(super) fn matched(&self, pattern: &[u8]) -> Result<Option<&'a [u8]>, String> {
        let rest = &self.data[self.at..];
        let looked_at = &rest[..rest.len().min(FARTHEST_LOOK)];
        let found = self.patterns[pattern].fitting_bytes(looked_at);
        if looked_at.len() < rest.len() && found == Some(looked_at.len()) {
            return Err(format!("the match of a regular expression has more than {FARTHEST_LOOK} bytes"));
        }
        Ok(found.map(|bytes| &looked_at[..bytes]))
    }

    /// Passes this many bytes.
    pub(super) fn advance(&mut self, bytes: usize) {
        for byte in &self.data[self.at..self.at + bytes] {
            self.column += 1;
            if *byte == b'\n' {
                self.line += 1;
                self.column = 1;
            }
        }
        self.at += bytes;
    }
}
