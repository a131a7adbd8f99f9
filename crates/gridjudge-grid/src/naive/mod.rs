//! Implements the searches that beginners write, with exact counts of their nodes: the
//! cost of a case for such a program on any machine. Adversarial cases are made against
//! these searches, and they measure the strength of cases. A *node* is a candidate that
//! was placed. Start at [`NaiveSearcher`].
//!
//! The searches differ only in the order of cells and of values. They only exclude
//! values that are already in a cell's houses (or that break a cage or an inequality);
//! none of them searches for the only place of a value.

use serde::{Deserialize, Serialize};

use crate::house_map::{CellHouses, HouseMap, MOST_HOUSES, PlacedValues, value_of};
use crate::symbols::renamed;
use crate::{Arithmetic, ArithmeticBreach, BLANK, Shape, Value};

// Defines the naive searches: their names, and the order in which each considers cells
// and values.

/// A naive search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NaiveSearch {
    /// Cells in reading order, values ascending.
    Rows,
    /// Cells in reading order, values descending.
    RowsDescending,
    /// The last row first, each row from the left, values ascending.
    BottomUp,
    /// From the last cell to the first, values ascending.
    Backwards,
    /// From the last cell to the first, values descending.
    BackwardsDescending,
    /// Column by column from the left, values ascending.
    Columns,
    /// Column by column from the left, values descending.
    ColumnsDescending,
    /// The row with the fewest blanks first, otherwise like `Rows`.
    FullestRow,
    /// The cell with the fewest candidates; among several the first in reading order.
    /// Values ascending.
    FewestCandidates,
    /// Like `FewestCandidates`, values descending.
    FewestCandidatesDescending,
    /// The cell with the fewest candidates; among several the last in reading order.
    /// Values ascending.
    FewestCandidatesBackwards,
    /// The cell with the fewest candidates; among several the first by columns. Values
    /// ascending.
    FewestCandidatesByColumns,
}

impl NaiveSearch {
    /// All searches.
    pub const ALL: [Self; 12] = [
        Self::Rows,
        Self::RowsDescending,
        Self::BottomUp,
        Self::Backwards,
        Self::BackwardsDescending,
        Self::Columns,
        Self::ColumnsDescending,
        Self::FullestRow,
        Self::FewestCandidates,
        Self::FewestCandidatesDescending,
        Self::FewestCandidatesBackwards,
        Self::FewestCandidatesByColumns,
    ];

    /// Its name in specs and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::RowsDescending => "rows-descending",
            Self::BottomUp => "bottom-up",
            Self::Backwards => "backwards",
            Self::BackwardsDescending => "backwards-descending",
            Self::Columns => "columns",
            Self::ColumnsDescending => "columns-descending",
            Self::FullestRow => "fullest-row",
            Self::FewestCandidates => "fewest-candidates",
            Self::FewestCandidatesDescending => "fewest-candidates-descending",
            Self::FewestCandidatesBackwards => "fewest-candidates-backwards",
            Self::FewestCandidatesByColumns => "fewest-candidates-by-columns",
        }
    }

    /// Whether values are tried in descending order.
    pub fn is_descending(self) -> bool {
        matches!(
            self,
            Self::RowsDescending
                | Self::BackwardsDescending
                | Self::ColumnsDescending
                | Self::FewestCandidatesDescending
        )
    }

    /// Whether it always picks the cell with the fewest candidates.
    pub fn is_narrowing(self) -> bool {
        matches!(
            self,
            Self::FewestCandidates
                | Self::FewestCandidatesDescending
                | Self::FewestCandidatesBackwards
                | Self::FewestCandidatesByColumns
        )
    }

    /// The blank cells in the order in which the search considers them.
    fn blanks(self, order: usize, clues: &[Value]) -> Vec<usize> {
        let place = |cell: usize| (cell / order, cell % order);
        let mut cells: Vec<usize> = (0..order * order).collect();
        match self {
            Self::Rows
            | Self::RowsDescending
            | Self::FewestCandidates
            | Self::FewestCandidatesDescending => {}
            Self::BottomUp => {
                cells.sort_by_key(|&cell| (order - place(cell).0, cell))
            }
            Self::Backwards
            | Self::BackwardsDescending
            | Self::FewestCandidatesBackwards => cells.reverse(),
            Self::Columns
            | Self::ColumnsDescending
            | Self::FewestCandidatesByColumns => {
                cells.sort_by_key(|&cell| (place(cell).1, cell));
            }
            Self::FullestRow => {
                cells.sort_by_key(|&cell| {
                    let blanks = clues[place(cell).0 * order..][..order]
                        .iter()
                        .filter(|value| **value == BLANK)
                        .count();
                    (blanks, cell)
                });
            }
        }
        cells.retain(|&cell| clues[cell] == BLANK);
        cells
    }
}

// Runs naive searches on grids: converts clues to masks, and placed values back to
// cells.

/// The cost and the outcome of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchCost {
    /// The number of candidates placed.
    pub nodes: u64,
    /// Whether the budget ran out before the search was finished.
    pub exhausted: bool,
    /// The first solution in the search's own order. `None` if the budget ran out or
    /// the grid has no solution.
    pub solution: Option<Vec<Value>>,
}

/// Runs naive searches on grids of one shape.
#[derive(Clone, Debug)]
pub struct NaiveSearcher {
    map: HouseMap,
}

impl NaiveSearcher {
    /// A searcher for grids of this shape.
    pub fn new(shape: &Shape) -> Self {
        Self {
            map: HouseMap::new(shape),
        }
    }

    /// Searches for the first solution, placing at most `budget` candidates. Clues that
    /// clash are detected before anything is placed.
    ///
    /// # Panics
    /// If the number of clues is not the number of cells of the shape, or a clue is not
    /// a value of the shape.
    pub fn search(
        &self,
        naive: NaiveSearch,
        clues: &[Value],
        budget: u64,
    ) -> SearchCost {
        assert_eq!(clues.len(), self.map.houses_of.len());
        if let Some(arithmetic) = &self.map.arithmetic {
            let mut search = ConstrainedSearch {
                map: &self.map,
                arithmetic: arithmetic.demands(),
                naive,
                cells: clues.to_vec(),
                order: naive.blanks(self.map.order, clues),
                cost: SearchCost::default(),
                budget,
            };
            if (0..clues.len())
                .filter(|&cell| clues[cell] != BLANK)
                .all(|cell| search.keeps_all(cell))
            {
                search.fill(0);
            }
            return search.cost;
        }
        // Trying the largest value first is the same as trying the smallest first after
        // mirroring all values.
        let mirror: Vec<_> = (1..=self.map.order as Value).rev().collect();
        let mut clues = clues.to_vec();
        if naive.is_descending() {
            clues = renamed(&clues, &mirror);
        }
        let blanks = naive.blanks(self.map.order, &clues);
        let mut cost = match self.map.depth {
            0..=2 => self.run::<2>(naive, &clues, &blanks, budget),
            3 => self.run::<3>(naive, &clues, &blanks, budget),
            _ => self.run::<MOST_HOUSES>(naive, &clues, &blanks, budget),
        };
        if naive.is_descending() {
            cost.solution = cost.solution.map(|cells| renamed(&cells, &mirror));
        }
        cost
    }

    fn run<const HOUSES: usize>(
        &self,
        naive: NaiveSearch,
        clues: &[Value],
        blanks: &[usize],
        budget: u64,
    ) -> SearchCost {
        let houses_of = |cell: usize| {
            std::array::from_fn(|place| self.map.houses_of[cell][place])
        };
        let mut state = NaiveState::<HOUSES>::new(self.map.order);
        for (cell, &value) in clues
            .iter()
            .enumerate()
            .filter(|(_, value)| **value != BLANK)
        {
            assert!(usize::from(value) <= self.map.order);
            if !state.give(houses_of(cell), value) {
                return SearchCost::default();
            }
        }
        let places: Vec<_> = blanks.iter().map(|&cell| houses_of(cell)).collect();
        let cost = if naive.is_narrowing() {
            state.fill::<true>(&places, budget)
        } else {
            state.fill::<false>(&places, budget)
        };
        let solution = cost.solution.map(|values| {
            let mut cells = clues.to_vec();
            for (&cell, &value) in blanks.iter().zip(&values) {
                cells[cell] = value;
            }
            cells
        });
        SearchCost { solution, ..cost }
    }
}

// Runs the naive searches on grids with cages and inequalities, as a beginner writes
// them: place a value, check whether it breaks anything, continue. A cage counts as
// broken when it is full and wrong, or over its sum or product. Written plainly, so
// that the fast solvers can be tested against it.

/// A search for the first solution.
struct ConstrainedSearch<'a> {
    map: &'a HouseMap,
    arithmetic: &'a Arithmetic,
    naive: NaiveSearch,
    cells: Vec<Value>,
    /// The blank cells in the order in which the search considers them.
    order: Vec<usize>,
    cost: SearchCost,
    budget: u64,
}

impl ConstrainedSearch<'_> {
    /// Fills the blank cells, `filled` of which are filled already. Returns whether the
    /// search ends here.
    fn fill(&mut self, filled: usize) -> bool {
        let Some(cell) = self.next(filled) else {
            self.cost.solution = Some(self.cells.clone());
            return true;
        };
        for value in self.candidates(cell) {
            if self.cost.nodes == self.budget {
                self.cost.exhausted = true;
                return true;
            }
            self.cost.nodes += 1;
            self.cells[cell] = value;
            if self.fill(filled + 1) {
                return true;
            }
        }
        self.cells[cell] = BLANK;
        false
    }

    fn next(&mut self, filled: usize) -> Option<usize> {
        if !self.naive.is_narrowing() {
            return self.order.get(filled).copied();
        }
        let mut open = self.order.clone();
        open.retain(|&cell| self.cells[cell] == BLANK);
        open.into_iter()
            .min_by_key(|&cell| self.candidates(cell).len())
    }

    /// The values that break nothing in a cell, in the order in which they are tried.
    fn candidates(&mut self, cell: usize) -> Vec<Value> {
        let before = self.cells[cell];
        let mut values: Vec<_> = (1..=self.map.values as Value).collect();
        if self.naive.is_descending() {
            values.reverse();
        }
        values.retain(|&value| {
            self.cells[cell] = value;
            self.keeps_all(cell)
        });
        self.cells[cell] = before;
        values
    }

    /// Whether the value of a cell breaks nothing.
    fn keeps_all(&self, cell: usize) -> bool {
        let value = self.cells[cell];
        let is_alone = self.map.peers[cell]
            .iter()
            .all(|&peer| self.cells[peer] != value);
        let is_over = self
            .arithmetic
            .cages
            .iter()
            .any(|cage| cage.cells.contains(&cell) && cage.is_over(&self.cells));
        is_alone
            && !is_over
            && !self
                .arithmetic
                .breaches(&self.cells)
                .any(|breach| match breach {
                    ArithmeticBreach::Repeated { cage, .. }
                    | ArithmeticBreach::Target { cage, .. } => {
                        self.arithmetic.cages[cage].cells.contains(&cell)
                    }
                    ArithmeticBreach::NotLess(pair) => {
                        pair.less == cell || pair.greater == cell
                    }
                })
    }
}

// Contains the inner loops of the naive searches, which use bit masks of the values in
// each house and a stack of the candidates left. Written for speed, because adversarial
// cases take hundreds of millions of nodes.

/// The values placed in the grid of a search.
struct NaiveState<const HOUSES: usize> {
    taken: PlacedValues<HOUSES>,
    all: u32,
}

/// A level of the stack: the index of a place, the value placed there, and the values
/// still to be tried, as masks.
#[derive(Clone, Copy, Default)]
struct StackLevel {
    place: usize,
    placed: u32,
    left: u32,
}

impl<const HOUSES: usize> NaiveState<HOUSES> {
    fn new(order: usize) -> Self {
        Self {
            taken: PlacedValues::new(),
            all: (1 << order) - 1,
        }
    }

    /// Places a clue. Returns whether it clashes with none placed before.
    fn give(&mut self, place: CellHouses<HOUSES>, value: Value) -> bool {
        let bit = 1 << (value - 1);
        let fits = self.candidates(&place) & bit != 0;
        self.taken.add(&place, bit);
        fits
    }

    /// Fills the place with the fewest candidates first, and among several the one
    /// listed first; or, unless `NARROWEST`, all places in their order. A solution is
    /// given by the values of the places.
    fn fill<const NARROWEST: bool>(
        &mut self,
        places: &[CellHouses<HOUSES>],
        budget: u64,
    ) -> SearchCost {
        let mut cost = SearchCost::default();
        let mut values = vec![0; places.len()];
        let mut levels = vec![StackLevel::default(); places.len()];
        let mut depth = 0;
        if !places.is_empty() {
            levels[0] = self.next_level::<NARROWEST>(places, &values, 0);
        }
        while depth < places.len() {
            let level = &mut levels[depth];
            if level.left == 0 {
                if depth == 0 {
                    return cost;
                }
                depth -= 1;
                let StackLevel { place, placed, .. } = levels[depth];
                let place = if NARROWEST { place } else { depth };
                self.taken.remove(&places[place], placed);
                if NARROWEST {
                    values[place] = 0;
                }
                continue;
            }
            if cost.nodes == budget {
                cost.exhausted = true;
                return cost;
            }
            cost.nodes += 1;
            level.placed = level.left & level.left.wrapping_neg();
            level.left ^= level.placed;
            let StackLevel { place, placed, .. } = *level;
            let place = if NARROWEST { place } else { depth };
            self.taken.add(&places[place], placed);
            if NARROWEST {
                values[place] = value_of(placed);
            }
            depth += 1;
            if depth < places.len() {
                levels[depth] = self.next_level::<NARROWEST>(places, &values, depth);
            }
        }
        for level in levels {
            values[level.place] = value_of(level.placed);
        }
        cost.solution = Some(values);
        cost
    }

    #[inline(always)]
    fn next_level<const NARROWEST: bool>(
        &self,
        places: &[CellHouses<HOUSES>],
        values: &[Value],
        depth: usize,
    ) -> StackLevel {
        if NARROWEST {
            return self.narrowest(places, values);
        }
        StackLevel {
            place: depth,
            placed: 0,
            left: self.candidates(&places[depth]),
        }
    }

    /// The open place with the fewest candidates. Stops at the first place with at most
    /// one.
    fn narrowest(
        &self,
        places: &[CellHouses<HOUSES>],
        values: &[Value],
    ) -> StackLevel {
        let mut found = StackLevel::default();
        let mut fewest = u32::MAX;
        for (place, (houses, _)) in places
            .iter()
            .zip(values)
            .enumerate()
            .filter(|(_, (_, value))| **value == 0)
        {
            let left = self.candidates(houses);
            let count = left.count_ones();
            if count < fewest {
                fewest = count;
                found = StackLevel {
                    place,
                    placed: 0,
                    left,
                };
                if count <= 1 {
                    break;
                }
            }
        }
        found
    }

    fn candidates(&self, place: &CellHouses<HOUSES>) -> u32 {
        self.all & !self.taken.around(place)
    }
}

#[cfg(test)]
mod tests;
