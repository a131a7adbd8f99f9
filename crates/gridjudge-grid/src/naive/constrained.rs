//! Runs the naive searches on grids with cages and inequalities, as a beginner writes them: place a
//! value, check whether it breaks anything, continue. A cage counts as broken when it is full and
//! wrong, or over its sum or product. Written plainly, so that the fast solvers can be tested
//! against it.

use crate::house_map::HouseMap;
use crate::naive::kind::NaiveSearch;
use crate::naive::search::NaiveEnd;
use crate::{Arithmetic, ArithmeticBreach, BLANK, Value};

/// A search for the first solution.
pub(super) struct ConstrainedSearch<'a> {
    map: &'a HouseMap,
    arithmetic: &'a Arithmetic,
    naive: NaiveSearch,
    cells: Vec<Value>,
    /// The blank cells in the order in which the search considers them.
    order: Vec<usize>,
    nodes: u64,
    budget: u64,
}

impl<'a> ConstrainedSearch<'a> {
    pub(super) fn new(
        map: &'a HouseMap,
        arithmetic: &'a Arithmetic,
        naive: NaiveSearch,
        clues: &[Value],
        budget: u64,
    ) -> Self {
        let mut order = naive.cells(map.order, clues);
        order.retain(|&cell| clues[cell] == BLANK);
        Self {
            map,
            arithmetic,
            naive,
            cells: clues.to_vec(),
            order,
            nodes: 0,
            budget,
        }
    }

    /// Runs the search. Returns the number of candidates placed and how it ended, with all cells of
    /// a solution.
    pub(super) fn run(mut self) -> (u64, NaiveEnd) {
        let given: Vec<_> = (0..self.cells.len())
            .filter(|&cell| self.cells[cell] != BLANK)
            .collect();
        let end = if given.into_iter().all(|cell| self.keeps_all(cell)) {
            self.fill(0)
        } else {
            NaiveEnd::NoSolution
        };
        (self.nodes, end)
    }

    fn fill(&mut self, filled: usize) -> NaiveEnd {
        let Some(cell) = self.next(filled) else {
            return NaiveEnd::Solved(self.cells.clone());
        };
        for value in self.candidates(cell) {
            if self.nodes == self.budget {
                self.cells[cell] = BLANK;
                return NaiveEnd::OutOfBudget;
            }
            self.nodes += 1;
            self.cells[cell] = value;
            match self.fill(filled + 1) {
                NaiveEnd::NoSolution => {}
                end => return end,
            }
        }
        self.cells[cell] = BLANK;
        NaiveEnd::NoSolution
    }

    fn next(&mut self, filled: usize) -> Option<usize> {
        if !self.naive.is_narrowing() {
            return self.order.get(filled).copied();
        }
        let order = self.order.clone();
        let open = order
            .into_iter()
            .filter(|&cell| self.cells[cell] == BLANK)
            .collect::<Vec<_>>();
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
                .any(|breach| self.is_at(&breach, cell))
    }

    fn is_at(&self, breach: &ArithmeticBreach, cell: usize) -> bool {
        match *breach {
            ArithmeticBreach::Repeated { cage, .. } | ArithmeticBreach::Target { cage, .. } => {
                self.arithmetic.cages[cage].cells.contains(&cell)
            }
            ArithmeticBreach::NotLess(pair) => pair.less == cell || pair.greater == cell,
        }
    }
}
