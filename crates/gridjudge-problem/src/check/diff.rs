//! Shows how a text differs from the expected one, line by line, where the exact text
//! is wrong. Bounded, since a diff is there to be read.

use gridjudge_grid::format::{self, TextOffset};
use gridjudge_grid::{Layout, LineEnd};
use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::{ChangeTag, DiffTag};

/// Most lines of a diff.
const MOST_LINES: usize = 24;

/// Most characters shown of a line.
const WIDEST_LINE: usize = 100;

/// The difference between two pieces of text: `-` what was expected, `+` what was
/// found. White space at the ends of lines is made visible, since it may be all the
/// difference. If they are a `part` of longer texts, lines at the end of only one of
/// them may be beyond the end of the other, and are left out.
pub(crate) fn text_diff(expected: &str, found: &[u8], part: bool) -> String {
    let found = readable(found);
    let old: Vec<_> = expected.split_inclusive('\n').collect();
    let new: Vec<_> = found.split_inclusive('\n').collect();
    let mut text = String::new();
    // `similar::TextDiff` does the same, but compiles every algorithm for several kinds
    // of text, which takes a tenth of the time of building this crate.
    let mut hook = Compact::new(Replace::new(Capture::new()), &old, &new);
    let mut changes =
        match myers::diff(&mut hook, &old, 0..old.len(), &new, 0..new.len()) {
            Ok(()) => hook.into_inner().into_inner().into_ops(),
            Err(never) => match never {},
        };
    if part && changes.len() > 2 {
        changes
            .pop_if(|last| matches!(last.tag(), DiffTag::Delete | DiffTag::Insert));
    }
    for (number, change) in changes
        .iter()
        .flat_map(|op| op.iter_changes(&old, &new))
        .enumerate()
    {
        if number == MOST_LINES {
            text.push_str("  ...\n");
            break;
        }
        let sign = match change.tag() {
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
            ChangeTag::Equal => ' ',
        };
        text.push(sign);
        text.push_str(&visible(change.value(), change.tag() != ChangeTag::Equal));
        text.push('\n');
    }
    text
}

/// A text in which the bytes that belong to no character are escaped.
pub(crate) fn readable(text: &[u8]) -> String {
    let pieces = text.utf8_chunks();
    pieces
        .map(|piece| format!("{}{}", piece.valid(), piece.invalid().escape_ascii()))
        .collect()
}

/// The number of bytes of a text before the first that is not as expected; `None` if
/// there is none. With `is_last`, the last newline may be missing.
pub(crate) fn same(expected: &str, found: &[u8], is_last: bool) -> Option<usize> {
    let same = found
        .iter()
        .zip(expected.as_bytes())
        .take_while(|(found, expected)| found == expected);
    let lacks_the_end = is_last
        && expected
            .strip_suffix('\n')
            .is_some_and(|short| short.as_bytes() == found);
    (found != expected.as_bytes() && !lacks_the_end).then(|| same.count())
}

/// Like [`same`], but allows one space at the end of each row from byte `rows` on, if
/// there are rows and the layout does.
pub(crate) fn differs(
    layout: &Layout,
    expected: &str,
    found: &[u8],
    rows: Option<usize>,
    is_last: bool,
) -> Option<usize> {
    let differs = same(expected, found, is_last)?;
    let is_as_good = layout.line_end == LineEnd::MayHaveSpace
        && rows.is_some_and(|rows| {
            same(expected, &without_row_spaces(found, rows), is_last).is_none()
        });
    (!is_as_good).then_some(differs)
}

/// A text without the one space that each row from byte `rows` on may have at its end.
/// An empty line is no row.
pub(crate) fn without_row_spaces(text: &[u8], rows: usize) -> Vec<u8> {
    let (before, rows) = text.split_at(rows);
    let mut cleaned = before.to_vec();
    for line in rows.split_inclusive(|&byte| byte == b'\n') {
        let (row, end) =
            line.split_at(line.len() - usize::from(line.ends_with(b"\n")));
        cleaned.extend(
            row.strip_suffix(b" ")
                .filter(|row| !row.is_empty())
                .unwrap_or(row),
        );
        cleaned.extend(end);
    }
    cleaned
}

/// Where the text of a grid first differs from its canonical text, and a message.
pub(crate) fn first_line(canonical: &str, text: &[u8]) -> (TextOffset, String) {
    let expected = format::lines(canonical.as_bytes()).map(|line| line.text);
    let found = format::lines(text);
    match found
        .zip(expected)
        .find(|(found, expected)| found.text != *expected)
    {
        Some((line, expected)) => {
            let expected = match format::shown_bytes(expected, WIDEST_LINE) {
                shown if shown.is_empty() => "an empty line".to_owned(),
                shown => format!("`{shown}`"),
            };
            let found = format::shown_bytes(line.text, WIDEST_LINE);
            (line.start, format!("expected {expected}, found `{found}`"))
        }
        None => {
            let [end, needed] =
                [text, canonical.as_bytes()].map(format::end_of_lines);
            let (place, message) = if end.lines < needed.lines {
                (end, "expected an empty line after the grid")
            } else {
                (end.end_of_line(), "the line does not end in a newline")
            };
            (place, message.to_owned())
        }
    }
}

/// A line with its control characters and unusual spaces escaped and, where it
/// `differs`, its blanks at the end shown as dots.
fn visible(line: &str, differs: bool) -> String {
    let body = line.strip_suffix('\n').unwrap_or(line);
    let kept = body.trim_end_matches(' ').len();
    let mut shown = String::new();
    for (place, letter) in body.char_indices().take(WIDEST_LINE) {
        match letter {
            ' ' if differs && place >= kept => shown.push('·'),
            ' ' => shown.push(' '),
            letter if letter.is_control() || letter.is_whitespace() => {
                shown.extend(letter.escape_default())
            }
            letter => shown.push(letter),
        }
    }
    if body.chars().nth(WIDEST_LINE).is_some() {
        shown.push_str("...");
    }
    if differs && body.is_empty() {
        "(empty line)".to_owned()
    } else {
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_utf8_are_shown_as_what_they_are() {
        assert_eq!(
            text_diff("caf\u{e9}\n", b"caf\xe9\n", false),
            "-caf\u{e9}\n+caf\\xe9\n"
        );
    }

    #[test]
    fn blanks_at_the_end_of_a_line_are_visible() {
        assert_eq!(
            text_diff("1 2\n3 4\n", b"1 2\n3 4  \n", false),
            " 1 2\n-3 4\n+3 4··\n"
        );
        assert_eq!(
            text_diff("1 2\n", "1\u{a0}2\n".as_bytes(), false),
            "-1 2\n+1\\u{a0}2\n"
        );
        assert_eq!(
            text_diff("12\n", b"\n12\r\n", false),
            "-12\n+(empty line)\n+12\\r\n"
        );
    }

    #[test]
    fn lines_beyond_the_end_of_the_other_part_are_no_difference() {
        let diff = |part| text_diff("0\n1\n2\n3\n", b"0\n2\n3\n4\n", part);
        assert_eq!(diff(true), " 0\n-1\n 2\n 3\n");
        assert_eq!(diff(false), " 0\n-1\n 2\n 3\n+4\n");
        assert_eq!(text_diff("0\n", b"0\n1\n", true), " 0\n+1\n");
    }

    #[test]
    fn a_diff_is_bounded_in_length_and_width() {
        let long = text_diff("1\n", "x\n".repeat(1000).as_bytes(), false);
        assert_eq!(long.lines().count(), MOST_LINES + 1);
        assert!(
            text_diff("1\n", "y".repeat(1000).as_bytes(), false)
                .lines()
                .all(|line| line.len() <= WIDEST_LINE + 4)
        );
    }
}
