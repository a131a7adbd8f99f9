//! Writing grids in the canonical way of a layout. The inverse of [`Reader::plain`](super::text::Reader::plain).

use crate::grid::BlankLines;
use crate::grid::Cells;
use crate::grid::Layout;
use crate::grid::Shape;
use crate::grid::Symbols;
use crate::grid::Value;

/// The text of grid `number` (from 1), with the empty line and the banner that open it.
pub fn grid(shape: Shape, symbols: &Symbols, layout: &Layout, number: u64, cells: &[Value]) -> String {
    let mut text = String::with_capacity(2 * cells.len() + 16);
    if layout.blank_lines == BlankLines::Before {
        text.push('\n');
    }
    if let Some(banner) = &layout.banner {
        text.push_str(&banner.line(number));
        text.push('\n');
    }
    for row in cells.chunks(shape.order()) {
        for (column, &value) in row.iter().enumerate() {
            if column > 0 && layout.cells == Cells::Spaced {
                text.push(' ');
            }
            text.push(symbols.symbol(value));
        }
        text.push('\n');
    }
    text
}
