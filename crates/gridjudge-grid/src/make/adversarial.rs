//! Grids that cost a naive search many nodes: made of puzzles of 17 clues, and counted.
//!
//! A search that takes cells in a fixed order is led through the rows with the fewest clues first, so that it finds out
//! late, and to a solution that is the last of all in its order: the first row it fills reads 9 8 7 6 5 4 3 2 1. A
//! search that takes the cell with the fewest candidates is led astray by trial: the puzzle is turned a little, and
//! the turn is kept if the search takes no fewer nodes.

use crate::Value;
use crate::make::error::MakeError;
use crate::make::rng::SeededRng;
use crate::make::seventeen;
use crate::make::solution_counter::SolutionCounter;
use crate::make::transform::GridTransform;
use crate::make::transform::lines;
use crate::make::transform::renamed;
use crate::naive::NaiveSearch;
use crate::naive::NaiveSearcher;

/// Puzzles tried before giving up.
const PUZZLES: usize = 60;

/// Turns tried on one puzzle against a search that narrows.
const TURNS: usize = 60;

/// Side of the grid, and of its boxes.
const ORDER: usize = 9;
const SIDE: usize = 3;

/// Makes grids that are slow for naive searches.
#[derive(Clone, Debug)]
pub(super) struct AdversarialSearch {
    searcher: NaiveSearcher,
}

impl AdversarialSearch {
    pub(super) fn new(searcher: NaiveSearcher) -> Self {
        Self { searcher }
    }

    /// A grid with one solution that takes `naive` at least `nodes` nodes.
    ///
    /// # Errors
    /// [`MakeError::Slow`] if none was found.
    pub(super) fn slow(
        &self,
        prover: &mut SolutionCounter,
        naive: NaiveSearch,
        nodes: u64,
        rng: &mut SeededRng,
    ) -> Result<Vec<Value>, MakeError> {
        let mut most = 0;
        for _ in 0..PUZZLES {
            let (cells, taken) = match has_fixed_order(naive) {
                true => {
                    let cells = seen_by(naive, &led_through_poor_rows(prover, rng));
                    let taken = self.searcher.search(naive, &cells, nodes).nodes;
                    (cells, taken)
                }
                false => self.climbed(naive, nodes, rng),
            };
            if taken >= nodes {
                return Ok(cells);
            }
            most = most.max(taken);
        }
        Err(MakeError::Slow { search: naive.name(), nodes, most })
    }

    /// A puzzle that was turned towards more nodes, and what it takes.
    fn climbed(&self, naive: NaiveSearch, nodes: u64, rng: &mut SeededRng) -> (Vec<Value>, u64) {
        let count = |cells: &[Value]| self.searcher.search(naive, cells, nodes).nodes;
        let mut best = seventeen::stubborn(rng);
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
                (best, most) = (turned, taken);
            }
        }
        (best, most)
    }
}

/// Whether the order of cells is the same for every grid.
fn has_fixed_order(naive: NaiveSearch) -> bool {
    !naive.is_narrowing() && naive != NaiveSearch::FullestRow
}

/// A puzzle whose clues stand as late in reading order as they can, and whose solution comes as late by value.
fn led_through_poor_rows(prover: &mut SolutionCounter, rng: &mut SeededRng) -> Vec<Value> {
    let known = seventeen::known(rng);
    let upright = GridTransform { rows: identity(), columns: lines(rng), is_transposed: false };
    let lying = GridTransform { is_transposed: true, columns: lines(rng), ..upright };
    let both = [upright, lying].map(|turn| with_poor_rows_on_top(turn, &known));
    // The clues of each row from the top: the fewer at first, the later the search finds out.
    let poorer = both.into_iter().min_by_key(|cells| cells.chunks(ORDER).map(clues_in).collect::<Vec<_>>());
    let cells = poorer.unwrap_or(known);
    let solution = prover.solution(&cells).unwrap_or_default();
    let mut names = [0; ORDER];
    for (place, &value) in solution.iter().take(ORDER).enumerate() {
        names[usize::from(value) - 1] = (ORDER - place) as Value;
    }
    renamed(&cells, &names)
}

fn with_poor_rows_on_top(turn: GridTransform, known: &[Value]) -> Vec<Value> {
    let cells = turn.of(known);
    let clues: Vec<_> = cells.chunks(ORDER).map(clues_in).collect();
    let mut rows = identity();
    rows.sort_by_key(|&row| {
        let band = row / SIDE;
        (clues[SIDE * band..][..SIDE].iter().sum::<usize>(), band, clues[row])
    });
    GridTransform { rows, columns: identity(), is_transposed: false }.of(&cells)
}

/// The grid in which `naive`, whose order is fixed, meets what a search by rows meets in this one.
fn seen_by(naive: NaiveSearch, cells: &[Value]) -> Vec<Value> {
    let forth: [usize; ORDER] = identity();
    let mut back = forth;
    back.reverse();
    let turn = |rows, columns, is_transposed| GridTransform { rows, columns, is_transposed }.of(cells);
    let placed = match naive {
        NaiveSearch::BottomUp => turn(back, forth, false),
        NaiveSearch::Backwards | NaiveSearch::BackwardsDescending => turn(back, back, false),
        NaiveSearch::Columns | NaiveSearch::ColumnsDescending => turn(forth, forth, true),
        _ => cells.to_vec(),
    };
    let mirrored: Vec<_> = (1..=ORDER as Value).rev().collect();
    if naive.is_descending() { renamed(&placed, &mirrored) } else { placed }
}

/// The same puzzle with two lines of a band, two bands or two digits exchanged, or transposed.
fn slightly_turned(cells: &[Value], rng: &mut SeededRng) -> Vec<Value> {
    let mut turn = GridTransform { rows: identity(), columns: identity(), is_transposed: false };
    let mut digits: Vec<_> = (1..=ORDER as Value).collect();
    let kind = rng.below(6);
    let lines = if [0, 2].contains(&kind) { &mut turn.rows } else { &mut turn.columns };
    let (one, other) = two(SIDE, rng);
    match kind {
        0 | 1 => {
            let band = SIDE * rng.below(SIDE);
            lines.swap(band + one, band + other);
        }
        2 | 3 => (0..SIDE).for_each(|line| lines.swap(SIDE * one + line, SIDE * other + line)),
        4 => {
            let (one, other) = two(ORDER, rng);
            digits.swap(one, other);
        }
        _ => turn.is_transposed = true,
    }
    renamed(&turn.of(cells), &digits)
}

/// Two different numbers below `limit`.
fn two(limit: usize, rng: &mut SeededRng) -> (usize, usize) {
    let one = rng.below(limit);
    (one, (one + 1 + rng.below(limit - 1)) % limit)
}

fn identity() -> [usize; ORDER] {
    std::array::from_fn(|line| line)
}

fn clues_in(cells: &[Value]) -> usize {
    cells.iter().filter(|&&value| value != 0).count()
}
