//! Runs naive searches on grids: converts clues to masks, and placed values back to cells.

use std::sync::Arc;

use crate::house_map::{HouseMap, MOST_HOUSES};
use crate::naive::constrained::ConstrainedSearch;
use crate::naive::kind::NaiveSearch;
use crate::naive::search::{NaiveEnd, NaiveState};
use crate::{Arithmetic, BLANK, Shape, Value};

/// The cost and the outcome of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchCost {
    /// The number of candidates placed.
    pub nodes: u64,
    /// Whether the budget ran out before the search was finished.
    pub exhausted: bool,
    /// The first solution in the search's own order. `None` if the budget ran out or the grid has
    /// no solution.
    pub solution: Option<Vec<Value>>,
}

/// Runs naive searches on grids of one shape.
#[derive(Clone, Debug)]
pub struct NaiveSearcher {
    map: HouseMap,
    arithmetic: Option<Arc<Arithmetic>>,
}

impl NaiveSearcher {
    /// A searcher for grids of this shape.
    pub fn new(shape: &Shape) -> Self {
        Self {
            map: HouseMap::new(shape),
            arithmetic: shape.shared_arithmetic(),
        }
    }

    /// Searches for the first solution, placing at most `budget` candidates. Clues that clash are
    /// detected before anything is placed.
    ///
    /// # Panics
    /// If the number of clues is not the number of cells of the shape, or a clue is not a value of
    /// the shape.
    pub fn search(&self, naive: NaiveSearch, clues: &[Value], budget: u64) -> SearchCost {
        assert_eq!(clues.len(), self.map.houses_of.len());
        if let Some(arithmetic) = &self.arithmetic {
            let (nodes, end) =
                ConstrainedSearch::new(&self.map, arithmetic, naive, clues, budget).run();
            let exhausted = end == NaiveEnd::OutOfBudget;
            let solution = if let NaiveEnd::Solved(cells) = end {
                Some(cells)
            } else {
                None
            };
            return SearchCost {
                nodes,
                exhausted,
                solution,
            };
        }
        let order = self.map.order as Value;
        // Trying the largest value first is the same as trying the smallest first after mirroring
        // all values.
        let mirrored = |cells: &[Value]| -> Vec<_> {
            cells
                .iter()
                .map(|&value| match value {
                    BLANK => BLANK,
                    value => order + 1 - value,
                })
                .collect()
        };
        if naive.is_descending() {
            let counted = self.ascending(naive, &mirrored(clues), budget);
            return SearchCost {
                solution: counted.solution.map(|cells| mirrored(&cells)),
                ..counted
            };
        }
        self.ascending(naive, clues, budget)
    }

    fn ascending(&self, naive: NaiveSearch, clues: &[Value], budget: u64) -> SearchCost {
        let mut blanks = naive.cells(self.map.order, clues);
        blanks.retain(|&cell| clues[cell] == BLANK);
        match self.map.depth {
            0..=2 => self.run::<2>(naive, clues, &blanks, budget),
            3 => self.run::<3>(naive, clues, &blanks, budget),
            _ => self.run::<MOST_HOUSES>(naive, clues, &blanks, budget),
        }
    }

    fn run<const HOUSES: usize>(
        &self,
        naive: NaiveSearch,
        clues: &[Value],
        blanks: &[usize],
        budget: u64,
    ) -> SearchCost {
        let houses_of = |cell: usize| std::array::from_fn(|place| self.map.houses_of[cell][place]);
        let mut state = NaiveState::<HOUSES>::new(self.map.order);
        for (cell, &value) in clues
            .iter()
            .enumerate()
            .filter(|(_, value)| **value != BLANK)
        {
            assert!(usize::from(value) <= self.map.order);
            if !state.give(houses_of(cell), value) {
                return SearchCost {
                    nodes: 0,
                    exhausted: false,
                    solution: None,
                };
            }
        }
        let places: Vec<_> = blanks.iter().map(|&cell| houses_of(cell)).collect();
        let (nodes, end) = if naive.is_narrowing() {
            state.narrowest_first(&places, budget)
        } else {
            state.in_order(&places, budget)
        };
        let solution = match &end {
            NaiveEnd::Solved(values) => {
                let mut cells = clues.to_vec();
                blanks
                    .iter()
                    .zip(values)
                    .for_each(|(&cell, &value)| cells[cell] = value);
                Some(cells)
            }
            NaiveEnd::NoSolution | NaiveEnd::OutOfBudget => None,
        };
        SearchCost {
            nodes,
            exhausted: end == NaiveEnd::OutOfBudget,
            solution,
        }
    }
}
