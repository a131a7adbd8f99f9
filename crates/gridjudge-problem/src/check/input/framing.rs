//! Reads what surrounds the grids of an input: their number, the order of the next one,
//! and lines that do not count.

use std::io;

use gridjudge_grid::format::{GridReader, SeparatorLikeness, TextOffset};
use gridjudge_grid::{Format, Layout, OrderNumber, format};

use crate::check::{
    EXACT, InputMistake, Window, WindowView, finding_outside_grids, mistake,
};
use crate::model::{Finding, FindingKind, FindingRule};
use crate::text::{JoinedTexts, are_digits, counted};

use SeparatorKind::{Behind, Ended, Loose, Missing, Wrong};

/// The index in the format of the shape whose order a line states.
///
/// # Errors
/// Returns what is wrong with the line.
pub(crate) fn shape_on_line(
    format: &Format,
    order: OrderNumber,
    text: &[u8],
    line: u64,
) -> Result<usize, InputMistake> {
    let text = text.trim_ascii();
    let shapes = || format.shapes.iter().map(|shape| order.in_shape(shape));
    let place = shapes().position(|number| number.to_string().as_bytes() == text);
    place.ok_or_else(|| {
        let allowed = shapes().map(|number| number.to_string()).joined(", ");
        let what = match order {
            OrderNumber::Order => "the order of the grid",
            OrderNumber::BoxSide => "the rows of a box",
        };
        let found = match text {
            [] => "nothing".to_owned(),
            text => format!("`{}`", format::quoted_bytes(text)),
        };
        mistake(
            line,
            format!("expected {what} (one of {allowed}), found {found}"),
            "write it, or allow it in the problem's [grid] (`order = [..]`)",
        )
    })
}

pub(crate) fn exact(
    format: &Format,
    text: &[u8],
    line: u64,
    number: impl ToString,
    place: &str,
) -> Result<(), InputMistake> {
    let number = number.to_string();
    let is_exact = text == format!("{number}\n").as_bytes();
    if format.input.is_strict() && !is_exact {
        return Err(mistake(
            line,
            format!("expected `{number}` alone {place}"),
            EXACT,
        ));
    }
    Ok(())
}

pub(crate) fn count_up_to(
    layout: &Layout,
    most: u64,
    start: &[u8],
    line: u64,
) -> Result<(u64, TextOffset), InputMistake> {
    let too_many = |count: &str| {
        format!("the number of grids is {count}, the problem allows {most} at most")
    };
    let message = match format::leading_count(start) {
        Ok((0, _)) if !layout.may_be_empty => "the number of grids is 0".to_owned(),
        Ok((count, _)) if count > most => too_many(&count.to_string()),
        Ok(found) => return Ok(found),
        Err(found) if found.is_empty() => {
            "the file holds nothing but white space".to_owned()
        }
        // `leading_count` refuses digits only if their number is too large for any
        // problem.
        Err(found) if are_digits(found.strip_suffix("...").unwrap_or(&found)) => {
            too_many(&found)
        }
        Err(found) => format!("expected the number of grids, found `{found}`"),
    };
    Err(mistake(
        line,
        message,
        "the first line says how many grids follow",
    ))
}

// Checks the separator between two grids: whether it is where it belongs, and what is
// there instead.

/// What was found where a separator belongs, other than the separator itself. It has
/// been passed if it was meant as the separator.
pub(crate) struct SeparatorSeen<'a> {
    /// The separator that belongs there.
    pub(crate) expected: &'a str,
    pub(crate) place: TextOffset,
    pub(crate) kind: SeparatorKind,
}

pub(crate) enum SeparatorKind {
    /// The separator, with other white space at its ends or before it.
    Loose,
    /// A line that differs from the separator in the white space within, or that is
    /// meant as the separator.
    Wrong {
        likeness: SeparatorLikeness,
        found: String,
    },
    /// The separator, after this number of rows that belong to no grid.
    Behind(u64),
    /// Something else, which has not been passed.
    Missing,
    /// Nothing: the text has ended.
    Ended,
}

/// Passes the separator that belongs at the start of a text, or the line that is meant
/// as the separator. Returns what is there if it is not the separator, byte by byte.
pub(crate) fn pass<'a>(
    window: &mut Window,
    reader: &'a GridReader,
) -> io::Result<Option<SeparatorSeen<'a>>> {
    let Some(separator) = reader.separator() else {
        return Ok(None);
    };
    let expected = separator.line.as_str();
    let whole = TextOffset {
        lines: 1,
        bytes: expected.len() + 1,
    };
    let ahead = window.peek(whole.bytes)?;
    if ahead
        .strip_prefix(expected.as_bytes())
        .is_some_and(|rest| rest.starts_with(b"\n"))
    {
        window.pass(whole);
        return Ok(None);
    }
    let WindowView { text, origin } = window.view()?;
    let line = format::written_lines(text).next().unwrap_or_default();
    let place = origin.place(line.start);
    let (kind, end) = match reader.likeness_of_separator(line.text) {
        _ if line.is_empty() => (Some(Ended), None),
        SeparatorLikeness::Other => match rows_before_separator(reader, text) {
            Some((rows, end)) => (Some(Behind(rows)), Some(end)),
            None => (Some(Missing), None),
        },
        // The very last newline may be missing.
        SeparatorLikeness::Same
            if line.start.bytes == 0 && line.text == expected.as_bytes() =>
        {
            (None, Some(line.end))
        }
        SeparatorLikeness::Same => (Some(Loose), Some(line.end)),
        likeness => {
            let found = format::quoted_bytes(line.text);
            (Some(Wrong { likeness, found }), Some(line.end))
        }
    };
    if let Some(end) = end {
        window.advance_lines(end)?;
    }
    Ok(kind.map(|kind| SeparatorSeen {
        expected,
        place,
        kind,
    }))
}

/// The number of rows before a separator, if they are too few for a grid, with the end
/// of the separator.
fn rows_before_separator(
    reader: &GridReader,
    text: &[u8],
) -> Option<(u64, TextOffset)> {
    let written = || format::written_lines(text).take(reader.height());
    let rows = written()
        .take_while(|line| reader.row_values(line.text).is_some())
        .count();
    let line = written()
        .nth(rows)
        .filter(|line| reader.is_separator(line.text))?;
    Some((rows as u64, line.end))
}

impl SeparatorSeen<'_> {
    /// The finding for what was seen at a `place`, which is described in words:
    /// `between grid 1 and grid 2`.
    pub(crate) fn finding(&self, place: &str, is_strict: bool) -> Option<Finding> {
        let expected = self.expected;
        let (rule, message) = match &self.kind {
            Loose if is_strict => (
                FindingRule::Spacing,
                format!(
                    "the separator {place} is right but for white space, which must be \
                 exact here"
                ),
            ),
            Loose => return None,
            Wrong {
                likeness: SeparatorLikeness::Spaced,
                found,
            } => (
                FindingRule::Spacing,
                format!(
                    "the separator {place} is `{found}`, expected `{expected}`: the white \
                 space differs"
                ),
            ),
            Wrong { found, .. } => (
                FindingRule::Separator,
                format!("the separator {place} is `{found}`, expected `{expected}`"),
            ),
            Behind(rows) => {
                (FindingRule::Rows, too_many_rows(*rows, expected, place))
            }
            Missing | Ended => (
                FindingRule::Separator,
                format!("expected the separator `{expected}` {place}"),
            ),
        };
        let kind = match rule {
            FindingRule::Spacing if is_strict => FindingKind::Presentation,
            _ => FindingKind::Wrong,
        };
        Some(Finding {
            kind,
            ..finding_outside_grids(rule, self.place, message)
        })
    }

    /// The mistake for what was seen at a place of an input.
    pub(crate) fn mistake(
        &self,
        place: &str,
        is_strict: bool,
    ) -> Option<InputMistake> {
        let expected = self.expected;
        let (message, remedy) = match &self.kind {
            Loose if is_strict => {
                (format!("expected `{expected}` alone {place}"), EXACT)
            }
            Loose => return None,
            Wrong { found, .. } => (
                format!(
                    "expected the separator `{expected}` {place}, found `{found}`"
                ),
                "correct it",
            ),
            Behind(rows) => (
                too_many_rows(*rows, expected, place),
                "delete what is too much",
            ),
            Missing | Ended => (
                format!("expected the separator `{expected}` {place}"),
                "add it",
            ),
        };
        Some(mistake(self.place.lines + 1, message, remedy))
    }
}

fn too_many_rows(rows: u64, expected: &str, place: &str) -> String {
    let rows = counted(rows, "row");
    format!("{rows} too many before the separator `{expected}` {place}")
}

/// The place of the separator, if a text begins with it where an answer belongs.
pub(crate) fn stands_first(reader: &GridReader, text: &[u8]) -> Option<TextOffset> {
    let line = format::written_lines(text).next()?;
    reader.is_separator(line.text).then_some(line.start)
}
