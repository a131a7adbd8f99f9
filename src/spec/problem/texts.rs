//! Lines that must not be taken for one another: cells, texts in place of a grid, the number of solutions, the end.

use std::ops::Range;

use crate::grid::Count;
use crate::grid::Format;
use crate::grid::text;
use crate::grid::text::Reader;
use crate::model::Accept;
use crate::spec::table::Table;

/// Notes every line of `[answer]` and `[input]` that might be taken for another.
pub(super) fn agree_with(format: &Format, accept: Accept, answer: &Table<'_>, input: &Table<'_>) {
    let readers: Vec<_> = format.shapes.iter().map(|shape| Reader::of_outputs(shape, format)).collect();
    let key_of_several = if accept == Accept::Unique { "several" } else { "more" };
    let (none, several) = (format.replies.none.as_deref(), format.replies.several.as_deref());
    let one = format.output.lead.as_deref();
    for (key, text) in [("none", none), ("one", one), (key_of_several, several)] {
        let Some((at, text)) = answer.place(key).zip(text) else { continue };
        if !matches!(accept, Accept::Count { .. }) && readers.iter().any(|reader| is_cells(reader, text)) {
            answer.note(&at, format!("`{key} = \"{text}\"` is a line of cells as well"), ANOTHER);
        }
        if format.output.banner.as_ref().is_some_and(|banner| banner.is_seen_in(text.as_bytes())) {
            answer.note(&at, format!("`{key} = \"{text}\"` is a banner as well"), ANOTHER);
        }
        let count = format.replies.count.as_ref();
        if count.is_some_and(|count| count.template.resembles(text.as_bytes())) {
            answer.note(&at, format!("`{key} = \"{text}\"` is a number of solutions as well"), ANOTHER);
        }
    }
    let pairs = [
        ("none", none, key_of_several, several),
        ("none", none, "one", one),
        ("one", one, key_of_several, several),
    ];
    let same = pairs.into_iter().filter(|(_, text, _, other)| text.is_some() && text == other);
    for (key, _, other_key, _) in same {
        let at = answer.place(other_key).unwrap_or_default();
        answer.note(&at, format!("`{key}` and `{other_key}` are the same"), ANOTHER);
    }
    if let (Some(comment), Some(at)) = (&format.input.comment, input.place("comment")) {
        refuse_comments_that_count(format, comment, &at, input);
    }
    if let Count::Until { line, .. } = &format.input.count
        && let Some(at) = input.place("until")
    {
        let of_input = |shape| Reader::of_inputs(shape, format);
        if format.shapes.iter().map(of_input).any(|reader| is_cells(&reader, line)) {
            input.note(&at, format!("`until = \"{line}\"` is a line of cells as well"), ANOTHER);
        }
        let is_order = |order: &crate::grid::OrderLine| {
            format.shapes.iter().any(|shape| order.number.of(shape).to_string() == *line)
        };
        if format.input.order_line.as_ref().is_some_and(is_order) {
            input.note(&at, format!("`until = \"{line}\"` is an order as well"), ANOTHER);
        }
    }
}

/// Notes where a line that counts begins as a comment does.
fn refuse_comments_that_count(format: &Format, comment: &str, at: &Range<usize>, input: &Table<'_>) {
    let banner = format.input.banner.as_ref().map(|banner| ("a banner", banner.line(1)));
    let end = match &format.input.count {
        Count::Until { line, .. } => Some(("the line behind the last grid", line.clone())),
        _ => None,
    };
    let symbols = format.symbols.texts().iter().map(|symbol| ("a line of cells", symbol.clone()));
    let blanks = format.symbols.blanks().chars().map(|blank| ("a line of cells", blank.to_string()));
    let lines = banner.into_iter().chain(end);
    let begun = { lines }.find(|(_, line)| text::is_comment(comment, line.as_bytes()));
    let cells = symbols.chain(blanks).find(|(_, cell)| comment.starts_with(cell.as_str()));
    if let Some((what, _)) = begun.or(cells) {
        input.note(
            at,
            format!("{what} may begin with `{comment}` as well"),
            Some("choose another beginning"),
        );
    }
}

const ANOTHER: Option<&str> = Some("choose a line that cannot be anything else");

fn is_cells(reader: &Reader, text: &str) -> bool {
    reader.row_values(text.as_bytes()).is_some()
}
