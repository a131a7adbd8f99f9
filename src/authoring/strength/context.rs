//! What all mutants of a problem share for grids of one shape: its houses, the reference solver,
//! and searches.

use crate::authoring::strength::search::MutantSearch;
use gridjudge_grid::naive::NaiveSearcher;
use gridjudge_grid::solve::Solver;
use gridjudge_grid::{BLANK, House, HouseKind, Shape, Value};

/// One shape and its tools.
pub(super) struct MutantContext {
    pub(super) shape: Shape,
    pub(super) houses: Vec<House>,
    /// The lines of a magic square, which have sums.
    lines: Vec<House>,
    pub(super) solver: Solver,
    pub(super) searcher: NaiveSearcher,
    /// The search that knows the right rules.
    pub(super) search: MutantSearch,
}

/// A grid of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CaseGrid {
    /// The index of its shape in the format.
    pub(super) board: usize,
    /// Its cells, row-major.
    pub(super) clues: Vec<Value>,
}

/// The lines of a magic square, in the order of its sums; none of any other shape.
pub(super) fn summed_lines(shape: &Shape) -> Vec<House> {
    if shape.is_magic() {
        shape.lines()
    } else {
        Vec::new()
    }
}

impl MutantContext {
    pub(super) fn new(shape: &Shape) -> Self {
        let houses = shape.houses();
        let cells: Vec<_> = houses.iter().map(|house| house.cells.clone()).collect();
        Self {
            shape: shape.clone(),
            solver: Solver::new(shape),
            searcher: NaiveSearcher::new(shape),
            search: MutantSearch::of(shape, &cells),
            houses,
            lines: summed_lines(shape),
        }
    }

    /// The houses of one kind, or the lines of a magic square.
    pub(super) fn of_kind(&self, kind: HouseKind) -> impl Iterator<Item = &House> {
        self.houses
            .iter()
            .chain(&self.lines)
            .filter(move |house| house.kind == kind)
    }

    /// Whether two clues of a house are the same, or clues break a cage or an inequality.
    pub(super) fn has_clash(&self, clues: &[Value]) -> bool {
        self.houses.iter().any(|house| {
            let values = house
                .cells
                .iter()
                .map(|&cell| clues[cell])
                .filter(|&value| value != BLANK);
            let (count, seen) = values.fold((0, 0u32), |(count, seen), value| {
                (count + 1, seen | 1 << value)
            });
            seen.count_ones() != count
        }) || self
            .shape
            .arithmetic()
            .is_some_and(|known| !known.is_kept_by(clues))
    }
}

impl CaseGrid {
    pub(super) fn blanks(&self) -> usize {
        self.clues.iter().filter(|&&clue| clue == BLANK).count()
    }
}
