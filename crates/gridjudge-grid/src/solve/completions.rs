//! The completions of a grid, one by one: depth-first while that gets somewhere, then by learning.

use super::bounds::SearchBounds;
use super::bounds::TooHard;
use super::depth_first::DepthFirstSearch;
use super::house_graph::HouseGraph;
use super::sat_encoding::SatEncoding;
use super::search_step::GuessOrder;
use super::search_step::SearchStep;

/// Completions that the search that learns may find of one grid. Each stays with it as a clause that excludes it, so there
/// must be an end; a grid with more of them is left to the depth-first search but for its barren parts.
const MOST_EXCLUDED: u64 = 20_000;

/// The more solutions the depth-first search has found, the more dead ends it may run into before the next, up to this many times
/// the first allowance: where solutions are many, it is the quicker of the two.
const MOST_TRUST: u64 = 30;

/// A walk over the completions of one grid, each once, in the same order every time.
pub(super) struct CompletionSearch<'a> {
    board: &'a HouseGraph,
    clues: &'a [u8],
    bounds: SearchBounds,
    search: DepthFirstSearch<'a>,
    /// The search that learns, since the other got lost.
    encoding: Option<SatEncoding>,
    found: u64,
    excluded: u64,
    /// Dead ends left until then.
    patience: u64,
}

impl<'a> CompletionSearch<'a> {
    pub(super) fn new(board: &'a HouseGraph, clues: &'a [u8], bounds: SearchBounds) -> Self {
        let search = DepthFirstSearch::new(board, clues, GuessOrder::Narrowest);
        Self {
            board,
            clues,
            bounds,
            search,
            encoding: None,
            found: 0,
            excluded: 0,
            patience: bounds.patience,
        }
    }

    /// Goes on to the next completion. False if there is none.
    pub(super) fn advance(&mut self) -> Result<bool, TooHard> {
        if let Some(encoding) = &mut self.encoding {
            encoding.exclude_latest();
            self.excluded += 1;
            return self.learn();
        }
        match self.search.next(&mut self.patience) {
            SearchStep::Found => {
                self.found += 1;
                let more = self.bounds.patience.saturating_mul(self.found.min(MOST_TRUST));
                // Who searches alone has all dead ends there are, for each completion.
                self.patience = match self.board.arithmetic {
                    Some(_) => self.bounds.patience,
                    None => self.patience.saturating_add(more),
                };
                Ok(true)
            }
            SearchStep::Exhausted => Ok(false),
            SearchStep::GaveUp if self.board.arithmetic.is_some() => {
                Err(TooHard { dead_ends: self.bounds.patience })
            }
            SearchStep::GaveUp => {
                self.encoding = Some(encoding_of(self.board, self.clues, &self.search));
                self.learn()
            }
        }
    }

    /// The completion at hand.
    pub(super) fn solution(&self) -> Vec<u8> {
        self.encoding.as_ref().map_or_else(|| self.search.solution(), SatEncoding::solution)
    }

    fn learn(&mut self) -> Result<bool, TooHard> {
        let mut allowance = self.bounds.dead_ends;
        let encoding = self.encoding.as_mut().filter(|_| self.excluded < MOST_EXCLUDED);
        let found = encoding.and_then(|encoding| encoding.solve(&[], &mut allowance));
        found.ok_or(TooHard { dead_ends: self.bounds.dead_ends })
    }
}

/// The clauses of a grid without what a search has explored of it already.
pub(super) fn encoding_of(board: &HouseGraph, clues: &[u8], search: &DepthFirstSearch<'_>) -> SatEncoding {
    let fresh = DepthFirstSearch::new(board, clues, GuessOrder::Narrowest);
    let cells = fresh.candidates().expect("clues that contradict each other need no guess");
    let mut encoding = SatEncoding::new(board, cells);
    for path in search.explored() {
        encoding.exclude(path);
    }
    encoding
}
