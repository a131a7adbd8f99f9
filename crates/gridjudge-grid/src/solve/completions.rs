//! The completions of a grid, one by one: depth-first while that gets somewhere, then by learning.

use super::Bounds;
use super::TooHard;
use super::board::Board;
use super::encoding::Encoding;
use super::learning::Outcome;
use super::search::Guess;
use super::search::Search;
use super::search::Step;

/// Completions that the search that learns may find of one grid. Each stays with it as a clause that excludes it, so there
/// must be an end; a grid with more of them is left to the depth-first search but for its barren parts.
const MOST_EXCLUDED: u64 = 20_000;

/// The more solutions the depth-first search has found, the more dead ends it may run into before the next, up to this many times
/// the first allowance: where solutions are many, it is the quicker of the two.
const MOST_TRUST: u64 = 30;

/// A walk over the completions of one grid, each once, in the same order every time.
#[derive(Debug)]
pub(super) struct Completions<'a> {
    board: &'a Board,
    clues: &'a [u8],
    bounds: Bounds,
    search: Search<'a>,
    /// The search that learns, since the other got lost.
    encoding: Option<Encoding>,
    found: u64,
    excluded: u64,
    /// Dead ends left until then.
    patience: u64,
}

impl<'a> Completions<'a> {
    pub(super) fn new(board: &'a Board, clues: &'a [u8], bounds: Bounds) -> Self {
        let search = Search::new(board, clues, Guess::Narrowest);
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
            Step::Found => {
                self.found += 1;
                let more = self.bounds.patience.saturating_mul(self.found.min(MOST_TRUST));
                self.patience = self.patience.saturating_add(more);
                Ok(true)
            }
            Step::Exhausted => Ok(false),
            Step::GaveUp => {
                self.encoding = Some(encoding_of(self.board, self.clues, &self.search));
                self.learn()
            }
        }
    }

    /// The completion at hand.
    pub(super) fn solution(&self) -> Vec<u8> {
        self.encoding.as_ref().map_or_else(|| self.search.solution(), Encoding::solution)
    }

    fn learn(&mut self) -> Result<bool, TooHard> {
        let mut allowance = self.bounds.dead_ends;
        let encoding = self.encoding.as_mut().filter(|_| self.excluded < MOST_EXCLUDED);
        match encoding.map_or(Outcome::GaveUp, |encoding| encoding.solve(&[], &mut allowance)) {
            Outcome::Model => Ok(true),
            Outcome::Nothing => Ok(false),
            Outcome::GaveUp => Err(TooHard { dead_ends: self.bounds.dead_ends }),
        }
    }
}

/// The clauses of a grid without what a search has explored of it already.
pub(super) fn encoding_of(board: &Board, clues: &[u8], search: &Search<'_>) -> Encoding {
    let fresh = Search::new(board, clues, Guess::Narrowest);
    let cells = fresh.candidates().expect("clues that contradict each other need no guess");
    let mut encoding = Encoding::new(board, cells);
    for path in search.explored() {
        encoding.exclude(&path);
    }
    encoding
}
