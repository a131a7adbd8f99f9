//! Solves grids with any houses of any order, and finds any number of solutions up to a
//! limit. Knows values, not texts.
//!
//! Two searches share the work. [`depth_first`] guesses and backtracks, which is
//! fastest on grids that are easy or have many solutions. If it runs into too many dead
//! ends, [`sat_encoding`] continues with clauses and learns from its dead ends. Both
//! are bounded by counts, so no grid can hang the caller, and neither uses random
//! numbers, so each grid has the same answer on every machine. For grids with cages or
//! inequalities, which the clauses cannot express, the depth-first search works alone.
//! Plain 9x9 grids have a solver of their own, [`nine`]. Start at [`Solver`].

mod depth_first;
pub mod nine;
mod sat_encoding;

use std::sync::atomic::{AtomicU64, Ordering};

use crate::{ArithmeticNarrowing, BLANK, Shape, Value};
use depth_first::{DepthFirstSearch, GuessOrder, HouseGraph};
use nine::{Registers, SingleSolver};
use sat_encoding::SatEncoding;

pub use depth_first::{SearchBounds, TooHard};

// Solves grids of any shape: picks the search that suits a grid and collects the
// solutions it finds.

/// Solves grids of one shape. Clues are row-major, 0 for a blank, no value above the
/// number of symbols.
#[derive(Debug)]
pub struct Solver {
    /// The registers for grids of 9x9 with 3x3 boxes and no other rules; `None` for other
    /// shapes.
    registers: Option<Registers>,
    graph: HouseGraph,
    bounds: SearchBounds,
    /// What all searches have cost.
    effort: AtomicU64,
}

/// The solutions that are found in the time of a dead end.
const SOLUTIONS_OF_A_DEAD_END: u64 = 50;

impl Solver {
    /// A solver for grids of this shape.
    pub fn new(shape: &Shape) -> Self {
        let graph = HouseGraph::new(
            shape.cells(),
            shape.values(),
            &shape.houses(),
            ArithmeticNarrowing::for_shape(shape),
        );
        Self {
            registers: shape.is_plain_nine().then(Registers::widest),
            graph,
            bounds: SearchBounds::default(),
            effort: AtomicU64::default(),
        }
        .with_bounds(SearchBounds::default())
    }

    /// The same solver with other bounds.
    pub fn with_bounds(self, bounds: SearchBounds) -> Self {
        let mut bounds = bounds;
        // Without the SAT solver, the depth-first search may use all dead ends itself.
        if self.graph.arithmetic.is_some() {
            bounds.patience = bounds.dead_ends;
        }
        Self { bounds, ..self }
    }

    /// A solver for grids of another shape, with the same bounds.
    #[must_use]
    pub fn for_shape(&self, shape: &Shape) -> Self {
        Self::new(shape).with_bounds(self.bounds)
    }

    /// What all searches of this solver have cost, in dead ends; a number of solutions
    /// counts as one. The same searches cost the same on every machine.
    pub fn effort(&self) -> u64 {
        self.effort.load(Ordering::Relaxed)
    }

    fn spend(&self, dead_ends: u64) {
        self.effort.fetch_add(dead_ends, Ordering::Relaxed);
    }

    /// Whether two clues in a house are equal, or clues break a cage or an inequality.
    pub fn has_clash(&self, clues: &[Value]) -> bool {
        self.graph.houses.iter().any(|house| {
            let (count, seen) = house
                .iter()
                .map(|&cell| clues[cell])
                .filter(|&value| value != BLANK)
                .fold((0, 0u32), |(count, seen), value| {
                    (count + 1, seen | 1 << value)
                });
            seen.count_ones() != count
        }) || self
            .graph
            .arithmetic
            .as_ref()
            .is_some_and(|known| !known.demands().is_kept_by(clues))
    }

    /// The solutions of a grid, row-major, at most `limit` of them; fewer if there are
    /// no more. The same grid always gives the same solutions in the same order.
    ///
    /// # Errors
    /// Returns [`TooHard`] if the search is stopped.
    pub fn solutions(
        &self,
        clues: &[Value],
        limit: usize,
    ) -> Result<Vec<Vec<Value>>, TooHard> {
        let mut found = vec![];
        self.search(clues, limit as u64, |solution| found.push(solution()))?;
        Ok(found)
    }

    /// The number of solutions of a grid, counted up to `limit`. Does not store them.
    ///
    /// # Errors
    /// Returns [`TooHard`] if the search is stopped.
    pub fn count(&self, clues: &[Value], limit: u64) -> Result<u64, TooHard> {
        let mut count = 0;
        self.search(clues, limit, |_| count += 1)?;
        Ok(count)
    }

    /// Calls `found` for each solution of a grid, at most `limit` of them, with a
    /// function that returns its cells.
    fn search(
        &self,
        clues: &[Value],
        limit: u64,
        mut found: impl FnMut(&dyn Fn() -> Vec<Value>),
    ) -> Result<(), TooHard> {
        let mut count = 0;
        let mut counted = |solution: &dyn Fn() -> Vec<Value>| {
            count += 1;
            found(solution);
        };
        let outcome = match (self.registers, clues.try_into()) {
            (Some(registers), Ok(puzzle)) => {
                let limit = usize::try_from(limit).unwrap_or(usize::MAX);
                let mut single = SingleSolver::new(registers);
                let outcome = single.search(puzzle, limit, |solution| {
                    counted(&|| solution.to_vec());
                });
                self.spend(single.dead_ends());
                outcome
            }
            _ => self.search_graph(clues, limit, counted),
        };
        self.spend(count / SOLUTIONS_OF_A_DEAD_END);
        outcome
    }

    /// The first solution of a grid in lexicographic order of its values, row by row;
    /// `None` if there is none.
    ///
    /// # Errors
    /// Returns [`TooHard`] if the search is stopped. This is harder than finding any
    /// solution: an empty grid of order 25 is too hard.
    pub fn first(&self, clues: &[Value]) -> Result<Option<Vec<Value>>, TooHard> {
        let mut search =
            DepthFirstSearch::new(&self.graph, clues, GuessOrder::InOrder);
        let found =
            self.within(self.bounds.patience, |allowance| search.next(allowance));
        if let Ok(is_found) = found {
            return Ok(is_found.then(|| search.solution()));
        }
        // The part that the search explored has no completion, so it can be excluded.
        let encoding = self.encoding_of(&search)?;
        self.within(self.bounds.dead_ends, |allowance| {
            lowest_completion(encoding, allowance)
        })
    }

    /// All solutions of a grid in lexicographic order; `None` if there are more than
    /// `most`.
    ///
    /// # Errors
    /// Returns [`TooHard`] if the search is stopped.
    pub fn all_in_order(
        &self,
        clues: &[Value],
        most: usize,
    ) -> Result<Option<Vec<Vec<Value>>>, TooHard> {
        // Sorting a bounded number of solutions is faster than any search that has to
        // find them in order.
        let mut found = self.solutions(clues, most.saturating_add(1))?;
        found.sort_unstable();
        Ok((found.len() <= most).then_some(found))
    }
}

// Enumerates the completions of a grid, each once, in the same order every time: with
// the depth-first search first, then with the SAT solver.

/// The most completions of one grid that the SAT solver may find. Each adds a clause
/// that excludes it, so their number must be bounded. Grids with many completions are
/// mostly left to the depth-first search.
const MOST_EXCLUDED: u64 = 20_000;

/// With each solution that the depth-first search finds, it is allowed more dead ends
/// before the next, up to this many times its first allowance: on grids with many
/// solutions it is the faster search.
const MOST_TRUST: u64 = 30;

impl Solver {
    fn search_graph(
        &self,
        clues: &[Value],
        limit: u64,
        mut found: impl FnMut(&dyn Fn() -> Vec<Value>),
    ) -> Result<(), TooHard> {
        let patience = self.bounds.patience;
        let mut search =
            DepthFirstSearch::new(&self.graph, clues, GuessOrder::Narrowest);
        let mut allowance = patience;
        for count in 1..=limit {
            let before = allowance;
            let more = search.next(&mut allowance);
            self.spend(before - allowance);
            match more {
                Some(true) => found(&|| search.solution()),
                Some(false) => break,
                None => return self.learn(&search, limit - count + 1, found),
            }
            // Without the SAT solver, the depth-first search may use all dead ends for
            // each completion.
            allowance = match self.graph.arithmetic {
                Some(_) => patience,
                None => allowance
                    .saturating_add(patience.saturating_mul(count.min(MOST_TRUST))),
            };
        }
        Ok(())
    }

    /// Finds completions, at most `limit` of them, in the parts that a search has not
    /// explored.
    fn learn(
        &self,
        search: &DepthFirstSearch<'_>,
        limit: u64,
        mut found: impl FnMut(&dyn Fn() -> Vec<Value>),
    ) -> Result<(), TooHard> {
        let mut encoding = self.encoding_of(search)?;
        for excluded in 0..limit {
            if excluded == MOST_EXCLUDED {
                return Err(self.too_hard());
            }
            let more = self.within(self.bounds.dead_ends, |allowance| {
                encoding.solve(&[], allowance)
            })?;
            if !more {
                break;
            }
            found(&|| encoding.solution());
            encoding.exclude_latest();
        }
        Ok(())
    }

    /// The SAT encoding of a grid, excluding the parts that a search, which has used up
    /// its allowance, has explored.
    fn encoding_of(
        &self,
        search: &DepthFirstSearch<'_>,
    ) -> Result<SatEncoding, TooHard> {
        if self.graph.arithmetic.is_some() {
            return Err(self.too_hard());
        }
        let mut encoding = SatEncoding::new(&self.graph, search.first_candidates());
        for path in search.explored() {
            encoding.exclude(path);
        }
        Ok(encoding)
    }

    /// The result of a search that is allowed this many dead ends; those that it had
    /// count as effort.
    fn within<T>(
        &self,
        most: u64,
        search: impl FnOnce(&mut u64) -> Option<T>,
    ) -> Result<T, TooHard> {
        let mut allowance = most;
        let found = search(&mut allowance);
        self.spend(most - allowance);
        found.ok_or(self.too_hard())
    }

    fn too_hard(&self) -> TooHard {
        TooHard {
            dead_ends: self.bounds.dead_ends,
        }
    }
}

// Finds the lexicographically first completion of a grid: with the smallest possible
// value in the first cell, then the smallest in the second, and so on in reading order.

/// Starts from any completion and lowers it to the first, cell by cell. The inner
/// `None` means that there is no completion, the outer one that the allowance was used
/// up.
fn lowest_completion(
    mut encoding: SatEncoding,
    allowance: &mut u64,
) -> Option<Option<Vec<u8>>> {
    if !encoding.solve(&[], allowance)? {
        return Some(None);
    }
    let mut best = encoding.solution();
    let mut fixed = vec![];
    for cell in 0..best.len() {
        for value in 1..best[cell] {
            let Some(literal) = encoding.literal((cell, 1 << (value - 1))) else {
                continue;
            };
            fixed.push(literal);
            if encoding.solve(&fixed, allowance)? {
                best = encoding.solution();
                break;
            }
            fixed.pop();
        }
        // From here on, the cell keeps the smallest value that was found to be
        // possible.
        let literal = encoding.literal((cell, 1 << (best[cell] - 1)));
        fixed.extend(literal.filter(|literal| fixed.last() != Some(literal)));
    }
    Some(Some(best))
}

#[cfg(test)]
mod tests;
