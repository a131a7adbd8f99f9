//! Words the findings about tokens, numbers and white space that are not as expected,
//! and compares long tokens piece by piece.

use std::fmt::{self, Write};

use gridjudge_grid::format;

use crate::check::text::long_double::LongDouble;
use crate::check::text::stream::{HISTORY, in_single_spaces};
use crate::check::text::{
    ComparisonRules, LongNumeral, NumberTolerance, TextPlace, same_bytes,
};
use crate::check::{StreamBuffer, diff};
use crate::model::{Finding, FindingKind, FindingRule, Tolerance};
use crate::text::{JoinedTexts, UnexpectedEncoding, counted, plural, printable};

/// A token as a message shows it: its first bytes, and its length.
#[derive(Clone, Copy)]
pub(super) struct ShownToken<'a> {
    start: &'a [u8],
    bytes: u64,
}

impl<'a> ShownToken<'a> {
    pub(super) fn new(token: &'a [u8]) -> Self {
        Self {
            start: token,
            bytes: token.len() as u64,
        }
    }

    fn is_short(&self) -> bool {
        self.bytes <= MOST_SHOWN as u64
    }
}

impl fmt::Display for ShownToken<'_> {
    /// Writes the first bytes in quotes, and how many more there are.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = &self.start[..self.start.len().min(MOST_SHOWN)];
        out.write_char('`')?;
        for letter in printable(&diff::readable(start)).chars() {
            if letter.is_whitespace() && !letter.is_ascii() {
                write!(out, "{}", letter.escape_unicode())?;
            } else {
                out.write_char(letter)?;
            }
        }
        out.write_char('`')?;
        match self.bytes - start.len() as u64 {
            0 => Ok(()),
            rest => write!(out, "... ({} more)", counted(rest, "byte")),
        }
    }
}

/// A finding at a place.
pub(super) fn text_finding(
    place: &TextPlace,
    rule: FindingRule,
    message: String,
) -> Finding {
    Finding {
        line: Some(place.lines + 1),
        byte: Some(place.bytes),
        ..Finding::unplaced(rule, message)
    }
}

/// The finding about two tokens that differ after `same` bytes.
pub(super) fn token(
    place: &TextPlace,
    found: ShownToken,
    expected: ShownToken,
    same: u64,
) -> Finding {
    let [mut one, mut other] = [found, expected].map(|token| token.to_string());
    if one == other && found.is_short() && expected.is_short() {
        // With all but plain characters escaped.
        [one, other] = [found, expected].map(|token| {
            let shown = &token.start[..token.start.len().min(MOST_SHOWN)];
            format!("`{}`", shown.escape_ascii())
        });
    }
    let mut said = format!("{}: found {one}, expected {other}", shown(place));
    if same >= MOST_SHOWN as u64 {
        let _ = write!(said, ": they differ at byte {same} of the token");
    }
    said += &difference_note(found, expected);
    text_finding(place, FindingRule::Token, said)
}

/// Names the encoding of what was found, if programs do not read it, or the first
/// characters that differ, if one of them may look like the other.
fn difference_note(found: ShownToken, expected: ShownToken) -> String {
    let encoding = UnexpectedEncoding::detect(found.start);
    encoding
        .and_then(UnexpectedEncoding::unreadable_name)
        .map(|name| format!("this is {name} text"))
        .or_else(|| format::difference_of_characters(found.start, expected.start))
        .map_or(String::new(), |said| format!(": {said}"))
}

/// The finding about a token that is not near enough to the number `answer`, given with
/// its own number if it is one.
pub(super) fn number_token(
    place: &TextPlace,
    (found, number): (ShownToken, Option<f64>),
    (expected, answer): (ShownToken, f64),
    tolerance: &NumberTolerance,
) -> Finding {
    let plain = |token: ShownToken<'_>| match token.to_string() {
        shown if token.is_short() => shown.trim_matches('`').to_owned(),
        shown => shown,
    };
    let note = difference_note(found, expected);
    let expected = plain(expected);
    let said = match number {
        None => {
            format!("found {found}, which is not a number, expected {expected}{note}")
        }
        Some(number) if number.is_infinite() => {
            format!(
                "found {}, which is too large for a number, expected {expected}",
                plain(found)
            )
        }
        Some(number) => {
            format!(
                "found {}, expected {expected}: {}",
                plain(found),
                off_by(number, answer, tolerance)
            )
        }
    };
    text_finding(
        place,
        FindingRule::Number,
        format!("{}: {said}", shown(place)),
    )
}

/// States by how much a number is off, and by how much it may be.
fn off_by(found: f64, expected: f64, tolerance: &NumberTolerance) -> String {
    let error = (found - expected).abs();
    let by = |error, most: Tolerance, kind| {
        let error = figure(error, most.value());
        format!("by {error}, allowed {most} ({kind})")
    };
    let absolute = tolerance.absolute.map(|most| by(error, most, "absolute"));
    let relative = match tolerance.relative {
        Some(most) if expected != 0.0 => {
            Some(by(error / expected.abs(), most, "relative"))
        }
        Some(most) if absolute.is_none() => Some(format!(
            "by {error:e}, allowed {most} (relative), which is nothing for an answer \
             of 0"
        )),
        _ => None,
    };
    let both = absolute.into_iter().chain(relative);
    format!("off {}", both.joined(", and "))
}

/// An error in two digits, or in as many as show that it exceeds what is allowed.
fn figure(error: f64, allowed: f64) -> String {
    let mut rounded =
        (1..17).filter_map(|digits| format!("{error:.digits$e}").parse().ok());
    // Without an exponent where people would not write one.
    let plain = |shown: f64| {
        if (1e-3..1e6).contains(&shown) {
            shown.to_string()
        } else {
            format!("{shown:e}")
        }
    };
    match rounded.find(|shown| *shown > allowed) {
        Some(shown) => plain(shown),
        // So near to it that only the validator's own arithmetic tells the two apart.
        None if error <= allowed => format!("a little more than {}", plain(allowed)),
        None => plain(error),
    }
}

/// The finding about white space that differs.
pub(super) fn gap(
    place: &TextPlace,
    kind: FindingKind,
    found: &str,
    expected: &str,
    is_last: bool,
) -> Finding {
    let at = match (is_last, place.tokens) {
        (true, _) => "at the end of the output".to_owned(),
        (false, 0) => "at its start".to_owned(),
        (false, token) => format!("after token {token}"),
    };
    let said = format!(
        "line {}, {at}: found {found}, expected {expected}",
        place.lines + 1
    );
    Finding {
        kind,
        ..text_finding(place, FindingRule::Spacing, said)
    }
}

/// The finding about `missing` tokens at the end, of which `next` is the first.
pub(super) fn missing(place: &TextPlace, next: ShownToken, missing: u64) -> Finding {
    let line = place.lines + 1;
    let said = match (place.is_blank, missing) {
        (true, 1) => format!("the output is empty, expected {next}"),
        (true, missing) => {
            format!(
                "the output is empty, expected {missing} tokens, the first is {next}"
            )
        }
        (false, 1) => {
            format!("line {line}: the output ends here, expected {next} as well")
        }
        (false, missing) => format!(
            "line {line}: the output ends here, expected {missing} more tokens, the \
             next is {next}"
        ),
    };
    text_finding(place, FindingRule::Missing, said)
}

/// The finding about `trailing` tokens too many, of which `next` is the first.
pub(super) fn trailing(
    place: &TextPlace,
    next: ShownToken,
    trailing: u64,
) -> Finding {
    let tokens = plural(trailing, "token");
    text_finding(
        place,
        FindingRule::Trailing,
        format!(
            "{}: found {next}, expected the end: {trailing} {tokens} too many",
            shown(place)
        ),
    )
}

/// The place of the token that begins there, in words.
fn shown(place: &TextPlace) -> String {
    format!("line {}, token {}", place.lines + 1, place.tokens + 1)
}

// Quotes tokens and white space for messages, and shows the lines around a difference.
// Bounded, and safe for a terminal.

/// Bytes of a token that a message quotes.
const MOST_SHOWN: usize = 40;

/// Lines shown before the one in which two texts differ, and after it.
const LINES_BEFORE: usize = 2;
const LINES_AFTER: usize = 4;

/// Bytes shown of what follows a difference.
const MOST_AFTER: usize = 2048;

/// Bytes of a line that a diff is sure to show.
const WIDEST: usize = 80;

/// White space made visible.
pub(super) fn shown_gap(gap: &[u8]) -> String {
    if gap.is_empty() {
        return "nothing".to_owned();
    }
    let shown: String = gap
        .iter()
        .take(MOST_SHOWN)
        .map(|byte| match byte {
            b' ' => "\u{b7}".to_owned(),
            byte => byte.escape_ascii().to_string(),
        })
        .collect();
    let rest = gap.len().saturating_sub(MOST_SHOWN);
    if rest > 0 {
        format!("`{shown}`... ({} more)", counted(rest as u64, "byte"))
    } else {
        format!("`{shown}`")
    }
}

/// The lines around the place up to which a stream has been passed, and whether it ends
/// with them; `None` if the place is so far to the right that a diff would not show it.
fn lines_around(stream: &StreamBuffer) -> Option<(Vec<u8>, bool)> {
    let before = stream.passed_text();
    let is_from_start = before.len() < HISTORY;
    let ends: Vec<_> = memchr::memrchr_iter(b'\n', before)
        .take(LINES_BEFORE + 1)
        .collect();
    let column = before.len() - ends.first().map_or(0, |end| end + 1);
    if column > WIDEST || ends.is_empty() && !is_from_start {
        return None;
    }
    let start = match ends.get(LINES_BEFORE) {
        Some(end) => end + 1,
        None if is_from_start => 0,
        None => ends.last().map_or(0, |end| end + 1),
    };
    let after = &stream.view()[..stream.view().len().min(MOST_AFTER)];
    let end = memchr::memchr_iter(b'\n', after)
        .nth(LINES_AFTER)
        .map_or(after.len(), |end| end + 1);
    let is_end = stream.has_ended && end == stream.view().len();
    Some(([&before[start..], &after[..end]].concat(), is_end))
}

/// Which differences between lines count, and are shown in a diff.
#[derive(Clone, Copy)]
pub(super) struct LineContent {
    pub(super) gaps: bool,
    pub(super) case: bool,
}

/// The lines around the places at which two streams differ as a short diff.
pub(super) fn lines_diff(
    expected: &StreamBuffer,
    found: &StreamBuffer,
    counts: LineContent,
) -> Option<String> {
    let (mut expected, has_all) = lines_around(expected)?;
    let (mut found, is_all) = lines_around(found)?;
    if !counts.gaps {
        expected = with_plain_gaps(&expected);
        found = with_plain_gaps(&found);
    }
    if !counts.case {
        // Each line in the case of the expected one, if it differs in case only.
        let lines = |text| <[u8]>::split_inclusive(text, |byte| *byte == b'\n');
        let in_its_case = lines(&found).map(|line| {
            lines(&expected)
                .find(|other| other.eq_ignore_ascii_case(line))
                .unwrap_or(line)
        });
        found = in_its_case.collect::<Vec<_>>().concat();
    }
    let part = !(has_all && is_all);
    Some(diff::text_diff(&diff::readable(&expected), &found, part))
}

/// The tokens of each line joined by single spaces, without empty lines.
fn with_plain_gaps(text: &[u8]) -> Vec<u8> {
    text.split(|byte| *byte == b'\n')
        .map(in_single_spaces)
        .filter(|line| !line.is_empty())
        .map(|line| [line, vec![b'\n']].concat())
        .collect::<Vec<_>>()
        .concat()
}

// Compares two tokens, at least one of which is longer than the view, piece by piece.
// Keeps no more of them than a message shows.

/// A token of any length that has been passed.
#[derive(Default)]
pub(super) struct LongToken {
    start: Vec<u8>,
    bytes: u64,
    pub(super) numeral: LongNumeral,
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
        }
    }
}

/// The comparison of two tokens, at least one of them long.
#[derive(Default)]
pub(super) struct LongPair {
    pub(super) found: LongToken,
    pub(super) expected: LongToken,
    /// Bytes that they have in common at their start, if they differ.
    pub(super) same: Option<u64>,
    has_other_letters: bool,
}

impl LongPair {
    /// Whether the token found is accepted for the expected one.
    pub(super) fn is_accepted(&self, rules: &ComparisonRules) -> bool {
        let is_same_text =
            self.found.bytes == self.expected.bytes && !self.has_other_letters;
        let numerals = [&self.found.numeral, &self.expected.numeral];
        rules
            .accept_number(numerals, LongDouble::of_numeral, LongNumeral::value)
            .unwrap_or(is_same_text)
    }

    /// Compares the pieces that come next.
    pub(super) fn compare(
        &mut self,
        rules: &ComparisonRules,
        found: &[u8],
        expected: &[u8],
    ) {
        if found != expected {
            let same = self.found.bytes + same_bytes(found, expected) as u64;
            self.same.get_or_insert(same);
            self.has_other_letters |= !rules.same_letters(found, expected);
        }
        self.found.read(found, rules.tolerance.is_some());
        self.expected.read(expected, rules.tolerance.is_some());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::text::parse_number;
    use crate::check::text::rules::NumberArithmetic;
    use crate::model::Tolerance;

    fn message(
        found: &str,
        expected: &str,
        absolute: Option<f64>,
        relative: Option<f64>,
    ) -> String {
        let [absolute, relative] =
            [absolute, relative].map(|value| value.and_then(Tolerance::new));
        let tolerance = NumberTolerance {
            absolute,
            relative,
            arithmetic: NumberArithmetic::Kattis,
        };
        let [found, expected] = [found, expected].map(|token| {
            let token = token.as_bytes();
            (ShownToken::new(token), parse_number(token))
        });
        let expected = (expected.0, expected.1.unwrap());
        let message =
            number_token(&TextPlace::START, found, expected, &tolerance).message;
        message
            .strip_prefix("line 1, token 1: found ")
            .unwrap()
            .to_owned()
    }

    #[test]
    fn an_error_is_shown_beside_what_is_allowed() {
        assert_eq!(
            message("3.1415", "3.1416", None, Some(1e-6)),
            "3.1415, expected 3.1416: off by 3.2e-5, allowed 1e-6 (relative)"
        );
        assert_eq!(
            message("1.000001", "1", Some(1e-6), None),
            "1.000001, expected 1: off by a little more than 1e-6, allowed 1e-6 (absolute)"
        );
        assert_eq!(
            message("5", "4", Some(0.5), None),
            "5, expected 4: off by 1, allowed 0.5 (absolute)"
        );
        assert_eq!(
            message("5", "4", Some(1e-6), Some(1e-6)),
            "5, expected 4: off by 1, allowed 1e-6 (absolute), and by 0.25, allowed 1e-6 \
             (relative)"
        );
        assert_eq!(
            message("1e-9", "0", None, Some(1e-6)),
            "1e-9, expected 0: off by 1e-9, allowed 1e-6 (relative), which is nothing for an \
             answer of 0"
        );
        assert_eq!(
            message("nan", "4", Some(0.5), None),
            "`nan`, which is not a number, expected 4"
        );
        assert_eq!(
            message("1e999", "4", Some(0.5), None),
            "1e999, which is too large for a number, expected 4"
        );
    }

    #[test]
    fn an_error_just_beyond_what_is_allowed_is_shown_to_the_digit_that_exceeds_it() {
        assert_eq!(figure(0.100_000_123, 0.1), "0.1000001");
        assert_eq!(figure(0.234, 0.1), "0.23");
    }
}

#[cfg(test)]
mod excerpt_tests {
    use super::*;
    use crate::check::text::BUFFER;

    const EACH_BYTE: LineContent = LineContent {
        gaps: true,
        case: true,
    };

    #[test]
    fn tokens_are_shortened_and_cannot_reach_the_terminal() {
        let shown_token = |start, bytes| ShownToken { start, bytes }.to_string();
        assert_eq!(shown_token(b"3.14", 4), "`3.14`");
        assert_eq!(shown_token(b"\x1b[2J\xff", 5), "`\\u{1b}[2J\\xff`");
        assert_eq!(
            shown_token(&[b'x'; 60], 300),
            format!("`{}`... (260 bytes more)", "x".repeat(40))
        );
        assert_eq!(
            shown_token("\u{e9}\u{200b}".as_bytes(), 5),
            "`\u{e9}\\u{200b}`"
        );
        assert_eq!(shown_token("1.5\u{a0}2".as_bytes(), 6), "`1.5\\u{a0}2`");
    }

    #[test]
    fn white_space_can_be_seen() {
        assert_eq!(shown_gap(b" \t\r\n\x0b"), "`\u{b7}\\t\\r\\n\\x0b`");
        assert_eq!(shown_gap(b""), "nothing");
    }

    /// The diff of an expected and a found text, both with this text before it.
    fn diff_after(before: &str, texts: [&str; 2], counts: LineContent) -> String {
        let texts = texts.map(|after| [before, after].concat());
        let [mut expected, mut found] =
            [&texts[0], &texts[1]].map(|text| text.as_bytes());
        let mut streams = [
            StreamBuffer::new(&mut expected, BUFFER),
            StreamBuffer::new(&mut found, BUFFER),
        ];
        for stream in &mut streams {
            stream.fill_piece().unwrap();
            stream.pass(before.len());
        }
        lines_diff(&streams[0], &streams[1], counts).unwrap()
    }

    #[test]
    fn a_diff_shows_two_lines_before_and_four_after() {
        let texts = ["a\n5\n6\n7\n8\n9\n", "b\n5\n6\n7\n8\n9\n"];
        let shown = diff_after("1\n2\n3\n4 ", texts, EACH_BYTE);
        assert_eq!(shown, " 2\n 3\n-4 a\n+4 b\n 5\n 6\n 7\n 8\n");
    }

    #[test]
    fn a_diff_of_tokens_shows_no_white_space() {
        let counts = LineContent {
            gaps: false,
            ..EACH_BYTE
        };
        let shown = diff_after("", ["1  2\r\n\n3\n", "1 2\n4\n"], counts);
        assert_eq!(shown, " 1 2\n-3\n+4\n");
    }

    #[test]
    fn a_line_that_differs_only_in_case_is_shown_as_equal_where_case_does_not_count()
    {
        let counts = LineContent {
            case: false,
            ..EACH_BYTE
        };
        let shown = diff_after("", ["Yes\n1\n", "YES\n2\n"], counts);
        assert_eq!(shown, " Yes\n-1\n+2\n");
    }
}
