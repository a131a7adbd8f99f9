//! Words the findings about tokens, numbers and white space that are not as expected. Knows no
//! streams.

use std::fmt::Write;

use crate::check::text::excerpt;
use crate::check::text::numeral::number;
use crate::check::text::place::TextPlace;
use crate::check::text::rules::NumberTolerance;
use crate::model::{Finding, FindingKind, FindingRule};
use crate::text::encoding::UnexpectedEncoding;
use crate::text::plural;
use gridjudge_grid::format;

/// A token as a message shows it: its first bytes, its length, and its value if it is a number.
#[derive(Clone, Copy)]
pub(super) struct ShownToken<'a> {
    pub(super) start: &'a [u8],
    pub(super) bytes: u64,
    pub(super) number: Option<f64>,
}

impl<'a> ShownToken<'a> {
    pub(super) fn of(token: &'a [u8]) -> Self {
        Self {
            start: token,
            bytes: token.len() as u64,
            number: number(token),
        }
    }

    fn is_short(&self) -> bool {
        self.bytes <= excerpt::MOST_SHOWN as u64
    }
}

/// A finding at a place.
pub(super) fn finding(
    place: &TextPlace,
    kind: FindingKind,
    rule: FindingRule,
    message: String,
) -> Finding {
    Finding {
        kind,
        grid: None,
        row: None,
        column: None,
        other: None,
        rule: Some(rule),
        line: Some(place.lines + 1),
        byte: Some(place.bytes),
        message,
    }
}

/// The finding about two tokens that differ after `same` bytes.
pub(super) fn token(
    place: &TextPlace,
    found: ShownToken<'_>,
    expected: ShownToken<'_>,
    same: u64,
) -> Finding {
    let [mut one, mut other] =
        [found, expected].map(|token| excerpt::token(token.start, token.bytes));
    if one == other && found.is_short() && expected.is_short() {
        [one, other] = [found, expected].map(|token| excerpt::bare_token(token.start));
    }
    let mut said = format!("{}: found {one}, expected {other}", shown(place));
    if same >= excerpt::MOST_SHOWN as u64 {
        let _ = write!(said, ": they differ at byte {same} of the token");
    }
    said += &difference_note(found, expected);
    finding(place, FindingKind::Wrong, FindingRule::Token, said)
}

/// Names the encoding of what was found, if programs do not read it, or the first characters that
/// differ, if one of them may look like the other.
fn difference_note(found: ShownToken<'_>, expected: ShownToken<'_>) -> String {
    match UnexpectedEncoding::of(found.start) {
        Some(UnexpectedEncoding::Utf16) => return ": this is UTF-16 text".to_owned(),
        Some(UnexpectedEncoding::Utf32) => return ": this is UTF-32 text".to_owned(),
        Some(UnexpectedEncoding::ByteOrderMark) | None => {}
    }
    format::difference_of_characters(found.start, expected.start)
        .map_or(String::new(), |said| format!(": {said}"))
}

/// The finding about a token that is not near enough to the number `answer`.
pub(super) fn number_token(
    place: &TextPlace,
    found: ShownToken<'_>,
    expected: ShownToken<'_>,
    answer: f64,
    tolerance: &NumberTolerance,
) -> Finding {
    let plain = |token: ShownToken<'_>| match excerpt::token(token.start, token.bytes) {
        shown if token.is_short() => shown.trim_matches('`').to_owned(),
        shown => shown,
    };
    let note = difference_note(found, expected);
    let expected = plain(expected);
    let said = match found.number {
        None => format!(
            "found {}, which is not a number, expected {expected}{note}",
            excerpt::token(found.start, found.bytes)
        ),
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
    finding(
        place,
        FindingKind::Wrong,
        FindingRule::Number,
        format!("{}: {said}", shown(place)),
    )
}

/// States by how much a number is off, and by how much it may be.
fn off_by(found: f64, expected: f64, tolerance: &NumberTolerance) -> String {
    let error = (found - expected).abs();
    let part = error / expected.abs();
    let absolute = tolerance
        .absolute
        .map(|most| (most, figure(error, most.value())));
    let relative = tolerance
        .relative
        .map(|most| (most, figure(part, most.value())));
    match (absolute, relative) {
        (Some((most, error)), None) => format!("off by {error}, allowed {most} (absolute)"),
        (None, Some((most, _))) if expected == 0.0 => {
            format!(
                "off by {error:e}, allowed {most} (relative), which is nothing for an answer of 0"
            )
        }
        (None, Some((most, part))) => format!("off by {part}, allowed {most} (relative)"),
        (Some((most, error)), Some(_)) if expected == 0.0 => {
            format!("off by {error}, allowed {most} (absolute)")
        }
        (Some((most, error)), Some((most_part, part))) => {
            format!(
                "off by {error}, allowed {most} (absolute), and by {part}, allowed {most_part} (relative)"
            )
        }
        (None, None) => String::new(),
    }
}

/// An error in two digits, or in as many as show that it exceeds what is allowed.
fn figure(error: f64, allowed: f64) -> String {
    let rounded = (1..17).filter_map(|digits| format!("{error:.digits$e}").parse().ok());
    let shown: f64 = { rounded }.find(|shown| *shown > allowed).unwrap_or(error);
    // Without an exponent where people would not write one.
    if (1e-3..1e6).contains(&shown) {
        shown.to_string()
    } else {
        format!("{shown:e}")
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
    finding(place, kind, FindingRule::Spacing, said)
}

/// The finding about `missing` tokens at the end, of which `next` is the first.
pub(super) fn missing(place: &TextPlace, next: ShownToken<'_>, missing: u64) -> Finding {
    let next = excerpt::token(next.start, next.bytes);
    let said = match (place.is_blank, missing) {
        (true, 1) => format!("the output is empty, expected {next}"),
        (true, missing) => {
            format!("the output is empty, expected {missing} tokens, the first is {next}")
        }
        (false, 1) => format!(
            "line {}: the output ends here, expected {next} as well",
            place.lines + 1
        ),
        (false, missing) => {
            let line = place.lines + 1;
            format!(
                "line {line}: the output ends here, expected {missing} more tokens, the next is {next}"
            )
        }
    };
    finding(place, FindingKind::Wrong, FindingRule::Missing, said)
}

/// The finding about `trailing` tokens too many, of which `next` is the first.
pub(super) fn trailing(place: &TextPlace, next: ShownToken<'_>, trailing: u64) -> Finding {
    let next = excerpt::token(next.start, next.bytes);
    let tokens = plural(trailing, "token");
    let said = format!(
        "{}: found {next}, expected the end: {trailing} {tokens} too many",
        shown(place)
    );
    finding(place, FindingKind::Wrong, FindingRule::Trailing, said)
}

/// The place of the token that begins there, in words.
fn shown(place: &TextPlace) -> String {
    format!("line {}, token {}", place.lines + 1, place.tokens + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::text::rules::NumberArithmetic;
    use crate::model::Tolerance;

    fn message(
        found: &str,
        expected: &str,
        absolute: Option<f64>,
        relative: Option<f64>,
    ) -> String {
        let [absolute, relative] = [absolute, relative].map(|value| value.and_then(Tolerance::new));
        let tolerance = NumberTolerance {
            absolute,
            relative,
            arithmetic: NumberArithmetic::Kattis,
        };
        let [found, expected] = [found, expected].map(|token| ShownToken::of(token.as_bytes()));
        let answer = expected.number.unwrap();
        let message = number_token(&TextPlace::START, found, expected, answer, &tolerance).message;
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
            message("5", "4", Some(0.5), None),
            "5, expected 4: off by 1, allowed 0.5 (absolute)"
        );
        assert_eq!(
            message("5", "4", Some(1e-6), Some(1e-6)),
            "5, expected 4: off by 1, allowed 1e-6 (absolute), and by 0.25, allowed 1e-6 (relative)"
        );
        assert_eq!(
            message("1e-9", "0", None, Some(1e-6)),
            "1e-9, expected 0: off by 1e-9, allowed 1e-6 (relative), which is nothing for an answer of 0"
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
