//! The search that mutants share: candidates in bit masks, singles, then the cell with
//! the fewest candidates. Its houses are lists of cells, so that a mutant can be given
//! the wrong ones. It gives up after a number of guesses.

use gridjudge_grid::make::{CandidateGrid, bits, hidden_singles, naked_singles};
use gridjudge_grid::naive::NaiveSearcher;
use gridjudge_grid::solve::Solver;
use gridjudge_grid::{
    ArithmeticNarrowing, BLANK, House, HouseKind, Narrowed, Shape, Value,
    peers_of_cells,
};

use crate::authoring::strength::GaveUp;
use crate::authoring::strength::answering::{self, Completions};
use crate::check::ExpectedAnswer;
use crate::model::GridTask;

/// Guesses after which a mutant counts as too slow. With wrong houses a search can take
/// arbitrarily long; with the right ones a hard grid of order nine takes a few hundred
/// guesses.
pub(super) const MOST_GUESSES: u64 = 20_000;

/// A search for completions of grids, with houses that may be the wrong ones.
pub(super) struct MutantSearch {
    /// Candidates of a blank cell at the start: bit `v - 1` stands for value `v`.
    pub(super) tries: u32,
    /// For each cell, the cells whose value it must not have.
    peers: Vec<Vec<usize>>,
    /// The houses that must hold every symbol. Houses with fewer cells need not.
    whole: Vec<Vec<usize>>,
    arithmetic: Option<ArithmeticNarrowing>,
    /// The number of symbols.
    values: usize,
}

/// Which singles a search sees before it guesses.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Singles {
    /// Cells with one candidate.
    Naked,
    /// Also symbols with one place in a house.
    All,
}

impl MutantSearch {
    /// Whether two clues that must differ are the same, or clues break a cage or an
    /// inequality.
    pub(super) fn has_clash(&self, clues: &[Value]) -> bool {
        (0..clues.len()).any(|cell| {
            clues[cell] != BLANK
                && self.peers[cell]
                    .iter()
                    .any(|peer| clues[cell] == clues[*peer])
        }) || self
            .arithmetic
            .as_ref()
            .is_some_and(|known| !known.demands().is_kept_by(clues))
    }

    /// A search with these lists of cells as the houses of a shape, and with the
    /// shape's cages and inequalities.
    pub(super) fn for_shape(shape: &Shape, houses: &[Vec<usize>]) -> Self {
        let values = shape.values();
        let whole: Vec<_> = houses
            .iter()
            .filter(|house| house.len() == values)
            .cloned()
            .collect();
        let arithmetic =
            ArithmeticNarrowing::within(shape, whole.iter().map(Vec::as_slice));
        Self {
            tries: (1 << values) - 1,
            peers: peers_of_cells(shape.cells(), houses, arithmetic.as_ref()),
            whole,
            arithmetic,
            values,
        }
    }

    /// The completions of a grid, up to a limit.
    pub(super) fn solve(
        &self,
        clues: &[Value],
        limit: usize,
    ) -> Result<Completions, GaveUp> {
        self.explore(self.start(clues), Singles::All, MOST_GUESSES, limit)
    }

    /// The answer to a grid, by this search.
    pub(super) fn answer(
        &self,
        task: &GridTask,
        clues: &[Value],
    ) -> Result<ExpectedAnswer, GaveUp> {
        answering::answer(task, clues, self.has_clash(clues), |clues, limit| {
            self.solve(clues, limit)
        })
    }

    /// The state before anything is concluded.
    pub(super) fn start(&self, clues: &[Value]) -> CandidateGrid {
        CandidateGrid::with_tries(clues, self.tries)
    }

    /// Searches from a state for up to `limit` completions, with at most `most_guesses`
    /// guesses for each of them. A guess is a choice among several candidates.
    pub(super) fn explore(
        &self,
        start: CandidateGrid,
        singles: Singles,
        most_guesses: u64,
        limit: usize,
    ) -> Result<Completions, GaveUp> {
        let mut found = Completions::new();
        let mut guesses = 0;
        let mut open = vec![start];
        while let Some(mut state) = open.pop() {
            if found.len() == limit {
                break;
            }
            if !self.conclude(&mut state, singles) {
                continue;
            }
            let Some((cell, candidates)) = state.narrowest() else {
                found.push(state.values());
                continue;
            };
            guesses += 1;
            if guesses > most_guesses.saturating_mul(found.len() as u64 + 1) {
                return Err(GaveUp(found));
            }
            // The smallest value goes on top of the stack.
            open.extend(bits(candidates).map(|bit| state.with(cell, bit)));
        }
        Ok(found)
    }

    /// Applies singles, cages and inequalities until nothing changes; `false` at a
    /// contradiction.
    pub(super) fn conclude(
        &self,
        state: &mut CandidateGrid,
        singles: Singles,
    ) -> bool {
        if state.candidates.contains(&0) {
            return false;
        }
        let mut moved = Ok(true);
        while moved == Ok(true) {
            moved = self.narrow(state, singles);
        }
        moved.is_ok()
    }

    /// Applies the first of these that removes a candidate. Returns whether one did.
    fn narrow(&self, state: &mut CandidateGrid, singles: Singles) -> Narrowed {
        let arithmetic = self.arithmetic.as_ref();
        Ok(naked_singles(&self.peers, state)?
            || arithmetic
                .map_or(Ok(false), |known| known.narrow(&mut state.candidates))?
            || singles == Singles::All
                && hidden_singles(&self.whole, self.values, state)?)
    }
}

/// The candidate that is this value; none for a blank.
pub(super) fn mask(value: Value) -> u32 {
    if value == BLANK { 0 } else { 1 << (value - 1) }
}

// What all mutants of a problem share for grids of one shape: its houses, the reference
// solver, and searches.

/// One shape and its tools.
pub(super) struct MutantContext {
    pub(super) shape: Shape,
    /// As [`houses_and_lines`] gives them.
    pub(super) houses: Vec<House>,
    pub(super) solver: Solver,
    pub(super) searcher: NaiveSearcher,
    /// The search that knows the right rules.
    pub(super) search: MutantSearch,
}

/// The houses of a shape, and the lines of a magic square, which have sums.
pub(super) fn houses_and_lines(shape: &Shape) -> Vec<House> {
    let mut all = shape.houses();
    if shape.is_magic() {
        all.extend(shape.lines());
    }
    all
}

impl MutantContext {
    pub(super) fn new(shape: &Shape) -> Self {
        let houses = shape.houses().into_iter();
        let cells: Vec<_> = houses.map(|house| house.cells).collect();
        Self {
            shape: shape.clone(),
            houses: houses_and_lines(shape),
            solver: Solver::new(shape),
            searcher: NaiveSearcher::new(shape),
            search: MutantSearch::for_shape(shape, &cells),
        }
    }

    /// The houses of one kind, or the lines of a magic square.
    pub(super) fn of_kind(&self, kind: HouseKind) -> impl Iterator<Item = &House> {
        self.houses.iter().filter(move |house| house.kind == kind)
    }
}
