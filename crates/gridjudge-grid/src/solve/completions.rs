//! Enumerates the completions of a grid: with the depth-first search first, then with the SAT
//! solver.

use super::bounds::{SearchBounds, TooHard};
use super::depth_first::DepthFirstSearch;
use super::house_graph::HouseGraph;
use super::sat_encoding::SatEncoding;
use super::search_step::{GuessOrder, SearchStep};

/// The most completions of one grid that the SAT solver may find. Each adds a clause that excludes
/// it, so their number must be bounded. Grids with many completions are mostly left to the
/// depth-first search.
const MOST_EXCLUDED: u64 = 20_000;

/// With each solution that the depth-first search finds, it is allowed more dead ends before the
/// next, up to this many times its first allowance: on grids with many solutions it is the faster
/// search.
const MOST_TRUST: u64 = 30;

/// A walk over the completions of one grid, each once, in the same order every time.
pub(super) struct CompletionSearch<'a> {
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
    pub(super) dead_ends: u64,
}

impl<'a> CompletionSearch<'a> {
    pub(super) fn new(graph: &'a HouseGraph, clues: &'a [u8], bounds: SearchBounds) -> Self {
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
    pub(super) fn advance(&mut self) -> Result<bool, TooHard> {
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
                // Without the SAT solver, the depth-first search may use all dead ends for each
                // completion.
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
                self.encoding = Some(encoding_of(self.graph, self.clues, &self.search));
                self.learn()
            }
        }
    }

    /// The current completion.
    pub(super) fn solution(&self) -> Vec<u8> {
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
pub(super) fn encoding_of(
    graph: &HouseGraph,
    clues: &[u8],
    search: &DepthFirstSearch<'_>,
) -> SatEncoding {
    let fresh = DepthFirstSearch::new(graph, clues, GuessOrder::Narrowest);
    let cells = fresh
        .candidates()
        .expect("clues that contradict each other need no guess");
    let mut encoding = SatEncoding::new(graph, cells);
    for path in search.explored() {
        encoding.exclude(path);
    }
    encoding
}
