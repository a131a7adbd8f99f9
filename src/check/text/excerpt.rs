//! Quotes tokens and white space for messages, and shows the lines around a difference. Bounded,
//! and safe for a terminal.

use crate::check::diff;
use crate::check::text::scan::is_space;
use crate::text::printable;

/// Bytes of a token that a message quotes.
pub(super) const MOST_SHOWN: usize = 40;

/// Lines shown before the one in which two texts differ, and after it.
const LINES_BEFORE: usize = 2;
const LINES_AFTER: usize = 4;

/// Bytes shown of what follows a difference.
const MOST_AFTER: usize = 2048;

/// Bytes of a line that a diff is sure to show.
const WIDEST: usize = 80;

/// Quotes a token of `bytes` bytes that begins with `start`.
pub(super) fn token(start: &[u8], bytes: u64) -> String {
    let start = &start[..start.len().min(MOST_SHOWN)];
    let rest = bytes - start.len() as u64;
    let mut shown = String::from("`");
    for piece in start.utf8_chunks() {
        printable(piece.valid())
            .chars()
            .for_each(|letter| match letter {
                letter if letter.is_whitespace() && !letter.is_ascii() => {
                    shown.extend(letter.escape_unicode())
                }
                letter => shown.push(letter),
            });
        shown += &piece.invalid().escape_ascii().to_string();
    }
    shown.push('`');
    if rest > 0 {
        format!("{shown}... ({rest} bytes more)")
    } else {
        shown
    }
}

/// Quotes a token with all but plain characters escaped.
pub(super) fn bare_token(start: &[u8]) -> String {
    format!("`{}`", start[..start.len().min(MOST_SHOWN)].escape_ascii())
}

/// White space made visible.
pub(super) fn gap(gap: &[u8]) -> String {
    if gap.is_empty() {
        return "nothing".to_owned();
    }
    let shown: String = gap
        .iter()
        .take(MOST_SHOWN)
        .map(|byte| shown_space(*byte))
        .collect();
    let rest = gap.len().saturating_sub(MOST_SHOWN);
    if rest > 0 {
        format!("`{shown}`... ({rest} bytes more)")
    } else {
        format!("`{shown}`")
    }
}

fn shown_space(byte: u8) -> String {
    match byte {
        b' ' => "\u{b7}".to_owned(),
        byte => byte.escape_ascii().to_string(),
    }
}

/// The text before and after a place.
#[derive(Clone, Copy)]
pub(super) struct TextAround<'a> {
    pub(super) before: &'a [u8],
    pub(super) after: &'a [u8],
    /// Whether `before` goes back to the start of the text.
    pub(super) is_from_start: bool,
}

impl TextAround<'_> {
    /// The lines around the place; `None` if it is so far to the right that a diff would not show
    /// it.
    fn lines(&self) -> Option<Vec<u8>> {
        let ends: Vec<_> = memchr::memrchr_iter(b'\n', self.before)
            .take(LINES_BEFORE + 1)
            .collect();
        let column = self.before.len() - ends.first().map_or(0, |end| end + 1);
        let starts_in_sight = !ends.is_empty() || self.is_from_start;
        if column > WIDEST || !starts_in_sight {
            return None;
        }
        let start = match ends.get(LINES_BEFORE).or(if self.is_from_start {
            None
        } else {
            ends.last()
        }) {
            Some(end) => end + 1,
            None => 0,
        };
        let after = &self.after[..self.after.len().min(MOST_AFTER)];
        let end = memchr::memchr_iter(b'\n', after)
            .nth(LINES_AFTER)
            .map_or(after.len(), |end| end + 1);
        Some([&self.before[start..], &after[..end]].concat())
    }
}

/// Which differences between lines count, and are shown in a diff.
#[derive(Clone, Copy)]
pub(super) struct LineContent {
    pub(super) gaps: bool,
    pub(super) case: bool,
}

/// The lines around a difference as a short diff.
pub(super) fn lines_diff(
    expected: TextAround<'_>,
    found: TextAround<'_>,
    counts: LineContent,
) -> Option<String> {
    let mut expected = expected.lines()?;
    let mut found = found.lines()?;
    if !counts.gaps {
        expected = with_plain_gaps(&expected);
        found = with_plain_gaps(&found);
    }
    if !counts.case {
        found = in_the_case_of(&expected, &found);
    }
    Some(diff::of(&String::from_utf8_lossy(&expected), &found))
}

/// The lines of a text, each replaced by the line of `other` that differs from it in case only, if
/// there is one.
fn in_the_case_of(other: &[u8], text: &[u8]) -> Vec<u8> {
    let lines = |text| <[u8]>::split_inclusive(text, |byte| *byte == b'\n');
    lines(text)
        .map(|line| {
            lines(other)
                .find(|other| other.eq_ignore_ascii_case(line))
                .unwrap_or(line)
        })
        .collect::<Vec<_>>()
        .concat()
}

/// The tokens of each line joined by single spaces, without empty lines.
fn with_plain_gaps(text: &[u8]) -> Vec<u8> {
    let lines = text.split(|byte| *byte == b'\n').map(|line| {
        let tokens = line
            .split(|byte| is_space(*byte))
            .filter(|token| !token.is_empty());
        tokens.collect::<Vec<_>>().join(&b' ')
    });
    let lines = lines
        .filter(|line| !line.is_empty())
        .map(|line| [line, vec![b'\n']].concat());
    lines.collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EACH_BYTE: LineContent = LineContent {
        gaps: true,
        case: true,
    };

    #[test]
    fn tokens_are_shortened_and_cannot_reach_the_terminal() {
        assert_eq!(token(b"3.14", 4), "`3.14`");
        assert_eq!(token(b"\x1b[2J\xff", 5), "`\\u{1b}[2J\\xff`");
        assert_eq!(
            token(&[b'x'; 60], 300),
            format!("`{}`... (260 bytes more)", "x".repeat(40))
        );
        assert_eq!(token("\u{e9}\u{200b}".as_bytes(), 5), "`\u{e9}\\u{200b}`");
        assert_eq!(token("1.5\u{a0}2".as_bytes(), 6), "`1.5\\u{a0}2`");
    }

    #[test]
    fn white_space_can_be_seen() {
        assert_eq!(gap(b" \t\r\n\x0b"), "`\u{b7}\\t\\r\\n\\x0b`");
        assert_eq!(gap(b""), "nothing");
    }

    #[test]
    fn a_diff_shows_two_lines_before_and_four_after() {
        let around = |word: &'static str| TextAround {
            before: b"1\n2\n3\n4 ",
            after: word.as_bytes(),
            is_from_start: true,
        };
        let shown = lines_diff(
            around("a\n5\n6\n7\n8\n9\n"),
            around("b\n5\n6\n7\n8\n9\n"),
            EACH_BYTE,
        )
        .unwrap();
        assert_eq!(shown, " 2\n 3\n-4 a\n+4 b\n 5\n 6\n 7\n 8\n");
    }

    #[test]
    fn a_diff_of_tokens_shows_no_white_space() {
        let [one, other] = [&b"1  2\r\n\n3\n"[..], b"1 2\n4\n"].map(|after| TextAround {
            before: b"",
            after,
            is_from_start: true,
        });
        assert_eq!(
            lines_diff(
                one,
                other,
                LineContent {
                    gaps: false,
                    ..EACH_BYTE
                }
            )
            .unwrap(),
            " 1 2\n-3\n+4\n"
        );
    }

    #[test]
    fn a_line_that_differs_only_in_case_is_shown_as_equal_where_case_does_not_count() {
        let [one, other] = [&b"Yes\n1\n"[..], b"YES\n2\n"].map(|after| TextAround {
            before: b"",
            after,
            is_from_start: true,
        });
        let counts = LineContent {
            case: false,
            ..EACH_BYTE
        };
        assert_eq!(lines_diff(one, other, counts).unwrap(), " Yes\n-1\n+2\n");
    }
}
