//! Contains the inner loops of the naive searches, which use bit masks of the values in each house
//! and a stack of the candidates left. Written for speed, because adversarial cases take hundreds
//! of millions of nodes.

use crate::Value;
use crate::house_map::{CellHouses, PlacedValues, value_of};

/// How a search ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NaiveEnd {
    /// With a solution. [`NaiveState`] gives the values of its places, `ConstrainedSearch` those of
    /// all cells.
    Solved(Vec<Value>),
    /// Everything was tried.
    NoSolution,
    /// The budget ran out before everything was tried.
    OutOfBudget,
}

/// The values placed in the grid of a search.
pub(super) struct NaiveState<const HOUSES: usize> {
    taken: PlacedValues<HOUSES>,
    all: u32,
}

/// A level of the stack: the index of a place, the value placed there, and the values still to be
/// tried, as masks.
#[derive(Clone, Copy, Default)]
struct StackLevel {
    place: usize,
    placed: u32,
    left: u32,
}

impl<const HOUSES: usize> NaiveState<HOUSES> {
    pub(super) fn new(order: usize) -> Self {
        Self {
            taken: PlacedValues::new(),
            all: (1 << order) - 1,
        }
    }

    /// Places a clue. Returns whether it clashes with none placed before.
    pub(super) fn give(&mut self, place: CellHouses<HOUSES>, value: Value) -> bool {
        let bit = 1 << (value - 1);
        let fits = self.candidates(&place) & bit != 0;
        self.taken.add(&place, bit);
        fits
    }

    /// Fills the places in their order. Returns the number of nodes and how the search ended.
    pub(super) fn in_order(
        &mut self,
        places: &[CellHouses<HOUSES>],
        budget: u64,
    ) -> (u64, NaiveEnd) {
        let mut levels = vec![StackLevel::default(); places.len()];
        let mut nodes = 0;
        let mut depth = 0;
        if let Some(first) = levels.first_mut() {
            first.left = self.candidates(&places[0]);
        }
        while depth < places.len() {
            let level = &mut levels[depth];
            if level.left == 0 {
                if depth == 0 {
                    return (nodes, NaiveEnd::NoSolution);
                }
                depth -= 1;
                self.taken.remove(&places[depth], levels[depth].placed);
                continue;
            }
            if nodes == budget {
                return (nodes, NaiveEnd::OutOfBudget);
            }
            nodes += 1;
            level.placed = level.left & level.left.wrapping_neg();
            level.left ^= level.placed;
            self.taken.add(&places[depth], level.placed);
            depth += 1;
            if let Some(next) = levels.get_mut(depth) {
                next.left = self.candidates(&places[depth]);
            }
        }
        (
            nodes,
            NaiveEnd::Solved(levels.iter().map(|level| value_of(level.placed)).collect()),
        )
    }

    /// Fills the place with the fewest candidates first; among several, the one listed first.
    /// Returns the number of nodes and how the search ended.
    pub(super) fn narrowest_first(
        &mut self,
        places: &[CellHouses<HOUSES>],
        budget: u64,
    ) -> (u64, NaiveEnd) {
        let mut values = vec![0; places.len()];
        let mut levels = vec![StackLevel::default(); places.len()];
        let mut nodes = 0;
        let mut depth = 0;
        if !places.is_empty() {
            levels[0] = self.narrowest(places, &values);
        }
        while depth < places.len() {
            let level = &mut levels[depth];
            if level.left == 0 {
                if depth == 0 {
                    return (nodes, NaiveEnd::NoSolution);
                }
                depth -= 1;
                let above = levels[depth];
                self.taken.remove(&places[above.place], above.placed);
                values[above.place] = 0;
                continue;
            }
            if nodes == budget {
                return (nodes, NaiveEnd::OutOfBudget);
            }
            nodes += 1;
            level.placed = level.left & level.left.wrapping_neg();
            level.left ^= level.placed;
            let StackLevel { place, placed, .. } = *level;
            self.taken.add(&places[place], placed);
            values[place] = value_of(placed);
            depth += 1;
            if depth < places.len() {
                levels[depth] = self.narrowest(places, &values);
            }
        }
        (nodes, NaiveEnd::Solved(values))
    }

    /// The open place with the fewest candidates. Stops at the first place with at most one.
    fn narrowest(&self, places: &[CellHouses<HOUSES>], values: &[Value]) -> StackLevel {
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
