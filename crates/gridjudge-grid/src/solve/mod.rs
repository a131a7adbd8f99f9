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
use depth_first::{DepthFirstSearch, GuessOrder, HouseGraph, SearchStep};
use nine::SingleSolver;
use sat_encoding::SatEncoding;

pub use depth_first::{SearchBounds, TooHard};

// Solves grids of any shape: picks the search that suits a grid and collects the
// solutions it finds.

/// Solves grids of one shape. Clues are row-major, 0 for a blank, no value above the
/// number of symbols.
#[derive(Debug)]
pub struct Solver {
    /// Whether the shape is 9x9 with 3x3 boxes and no other rules.
    is_plain_nine: bool,
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
            is_plain_nine: shape.is_plain_nine(),
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

    fn spend(&self, dead_ends: u64, solutions: u64) {
        self.effort.fetch_add(
            dead_ends + solutions / SOLUTIONS_OF_A_DEAD_END,
            Ordering::Relaxed,
        );
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
        let mut found = Vec::new();
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
        if self.is_plain_nine
            && let Ok(puzzle) = clues.try_into()
        {
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            let mut single = SingleSolver::default();
            let outcome = single.search(puzzle, limit, |solution| {
                count += 1;
                found(&|| solution.to_vec());
            });
            self.spend(single.dead_ends(), count);
            return outcome;
        }
        let mut completions = CompletionSearch::new(&self.graph, clues, self.bounds);
        let mut more = Ok(true);
        while count < limit && more == Ok(true) {
            more = completions.advance();
            if more == Ok(true) {
                count += 1;
                found(&|| completions.solution());
            }
        }
        self.spend(completions.dead_ends, count);
        more.map(|_| ())
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
        let mut allowance = self.bounds.patience;
        let step = search.next(&mut allowance);
        self.spend(self.bounds.patience - allowance, 0);
        match step {
            SearchStep::Found => Ok(Some(search.solution())),
            SearchStep::Exhausted => Ok(None),
            SearchStep::GaveUp if self.graph.arithmetic.is_some() => Err(TooHard {
                dead_ends: self.bounds.patience,
            }),
            // The part that the search explored has no completion, so it can be
            // excluded.
            SearchStep::GaveUp => {
                let mut allowance = self.bounds.dead_ends;
                let encoding = encoding_of(&self.graph, clues, &search);
                let found = lowest_completion(encoding, &mut allowance);
                self.spend(self.bounds.dead_ends - allowance, 0);
                found.ok_or(TooHard {
                    dead_ends: self.bounds.dead_ends,
                })
            }
        }
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

// Enumerates the completions of a grid: with the depth-first search first, then with
// the SAT solver.

/// The most completions of one grid that the SAT solver may find. Each adds a clause
/// that excludes it, so their number must be bounded. Grids with many completions are
/// mostly left to the depth-first search.
const MOST_EXCLUDED: u64 = 20_000;

/// With each solution that the depth-first search finds, it is allowed more dead ends
/// before the next, up to this many times its first allowance: on grids with many
/// solutions it is the faster search.
const MOST_TRUST: u64 = 30;

/// A walk over the completions of one grid, each once, in the same order every time.
struct CompletionSearch<'a> {
    graph: &'a HouseGraph,
    clues: &'a [u8],
    bounds: SearchBounds,
    search: DepthFirstSearch<'a>,
    /// The SAT encoding; `None` as long as the depth-first search is used.
    encoding: Option<SatEncoding>,
    found: u64,
    excluded: u64,
    /// Dead ends left to the depth-first search.
    patience: u64,
    /// Dead ends of both searches so far.
    dead_ends: u64,
}

impl<'a> CompletionSearch<'a> {
    fn new(graph: &'a HouseGraph, clues: &'a [u8], bounds: SearchBounds) -> Self {
        let search = DepthFirstSearch::new(graph, clues, GuessOrder::Narrowest);
        Self {
            graph,
            clues,
            bounds,
            search,
            encoding: None,
            found: 0,
            excluded: 0,
            patience: bounds.patience,
            dead_ends: 0,
        }
    }

    /// Moves on to the next completion; false if there is none.
    fn advance(&mut self) -> Result<bool, TooHard> {
        if let Some(encoding) = &mut self.encoding {
            encoding.exclude_latest();
            self.excluded += 1;
            return self.learn();
        }
        let before = self.patience;
        let step = self.search.next(&mut self.patience);
        self.dead_ends += before - self.patience;
        match step {
            SearchStep::Found => {
                self.found += 1;
                let more = self
                    .bounds
                    .patience
                    .saturating_mul(self.found.min(MOST_TRUST));
                // Without the SAT solver, the depth-first search may use all dead ends
                // for each completion.
                self.patience = match self.graph.arithmetic {
                    Some(_) => self.bounds.patience,
                    None => self.patience.saturating_add(more),
                };
                Ok(true)
            }
            SearchStep::Exhausted => Ok(false),
            SearchStep::GaveUp if self.graph.arithmetic.is_some() => Err(TooHard {
                dead_ends: self.bounds.patience,
            }),
            SearchStep::GaveUp => {
                self.encoding =
                    Some(encoding_of(self.graph, self.clues, &self.search));
                self.learn()
            }
        }
    }

    /// The current completion.
    fn solution(&self) -> Vec<u8> {
        self.encoding
            .as_ref()
            .map_or_else(|| self.search.solution(), SatEncoding::solution)
    }

    fn learn(&mut self) -> Result<bool, TooHard> {
        let mut allowance = self.bounds.dead_ends;
        let encoding = self
            .encoding
            .as_mut()
            .filter(|_| self.excluded < MOST_EXCLUDED);
        let found = encoding.and_then(|encoding| encoding.solve(&[], &mut allowance));
        self.dead_ends += self.bounds.dead_ends - allowance;
        found.ok_or(TooHard {
            dead_ends: self.bounds.dead_ends,
        })
    }
}

/// The SAT encoding of a grid, excluding the parts that a search has already explored.
fn encoding_of(
    graph: &HouseGraph,
    clues: &[u8],
    search: &DepthFirstSearch<'_>,
) -> SatEncoding {
    let fresh = DepthFirstSearch::new(graph, clues, GuessOrder::Narrowest);
    let mut encoding = SatEncoding::new(
        graph,
        fresh
            .candidates()
            .expect("clues that contradict each other need no guess"),
    );
    for path in search.explored() {
        encoding.exclude(path);
    }
    encoding
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
    let mut fixed = Vec::new();
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
