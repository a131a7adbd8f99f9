//! The inner loops of the naive searches: bit masks of the values that stand in each house, and a stack of the
//! candidates that are left. Written for speed, because adversarial cases take hundreds of millions of nodes.

use crate::Value;

/// The most houses that one cell is in: row, column, box or region, two diagonals.
pub(super) const MOST_HOUSES: usize = 5;

/// Room for the houses of a grid, a power of two, so that no index has to be checked.
const HOUSES_OF_GRID: usize = 128;

/// The houses that a cell is in.
type CellHouses<const HOUSES: usize> = [u8; HOUSES];

/// How a search ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NaiveEnd {
    /// With a value for each place.
    Solved(Vec<Value>),
    /// All was tried.
    NoSolution,
    /// Not all was tried.
    OutOfBudget,
}

/// The values that stand in each house; bit `v - 1` stands for value `v`.
pub(super) struct HouseMasks<const HOUSES: usize> {
    taken: [u32; HOUSES_OF_GRID],
    all: u32,
}

/// A place of the stack: where, what is placed there, and what is still to be tried.
#[derive(Clone, Copy, Default)]
struct StackLevel {
    place: usize,
    placed: u32,
    left: u32,
}

impl<const HOUSES: usize> HouseMasks<HOUSES> {
    pub(super) fn new(order: usize) -> Self {
        Self { taken: [0; HOUSES_OF_GRID], all: (1 << order) - 1 }
    }

    /// Enters a clue. Says whether it clashes with none.
    pub(super) fn give(&mut self, place: CellHouses<HOUSES>, value: Value) -> bool {
        let bit = 1 << (value - 1);
        let fits = self.candidates(place) & bit != 0;
        self.place(place, bit);
        fits
    }

    /// Fills the places in their order.
    pub(super) fn in_order(&mut self, places: &[CellHouses<HOUSES>], budget: u64) -> (u64, NaiveEnd) {
        let mut levels = vec![StackLevel::default(); places.len()];
        let mut nodes = 0;
        let mut depth = 0;
        if let Some(first) = levels.first_mut() {
            first.left = self.candidates(places[0]);
        }
        while depth < places.len() {
            let level = &mut levels[depth];
            if level.left == 0 {
                if depth == 0 {
                    return (nodes, NaiveEnd::NoSolution);
                }
                depth -= 1;
                self.take_back(places[depth], levels[depth].placed);
                continue;
            }
            if nodes == budget {
                return (nodes, NaiveEnd::OutOfBudget);
            }
            nodes += 1;
            level.placed = level.left & level.left.wrapping_neg();
            level.left ^= level.placed;
            self.place(places[depth], level.placed);
            depth += 1;
            if let Some(next) = levels.get_mut(depth) {
                next.left = self.candidates(places[depth]);
            }
        }
        (nodes, NaiveEnd::Solved(levels.iter().map(|level| value_of(level.placed)).collect()))
    }

    /// Fills the place with the fewest candidates first; of several, the one that is listed first.
    pub(super) fn narrowest_first(&mut self, places: &[CellHouses<HOUSES>], budget: u64) -> (u64, NaiveEnd) {
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
                self.take_back(places[above.place], above.placed);
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
            self.place(places[place], placed);
            values[place] = value_of(placed);
            depth += 1;
            if depth < places.len() {
                levels[depth] = self.narrowest(places, &values);
            }
        }
        (nodes, NaiveEnd::Solved(values))
    }

    /// The open place with the fewest candidates. Looks no further than the first that has one or none.
    fn narrowest(&self, places: &[CellHouses<HOUSES>], values: &[Value]) -> StackLevel {
        let mut found = StackLevel::default();
        let mut fewest = u32::MAX;
        for (place, (&houses, _)) in
            places.iter().zip(values).enumerate().filter(|(_, (_, value))| **value == 0)
        {
            let left = self.candidates(houses);
            let count = left.count_ones();
            if count < fewest {
                (found, fewest) = (StackLevel { place, placed: 0, left }, count);
                if count <= 1 {
                    break;
                }
            }
        }
        found
    }

    fn candidates(&self, place: CellHouses<HOUSES>) -> u32 {
        self.all
            & !place.iter().fold(0, |taken, &house| taken | self.taken[usize::from(house) % HOUSES_OF_GRID])
    }

    fn place(&mut self, place: CellHouses<HOUSES>, bit: u32) {
        place.iter().for_each(|&house| self.taken[usize::from(house) % HOUSES_OF_GRID] |= bit);
    }

    // A house may be listed twice, so bits are cleared, not flipped.
    fn take_back(&mut self, place: CellHouses<HOUSES>, bit: u32) {
        place.iter().for_each(|&house| self.taken[usize::from(house) % HOUSES_OF_GRID] &= !bit);
    }
}

/// The value of a bit.
fn value_of(bit: u32) -> Value {
    // A mask has 25 bits at most.
    bit.trailing_zeros() as Value + 1
}
