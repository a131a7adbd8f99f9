//! Builds the picture of a grid for the reports: its clues, the cells found and the cells expected.
//! Knows formats and shapes.

use crate::model::GridPicture;
use gridjudge_grid::format::UNREAD;
use gridjudge_grid::{BLANK, Format, Shape, Value};

/// The picture of grid number `grid`, with the cells that were `found` and those `expected`, if
/// given.
pub(crate) fn of(
    format: &Format,
    shape: &Shape,
    grid: u64,
    clues: &[Value],
    found: Option<&[Value]>,
    expected: Option<&[Value]>,
) -> GridPicture {
    let cells = |values: &[Value]| {
        values
            .iter()
            .map(|&value| match value {
                BLANK => ".",
                UNREAD => "?",
                value => format.symbols.symbol(value),
            })
            .collect::<Vec<_>>()
            .join(" ")
    };
    let regions = (0..shape.cells())
        .map_while(|cell| shape.region_of(cell).map(|region| (region + 1).to_string()))
        .collect::<Vec<_>>();
    GridPicture {
        grid,
        order: shape.order(),
        regions: regions.join(" "),
        diagonals: shape.has_diagonals(),
        clues: cells(clues),
        found: found.map(cells).unwrap_or_default(),
        expected: expected.map(cells).unwrap_or_default(),
    }
}
