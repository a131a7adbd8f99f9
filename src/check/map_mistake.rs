//! Applies the region map beside a grid of an input, and describes what is wrong with it.

use crate::check::input_mistake::{InputMistake, mistake};
use crate::check::window::StreamOrigin;
use crate::text::counted;
use gridjudge_grid::format::{GridBlock, MapError};
use gridjudge_grid::{RegionMap, Shape, UnevenRegion, Value};

/// Returns the clues of a block, and the shape divided by its map or everything wrong with the map.
/// `grid` is the prefix of each message.
pub(super) fn divided(
    map: RegionMap,
    shape: &Shape,
    block: &GridBlock,
    grid: &str,
    origin: &StreamOrigin<'_>,
) -> (Vec<Value>, Result<Shape, Vec<InputMistake>>) {
    let (clues, divided) = map.divided(shape, &block.cells);
    (
        clues,
        divided.map_err(|errors| {
            errors
                .into_iter()
                .map(|error| {
                    let (line, byte) = block.places[map.place_of(shape, error.cell())];
                    map_mistake(origin.line(line, byte), grid, shape, &error)
                })
                .collect()
        }),
    )
}

fn map_mistake(line: u64, grid: &str, shape: &Shape, error: &MapError) -> InputMistake {
    let named = |cell| {
        let (row, column) = shape.place(cell);
        format!("row {}, column {}", row + 1, column + 1)
    };
    let (message, remedy) = match *error {
        MapError::Region(UnevenRegion { cell, cells }) => {
            let cells = counted(cells as u64, "cell");
            let order = shape.order();
            let message = format!(
                "the region of {} has {cells}, a grid of order {order} needs {order}",
                named(cell)
            );
            (
                message,
                "correct the map: each region has as many cells as the grid has rows",
            )
        }
        MapError::OpenEdge { cell, side } => {
            let message = format!("{} has no wall {side}, where the grid ends", named(cell));
            (message, "add the wall to its number")
        }
        MapError::HalfWall { cell, other } => {
            let message = format!(
                "{} has a wall towards {}, which has none",
                named(cell),
                named(other)
            );
            (message, "write the wall into both numbers, or into neither")
        }
    };
    mistake(line, format!("{grid}{message}"), Some(remedy))
}
