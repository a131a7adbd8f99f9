//! Runs naive searches: clues to masks, and what was placed back to cells.

use crate::BLANK;
use crate::Shape;
use crate::Value;
use crate::naive::kind::CellOrder;
use crate::naive::kind::NaiveSearch;
use crate::naive::search::HouseMasks;
use crate::naive::search::MOST_HOUSES;
use crate::naive::search::NaiveEnd;

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

/// Runs naive searches on grids of one shape.
#[derive(Clone, Debug)]
pub struct NaiveSearcher {
    order: usize,
    /// The houses of each cell; a cell in fewer than there is room for has its last one again.
    houses_of: Vec<[u8; MOST_HOUSES]>,
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
            _ => self.run::<{ MOST_HOUSES }>(naive.pick(), clues, &blanks, budget),
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
        let mut state = HouseMasks::<HOUSES>::new(self.order);
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
