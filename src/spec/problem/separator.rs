//! The line between two answers: what a spec says of it, and that it can be nothing else.

use crate::mistake::quoted;
use crate::spec::problem::lines::line;
use crate::spec::table::TomlTable;
use gridjudge_grid::Format;
use gridjudge_grid::Separator;
use gridjudge_grid::Template;
use gridjudge_grid::format::GridReader;

const PLACES: [(&str, bool); 2] = [("between", false), ("after", true)];

/// Reads what is said of separators.
pub(super) fn read(table: &TomlTable<'_>) -> Option<Separator> {
    let found = table.string("separator");
    let closes = table.choice("separator_line", &PLACES);
    if let Some(at) = table.place("separator_line").filter(|_| !table.has("separator")) {
        let message = "`separator_line` has no meaning without `separator`";
        table.note(&at, message, "add `separator`, or delete it");
    }
    let line = line(table, "separator", &found?)?;
    Some(Separator { line, closes: closes.is_some_and(|found| found.value) })
}

/// Notes a separator that may be another line of an output: a row, a banner, one of these texts, a number of solutions.
pub(super) fn refuse_another(
    format: &Format,
    texts: &[&Template],
    readers: &[GridReader],
    output: Option<&TomlTable<'_>>,
) {
    let Some((Separator { line, .. }, table)) = format.output.separator.as_ref().zip(output) else { return };
    let Some(at) = table.place("separator") else { return };
    let refuse = |what: &str| {
        let line = quoted(&format!("separator = \"{line}\""));
        table.note(&at, format!("{line} is {what} as well"), "choose a line that cannot be anything else");
    };
    let literal = Template::from(line.as_str());
    if readers.iter().any(|reader| reader.row_values(line.as_bytes()).is_some()) {
        refuse("a line of cells");
    }
    if format.output.banner.as_ref().is_some_and(|banner| banner.is_seen_in(line.as_bytes())) {
        refuse("a banner");
    }
    if texts.iter().any(|text| text.overlaps(&literal)) {
        refuse("a text of [answer]");
    }
    if format.replies.count.as_ref().is_some_and(|count| count.template.overlaps(&literal)) {
        refuse("a number of solutions");
    }
}
