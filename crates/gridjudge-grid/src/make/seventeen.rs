//! Provides puzzles of 17 clues, the fewest with which a grid can have one solution. They take too
//! long to find, so some are stored here, and a new puzzle is a random transformation of one of
//! them.
//!
//! They were found with [`BatchSolver`](crate::solve::nine::BatchSolver), starting from five single
//! puzzles that are widely reprinted: remove two clues, add two others in every way that excludes
//! all solutions seen so far except at most one, and keep the puzzles that are proven to have one
//! solution and are not a transformation of a known one. When this found no more, the same was done
//! around grids of 17 clues with two or three solutions, two to six clues away from the known
//! puzzles.

use crate::make::rng::SeededRng;
use crate::{BLANK, Value};

/// One per line, `.` for blank; no two are transformations of each other. Each was transformed by
/// trial so that a search that always picks the cell with the fewest candidates takes many nodes;
/// those that take the most come first.
const KNOWN: &str = include_str!("seventeen.txt");

/// The bytes of a line of `KNOWN`, with its newline.
const LINE: usize = 82;

/// How many of them are stubborn: they take that search at least a quarter of a million nodes.
const STUBBORN: usize = 5;

/// One of the known puzzles, untransformed.
pub(super) fn known(rng: &mut SeededRng) -> Vec<Value> {
    at(rng.below(KNOWN.len() / LINE))
}

/// One of the stubborn puzzles, untransformed.
pub(super) fn stubborn(rng: &mut SeededRng) -> Vec<Value> {
    at(rng.below(STUBBORN))
}

fn at(number: usize) -> Vec<Value> {
    let line = &KNOWN.as_bytes()[LINE * number..][..LINE - 1];
    line.iter()
        .map(|&byte| if byte == b'.' { BLANK } else { byte - b'0' })
        .collect()
}

/// One of the known puzzles, transformed at random and with its digits renamed.
pub(super) fn turned(rng: &mut SeededRng) -> Vec<Value> {
    let known = known(rng);
    let turned = GridTransform::random(rng).of(&known);
    renamed(&turned, &names(rng))
}

// Transforms a plain 9x9 grid into an equivalent puzzle: permutes rows within bands, bands,
// columns within stacks and stacks, transposes the grid, and renames the digits.

/// The side of a box.
const SIDE: usize = 3;

/// The side of the grid.
const ORDER: usize = SIDE * SIDE;

/// A permutation of rows and columns, with or without a transposition.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use crate::solve::Solver;

    #[test]
    fn every_known_puzzle_has_17_clues_and_one_solution() {
        let solver = Solver::new(&Shape::new(9, 3, 3).unwrap());
        assert_eq!(KNOWN.len() % LINE, 0);
        for line in KNOWN.lines() {
            let cells: Vec<Value> = line
                .bytes()
                .map(|byte| if byte == b'.' { BLANK } else { byte - b'0' })
                .collect();
            assert_eq!(
                cells.iter().filter(|&&value| value != BLANK).count(),
                17,
                "{line}"
            );
            assert_eq!(solver.solutions(&cells, 2).unwrap().len(), 1, "{line}");
        }
    }
}
