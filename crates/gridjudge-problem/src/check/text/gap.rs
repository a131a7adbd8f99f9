//! Compares the white space between two tokens with that of the answer, by a
//! [`GapRule`]. Knows bytes only.

use crate::check::text::GapRule;

use GapRule::{
    CrlfInsensitive, Exact, FilledLines, Ignored, LineEnds, Lines,
    StrippedFilledLines, StrippedLines, TokenLines,
};

/// A summary of the white space before a token, however long that is: what its rule
/// compares.
#[derive(Default)]
pub(super) struct GapSummary {
    rule: GapRule,
    pub(super) bytes: u64,
    /// Line ends, as far as they count.
    ends: u64,
    /// Lines between the first line end and the last that hold white space.
    filled: u64,
    /// Whether there is white space before the first line end.
    is_first_filled: bool,
    /// Bytes that count after the last line end, and their hash.
    last_bytes: u64,
    last: blake3::Hasher,
    /// Whether a carriage return came last that counts only if no line feed follows.
    has_return: bool,
}

impl GapSummary {
    /// The summary of no white space.
    pub(super) fn new(rule: GapRule) -> Self {
        Self {
            rule,
            ..Self::default()
        }
    }

    /// Adds the next piece of white space.
    pub(super) fn read(&mut self, text: &[u8]) {
        self.bytes += text.len() as u64;
        let rule = self.rule;
        let mut lines = text.split(|&byte| rule.ends_line(byte));
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
        if self.rule == CrlfInsensitive {
            let held: &[u8] = if self.has_return { b"\r" } else { b"" };
            let line = [held, line].concat();
            self.has_return = line.ends_with(b"\r");
            let text = line.strip_suffix(b"\r").unwrap_or(&line);
            for line in text.split_inclusive(|byte| *byte == b'\n') {
                match line.strip_suffix(b"\r\n") {
                    Some(line) => self.add(&[line, b"\n"].concat()),
                    None => self.add(line),
                }
            }
        } else {
            self.add(line);
        }
    }

    fn add(&mut self, text: &[u8]) {
        self.last_bytes += text.len() as u64;
        self.last.update(text);
    }

    /// Whether two gaps are alike; `is_first` if they stand before the first tokens and
    /// the rule compares those differently, `is_last` if nothing follows either.
    pub(super) fn is_like(
        &self,
        other: &Self,
        is_first: bool,
        is_last: bool,
    ) -> bool {
        let end_alike = (self.ends == 0) == (other.ends == 0);
        let are_filled_alike = if is_first {
            self.filled_at_start(is_last) == other.filled_at_start(is_last)
        } else if is_last {
            self.filled_at_end() == other.filled_at_end()
        } else {
            end_alike && self.filled == other.filled
        };
        match self.rule {
            Ignored => true,
            Lines if is_last => true,
            TokenLines if is_first => true,
            LineEnds | TokenLines => is_last || end_alike,
            Exact | CrlfInsensitive => {
                self.has_return == other.has_return && self.has_same_last(other)
            }
            FilledLines => are_filled_alike,
            StrippedFilledLines => {
                are_filled_alike && (is_last || self.has_same_last(other))
            }
            Lines | StrippedLines => {
                self.ends == other.ends && (is_last || self.has_same_last(other))
            }
        }
    }

    /// Lines before the first token that hold only white space; `is_last` if there is
    /// no token at all.
    fn filled_at_start(&self, is_last: bool) -> u64 {
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
    fn has_same_last(&self, other: &Self) -> bool {
        self.last_bytes == other.last_bytes
            && (self.last_bytes == 0 || self.last.finalize() == other.last.finalize())
    }
}

/// Whether two pieces of white space are alike; `is_last` if nothing follows either.
#[inline]
pub(super) fn are_alike(
    found: &[u8],
    expected: &[u8],
    rule: GapRule,
    is_last: bool,
) -> bool {
    match rule {
        Ignored => true,
        _ if found == expected => true,
        _ => {
            let [found, expected] = [found, expected].map(|gap| {
                let mut summary = GapSummary::new(rule);
                summary.read(gap);
                summary
            });
            found.is_like(&expected, false, is_last)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_alike_where_the_bytes_are() {
        let gaps = [
            "",
            " ",
            "  ",
            "\n",
            "\r",
            " \n",
            "\n ",
            "\n\n",
            "\r\n",
            "\r\r\n",
            "\n\r",
            "\r\n\r\n",
            "\t\n\n \n  ",
            " \n\n\n  ",
        ];
        let of_lines = [
            GapRule::TokenLines,
            GapRule::FilledLines,
            GapRule::StrippedLines,
            GapRule::StrippedFilledLines,
        ];
        let others = [
            GapRule::Ignored,
            GapRule::LineEnds,
            GapRule::Lines,
            GapRule::Exact,
            GapRule::CrlfInsensitive,
        ];
        for rule in others.into_iter().chain(of_lines) {
            for (one, other) in gaps
                .iter()
                .flat_map(|one| gaps.iter().map(move |other| (one, other)))
            {
                for is_last in [false, true] {
                    let [first, second] = [one, other].map(|gap| {
                        let mut summary = GapSummary::new(rule);
                        for byte in gap.bytes() {
                            summary.read(&[byte]);
                        }
                        summary
                    });
                    let alike =
                        are_alike(one.as_bytes(), other.as_bytes(), rule, is_last);
                    assert_eq!(
                        first.is_like(&second, false, is_last),
                        alike,
                        "{one:?} {other:?} {rule:?}"
                    );
                }
            }
        }
    }
}
