//! Builds the picture of a grid for the reports: its clues, the cells found and the cells expected. Knows
//! formats and shapes.

use crate::model::GridPicture;
use gridjudge_grid::BLANK;
use gridjudge_grid::Format;
use gridjudge_grid::Shape;
use gridjudge_grid::Value;
use gridjudge_grid::format::UNREAD;

/// The picture of grid number `grid`, with the cells that were `found` and those `expected`, if given.
pub(crate) fn of(
    format: &Format,
    shape: &Shape,
    grid: u64,
    clues: &[Value],
    found: Option<&[Value]>,
    expected: Option<&[Value]>,
) -> GridPicture {
    let cells = |values: &[Value]| {
        let word = |&value: &Value| match value {
            BLANK => ".",
            UNREAD => "?",
            value => format.symbols.symbol(value),
        };
        values.iter().map(word).collect::<Vec<_>>().join(" ")
    };
    let region = |cell| shape.region_of(cell).map(|region| (region + 1).to_string());
    let regions = (0..shape.cells()).map_while(region).collect::<Vec<_>>();
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
