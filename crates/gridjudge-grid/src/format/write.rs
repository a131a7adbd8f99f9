//! Writing grids in the canonical way of a layout. The inverse of [`GridReader::plain`](crate::format::GridReader::plain).

use crate::BlankLines;
use crate::CellSpacing;
use crate::FollowingLine;
use crate::Format;
use crate::GridCount;
use crate::Layout;
use crate::LineEnd;
use crate::OrderPlace;
use crate::RegionMap;
use crate::RowLayout;
use crate::Separator;
use crate::Shape;
use crate::Symbols;
use crate::Value;
use crate::format::ReplyKind;

/// The text of grid `number` (from 1), with all that stands around it: empty lines, banner, the
/// words before it, the line that tells its order.
pub fn grid(shape: &Shape, symbols: &Symbols, layout: &Layout, number: u64, cells: &[Value]) -> String {
    match layout.region_map {
        Some(map) => grid_as_read(shape, symbols, layout, number, &map.joined(shape, cells)),
        None => grid_as_read(shape, symbols, layout, number, cells),
    }
}

/// The same of a grid with the values of its map among its own, as they are read.
pub fn grid_as_read(
    shape: &Shape,
    symbols: &Symbols,
    layout: &Layout,
    number: u64,
    values: &[Value],
) -> String {
    let mut text = String::with_capacity(2 * values.len() + 16);
    let behind = if layout.lead.is_some() { FollowingLine::Words } else { FollowingLine::Cells };
    text.push_str(&opening(layout, number, behind));
    if let Some(lead) = &layout.lead {
        text.push_str(&lead.line(layout.case_number(number)));
        text.push('\n');
    }
    if let Some(order) = layout.order_line.filter(|order| order.place == OrderPlace::Case) {
        text.push_str(&format!("{}\n", order.number.of(shape)));
    }
    let symbol = |text: &mut String, value| text.push_str(symbols.symbol(value));
    let number = |text: &mut String, value: Value| text.push_str(&value.to_string());
    let name = |text: &mut String, value| text.push(char::from(value));
    let (first, last) = values.split_at(values.len().min(shape.cells()));
    match layout.region_map {
        None => push_lines(&mut text, shape, layout, values, symbol),
        Some(RegionMap::Walls) => push_lines(&mut text, shape, layout, values, number),
        Some(RegionMap::Before) => {
            push_lines(&mut text, shape, layout, first, name);
            push_lines(&mut text, shape, layout, last, symbol);
        }
        Some(RegionMap::After) => {
            push_lines(&mut text, shape, layout, first, symbol);
            push_lines(&mut text, shape, layout, last, name);
        }
    }
    text.push_str(ending(layout));
    text
}

/// The line that says this in place of grid `number` (from 1), with all that stands around it; `None` if the problem has no
/// words for it.
pub fn reply(format: &Format, number: u64, said: ReplyKind) -> Option<String> {
    let words = format.replies.text(said)?.line(format.output.case_number(number));
    Some(text(&format.output, number, &words))
}

/// A text in place of grid `number` (from 1), with all that stands around it.
pub fn text(layout: &Layout, number: u64, text: &str) -> String {
    format!("{}{text}\n{}", opening(layout, number, FollowingLine::Words), ending(layout))
}

/// These solutions of grid `number` (from 1), with the line that tells that there are `total`, if there is one, and all that
/// stands around them.
pub fn listing(format: &Format, shape: &Shape, number: u64, total: u64, solutions: &[Vec<Value>]) -> String {
    let layout = &format.output;
    let count = format.replies.count.as_ref();
    let count_line = |is_behind| {
        let line = count.filter(|count| count.is_behind == is_behind);
        line.map_or(String::new(), |count| count.template.line(total) + "\n")
    };
    let grids: Vec<_> = solutions.iter().map(|cells| rows(shape, &format.symbols, layout, cells)).collect();
    let grids = grids.join(if format.replies.apart { "\n" } else { "" });
    let is_counted_first = count.is_some_and(|count| !count.is_behind);
    let is_count_apart = count.is_some_and(|count| count.is_apart) && !solutions.is_empty();
    let gap = |is_here: bool| if is_count_apart && is_here { "\n" } else { "" }.to_owned();
    let behind =
        if is_counted_first || solutions.is_empty() { FollowingLine::Words } else { FollowingLine::Cells };
    let before = [opening(layout, number, behind), count_line(false), gap(is_counted_first)].concat();
    let after = [gap(!is_counted_first), count_line(true), ending(layout).to_owned()].concat();
    before + &grids + &after
}

/// What parts case `number` (from 1) of a text from the one before it.
pub fn separator_before(layout: &Layout, number: u64) -> String {
    layout
        .separator
        .as_ref()
        .filter(|_| number > 1)
        .map_or(String::new(), |separator| separator.line.clone() + "\n")
}

/// What parts the last of so many cases from the end of the text.
pub fn separator_behind(layout: &Layout, total: u64) -> String {
    let closes = |separator: &&Separator| separator.closes && total > 0;
    layout.separator.as_ref().filter(closes).map_or(String::new(), |separator| separator.line.clone() + "\n")
}

/// What precedes the first line of case `number` (from 1), as far as it is the same for each shape: `behind` is what that
/// line is.
pub fn opening(layout: &Layout, number: u64, behind: FollowingLine) -> String {
    let mut text = String::new();
    if layout.blank_lines == BlankLines::Before || layout.blank_lines == BlankLines::Between && number > 1 {
        text.push('\n');
    }
    if let Some(banner) = &layout.banner {
        text.push_str(&banner.before(behind, number));
    }
    text
}

/// What follows the last line of a case.
pub fn ending(layout: &Layout) -> &'static str {
    if layout.blank_lines == BlankLines::After { "\n" } else { "" }
}

/// The lines of the cells alone.
pub fn rows(shape: &Shape, symbols: &Symbols, layout: &Layout, cells: &[Value]) -> String {
    let mut text = String::with_capacity(2 * cells.len() + 16);
    push_lines(&mut text, shape, layout, cells, |text, value| text.push_str(symbols.symbol(value)));
    text
}

/// Writes lines of cells, each as `push` has it.
fn push_lines(
    text: &mut String,
    shape: &Shape,
    layout: &Layout,
    cells: &[Value],
    push: impl Fn(&mut String, Value),
) {
    let width = match layout.rows {
        RowLayout::Lines => shape.order(),
        RowLayout::OneLine => shape.cells(),
    };
    for line in cells.chunks(width) {
        for (column, &value) in line.iter().enumerate() {
            if column > 0 && layout.cells == CellSpacing::Spaced {
                text.push(' ');
            }
            push(text, value);
        }
        text.push_str(if layout.line_end == LineEnd::Space { " \n" } else { "\n" });
    }
}

/// What opens an input of `total` grids, of which the first has this shape.
pub fn start_of_input(format: &Format, total: u64, shape: &Shape) -> String {
    let mut text = String::new();
    if let GridCount::First { .. } = format.input.count {
        text.push_str(&format!("{total}\n"));
    }
    if let Some(order) = format.input.order_line.filter(|order| order.place == OrderPlace::File) {
        text.push_str(&format!("{}\n", order.number.of(shape)));
    }
    text
}

/// What closes an input.
pub fn end_of_input(format: &Format) -> String {
    match &format.input.count {
        GridCount::Until { line, .. } => format!("{line}\n"),
        _ => String::new(),
    }
}

/// A whole input: these grids, each with its shape, in the problem's format.
///
/// # Panics
/// If there is no grid.
pub fn input(format: &Format, grids: &[(&Shape, &[Value])]) -> String {
    let mut text = start_of_input(format, grids.len() as u64, grids[0].0);
    for ((shape, cells), number) in grids.iter().zip(1..) {
        text.push_str(&separator_before(&format.input, number));
        text.push_str(&grid(shape, &format.symbols, &format.input, number, cells));
    }
    text + &separator_behind(&format.input, grids.len() as u64) + &end_of_input(format)
}
