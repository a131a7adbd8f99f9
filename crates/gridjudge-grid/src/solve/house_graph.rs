//! Holds the houses of a grid, laid out for searching: which cells share a house, and where houses
//! cross.

use std::collections::BTreeMap;

use crate::ArithmeticNarrowing;

/// The geometry shared by all searches of one solver.
#[derive(Clone, Debug)]
pub(super) struct HouseGraph {
    /// The number of symbols.
    pub(super) values: usize,
    /// Candidates of an untouched cell: bit `v - 1` stands for value `v`.
    pub(super) all: u32,
    pub(super) houses: Vec<Vec<usize>>,
    /// For each cell, the houses it is in.
    pub(super) houses_of: Vec<Vec<usize>>,
    /// For each cell, the cells that must not have its value: they share a house with it, or a cage
    /// without repetitions.
    pub(super) peers: Vec<Vec<usize>>,
    /// Sets of at least two cells that two houses share.
    pub(super) segments: Vec<Vec<usize>>,
    /// For each house, the ways to divide it into segments and single cells; at least one.
    pub(super) divisions: Vec<Vec<Vec<HousePart>>>,
    /// Cages and inequalities. Clauses cannot express them.
    pub(super) arithmetic: Option<ArithmeticNarrowing>,
}

/// A part of a house.
#[derive(Clone, Debug)]
pub(super) enum HousePart {
    /// A single cell.
    Cell(usize),
    /// A segment, by its number.
    Segment(usize),
}

impl HouseGraph {
    /// The geometry of `cells` cells with houses of `values` cells each.
    pub(super) fn new(
        cells: usize,
        values: usize,
        houses: impl IntoIterator<Item = Vec<usize>>,
    ) -> Self {
        let mut distinct: Vec<Vec<usize>> = Vec::new();
        for mut house in houses {
            house.sort_unstable();
            if !distinct.contains(&house) {
                distinct.push(house);
            }
        }
        let mut houses_of = vec![Vec::new(); cells];
        for (number, house) in distinct.iter().enumerate() {
            house.iter().for_each(|&cell| houses_of[cell].push(number));
        }
        let peers = peers(&distinct, &houses_of);
        let mut segments = SegmentTable::default();
        let divisions = (0..distinct.len())
            .map(|house| segments.divide(house, &distinct))
            .collect();
        let all = (1 << values) - 1;
        let segments = segments.list;
        Self {
            values,
            all,
            houses: distinct,
            houses_of,
            peers,
            segments,
            divisions,
            arithmetic: None,
        }
    }

    /// The same geometry, with cages and inequalities.
    pub(super) fn with_arithmetic(mut self, arithmetic: Option<ArithmeticNarrowing>) -> Self {
        if let Some(arithmetic) = &arithmetic {
            for (cell, peers) in self.peers.iter_mut().enumerate() {
                peers.extend(arithmetic.cage_peers(cell));
                peers.sort_unstable();
                peers.dedup();
            }
        }
        Self { arithmetic, ..self }
    }
}

fn peers(houses: &[Vec<usize>], houses_of: &[Vec<usize>]) -> Vec<Vec<usize>> {
    houses_of
        .iter()
        .enumerate()
        .map(|(cell, own)| {
            let mut peers: Vec<_> = own
                .iter()
                .flat_map(|&house| &houses[house])
                .copied()
                .collect();
            peers.retain(|&peer| peer != cell);
            peers.sort_unstable();
            peers.dedup();
            peers
        })
        .collect()
}

/// The distinct segments found so far.
#[derive(Default)]
struct SegmentTable {
    list: Vec<Vec<usize>>,
    numbers: BTreeMap<Vec<usize>, usize>,
}

impl SegmentTable {
    /// The ways to divide a house along the houses that cross it: a box by rows, by columns and by
    /// a diagonal. A house that shares at most one cell with each other house is divided into its
    /// cells.
    fn divide(&mut self, number: usize, houses: &[Vec<usize>]) -> Vec<Vec<HousePart>> {
        let house = &houses[number];
        let mut ways: Vec<Vec<Vec<usize>>> = Vec::new();
        for other in houses.iter().filter(|&other| other != house) {
            let shared: Vec<_> = house
                .iter()
                .copied()
                .filter(|cell| other.contains(cell))
                .collect();
            if shared.len() < 2 {
                continue;
            }
            match ways
                .iter_mut()
                .find(|way| !way.iter().flatten().any(|cell| shared.contains(cell)))
            {
                Some(way) => way.push(shared),
                None => ways.push(vec![shared]),
            }
        }
        if ways.is_empty() {
            ways.push(Vec::new());
        }
        ways.iter().map(|way| self.parts(house, way)).collect()
    }

    fn parts(&mut self, house: &[usize], segments: &[Vec<usize>]) -> Vec<HousePart> {
        let alone = house
            .iter()
            .filter(|cell| !segments.iter().flatten().any(|other| other == *cell));
        let mut parts: Vec<_> = alone.map(|&cell| HousePart::Cell(cell)).collect();
        for cells in segments {
            let next = self.list.len();
            let number = *self.numbers.entry(cells.clone()).or_insert(next);
            if number == next {
                self.list.push(cells.clone());
            }
            parts.push(HousePart::Segment(number));
        }
        parts
    }
}

// Defines the steps and outcomes of a depth-first search. Data only.

/// A cell has no candidate left, or a house no place for a symbol.
pub(super) struct Contradiction;

/// A cell and the candidate (as a bit) that is tried there.
pub(super) type CellChoice = (usize, u32);

/// The outcome of a step of a search.
pub(super) enum SearchStep {
    /// Another solution was found: `DepthFirstSearch::solution` returns it.
    Found,
    /// There are no more solutions.
    Exhausted,
    /// The allowance of dead ends was used up.
    GaveUp,
}

/// How the place of the next guess is chosen.
#[derive(PartialEq, Eq)]
pub(super) enum GuessOrder {
    /// The place with the fewest choices left.
    Narrowest,
    /// The first open cell, smallest value first: solutions come in lexicographic order.
    InOrder,
}

// Defines how long a search may take, and the error of a search that was stopped. Data only.

/// The number of dead ends after which a search stops. Dead ends are counted, not time, so that the
/// load of a machine does not change the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchBounds {
    /// Dead ends of the depth-first search for a first solution, after which the SAT solver takes
    /// over.
    pub patience: u64,
    /// Dead ends of the SAT solver, for each solution.
    pub dead_ends: u64,
}

impl SearchBounds {
    /// The bounds for a depth-first search without the SAT solver: it may use all dead ends itself.
    pub(super) fn alone(self) -> Self {
        Self {
            patience: self.dead_ends,
            ..self
        }
    }
}

impl Default for SearchBounds {
    /// More patience did not help on any set of grids that was tried. Minimal grids of order 25
    /// need up to some hundred thousand dead ends, each about 50 microseconds.
    fn default() -> Self {
        Self {
            patience: 20,
            dead_ends: 1_000_000,
        }
    }
}

/// The search on a grid was stopped before it had found all solutions requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the solver gave up on this grid after {dead_ends} dead ends")]
pub struct TooHard {
    /// The number of dead ends without finding a solution.
    pub dead_ends: u64,
}
