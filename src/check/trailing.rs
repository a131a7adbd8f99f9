//! Checks the end of an output: what is missing there, and what does not belong there.

use std::io::Read;

use crate::check::error::CheckError;
use crate::check::location::Location;
use crate::check::window::{Window, WindowView};
use crate::model::{Finding, FindingKind, FindingRule, Findings};
use gridjudge_grid::{WhiteSpace, format};

/// The message about an output that ends before the answer to `grid`.
pub(super) fn missing_from(grid: u64, total: u64) -> String {
    match (grid, total) {
        (1, 1) => "the output is empty".to_owned(),
        (1, total) => format!("the output is empty, expected {total} grids"),
        (grid, total) => format!("the output ends after {} of {total} grids", grid - 1),
    }
}

/// Notes trailing output after the last grid.
pub(super) fn check_trailing_output<O: Read>(
    output: &mut Window<O>,
    location: Location<'_>,
    findings: &mut Findings,
) -> Result<(), CheckError> {
    let WindowView {
        text: window,
        origin,
    } = output.view().map_err(CheckError::Output)?;
    let location = Location {
        origin,
        one_of_many: false,
        ..location
    };
    let is_strict = location.format.output.white_space == WhiteSpace::Strict;
    if let Some(rest) = format::lines(window).find(|line| !line.is_empty()) {
        let separator = location.format.output.separator.as_ref();
        let is_separator = separator.is_some_and(|separator| {
            !separator.closes && separator.line.as_bytes() == rest.text.trim_ascii()
        });
        let (rule, place) = if is_separator {
            (
                FindingRule::Separator,
                ", and belongs between two grids only",
            )
        } else {
            (FindingRule::Trailing, "")
        };
        let found = format::quoted(rest.text);
        let named = format::beyond_ascii(rest.text.trim_ascii());
        let named = named.map_or(String::new(), |named| format!(" ({named})"));
        let message = format!("`{found}`{named} is trailing output after the last grid{place}");
        let finding = location.finding(rule, rest.number, rest.start, &message);
        findings.note(Finding {
            grid: None,
            ..finding
        });
    } else if is_strict && !window.is_empty() {
        let message =
            "white space is trailing output after the last grid, which must be exact here";
        let finding = location.finding(FindingRule::Spacing, 0, 0, message);
        findings.note(Finding {
            kind: FindingKind::Presentation,
            grid: None,
            ..finding
        });
    }
    Ok(())
}
