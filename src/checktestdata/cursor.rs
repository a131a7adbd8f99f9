//! The place in an input up to which it has been read. Knows bytes and lines.

use std::collections::HashMap;

use crate::checktestdata::pattern::DataPattern;
use crate::checktestdata::syntax::FloatNotation;

/// Patterns that are kept at once.
const MOST_PATTERNS: usize = 100;

/// How far a pattern looks. No rule wants a token of this length, and one that is looked for at each byte may not take for ever.
const FARTHEST_LOOK: usize = 4 << 10;

/// An input under reading.
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

    /// Takes these bytes; the number of those before the first other one if they do not come next.
    pub(super) fn take_text(&mut self, text: &[u8]) -> Result<(), usize> {
        let rest = &self.data[self.at..];
        let alike = text.iter().zip(rest).take_while(|(wanted, found)| wanted == found).count();
        self.advance(alike);
        if alike == text.len() { Ok(()) } else { Err(alike) }
    }

    /// The digits that come next, perhaps behind a sign. They are not taken yet.
    pub(super) fn integer(&self) -> &'a [u8] {
        let rest = &self.data[self.at..];
        let sign = usize::from(rest.first() == Some(&b'-'));
        let digits = rest[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        &rest[..sign + digits]
    }

    /// The number that comes next, in this notation; empty if there is none. It is not taken yet.
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

    /// How many times as large a pattern may be as most are.
    ///
    /// # Errors
    /// If it is no pattern that is known here, or there are too many of them.
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

    /// What comes next and fits a pattern, of which the size was asked for, if anything does. It is not taken yet.
    ///
    /// # Errors
    /// If what fits is longer than patterns look.
    pub(super) fn matched(&self, pattern: &[u8]) -> Result<Option<&'a [u8]>, String> {
        let rest = &self.data[self.at..];
        let looked_at = &rest[..rest.len().min(FARTHEST_LOOK)];
        let found = self.patterns[pattern].fitting_bytes(looked_at);
        if looked_at.len() < rest.len() && found == Some(looked_at.len()) {
            return Err(format!("what fits a regular expression has more than {FARTHEST_LOOK} bytes"));
        }
        Ok(found.map(|bytes| &looked_at[..bytes]))
    }

    /// Takes so many bytes.
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
