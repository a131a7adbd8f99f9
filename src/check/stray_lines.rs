//! Words the finding about lines that belong to no grid.

use crate::check::location::Location;
use crate::model::{Finding, FindingRule};
use crate::text::counted;
use gridjudge_grid::format::{StrayLine, StrayPlace};

/// The finding about lines that belong to no grid.
pub(crate) fn finding(location: Location<'_>, strays: &[StrayLine]) -> Finding {
    let [first, others @ ..] = strays else {
        return location.finding(FindingRule::Rows, 0, 0, "");
    };
    let more = match others
        .iter()
        .filter(|other| other.before == first.before)
        .count()
    {
        0 => String::new(),
        more => format!(" and {}", counted(more, "more line")),
    };
    let place = match &first.before {
        StrayPlace::Words(words) => format!("before `{words}`, which was expected"),
        StrayPlace::Row(0) => "before the grid, expected its first row".to_owned(),
        StrayPlace::Row(row) => format!("between row {row} and row {}", row + 1),
    };
    let message = format!("`{}`{more} {place}", first.text);
    location.finding(FindingRule::Rows, first.line, first.byte, &message)
}
