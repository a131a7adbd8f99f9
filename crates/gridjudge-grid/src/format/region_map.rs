//! Handles region maps that an input gives with each grid: as lines with one character
//! per cell, or as walls encoded in the numbers of the cells. Joins cells and map into
//! one list of values, splits that list again, and finds mistakes in the map. Works on
//! values, not on lines of text.

use serde::{Deserialize, Serialize};

use crate::{BLANK, Shape, UnevenRegion, Value};

/// Where the text of each grid has its region map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RegionMap {
    /// In lines before the lines of its cells.
    Before,
    /// In lines after the lines of its cells.
    After,
    /// In the numbers that are its cells: a value, and a bit for each side that has a
    /// wall.
    Walls,
}

/// A mistake in the map of a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapError {
    /// A region has too few or too many cells.
    Region(UnevenRegion),
    /// A cell has no wall towards the outside of the grid.
    OpenEdge {
        /// The cell.
        cell: usize,
        /// The name of the side.
        side: &'static str,
    },
    /// A cell has a wall towards a neighbour that has none on its side.
    HalfWall {
        /// The cell with the wall.
        cell: usize,
        /// The neighbour without.
        other: usize,
    },
}

impl MapError {
    /// The cell at which the mistake is reported.
    pub fn cell(&self) -> usize {
        match self {
            Self::Region(region) => region.cell,
            Self::OpenEdge { cell, .. } | Self::HalfWall { cell, .. } => *cell,
        }
    }
}

/// The bits of a cell that hold its value; also the largest order whose values fit
/// them.
const VALUE: u8 = 0b1111;

/// A side of a cell: the bit of its wall, the step to the neighbour there, and its name
/// in messages.
struct Side {
    wall: u8,
    rows: isize,
    columns: isize,
    name: &'static str,
}

const SIDES: [Side; 4] = [
    Side {
        wall: 16,
        rows: -1,
        columns: 0,
        name: "above",
    },
    Side {
        wall: 32,
        rows: 0,
        columns: 1,
        name: "on the right",
    },
    Side {
        wall: 64,
        rows: 1,
        columns: 0,
        name: "below",
    },
    Side {
        wall: 128,
        rows: 0,
        columns: -1,
        name: "on the left",
    },
];

impl RegionMap {
    /// The largest order of a grid with walls: values have four bits.
    pub const LARGEST_WALLED: u64 = VALUE as u64;

    /// Its name in specs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
            Self::Walls => "walls",
        }
    }

    /// Whether the map has lines of its own.
    pub fn has_lines(self) -> bool {
        self != Self::Walls
    }

    /// Whether a line of a grid, by its number from 0, belongs to the map. `lines` is
    /// the number of lines of cells.
    pub(super) fn has_line(self, number: usize, lines: usize) -> bool {
        match self {
            Self::Before => number < lines,
            Self::After => number >= lines,
            Self::Walls => false,
        }
    }

    /// The number of a cell with walls; `None` if the text is not such a number in a
    /// grid of this order.
    pub(super) fn walled_value(text: &[u8], order: usize) -> Option<Value> {
        let text = str::from_utf8(text)
            .ok()
            .filter(|text| !text.starts_with('+'))?;
        let is_canonical = text == "0" || !text.starts_with('0');
        let number: u8 = text.parse().ok().filter(|_| is_canonical)?;
        (usize::from(number & VALUE) <= order && number != u8::MAX).then_some(number)
    }

    /// The values of a grid joined with those of its map, in the order of the text.
    pub(super) fn joined(self, shape: &Shape, cells: &[Value]) -> Vec<Value> {
        let region_of = |cell| shape.region_of(cell).unwrap_or(0);
        let names = || (0..shape.cells()).map(|cell| b'A' + region_of(cell) as u8);
        match self {
            Self::Before => names().chain(cells.iter().copied()).collect(),
            Self::After => cells.iter().copied().chain(names()).collect(),
            Self::Walls => cells
                .iter()
                .enumerate()
                .map(|(cell, value)| {
                    value
                        | SIDES
                            .iter()
                            .filter(|side| {
                                side.neighbour(shape.order(), cell).is_none_or(
                                    |other| region_of(cell) != region_of(other),
                                )
                            })
                            .map(|side| side.wall)
                            .sum::<u8>()
                })
                .collect(),
        }
    }

    /// Splits the values of a grid with its map into the cells and `shape` divided by
    /// the map; if the map is wrong, all mistakes in it instead of a shape.
    pub fn divided(
        self,
        shape: &Shape,
        values: &[Value],
    ) -> (Vec<Value>, Result<Shape, Vec<MapError>>) {
        let (first, last) = values.split_at(values.len().min(shape.cells()));
        let names =
            |values: &[Value]| values.iter().copied().map(usize::from).collect();
        let (cells, names) = match self {
            Self::Before => (last.to_vec(), names(first)),
            Self::After => (first.to_vec(), names(last)),
            Self::Walls => {
                let cells = values.iter().map(|value| value & VALUE).collect();
                let errors = errors_of_walls(shape.order(), values);
                if !errors.is_empty() {
                    return (cells, Err(errors));
                }
                (cells, rooms(shape.order(), values))
            }
        };
        (
            cells,
            shape.clone().with_regions(&names).map_err(|regions| {
                regions.into_iter().map(MapError::Region).collect()
            }),
        )
    }

    /// The index of the value that gives the region of a cell.
    pub fn place_of(self, shape: &Shape, cell: usize) -> usize {
        if self == Self::After {
            shape.cells() + cell
        } else {
            cell
        }
    }
}

impl Side {
    /// The neighbour on this side of a cell; `None` at the edge of the grid.
    fn neighbour(&self, order: usize, cell: usize) -> Option<usize> {
        let row = (cell / order)
            .checked_add_signed(self.rows)
            .filter(|row| *row < order)?;
        let column = (cell % order)
            .checked_add_signed(self.columns)
            .filter(|column| *column < order)?;
        Some(row * order + column)
    }
}

fn errors_of_walls(order: usize, values: &[Value]) -> Vec<MapError> {
    let mut errors = vec![];
    for (cell, value) in values.iter().enumerate() {
        for (place, side) in SIDES.iter().enumerate() {
            match (side.neighbour(order, cell), value & side.wall != BLANK) {
                (None, false) => errors.push(MapError::OpenEdge {
                    cell,
                    side: side.name,
                }),
                (Some(other), true)
                    if values[other] & SIDES[(place + 2) % SIDES.len()].wall == 0 =>
                {
                    errors.push(MapError::HalfWall { cell, other });
                }
                _ => {}
            }
        }
    }
    errors
}

/// For each cell, the first cell of the area enclosed by walls that contains it.
fn rooms(order: usize, values: &[Value]) -> Vec<usize> {
    let mut rooms = vec![None; values.len()];
    for start in 0..values.len() {
        if rooms[start].is_some() {
            continue;
        }
        let mut open = vec![start];
        while let Some(cell) = open.pop() {
            rooms[cell] = Some(start);
            let sides = SIDES.iter().filter(|side| values[cell] & side.wall == 0);
            open.extend(
                sides
                    .filter_map(|side| side.neighbour(order, cell))
                    .filter(|&next| rooms[next].is_none()),
            );
        }
    }
    rooms.into_iter().map(Option::unwrap_or_default).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jigsaw() -> Shape {
        Shape::jigsaw(4, &["AABB", "ABBC", "ADCC", "DDDC"]).unwrap()
    }

    const CELLS: [Value; 16] = [1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 3, 0, 4, 0, 0, 0];

    #[test]
    fn a_map_that_was_joined_with_cells_is_split_off_again() {
        let bare = Shape::latin(4).unwrap();
        for map in [RegionMap::Before, RegionMap::After, RegionMap::Walls] {
            let joined = map.joined(&jigsaw(), &CELLS);
            assert_eq!(
                map.divided(&bare, &joined),
                (CELLS.to_vec(), Ok(jigsaw())),
                "{map:?}"
            );
        }
    }

    #[test]
    fn each_region_and_the_grid_are_surrounded_by_walls() {
        let walls = RegionMap::Walls.joined(&jigsaw(), &CELLS);
        assert_eq!(
            walls[..4],
            [16 + 128 + 1, 16 + 32 + 64, 16 + 128, 16 + 32 + 64 + 2]
        );
    }

    #[test]
    fn a_wall_on_one_side_only_and_an_open_edge_are_reported() {
        let mut walls = RegionMap::Walls.joined(&jigsaw(), &CELLS);
        walls[2] -= 128;
        walls[15] -= 64;
        let errors = RegionMap::Walls
            .divided(&Shape::latin(4).unwrap(), &walls)
            .1
            .unwrap_err();
        assert_eq!(
            errors,
            [
                MapError::HalfWall { cell: 1, other: 2 },
                MapError::OpenEdge {
                    cell: 15,
                    side: "below"
                }
            ]
        );
    }

    #[test]
    fn regions_of_a_wrong_size_are_reported() {
        let mut walls = RegionMap::Walls.joined(&jigsaw(), &CELLS);
        walls[1] -= 64;
        walls[5] -= 16;
        let errors = RegionMap::Walls
            .divided(&Shape::latin(4).unwrap(), &walls)
            .1
            .unwrap_err();
        assert_eq!(
            errors,
            [MapError::Region(UnevenRegion { cell: 0, cells: 8 })]
        );
    }

    #[test]
    fn numbers_whose_value_the_grid_does_not_have_are_not_cells() {
        for (text, value) in [
            ("144", Some(144)),
            ("20", Some(20)),
            ("0", Some(0)),
            ("21", None),
            ("256", None),
            ("+1", None),
            ("016", None),
            ("", None),
        ] {
            assert_eq!(RegionMap::walled_value(text.as_bytes(), 4), value, "{text}");
        }
    }
}
