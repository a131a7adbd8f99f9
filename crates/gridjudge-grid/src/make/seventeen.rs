//! Puzzles of 17 clues, the fewest that leave one solution. They cannot be made in passing, so some are kept here, and
//! each that is asked for is one of them turned beyond recognition.
//!
//! They were found with [`BatchSolver`](crate::solve::nine::BatchSolver), starting from five single puzzles that are widely
//! reprinted: take two clues away, add two others in every way that hits all solutions seen so far but one at most, and
//! keep what is proven to have one solution and is no other puzzle turned. Where that led no further, the same was done
//! around grids of 17 clues with two or three solutions, two to six clues away from what was known.

use crate::BLANK;
use crate::Value;
use crate::make::rng::SeededRng;
use crate::make::transform::GridTransform;
use crate::make::transform::names;
use crate::make::transform::renamed;

/// One a line, `.` for blank; no two are the same puzzle turned. Each was turned by trial, so that a search that always
/// takes the cell with the fewest candidates takes many nodes; those that take the most stand first.
const KNOWN: &str = include_str!("seventeen.txt");

/// Bytes of a line of `KNOWN`.
const LINE: usize = 82;

/// How many are stubborn: they take that search a quarter of a million nodes or more.
const STUBBORN: usize = 5;

/// One of the known puzzles, as it stands there.
pub(super) fn known(rng: &mut SeededRng) -> Vec<Value> {
    at(rng.below(KNOWN.len() / LINE))
}

/// One of the stubborn puzzles, as it stands there.
pub(super) fn stubborn(rng: &mut SeededRng) -> Vec<Value> {
    at(rng.below(STUBBORN))
}

fn at(number: usize) -> Vec<Value> {
    let line = &KNOWN.as_bytes()[LINE * number..][..LINE - 1];
    line.iter().map(|&byte| if byte == b'.' { BLANK } else { byte - b'0' }).collect()
}

/// One of the known puzzles, turned and renamed.
pub(super) fn turned(rng: &mut SeededRng) -> Vec<Value> {
    let known = known(rng);
    let turned = GridTransform::random(rng).of(&known);
    renamed(&turned, &names(rng))
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
            let cells: Vec<Value> =
                line.bytes().map(|byte| if byte == b'.' { BLANK } else { byte - b'0' }).collect();
            assert_eq!(cells.iter().filter(|&&value| value != BLANK).count(), 17, "{line}");
            assert_eq!(solver.solutions(&cells, 2).unwrap().len(), 1, "{line}");
        }
    }
}
