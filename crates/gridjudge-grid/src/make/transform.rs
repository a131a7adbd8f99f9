//! Transforms a plain 9x9 grid into an equivalent puzzle: permutes rows within bands, bands,
//! columns within stacks and stacks, transposes the grid, and renames the digits.

use crate::make::rng::SeededRng;
use crate::{BLANK, Value};

/// The side of a box.
const SIDE: usize = 3;

/// The side of the grid.
const ORDER: usize = SIDE * SIDE;

/// A permutation of rows and columns, with or without a transposition.
#[derive(Clone, Debug)]
pub(super) struct GridTransform {
    /// For each row of the new grid, the line of the old grid that it comes from.
    pub(super) rows: [usize; ORDER],
    /// The same for columns.
    pub(super) columns: [usize; ORDER],
    /// Whether the grid is transposed first.
    pub(super) is_transposed: bool,
}

impl GridTransform {
    pub(super) fn random(rng: &mut SeededRng) -> Self {
        Self {
            rows: lines(rng),
            columns: lines(rng),
            is_transposed: rng.below(2) == 1,
        }
    }

    pub(super) fn of(&self, cells: &[Value]) -> Vec<Value> {
        (0..ORDER * ORDER)
            .map(|cell| {
                let row = self.rows[cell / ORDER];
                let column = self.columns[cell % ORDER];
                if self.is_transposed {
                    cells[ORDER * column + row]
                } else {
                    cells[ORDER * row + column]
                }
            })
            .collect()
    }
}

/// A random order of lines that keeps each band together.
pub(super) fn lines(rng: &mut SeededRng) -> [usize; ORDER] {
    let bands = rng.order(SIDE);
    let mut lines = bands.into_iter().flat_map(|band| {
        rng.order(SIDE)
            .into_iter()
            .map(move |line| SIDE * band + line)
    });
    std::array::from_fn(|_| lines.next().unwrap_or(0))
}

/// New names for the digits: `names[v - 1]` for value `v`.
pub(super) fn renamed(cells: &[Value], names: &[Value]) -> Vec<Value> {
    cells
        .iter()
        .map(|&value| {
            if value == BLANK {
                BLANK
            } else {
                names[usize::from(value) - 1]
            }
        })
        .collect()
}

/// The digits in a random order.
pub(super) fn names(rng: &mut SeededRng) -> Vec<Value> {
    rng.order(ORDER)
        .into_iter()
        .map(|place| place as Value + 1)
        .collect()
}
