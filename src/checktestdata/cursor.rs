//! Reads an input from its current place. Knows bytes and lines.

use std::collections::HashMap;

use crate::checktestdata::pattern::DataPattern;
use crate::checktestdata::syntax::FloatNotation;

/// Most patterns that are kept compiled.
const MOST_PATTERNS: usize = 32;

/// A number that need not be an integer, as it is written.
pub(super) struct WrittenFloat<'a> {
    pub(super) text: &'a [u8],
    pub(super) has_exponent: bool,
    /// The digits behind the point.
    pub(super) decimals: usize,
}

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
        Self {
            data,
            at: 0,
            line: 1,
            column: 1,
            patterns: HashMap::new(),
        }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.data.len()
    }

    /// The next byte.
    pub(super) fn peek(&self) -> Option<u8> {
        self.data.get(self.at).copied()
    }

    /// Passes this text if it comes next. If not, passes the bytes that agree with it, and returns
    /// their number as the error.
    pub(super) fn take_text(&mut self, text: &[u8]) -> Result<(), usize> {
        let rest = &self.data[self.at..];
        let alike = text
            .iter()
            .zip(rest)
            .take_while(|(wanted, found)| wanted == found)
            .count();
        self.advance(alike);
        if alike == text.len() {
            Ok(())
        } else {
            Err(alike)
        }
    }

    /// Passes white space up to the end of the line, and returns whether there was any.
    pub(super) fn skip_blanks(&mut self) -> bool {
        let blanks = self.data[self.at..]
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c))
            .count();
        self.advance(blanks);
        blanks > 0
    }

    /// The digits that come next, perhaps after a sign. Does not pass them.
    pub(super) fn integer(&self) -> &'a [u8] {
        let rest = &self.data[self.at..];
        let sign = usize::from(rest.first() == Some(&b'-'));
        let digits = rest[sign..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        &rest[..sign + digits]
    }

    /// The number that comes next, in this notation. Does not pass it.
    ///
    /// # Errors
    /// Returns what is wrong with it.
    pub(super) fn float(&self, notation: FloatNotation) -> Result<WrittenFloat<'a>, &'static str> {
        let rest = &self.data[self.at..];
        let digits = |from: usize| {
            rest[from.min(rest.len())..]
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count()
        };
        let sign = usize::from(rest.first() == Some(&b'-'));
        let whole = digits(sign);
        if whole == 0 {
            return Err("expected a number");
        }
        if whole > 1 && rest[sign] == b'0' {
            return Err("a number begins with 0");
        }
        let mut end = sign + whole;
        let mut decimals = 0;
        if rest.get(end) == Some(&b'.') {
            decimals = digits(end + 1);
            if decimals == 0 {
                return Err("no digit follows the decimal point");
            }
            end += 1 + decimals;
        }
        let has_exponent =
            notation != FloatNotation::Fixed && matches!(rest.get(end), Some(b'e' | b'E'));
        if has_exponent {
            let start = end + 1 + usize::from(matches!(rest.get(end + 1), Some(b'+' | b'-')));
            match digits(start) {
                0 => return Err("an exponent has no digits"),
                2.. if rest[start] == b'0' => return Err("an exponent begins with 0"),
                digits => end = start + digits,
            }
        } else if notation == FloatNotation::Scientific {
            return Err("expected a number with an exponent");
        }
        Ok(WrittenFloat {
            text: &rest[..end],
            has_exponent,
            decimals,
        })
    }

    /// The bytes that come next and match a pattern, as many as possible. Does not pass them.
    /// `count` is called with the steps of this, and may end it.
    ///
    /// # Errors
    /// Returns the error of `count`, or the one that it makes of what is wrong with the pattern.
    pub(super) fn matched<E>(
        &mut self,
        pattern: &[u8],
        mut count: impl FnMut(u64) -> Result<(), E>,
        broken: impl FnOnce(String) -> E,
    ) -> Result<Option<&'a [u8]>, E> {
        if !self.patterns.contains_key(pattern) {
            let compiled = DataPattern::new(pattern).map_err(broken)?;
            count(compiled.steps_to_compile())?;
            if self.patterns.len() == MOST_PATTERNS {
                self.patterns.clear();
            }
            self.patterns.insert(pattern.to_owned(), compiled);
        }
        let rest = &self.data[self.at..];
        let Some(compiled) = self.patterns.get_mut(pattern) else {
            return Ok(None);
        };
        Ok(compiled
            .longest_match(rest, count)?
            .map(|bytes| &rest[..bytes]))
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
