//! The searches that beginners write, each with its name and an exact count of its nodes: what a case costs a program
//! of that kind, on any machine. Adversarial cases are made against them, and the strength of cases is measured with
//! them. A *node* is a candidate that was placed.
//!
//! They differ in the order of cells and of values alone. What they know of the rules is which values stand in a
//! cell's houses; none of them looks for the only place of a value.

mod search;

use serde::Deserialize;
use serde::Serialize;

use crate::BLANK;
use crate::Shape;
use crate::Value;
use crate::naive::search::NaiveEnd;

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
    /// The row with the fewest blanks first, else as `Rows`.
    FullestRow,
    /// The cell with the fewest candidates, of several the first in reading order; values ascending.
    FewestCandidates,
    /// The same, values descending.
    FewestCandidatesDescending,
    /// The cell with the fewest candidates, of several the last in reading order; values ascending.
    FewestCandidatesBackwards,
    /// The cell with the fewest candidates, of several the first by columns; values ascending.
    FewestCandidatesByColumns,
}

/// What a search did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchCost {
    /// Candidates placed.
    pub nodes: u64,
    /// Whether the budget ran out before the search had come to an end.
    pub exhausted: bool,
    /// The first solution in the search's own order. If there is none and the budget did not run out, the grid has
    /// none.
    pub solution: Option<Vec<Value>>,
}

/// How a search picks its next cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellOrder {
    /// The next one of a list.
    Listed,
    /// The one with the fewest candidates; of several, the first of the list.
    Narrowest,
}

impl NaiveSearch {
    /// All of them.
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

    /// Its name, as specs and reports have it.
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

    /// Whether values are tried from the largest down.
    pub fn is_descending(self) -> bool {
        matches!(
            self,
            Self::RowsDescending
                | Self::BackwardsDescending
                | Self::ColumnsDescending
                | Self::FewestCandidatesDescending
        )
    }

    /// Whether it always takes the cell with the fewest candidates.
    pub fn is_narrowing(self) -> bool {
        self.pick() == CellOrder::Narrowest
    }

    fn pick(self) -> CellOrder {
        match self {
            Self::FewestCandidates
            | Self::FewestCandidatesDescending
            | Self::FewestCandidatesBackwards
            | Self::FewestCandidatesByColumns => CellOrder::Narrowest,
            _ => CellOrder::Listed,
        }
    }

    /// All cells in the order in which it looks at them.
    fn cells(self, order: usize, clues: &[Value]) -> Vec<usize> {
        let place = |cell: usize| (cell / order, cell % order);
        let mut cells: Vec<usize> = (0..order * order).collect();
        match self {
            Self::Rows | Self::RowsDescending => {}
            Self::FewestCandidates | Self::FewestCandidatesDescending => {}
            Self::BottomUp => cells.sort_by_key(|&cell| (order - place(cell).0, cell)),
            Self::Backwards | Self::BackwardsDescending | Self::FewestCandidatesBackwards => cells.reverse(),
            Self::Columns | Self::ColumnsDescending | Self::FewestCandidatesByColumns => {
                cells.sort_by_key(|&cell| (place(cell).1, cell));
            }
            Self::FullestRow => {
                let blanks = |cell: usize| {
                    let row = &clues[place(cell).0 * order..][..order];
                    row.iter().filter(|&&value| value == BLANK).count()
                };
                cells.sort_by_key(|&cell| (blanks(cell), cell));
            }
        }
        cells
    }
}

/// Runs naive searches on grids of one shape.
#[derive(Clone, Debug)]
pub struct NaiveSearcher {
    order: usize,
    /// The houses of each cell; a cell in fewer than there is room for has its last one again.
    houses_of: Vec<[u8; search::MOST_HOUSES]>,
    /// The most houses that a cell is in.
    deepest: usize,
}

impl NaiveSearcher {
    /// A searcher for grids of this shape.
    pub fn new(shape: &Shape) -> Self {
        let mut of_cells = vec![Vec::new(); shape.cells()];
        for (number, house) in shape.houses().iter().enumerate() {
            // Order 25 has 77 houses at most.
            house.cells.iter().for_each(|&cell| of_cells[cell].push(number as u8));
        }
        let deepest = of_cells.iter().map(Vec::len).max().unwrap_or(0);
        let padded = |houses: &Vec<u8>| {
            std::array::from_fn(|place| houses.get(place).or(houses.last()).copied().unwrap_or(0))
        };
        Self { order: shape.order(), houses_of: of_cells.iter().map(padded).collect(), deepest }
    }

    /// Searches for the first solution and places `budget` candidates at most. Clues that clash are seen before
    /// anything is placed.
    ///
    /// # Panics
    /// If there are not as many clues as the shape has cells, or one is no value of the shape.
    pub fn search(&self, naive: NaiveSearch, clues: &[Value], budget: u64) -> SearchCost {
        assert_eq!(clues.len(), self.houses_of.len());
        let order = self.order as Value;
        // To try the largest value first is to try the smallest first after all values have changed places.
        let mirror = |value: Value| if value == BLANK { BLANK } else { order + 1 - value };
        let mirrored = |cells: &[Value]| cells.iter().map(|&value| mirror(value)).collect::<Vec<_>>();
        if naive.is_descending() {
            let counted = self.ascending(naive, &mirrored(clues), budget);
            return SearchCost { solution: counted.solution.map(|cells| mirrored(&cells)), ..counted };
        }
        self.ascending(naive, clues, budget)
    }

    fn ascending(&self, naive: NaiveSearch, clues: &[Value], budget: u64) -> SearchCost {
        let mut blanks = naive.cells(self.order, clues);
        blanks.retain(|&cell| clues[cell] == BLANK);
        match self.deepest {
            0..=2 => self.run::<2>(naive.pick(), clues, &blanks, budget),
            3 => self.run::<3>(naive.pick(), clues, &blanks, budget),
            _ => self.run::<{ search::MOST_HOUSES }>(naive.pick(), clues, &blanks, budget),
        }
    }

    fn run<const HOUSES: usize>(
        &self,
        pick: CellOrder,
        clues: &[Value],
        blanks: &[usize],
        budget: u64,
    ) -> SearchCost {
        let houses_of = |cell: usize| std::array::from_fn(|place| self.houses_of[cell][place]);
        let mut state = search::HouseMasks::<HOUSES>::new(self.order);
        for (cell, &value) in clues.iter().enumerate().filter(|(_, value)| **value != BLANK) {
            assert!(usize::from(value) <= self.order);
            if !state.give(houses_of(cell), value) {
                return SearchCost { nodes: 0, exhausted: false, solution: None };
            }
        }
        let places: Vec<_> = blanks.iter().map(|&cell| houses_of(cell)).collect();
        let (nodes, end) = match pick {
            CellOrder::Listed => state.in_order(&places, budget),
            CellOrder::Narrowest => state.narrowest_first(&places, budget),
        };
        let solution = match &end {
            NaiveEnd::Solved(values) => {
                let mut cells = clues.to_vec();
                blanks.iter().zip(values).for_each(|(&cell, &value)| cells[cell] = value);
                Some(cells)
            }
            NaiveEnd::NoSolution | NaiveEnd::OutOfBudget => None,
        };
        SearchCost { nodes, exhausted: end == NaiveEnd::OutOfBudget, solution }
    }
}

#[cfg(test)]
mod tests;
