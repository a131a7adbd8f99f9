//! Compares the white space between two tokens with that of the answer, by a
//! [`GapRule`]. Knows bytes only.

use crate::check::text::GapRule;

/// A summary of the white space before a token, however long that is.
#[derive(Default)]
pub(super) struct GapSummary {
    newlines: u64,
    pub(super) bytes: u64,
    /// The hash of all of it, and of what follows the last newline.
    whole: blake3::Hasher,
    last_line: blake3::Hasher,
    /// The summary that ignores carriage returns before line feeds.
    crlf: CrlfGap,
    /// The summary for rules by which carriage returns end lines too.
    lines: LineGap,
}

impl GapSummary {
    /// Adds the next piece of white space.
    pub(super) fn read(&mut self, text: &[u8]) {
        self.bytes += text.len() as u64;
        self.whole.update(text);
        self.crlf.read(text);
        self.lines.read(text);
        if let Some(end) = memchr::memrchr(b'\n', text) {
            self.newlines += memchr::memchr_iter(b'\n', text).count() as u64;
            self.last_line.reset();
            self.last_line.update(&text[end + 1..]);
        } else {
            self.last_line.update(text);
        }
    }

    /// Whether two gaps are alike; `is_last` if nothing follows either.
    pub(super) fn is_like(&self, other: &Self, rule: GapRule, is_last: bool) -> bool {
        match rule {
            GapRule::Ignored => true,
            GapRule::LineEnds => {
                is_last || (self.newlines == 0) == (other.newlines == 0)
            }
            GapRule::Lines => {
                let last_lines =
                    (self.last_line.finalize(), other.last_line.finalize());
                is_last
                    || self.newlines == other.newlines && last_lines.0 == last_lines.1
            }
            GapRule::Exact => {
                self.bytes == other.bytes
                    && self.whole.finalize() == other.whole.finalize()
            }
            GapRule::CrlfInsensitive => self.crlf.is_like(&other.crlf),
            GapRule::TokenLines
            | GapRule::FilledLines
            | GapRule::StrippedLines
            | GapRule::StrippedFilledLines => {
                self.lines.is_like(&other.lines, rule, is_last)
            }
        }
    }

    /// Whether two gaps before the first tokens are alike, if the rule compares those
    /// differently.
    pub(super) fn starts_like(
        &self,
        other: &Self,
        rule: GapRule,
        is_last: bool,
    ) -> bool {
        match rule {
            GapRule::FilledLines => {
                self.lines.filled_at_start(is_last)
                    == other.lines.filled_at_start(is_last)
            }
            GapRule::StrippedFilledLines => {
                self.lines.filled_at_start(is_last)
                    == other.lines.filled_at_start(is_last)
                    && (is_last || self.lines.has_same_last(&other.lines))
            }
            _ => true,
        }
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
    let has_newline = |gap: &[u8]| gap.contains(&b'\n');
    let lines = |gap: &[u8]| gap.iter().filter(|byte| **byte == b'\n').count();
    match rule {
        GapRule::Ignored => true,
        _ if found == expected => true,
        GapRule::Exact => false,
        GapRule::CrlfInsensitive => crlf_gaps_are_alike(found, expected),
        GapRule::LineEnds | GapRule::Lines if is_last => true,
        GapRule::LineEnds => has_newline(found) == has_newline(expected),
        GapRule::Lines => {
            lines(found) == lines(expected) && last_line(found) == last_line(expected)
        }
        GapRule::TokenLines
        | GapRule::FilledLines
        | GapRule::StrippedLines
        | GapRule::StrippedFilledLines => {
            LineGap::measure(found).is_like(&LineGap::measure(expected), rule, is_last)
        }
    }
}

fn last_line(gap: &[u8]) -> &[u8] {
    &gap[memchr::memrchr(b'\n', gap).map_or(0, |end| end + 1)..]
}

// Compares the white space between two tokens where a carriage return before a line
// feed does not count, as in online-judge-tools. Knows bytes only.

/// A summary of such white space, however long it is.
#[derive(Default)]
struct CrlfGap {
    /// The hash of all bytes that count, without a carriage return at the end.
    counted: blake3::Hasher,
    ends_with_return: bool,
}

impl CrlfGap {
    /// Adds the next piece.
    fn read(&mut self, text: &[u8]) {
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            if self.ends_with_return && line != b"\n" {
                self.counted.update(b"\r");
            }
            self.ends_with_return = line.ends_with(b"\r");
            match line {
                [content @ .., b'\r', b'\n'] => {
                    self.counted.update(content).update(b"\n")
                }
                [content @ .., b'\r'] => self.counted.update(content),
                content => self.counted.update(content),
            };
        }
    }

    /// Whether two gaps are alike.
    fn is_like(&self, other: &Self) -> bool {
        self.ends_with_return == other.ends_with_return
            && self.counted.finalize() == other.counted.finalize()
    }
}

/// Whether two pieces of white space are alike.
fn crlf_gaps_are_alike(found: &[u8], expected: &[u8]) -> bool {
    counted(found).eq(counted(expected))
}

fn counted(text: &[u8]) -> impl Iterator<Item = u8> {
    let followed = text.iter().zip(text.iter().skip(1).map(Some).chain([None]));
    followed
        .filter(|(byte, next)| (**byte, next.copied()) != (b'\r', Some(b'\n')))
        .map(|(byte, _)| *byte)
}

// Compares the white space between two tokens where carriage returns end lines as line
// feeds do, as in DMOJ. Knows bytes only.

/// A summary of such white space, however long it is.
#[derive(Default)]
struct LineGap {
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
    fn measure(text: &[u8]) -> Self {
        let mut gap = Self::default();
        gap.read(text);
        gap
    }

    /// Adds the next piece.
    fn read(&mut self, text: &[u8]) {
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
    fn is_like(&self, other: &Self, rule: GapRule, is_last: bool) -> bool {
        match rule {
            GapRule::TokenLines => is_last || (self.ends == 0) == (other.ends == 0),
            GapRule::FilledLines | GapRule::StrippedFilledLines if is_last => {
                self.filled_at_end() == other.filled_at_end()
            }
            GapRule::FilledLines => {
                (self.ends == 0) == (other.ends == 0) && self.filled == other.filled
            }
            GapRule::StrippedFilledLines => {
                self.is_like(other, GapRule::FilledLines, is_last)
                    && self.has_same_last(other)
            }
            _ => self.ends == other.ends && (is_last || self.has_same_last(other)),
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
            && self.last.finalize() == other.last.finalize()
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
                        let mut summary = GapSummary::default();
                        for byte in gap.bytes() {
                            summary.read(&[byte]);
                        }
                        summary
                    });
                    let alike =
                        are_alike(one.as_bytes(), other.as_bytes(), rule, is_last);
                    assert_eq!(
                        first.is_like(&second, rule, is_last),
                        alike,
                        "{one:?} {other:?} {rule:?}"
                    );
                }
            }
        }
    }
}
