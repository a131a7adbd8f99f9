//! Reads the separator, the line between two grids of an input or two answers, and checks that it
//! cannot be mistaken for another line.

use crate::keys::KeyTable;
use crate::mistake::quoted;
use crate::spec::problem::lines::line;
use gridjudge_grid::format::GridReader;
use gridjudge_grid::{Format, GridCount, Separator, Template, format};

const PLACES: [(&str, bool); 2] = [("between", false), ("after", true)];

/// Reads the keys of separators.
pub(super) fn read(table: &KeyTable<'_>) -> Option<Separator> {
    let found = table.text("separator");
    let closes = table.choice("separator_line", &PLACES);
    if let Some(at) = table
        .place("separator_line")
        .filter(|_| !table.has("separator"))
    {
        let message = "`separator_line` has no meaning without `separator`";
        table.note(at, message, "add `separator`, or delete it");
    }
    let line = line(table, "separator", &found?)?;
    Some(Separator {
        line,
        closes: closes.is_some_and(|found| found.value),
    })
}

/// Notes a separator that may be another line of an input: one of cells or of a map, a banner, an
/// order, the end, a comment, or an ignored line.
pub(super) fn refuse_another_in_input(
    format: &Format,
    readers: &[GridReader],
    table: &KeyTable<'_>,
) {
    let Some(Separator { line, .. }) = &format.input.separator else {
        return;
    };
    let Some(at) = table.place("separator") else {
        return;
    };
    let is_end = matches!(&format.input.count, GridCount::Until { line: end, .. } if end.trim() == line.trim());
    let order = format.input.order_line;
    let is_order = order.is_some_and(|order| {
        format
            .shapes
            .iter()
            .any(|shape| order.number.of(shape).to_string() == *line)
    });
    let banner = format.input.banner.as_ref();
    let comment = format.input.comment.as_ref();
    for (is_it, what) in [
        (
            readers
                .iter()
                .any(|reader| reader.is_cells(line.as_bytes())),
            "a line of cells",
        ),
        (
            banner.is_some_and(|banner| banner.is_seen_in(line.as_bytes())),
            "a banner",
        ),
        (is_order, "an order"),
        (is_end, "the line after the last grid"),
        (
            comment.is_some_and(|comment| format::is_comment(comment, line.as_bytes())),
            "a comment",
        ),
        (
            line.chars()
                .all(|letter| letter == ' ' || format.input.ignored.contains(letter)),
            "ignored",
        ),
    ] {
        if is_it {
            let line = quoted(&format!("separator = \"{line}\""));
            table.note(
                at,
                format!("{line} is {what} as well"),
                "choose a line that cannot be anything else",
            );
        }
    }
}

/// Notes a separator that may be another line of an output: a row, a banner, a text of `[answer]`,
/// or a number of solutions.
pub(super) fn refuse_another(
    format: &Format,
    texts: &[&Template],
    readers: &[GridReader],
    output: Option<&KeyTable<'_>>,
) {
    let Some((Separator { line, .. }, table)) = format.output.separator.as_ref().zip(output) else {
        return;
    };
    let Some(at) = table.place("separator") else {
        return;
    };
    let refuse = |what: &str| {
        let line = quoted(&format!("separator = \"{line}\""));
        table.note(
            at,
            format!("{line} is {what} as well"),
            "choose a line that cannot be anything else",
        );
    };
    let literal = Template::from(line.as_str());
    if readers
        .iter()
        .any(|reader| reader.row_values(line.as_bytes()).is_some())
    {
        refuse("a line of cells");
    }
    if format
        .output
        .banner
        .as_ref()
        .is_some_and(|banner| banner.is_seen_in(line.as_bytes()))
    {
        refuse("a banner");
    }
    if texts.iter().any(|text| text.overlaps(&literal)) {
        refuse("a text of [answer]");
    }
    if format
        .replies
        .count
        .as_ref()
        .is_some_and(|count| count.template.overlaps(&literal))
    {
        refuse("a number of solutions");
    }
}
