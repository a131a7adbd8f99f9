//! The reference solver: any shape, any number of solutions up to a limit. Knows values, not texts.
//!
//! Candidates in bit masks, naked and hidden singles to a fixpoint, then a guess at the narrowest place: a cell
//! with two candidates or a symbol with two places in a house, else the cell with the fewest. The search keeps
//! its own stack and gives up after a bound, so no grid can hang or overflow the judge.

use crate::grid::Rules;
use crate::grid::Shape;
use crate::grid::Value;

/// Guesses after which a search gives up. A minimal 16x16 takes a few thousand at most, a 9x9 a few hundred.
const MOST_GUESSES: u64 = 3_000_000;

/// The search gave up before it had found all it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the solver gave up on this grid after {MOST_GUESSES} guesses")]
pub struct TooHard;

/// A cell has no candidate left, or a house no place for a symbol.
struct Contradiction;

/// Solves grids of one shape.
#[derive(Clone, Debug)]
pub struct Solver {
    order: usize,
    /// Candidates of an untouched cell: bit `v - 1` stands for value `v`.
    all: u32,
    houses: Vec<Vec<usize>>,
    /// For each cell, the cells it shares a house with.
    peers: Vec<Vec<usize>>,
}

/// Candidates left in every cell, row-major; bit `v - 1` stands for value `v`.
type Candidates = Vec<u32>;

impl Solver {
    /// A solver for grids of this shape.
    pub fn new(shape: Shape) -> Self {
        let houses: Vec<_> = Rules::new(shape).houses().iter().map(|house| house.cells.clone()).collect();
        let peers = (0..shape.cells())
            .map(|cell| {
                let of_cell = houses.iter().filter(|house| house.contains(&cell));
                let mut peers: Vec<_> = of_cell.flatten().copied().filter(|&peer| peer != cell).collect();
                peers.sort_unstable();
                peers.dedup();
                peers
            })
            .collect();
        Self { order: shape.order(), all: (1 << shape.order()) - 1, houses, peers }
    }

    /// The solutions of a grid, row-major, at most `limit` of them; fewer mean that there are no more. The
    /// same grid gives the same solutions in the same order, always.
    ///
    /// # Errors
    /// [`TooHard`] if the search is given up.
    pub fn solutions(&self, clues: &[Value], limit: usize) -> Result<Vec<Vec<Value>>, TooHard> {
        let mut found = Vec::new();
        let mut guesses = 0;
        let mut open: Vec<Candidates> = self.with_clues(clues).into_iter().collect();
        while let Some(mut candidates) = open.pop() {
            if found.len() == limit {
                break;
            }
            if self.propagate(&mut candidates).is_err() {
                continue;
            }
            match self.alternatives(&candidates) {
                None => found.push(candidates.iter().map(|&mask| value_of(mask)).collect()),
                Some(choices) => {
                    guesses += 1;
                    if guesses > MOST_GUESSES {
                        return Err(TooHard);
                    }
                    // The first choice goes on top of the stack.
                    open.extend(choices.into_iter().rev().map(|(cell, bit)| {
                        let mut next = candidates.clone();
                        next[cell] = bit;
                        next
                    }));
                }
            }
        }
        Ok(found)
    }

    /// The candidates at the outset; `None` if a clue contradicts another.
    fn with_clues(&self, clues: &[Value]) -> Option<Candidates> {
        let clash =
            |cell: usize| clues[cell] != 0 && self.peers[cell].iter().any(|&peer| clues[peer] == clues[cell]);
        let mask = |&value: &Value| if value == 0 { self.all } else { 1 << (value - 1) };
        (!(0..clues.len()).any(clash)).then(|| clues.iter().map(mask).collect())
    }

    /// Removes what singles exclude, until nothing moves.
    fn propagate(&self, candidates: &mut Candidates) -> Result<(), Contradiction> {
        let mut settled = vec![false; candidates.len()];
        loop {
            self.settle_singles(candidates, &mut settled)?;
            if !self.place_hidden_singles(candidates)? {
                return Ok(());
            }
        }
    }

    /// Takes the value of every cell that has one candidate from its peers, and so on for those.
    fn settle_singles(&self, candidates: &mut Candidates, settled: &mut [bool]) -> Result<(), Contradiction> {
        let is_open = |cell: &usize| candidates[*cell].is_power_of_two() && !settled[*cell];
        let mut singles: Vec<usize> = (0..candidates.len()).filter(is_open).collect();
        while let Some(cell) = singles.pop() {
            if std::mem::replace(&mut settled[cell], true) {
                continue;
            }
            let bit = candidates[cell];
            for &peer in &self.peers[cell] {
                let left = candidates[peer] & !bit;
                if left == 0 {
                    return Err(Contradiction);
                }
                if left != candidates[peer] && left.is_power_of_two() {
                    singles.push(peer);
                }
                candidates[peer] = left;
            }
        }
        Ok(())
    }

    /// Places symbols that have one place left in a house. Says whether it placed any.
    fn place_hidden_singles(&self, candidates: &mut Candidates) -> Result<bool, Contradiction> {
        let mut placed = false;
        for house in &self.houses {
            let (once, twice, _) = self.census(house, candidates);
            if once != self.all {
                return Err(Contradiction);
            }
            for &cell in house {
                let single = candidates[cell] & once & !twice;
                if single == 0 || candidates[cell].is_power_of_two() {
                    continue;
                }
                if !single.is_power_of_two() {
                    return Err(Contradiction);
                }
                candidates[cell] = single;
                placed = true;
            }
        }
        Ok(placed)
    }

    /// Symbols with at least one, two and three places in a house.
    fn census(&self, house: &[usize], candidates: &[u32]) -> (u32, u32, u32) {
        house.iter().fold((0, 0, 0), |(once, twice, thrice), &cell| {
            let mask = candidates[cell];
            (once | mask, twice | once & mask, thrice | twice & mask)
        })
    }

    /// The choices at the narrowest place, as cells and the one candidate to be tried there; `None` if every
    /// cell is decided.
    fn alternatives(&self, candidates: &[u32]) -> Option<Vec<(usize, u32)>> {
        let open = (0..candidates.len()).filter(|&cell| !candidates[cell].is_power_of_two());
        let narrowest = open.min_by_key(|&cell| candidates[cell].count_ones())?;
        if candidates[narrowest].count_ones() > 2
            && let Some(places) = self.symbol_with_two_places(candidates)
        {
            return Some(places);
        }
        let bits = (0..self.order).map(|place| 1 << place);
        Some(bits.filter(|bit| candidates[narrowest] & bit != 0).map(|bit| (narrowest, bit)).collect())
    }

    fn symbol_with_two_places(&self, candidates: &[u32]) -> Option<Vec<(usize, u32)>> {
        self.houses.iter().find_map(|house| {
            let (_, twice, thrice) = self.census(house, candidates);
            let pairs = twice & !thrice;
            let bit = pairs & pairs.wrapping_neg();
            let places =
                || house.iter().filter(|&&cell| candidates[cell] & bit != 0).map(|&cell| (cell, bit));
            (bit != 0).then(|| places().collect())
        })
    }
}

/// The value of a cell with one candidate.
fn value_of(mask: u32) -> Value {
    // A mask has 25 bits at most.
    mask.trailing_zeros() as Value + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solver(order: u64, rows: u64, columns: u64) -> (Solver, Shape) {
        let shape = Shape::new(order, rows, columns).unwrap();
        (Solver::new(shape), shape)
    }

    fn clues(line: &str) -> Vec<Value> {
        line.chars().map(|symbol| symbol.to_digit(10).unwrap_or(0) as Value).collect()
    }

    fn line(cells: &[Value]) -> String {
        cells.iter().map(|value| char::from(b'0' + value)).collect()
    }

    /// Counts completions cell by cell, with nothing but the rules: slow, and independent of the solver.
    fn counted_by_brute_force(rules: &Rules, cells: &mut Vec<Value>, order: Value) -> usize {
        if rules.clashes(cells).next().is_some() {
            return 0;
        }
        let Some(cell) = cells.iter().position(|&value| value == 0) else { return 1 };
        let mut count = 0;
        for value in 1..=order {
            cells[cell] = value;
            count += counted_by_brute_force(rules, cells, order);
        }
        cells[cell] = 0;
        count
    }

    #[test]
    fn there_are_288_grids_of_order_four() {
        let (solver, shape) = solver(4, 2, 2);
        let found = solver.solutions(&[0; 16], usize::MAX).unwrap();
        assert_eq!(found.len(), 288);
        let rules = Rules::new(shape);
        assert!(found.iter().all(|cells| rules.are_kept_by(cells)));
        assert_eq!(found.iter().collect::<std::collections::HashSet<_>>().len(), 288);
    }

    #[test]
    fn hard_puzzles_have_the_one_solution_they_are_known_for() {
        let (solver, _) = solver(9, 3, 3);
        for (puzzle, solution) in [
            (
                "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
                "812753649943682175675491283154237896369845721287169534521974368438526917796318452",
            ),
            (
                "103000509002109400000704000300502006060000050700803004000401000009205800804000107",
                "143628579572139468986754231391542786468917352725863914237481695619275843854396127",
            ),
        ] {
            let found = solver.solutions(&clues(puzzle), 2).unwrap();
            assert_eq!(found.iter().map(|cells| line(cells)).collect::<Vec<_>>(), [solution]);
        }
    }

    #[test]
    fn counting_stops_at_the_limit() {
        let (solver, _) = solver(9, 3, 3);
        let found = solver.solutions(&[0; 81], 5).unwrap();
        assert_eq!(found.len(), 5);
        assert_ne!(found[0], found[1]);
        assert_eq!(solver.solutions(&[0; 81], 5).unwrap(), found);
    }

    #[test]
    fn contradictory_clues_have_no_solution() {
        let (solver, _) = solver(9, 3, 3);
        let mut cells = vec![0; 81];
        (cells[0], cells[8]) = (5, 5);
        assert_eq!(solver.solutions(&cells, 1), Ok(vec![]));
    }

    #[test]
    fn an_empty_grid_of_order_25_is_filled() {
        let (solver, shape) = solver(25, 5, 5);
        let found = solver.solutions(&[0; 625], 1).unwrap();
        assert!(Rules::new(shape).are_kept_by(&found[0]));
    }

    proptest::proptest! {
        #[test]
        fn counts_equal_brute_force_on_random_grids_of_order_six(
            seed in proptest::collection::vec((0usize..36, 0 as Value..=6), 12..30),
        ) {
            let (solver, shape) = solver(6, 2, 3);
            let mut cells = solver.solutions(&[0; 36], 1).unwrap().remove(0);
            // Wrong values now and then: grids without a solution must be counted right, too.
            for (place, (cell, value)) in seed.iter().enumerate() {
                cells[*cell] = if place % 8 == 7 { *value } else { 0 };
            }
            let found = solver.solutions(&cells, usize::MAX).unwrap();
            let expected = counted_by_brute_force(&Rules::new(shape), &mut cells.clone(), 6);
            proptest::prop_assert_eq!(found.len(), expected);
        }
    }
}
