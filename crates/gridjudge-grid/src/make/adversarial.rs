//! Makes grids that take a naive search many nodes, from puzzles of 17 clues, the
//! fewest with which a grid can have one solution. The nodes are counted. Start at
//! [`slow`].
//!
//! Against a search with a fixed order of cells, the rows with the fewest clues are
//! placed first, so that it detects mistakes late, and values are renamed so that the
//! solution comes last in its order: the first row it fills reads 9 8 7 6 5 4 3 2 1.
//! Against a search that picks the cell with the fewest candidates, small changes of
//! the puzzle (turns) are tried at random, and kept if the search does not take fewer
//! nodes.

use crate::make::rate::MakeError;
use crate::make::rng::SeededRng;
use crate::naive::{NaiveSearch, NaiveSearcher};
use crate::solve::Solver;
use crate::symbols::renamed;
use crate::{BLANK, Value};

/// The number of puzzles tried.
const PUZZLES: usize = 60;

/// The number of turns tried on one puzzle against a search that picks the cell with
/// the fewest candidates.
const TURNS: usize = 60;

/// The side of a box.
const SIDE: usize = 3;

/// The side of the grid.
const ORDER: usize = SIDE * SIDE;

/// A grid with one solution that takes `naive` at least `nodes` nodes.
///
/// # Errors
/// Returns [`MakeError::Slow`] if none was found.
pub(super) fn slow(
    searcher: &NaiveSearcher,
    solver: &Solver,
    naive: NaiveSearch,
    nodes: u64,
    rng: &mut SeededRng,
) -> Result<Vec<Value>, MakeError> {
    let mut most = 0;
    for _ in 0..PUZZLES {
        let depends_on_clues =
            naive.is_narrowing() || naive == NaiveSearch::FullestRow;
        let (cells, taken) = if depends_on_clues {
            climbed(searcher, naive, nodes, rng)
        } else {
            let cells = arranged_for(naive, &with_late_clues(solver, rng));
            let taken = searcher.search(naive, &cells, nodes).nodes;
            (cells, taken)
        };
        if taken >= nodes {
            return Ok(cells);
        }
        most = most.max(taken);
    }
    Err(MakeError::Slow {
        search: naive.name(),
        nodes,
        most,
    })
}

/// A puzzle turned step by step so that the search takes more nodes, and the number
/// of nodes.
fn climbed(
    searcher: &NaiveSearcher,
    naive: NaiveSearch,
    nodes: u64,
    rng: &mut SeededRng,
) -> (Vec<Value>, u64) {
    let count = |cells: &[Value]| searcher.search(naive, cells, nodes).nodes;
    let mut best = at(rng.below(STUBBORN));
    for _ in 0..rng.below(4) {
        best = slightly_turned(&best, rng);
    }
    let mut most = count(&best);
    for _ in 0..TURNS {
        if most >= nodes {
            break;
        }
        let turned = slightly_turned(&best, rng);
        let taken = count(&turned);
        if taken >= most {
            best = turned;
            most = taken;
        }
    }
    (best, most)
}

/// A puzzle that is slow for a search by rows: its clues come late in reading order,
/// and the first row of its solution is the last in order of values.
fn with_late_clues(solver: &Solver, rng: &mut SeededRng) -> Vec<Value> {
    let known = known(rng);
    let upright = GridTransform {
        columns: lines(rng),
        ..GridTransform::IDENTITY
    };
    let lying = GridTransform {
        is_transposed: true,
        columns: lines(rng),
        ..upright
    };
    // The fewer clues the first rows have, the later the search detects mistakes.
    let cells = [upright, lying]
        .map(|turn| with_poor_rows_on_top(turn, &known))
        .into_iter()
        .min_by_key(|cells| cells.chunks(ORDER).map(clues_in).collect::<Vec<_>>())
        .unwrap_or(known);
    // There is one.
    let solution = solver.solutions(&cells, 1).unwrap_or_default().concat();
    let mut names = [0; ORDER];
    for (place, &value) in solution.iter().take(ORDER).enumerate() {
        names[usize::from(value) - 1] = (ORDER - place) as Value;
    }
    renamed(&cells, &names)
}

fn with_poor_rows_on_top(turn: GridTransform, known: &[Value]) -> Vec<Value> {
    let cells = turn.apply(known);
    let clues: Vec<_> = cells.chunks(ORDER).map(clues_in).collect();
    let mut rows = IN_ORDER;
    rows.sort_by_key(|&row| {
        let band = row / SIDE;
        (
            clues[SIDE * band..][..SIDE].iter().sum::<usize>(),
            band,
            clues[row],
        )
    });
    GridTransform {
        rows,
        ..GridTransform::IDENTITY
    }
    .apply(&cells)
}

/// The grid in which `naive`, a search with a fixed order, takes the same steps as a
/// search by rows takes in this one.
fn arranged_for(naive: NaiveSearch, cells: &[Value]) -> Vec<Value> {
    let forth = IN_ORDER;
    let mut back = forth;
    back.reverse();
    let turn = |rows, columns, is_transposed| {
        GridTransform {
            rows,
            columns,
            is_transposed,
        }
        .apply(cells)
    };
    let placed = match naive {
        NaiveSearch::BottomUp => turn(back, forth, false),
        NaiveSearch::Backwards | NaiveSearch::BackwardsDescending => {
            turn(back, back, false)
        }
        NaiveSearch::Columns | NaiveSearch::ColumnsDescending => {
            turn(forth, forth, true)
        }
        _ => cells.to_vec(),
    };
    let mirrored: Vec<_> = (1..=ORDER as Value).rev().collect();
    if naive.is_descending() {
        renamed(&placed, &mirrored)
    } else {
        placed
    }
}

/// The same puzzle with two lines of a band or stack, two bands or stacks, or two
/// digits exchanged, or transposed.
fn slightly_turned(cells: &[Value], rng: &mut SeededRng) -> Vec<Value> {
    let mut turn = GridTransform::IDENTITY;
    let mut digits: Vec<_> = (1..=ORDER as Value).collect();
    let kind = rng.below(6);
    let lines = if [0, 2].contains(&kind) {
        &mut turn.rows
    } else {
        &mut turn.columns
    };
    let (one, other) = two(SIDE, rng);
    match kind {
        0 | 1 => {
            let band = SIDE * rng.below(SIDE);
            lines.swap(band + one, band + other);
        }
        2 | 3 => {
            for line in 0..SIDE {
                lines.swap(SIDE * one + line, SIDE * other + line);
            }
        }
        4 => {
            let (one, other) = two(ORDER, rng);
            digits.swap(one, other);
        }
        _ => turn.is_transposed = true,
    }
    renamed(&turn.apply(cells), &digits)
}

/// Two different numbers below `limit`.
fn two(limit: usize, rng: &mut SeededRng) -> (usize, usize) {
    let one = rng.below(limit);
    (one, (one + 1 + rng.below(limit - 1)) % limit)
}

/// The number of clues.
pub(super) fn clues_in(cells: &[Value]) -> usize {
    cells.iter().filter(|&&value| value != BLANK).count()
}

// Provides puzzles of 17 clues, the fewest with which a grid can have one solution.
// They take too long to find, so some are stored here, and a new puzzle is a random
// transformation of one of them.
//
// They were found with [`BatchSolver`](crate::solve::nine::BatchSolver), starting from
// five single puzzles that are widely reprinted: remove two clues, add two others in
// every way that excludes all solutions seen so far except at most one, and keep the
// puzzles that are proven to have one solution and are not a transformation of a known
// one. When this found no more, the same was done around grids of 17 clues with two or
// three solutions, two to six clues away from the known puzzles.

/// One per line, `.` for blank; no two are transformations of each other. Each was
/// transformed by trial so that a search that always picks the cell with the fewest
/// candidates takes many nodes; those that take the most come first.
const KNOWN: &str = include_str!("seventeen.txt");

/// The bytes of a line of `KNOWN`, with its newline.
const LINE: usize = 82;

/// How many of them are stubborn: they take that search at least a quarter of a million
/// nodes.
const STUBBORN: usize = 5;

/// One of the known puzzles, untransformed.
fn known(rng: &mut SeededRng) -> Vec<Value> {
    at(rng.below(KNOWN.len() / LINE))
}

/// The known puzzle with this number, untransformed.
fn at(number: usize) -> Vec<Value> {
    let line = &KNOWN.as_bytes()[LINE * number..][..LINE - 1];
    line.iter()
        .map(|&byte| if byte == b'.' { BLANK } else { byte - b'0' })
        .collect()
}

/// One of the known puzzles, transformed at random and with its digits renamed.
pub(super) fn turned(rng: &mut SeededRng) -> Vec<Value> {
    let known = known(rng);
    let turn = GridTransform {
        rows: lines(rng),
        columns: lines(rng),
        is_transposed: rng.below(2) == 1,
    };
    renamed(&turn.apply(&known), &rng.values(ORDER))
}

// Transforms a plain 9x9 grid into an equivalent puzzle: permutes rows within bands,
// bands, columns within stacks and stacks, transposes the grid, and renames the digits.

/// A permutation of rows and columns, with or without a transposition.
struct GridTransform {
    /// For each row of the new grid, the line of the old grid that it comes from.
    rows: [usize; ORDER],
    /// The same for columns.
    columns: [usize; ORDER],
    /// Whether the grid is transposed first.
    is_transposed: bool,
}

/// The lines as they are.
const IN_ORDER: [usize; ORDER] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

impl GridTransform {
    const IDENTITY: Self = Self {
        rows: IN_ORDER,
        columns: IN_ORDER,
        is_transposed: false,
    };

    fn apply(&self, cells: &[Value]) -> Vec<Value> {
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
fn lines(rng: &mut SeededRng) -> [usize; ORDER] {
    let mut lines = rng.order(SIDE).into_iter().flat_map(|band| {
        rng.order(SIDE)
            .into_iter()
            .map(move |line| SIDE * band + line)
    });
    std::array::from_fn(|_| lines.next().unwrap_or(0))
}

#[cfg(test)]
mod seventeen_tests {
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
