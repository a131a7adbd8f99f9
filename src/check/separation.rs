//! Checks the separator between two grids: whether it is where it belongs, and what is there
//! instead.

use std::io;
use std::io::Read;

use crate::check::input_mistake::{EXACT, InputMistake, mistake};
use crate::check::location::Location;
use crate::check::window::{StreamOrigin, Window, WindowView};
use crate::model::{Finding, FindingKind, FindingRule};
use crate::text::counted;
use gridjudge_grid::format::{GridReader, SeparatorLikeness};
use gridjudge_grid::{WhiteSpace, format};

/// What was found where a separator belongs. It has been passed if it was meant as the separator.
pub(super) enum SeparatorSeen {
    /// The separator, byte by byte.
    Exact,
    /// The separator, with other white space at its ends or before it.
    Loose(SeparatorPlace),
    /// A line that differs from the separator in the white space within, or that is meant as the
    /// separator.
    Wrong {
        place: SeparatorPlace,
        likeness: SeparatorLikeness,
        found: String,
    },
    /// The separator, after this number of rows that belong to no grid.
    Behind(SeparatorPlace, u64),
    /// Something else, which has not been passed.
    Missing(SeparatorPlace),
    /// Nothing: the text has ended.
    Ended(SeparatorPlace),
}

/// The place of a separator: the lines and bytes before it.
pub(super) type SeparatorPlace = (u64, u64);

/// Passes the separator that belongs at the start of a text, or the line that is meant as the
/// separator.
pub(super) fn pass<R: Read>(
    window: &mut Window<R>,
    reader: &GridReader,
) -> io::Result<SeparatorSeen> {
    let Some(separator) = reader.separator() else {
        return Ok(SeparatorSeen::Exact);
    };
    let bytes = separator.line.len() + 1;
    let ahead = window.peek(bytes)?;
    if ahead
        .strip_prefix(separator.line.as_bytes())
        .is_some_and(|rest| rest.starts_with(b"\n"))
    {
        window.pass(bytes, 1);
        return Ok(SeparatorSeen::Exact);
    }
    let WindowView { text, origin } = window.view()?;
    let Some(line) = format::lines(text).find(|line| !line.is_empty()) else {
        return Ok(SeparatorSeen::Ended(origin.place(0, 0)));
    };
    let place = origin.place(line.number, line.start);
    let seen = match reader.likeness_of_separator(line.text) {
        SeparatorLikeness::Other => {
            let Some((rows, bytes, lines)) = rows_before_separator(reader, text) else {
                return Ok(SeparatorSeen::Missing(place));
            };
            window.advance_lines(bytes, lines)?;
            return Ok(SeparatorSeen::Behind(place, rows));
        }
        // The very last newline may be missing.
        SeparatorLikeness::Same if line.start == 0 && line.text == separator.line.as_bytes() => {
            SeparatorSeen::Exact
        }
        SeparatorLikeness::Same => SeparatorSeen::Loose(place),
        likeness => SeparatorSeen::Wrong {
            place,
            likeness,
            found: format::quoted(line.text),
        },
    };
    let bytes = line.end;
    let lines = line.number + 1;
    window.advance_lines(bytes, lines)?;
    Ok(seen)
}

/// The number of rows before a separator, if they are too few for a grid, with the bytes and lines
/// up to the end of the separator.
fn rows_before_separator(reader: &GridReader, text: &[u8]) -> Option<(u64, usize, u64)> {
    let written = || {
        format::lines(text)
            .filter(|line| !line.is_empty())
            .take(reader.height())
    };
    let rows = written()
        .take_while(|line| reader.row_values(line.text).is_some())
        .count();
    let line = written()
        .nth(rows)
        .filter(|line| reader.likeness_of_separator(line.text) == SeparatorLikeness::Same)?;
    Some((rows as u64, line.end, line.number + 1))
}

/// The finding for what was seen at a `place`, which is described in words: `between grid 1 and
/// grid 2`.
pub(super) fn finding(
    location: Location<'_>,
    expected: &str,
    place: &str,
    seen: &SeparatorSeen,
) -> Option<Finding> {
    let is_strict = location.format.output.white_space == WhiteSpace::Strict;
    let ((line, byte), rule, message) = match seen {
        SeparatorSeen::Loose(at) if is_strict => {
            let message = format!(
                "the separator {place} is right but for white space, which must be exact here"
            );
            (*at, FindingRule::Spacing, message)
        }
        SeparatorSeen::Exact | SeparatorSeen::Loose(_) => return None,
        SeparatorSeen::Wrong {
            place: at,
            likeness,
            found,
        } if (*likeness == SeparatorLikeness::Spaced) => {
            let message = format!(
                "the separator {place} is `{found}`, expected `{expected}`: the white space differs"
            );
            (*at, FindingRule::Spacing, message)
        }
        SeparatorSeen::Wrong {
            place: at, found, ..
        } => {
            let message = format!("the separator {place} is `{found}`, expected `{expected}`");
            (*at, FindingRule::Separator, message)
        }
        SeparatorSeen::Behind(at, rows) => {
            let rows = counted(*rows, "row");
            (
                *at,
                FindingRule::Rows,
                format!("{rows} too many before the separator `{expected}` {place}"),
            )
        }
        SeparatorSeen::Missing(at) | SeparatorSeen::Ended(at) => (
            *at,
            FindingRule::Separator,
            format!("expected the separator `{expected}` {place}"),
        ),
    };
    let location = Location {
        origin: StreamOrigin::at(line, byte),
        one_of_many: false,
        ..location
    };
    let kind = match rule {
        FindingRule::Spacing if is_strict => FindingKind::Presentation,
        _ => FindingKind::Wrong,
    };
    Some(Finding {
        kind,
        grid: None,
        ..location.finding(rule, 0, 0, &message)
    })
}

/// The mistake for what was seen at a place of an input.
pub(super) fn mistake_in_input(
    expected: &str,
    place: &str,
    seen: &SeparatorSeen,
    is_strict: bool,
) -> Option<InputMistake> {
    let (line, message, remedy) = match seen {
        SeparatorSeen::Exact => return None,
        SeparatorSeen::Loose((line, _)) => (
            is_strict.then_some(line)?,
            format!("expected `{expected}` alone {place}"),
            EXACT,
        ),
        SeparatorSeen::Wrong {
            place: (line, _),
            found,
            ..
        } => (
            line,
            format!("expected the separator `{expected}` {place}, found `{found}`"),
            "correct it",
        ),
        SeparatorSeen::Behind((line, _), rows) => {
            let rows = counted(*rows, "row");
            let message = format!("{rows} too many before the separator `{expected}` {place}");
            (line, message, "delete what is too much")
        }
        SeparatorSeen::Missing((line, _)) | SeparatorSeen::Ended((line, _)) => (
            line,
            format!("expected the separator `{expected}` {place}"),
            "add it",
        ),
    };
    Some(mistake(line + 1, message, Some(remedy)))
}

/// The place of the separator, if a text begins with it where an answer belongs.
pub(super) fn stands_first(reader: &GridReader, view: &WindowView<'_>) -> Option<SeparatorPlace> {
    reader.separator()?;
    let line = format::lines(view.text).find(|line| !line.is_empty())?;
    let is_separator = reader.likeness_of_separator(line.text) == SeparatorLikeness::Same;
    is_separator.then(|| view.origin.place(line.number, line.start))
}
