//! Writes grids in the canonical form of a layout. The inverse of
//! [`GridReader::plain`](crate::format::GridReader::plain).

use crate::format::ReplyKind;
use crate::{
    BlankLines, CellSpacing, FollowingLine, Format, GridCount, Layout, LineEnd,
    OrderPlace, RegionMap, Shape, Symbols, Value,
};

/// The text of grid `number` (from 1), with everything around it: empty lines, banner,
/// the line of words before it, the line that states its order.
pub fn grid(
    shape: &Shape,
    symbols: &Symbols,
    layout: &Layout,
    number: u64,
    cells: &[Value],
) -> String {
    let joined = layout.region_map.map(|map| map.joined(shape, cells));
    let values = joined.as_deref().unwrap_or(cells);
    grid_as_read(shape, symbols, layout, number, values)
}

/// Like [`grid`], but for values as they are read: those of its region map are
/// included.
pub fn grid_as_read(
    shape: &Shape,
    symbols: &Symbols,
    layout: &Layout,
    number: u64,
    values: &[Value],
) -> String {
    let mut text = String::with_capacity(2 * values.len() + 16);
    text.push_str(&opening(layout, number, layout.first_line()));
    if let Some(lead) = &layout.lead {
        text.push_str(&lead.line(layout.case_number(number)));
        text.push('\n');
    }
    text.push_str(&order_line(layout, OrderPlace::Case, shape));
    push_lines(&mut text, shape, symbols, layout, values);
    text.push_str(text_after_case(layout));
    text
}

/// The reply of this kind in place of grid `number` (from 1), with everything around
/// it; `None` if the problem has no line for it.
pub fn reply(format: &Format, number: u64, reply: ReplyKind) -> Option<String> {
    Some(text(
        &format.output,
        number,
        &format
            .replies
            .text(reply)?
            .line(format.output.case_number(number)),
    ))
}

/// A text in place of grid `number` (from 1), with everything around it.
pub fn text(layout: &Layout, number: u64, text: &str) -> String {
    format!(
        "{}{text}\n{}",
        opening(layout, number, FollowingLine::Words),
        text_after_case(layout)
    )
}

/// These solutions of grid `number` (from 1), with the line that states their number
/// `total` if the problem has one, and everything around them.
pub fn listing(
    format: &Format,
    shape: &Shape,
    number: u64,
    total: u64,
    solutions: &[Vec<Value>],
) -> String {
    let layout = &format.output;
    let count = format.replies.count.as_ref();
    let grids: Vec<_> = solutions
        .iter()
        .map(|cells| rows(shape, &format.symbols, layout, cells))
        .collect();
    let grids = grids.join(if format.replies.blank_line_between_solutions {
        "\n"
    } else {
        ""
    });
    let is_counted_first = count.is_some_and(|count| !count.follows_solutions);
    let count_line =
        count.map_or(String::new(), |count| count.template.line(total) + "\n");
    let gap = match count {
        Some(count) if count.has_blank_line && !solutions.is_empty() => "\n",
        _ => "",
    };
    let solutions_and_count = if is_counted_first {
        count_line + gap + &grids
    } else {
        grids + gap + &count_line
    };
    let follows = if is_counted_first || solutions.is_empty() {
        FollowingLine::Words
    } else {
        FollowingLine::Cells
    };
    opening(layout, number, follows) + &solutions_and_count + text_after_case(layout)
}

/// The separator line between case `number` (from 1) and the case before it; empty if
/// there is none.
pub fn separator_before(layout: &Layout, number: u64) -> String {
    separator_if(number > 1, layout)
}

/// The separator line after the last of `total` cases; empty if there is none.
pub fn separator_after(layout: &Layout, total: u64) -> String {
    separator_if(layout.is_closed() && total > 0, layout)
}

fn separator_if(is_there: bool, layout: &Layout) -> String {
    layout
        .separator
        .as_ref()
        .filter(|_| is_there)
        .map_or(String::new(), |separator| separator.line.clone() + "\n")
}

/// The text before the first line of case `number` (from 1) that does not depend on the
/// shape. `follows` is the content of that line.
pub fn opening(layout: &Layout, number: u64, follows: FollowingLine) -> String {
    let blank_line = if layout.has_blank_line_before(number) {
        "\n"
    } else {
        ""
    };
    let banner = layout
        .banner
        .as_ref()
        .map_or(String::new(), |banner| banner.before(follows, number));
    blank_line.to_owned() + &banner
}

/// The text after the last line of a case.
pub fn text_after_case(layout: &Layout) -> &'static str {
    if layout.blank_lines == BlankLines::After {
        "\n"
    } else {
        ""
    }
}

/// The lines of the cells alone, and of a region map if its values are included.
pub fn rows(
    shape: &Shape,
    symbols: &Symbols,
    layout: &Layout,
    cells: &[Value],
) -> String {
    let mut text = String::with_capacity(2 * cells.len() + 16);
    push_lines(&mut text, shape, symbols, layout, cells);
    text
}

fn push_lines(
    text: &mut String,
    shape: &Shape,
    symbols: &Symbols,
    layout: &Layout,
    values: &[Value],
) {
    let (lines, width) = layout.lines_and_width(shape);
    for (number, line) in values.chunks(width).enumerate() {
        let map = layout.region_map;
        let is_of_map = map.is_some_and(|map| map.has_line(number, lines));
        for (column, &value) in line.iter().enumerate() {
            if column > 0 && layout.cells == CellSpacing::Spaced {
                text.push(' ');
            }
            match map {
                _ if is_of_map => text.push(char::from(value)),
                Some(RegionMap::Walls) => text.push_str(&value.to_string()),
                _ => text.push_str(symbols.symbol(value)),
            }
        }
        text.push_str(if layout.line_end == LineEnd::Space {
            " \n"
        } else {
            "\n"
        });
    }
}

/// The line that states the order of a shape; empty if there is none at this place.
fn order_line(layout: &Layout, place: OrderPlace, shape: &Shape) -> String {
    layout.order_at(place).map_or(String::new(), |number| {
        format!("{}\n", number.in_shape(shape))
    })
}

/// A whole input: these grids, each with its shape, in the problem's format.
pub fn input(format: &Format, grids: &[(&Shape, &[Value])]) -> String {
    let layout = &format.input;
    let total = grids.len() as u64;
    let shape = grids.first().map_or(format.shape(), |(shape, _)| *shape);
    let mut text = String::new();
    if let GridCount::First { .. } = layout.count {
        text = format!("{total}\n");
    }
    text.push_str(&order_line(layout, OrderPlace::File, shape));
    for ((shape, cells), number) in grids.iter().zip(1..) {
        text.push_str(&separator_before(layout, number));
        text.push_str(&grid(shape, &format.symbols, layout, number, cells));
    }
    text.push_str(&separator_after(layout, total));
    if let GridCount::Until { line, .. } = &layout.count {
        text.push_str(line);
        text.push('\n');
    }
    text
}
