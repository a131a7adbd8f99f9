//! Searches depth-first in the graph of a grid's houses: follows singles until nothing
//! changes, then guesses at the place with the fewest choices. Fast on grids that are
//! easy or have many solutions; on others, [`sat_encoding`](super::sat_encoding)
//! continues where it stops. Start at [`DepthFirstSearch`].

use crate::arithmetic::set_bits;
use crate::house_map::{bits_of, houses_of_cells, peers_of_cells, value_of};
use crate::{ArithmeticNarrowing, House, Narrowed, NoCandidate};

/// The candidates at one point of a search.
#[derive(Clone)]
struct SearchState {
    /// Candidates left in every cell, row-major.
    cells: Vec<u32>,
    /// For each house, the symbols that are placed in it.
    placed: Vec<u32>,
    /// The number of cells without a value.
    open: usize,
}

/// A guess: the state before it, and the choices that are tried.
struct SearchFrame {
    before: SearchState,
    choices: Vec<CellChoice>,
    tried: usize,
}

/// A search that stops at each solution. It has a stack of its own, so that no grid
/// overflows the thread's stack.
pub(super) struct DepthFirstSearch<'a> {
    graph: &'a HouseGraph,
    guess: GuessOrder,
    state: SearchState,
    frames: Vec<SearchFrame>,
    singles: Vec<usize>,
    dirty: Vec<usize>,
    is_dirty: Vec<bool>,
    /// Whether the state is where nothing was guessed yet, and without a contradiction.
    is_fresh: bool,
}

impl<'a> DepthFirstSearch<'a> {
    /// A search for the completions of these clues. Propagates the clues at once.
    pub(super) fn new(
        graph: &'a HouseGraph,
        clues: &[u8],
        guess: GuessOrder,
    ) -> Self {
        let state = SearchState {
            cells: bits_of(clues, graph.all),
            placed: vec![0; graph.houses.len()],
            open: clues.len(),
        };
        let mut search = Self {
            graph,
            guess,
            state,
            frames: vec![],
            singles: (0..clues.len())
                .filter(|&cell| clues[cell] != 0 || graph.values == 1)
                .collect(),
            dirty: (0..graph.houses.len()).collect(),
            is_dirty: vec![true; graph.houses.len()],
            is_fresh: false,
        };
        search.is_fresh = search.propagate().is_ok();
        search
    }

    /// The candidates before the first guess, row-major.
    ///
    /// # Panics
    /// If nothing was guessed.
    pub(super) fn first_candidates(&self) -> &[u32] {
        &self.frames[0].before.cells
    }

    /// The solution at which the search stopped.
    pub(super) fn solution(&self) -> Vec<u8> {
        self.state.cells.iter().copied().map(value_of).collect()
    }

    /// Searches for the next solution, and returns whether there is one; `None` if the
    /// allowance was used up. Each dead end takes one from it.
    pub(super) fn next(&mut self, allowance: &mut u64) -> Option<bool> {
        let is_fresh = std::mem::take(&mut self.is_fresh);
        if !is_fresh && !self.try_next_choice(allowance)? {
            return Some(false);
        }
        while self.state.open > 0 {
            self.frames.push(SearchFrame {
                before: self.state.clone(),
                choices: self.alternatives(),
                tried: 0,
            });
            if !self.try_next_choice(allowance)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The subtrees that are fully explored, each as the choices that lead to it.
    pub(super) fn explored(&self) -> Vec<Vec<CellChoice>> {
        let mut path = vec![];
        let mut explored = vec![];
        for frame in &self.frames {
            let Some((&last, done)) = frame.choices[..frame.tried].split_last()
            else {
                break;
            };
            explored.extend(
                done.iter()
                    .map(|&choice| path.iter().copied().chain([choice]).collect()),
            );
            path.push(last);
        }
        explored
    }

    /// Makes the next choice that does not lead to a contradiction at once, and returns
    /// whether there is one; `None` if the allowance was used up.
    fn try_next_choice(&mut self, allowance: &mut u64) -> Option<bool> {
        while let Some(frame) = self.frames.last_mut() {
            let Some(&(cell, bit)) = frame.choices.get(frame.tried) else {
                self.frames.pop();
                continue;
            };
            frame.tried += 1;
            self.state.copy_from(&frame.before);
            self.set(cell, bit);
            if self.propagate().is_ok() {
                return Some(true);
            }
            // The search stops only at a dead end, so each solution found so far is in
            // a subtree of `explored`, and none is on the current path.
            *allowance = allowance.checked_sub(1)?;
        }
        Some(false)
    }

    fn set(&mut self, cell: usize, mask: u32) {
        self.state.cells[cell] = mask;
        self.touch(cell);
        if mask.is_power_of_two() {
            self.singles.push(cell);
        }
    }

    fn touch(&mut self, cell: usize) {
        for &house in &self.graph.houses_of[cell] {
            if !std::mem::replace(&mut self.is_dirty[house], true) {
                self.dirty.push(house);
            }
        }
    }

    /// Removes candidates that singles exclude, until nothing changes.
    fn propagate(&mut self) -> Result<(), NoCandidate> {
        let result = self.propagate_to_fixpoint();
        if result.is_err() {
            self.singles.clear();
            for house in self.dirty.drain(..) {
                self.is_dirty[house] = false;
            }
        }
        result
    }

    fn propagate_to_fixpoint(&mut self) -> Result<(), NoCandidate> {
        loop {
            while let Some(cell) = self.singles.pop() {
                self.settle(cell)?;
            }
            if let Some(house) = self.dirty.pop() {
                self.is_dirty[house] = false;
                self.place_hidden_singles(house)?;
            } else if !self.narrow()? {
                return Ok(());
            }
        }
    }

    /// Removes candidates that cages and inequalities exclude. Returns whether there
    /// were any.
    fn narrow(&mut self) -> Narrowed {
        let graph = self.graph;
        let Some(arithmetic) = &graph.arithmetic else {
            return Ok(false);
        };
        let mut narrowed = self.state.cells.clone();
        let has_moved = arithmetic.narrow(&mut narrowed)?;
        for (cell, mask) in narrowed.into_iter().enumerate() {
            if mask != self.state.cells[cell] {
                self.set(cell, mask);
            }
        }
        Ok(has_moved)
    }

    /// Places the value of a cell with one candidate, and removes it from the cell's
    /// peers.
    fn settle(&mut self, cell: usize) -> Result<(), NoCandidate> {
        let graph = self.graph;
        let bit = self.state.cells[cell];
        let houses = &graph.houses_of[cell];
        if houses
            .iter()
            .all(|&house| self.state.placed[house] & bit != 0)
            && !houses.is_empty()
        {
            // The value was removed from its peers when the cell was first found to be
            // single.
            return Ok(());
        }
        self.state.open -= 1;
        for &house in houses {
            self.state.placed[house] |= bit;
        }
        for &peer in &graph.peers[cell] {
            let mask = self.state.cells[peer];
            if mask & bit != 0 {
                if mask == bit {
                    return Err(NoCandidate);
                }
                self.set(peer, mask & !bit);
            }
        }
        Ok(())
    }

    /// Places symbols that have one cell left in a house.
    fn place_hidden_singles(&mut self, house: usize) -> Result<(), NoCandidate> {
        let graph = self.graph;
        let (once, twice, _) = self.census(house);
        if once != graph.all {
            return Err(NoCandidate);
        }
        let mut hidden = once & !twice & !self.state.placed[house];
        for &cell in &graph.houses[house] {
            if hidden == 0 {
                break;
            }
            let mask = self.state.cells[cell];
            let single = mask & hidden;
            if single == 0 {
                continue;
            }
            if !single.is_power_of_two() {
                return Err(NoCandidate);
            }
            hidden &= !single;
            if mask != single {
                self.set(cell, single);
            }
        }
        Ok(())
    }

    /// The symbols with at least one, two and three possible cells in a house.
    fn census(&self, house: usize) -> (u32, u32, u32) {
        self.graph.houses[house].iter().fold(
            (0, 0, 0),
            |(once, twice, thrice), &cell| {
                let mask = self.state.cells[cell];
                (once | mask, twice | once & mask, thrice | twice & mask)
            },
        )
    }

    /// The choices of the next guess.
    fn alternatives(&self) -> Vec<CellChoice> {
        let cells = &self.state.cells;
        let mut open =
            (0..cells.len()).filter(|&cell| !cells[cell].is_power_of_two());
        let cell = match self.guess {
            GuessOrder::InOrder => open.next(),
            GuessOrder::Narrowest => {
                open.min_by_key(|&cell| cells[cell].count_ones())
            }
        };
        let cell = cell.expect("some cell is open");
        if self.guess == GuessOrder::Narrowest
            && cells[cell].count_ones() > 2
            && let Some(places) = self.symbol_with_two_places()
        {
            return places;
        }
        set_bits(cells[cell])
            .map(|place| (cell, 1 << place))
            .collect()
    }

    fn symbol_with_two_places(&self) -> Option<Vec<CellChoice>> {
        (0..self.graph.houses.len()).find_map(|house| {
            let (_, twice, thrice) = self.census(house);
            let pairs = twice & !thrice;
            let bit = pairs & pairs.wrapping_neg();
            (bit != 0).then(|| {
                self.graph.houses[house]
                    .iter()
                    .filter(|&&cell| self.state.cells[cell] & bit != 0)
                    .map(|&cell| (cell, bit))
                    .collect()
            })
        })
    }
}

impl SearchState {
    fn copy_from(&mut self, other: &Self) {
        self.cells.copy_from_slice(&other.cells);
        self.placed.copy_from_slice(&other.placed);
        self.open = other.open;
    }
}

// Holds the houses of a grid, laid out for searching: which cells share a house, and
// where houses cross.

/// The geometry shared by all searches of one solver.
#[derive(Clone, Debug)]
pub(super) struct HouseGraph {
    /// The number of symbols.
    pub(super) values: usize,
    /// Candidates of an untouched cell: bit `v - 1` stands for value `v`.
    all: u32,
    pub(super) houses: Vec<Vec<usize>>,
    /// For each cell, the houses it is in.
    houses_of: Vec<Vec<usize>>,
    /// For each cell, the cells that must not have its value: they share a house with
    /// it, or a cage without repetitions.
    peers: Vec<Vec<usize>>,
    /// Sets of at least two cells that two houses share.
    pub(super) segments: Vec<Vec<usize>>,
    /// For each house, the ways to divide it into parts; at least one. A part is a cell,
    /// by its number, or a segment, by its number after those of all cells.
    pub(super) divisions: Vec<Vec<Vec<usize>>>,
    /// Cages and inequalities. Clauses cannot express them.
    pub(super) arithmetic: Option<ArithmeticNarrowing>,
}

impl HouseGraph {
    /// The geometry of `cells` cells with houses of `values` cells each, and with cages
    /// and inequalities.
    pub(super) fn new(
        cells: usize,
        values: usize,
        houses: &[House],
        arithmetic: Option<ArithmeticNarrowing>,
    ) -> Self {
        let mut distinct: Vec<Vec<usize>> = vec![];
        for house in houses {
            let mut house = house.cells.clone();
            house.sort_unstable();
            if !distinct.contains(&house) {
                distinct.push(house);
            }
        }
        let mut segments = vec![];
        let divisions = distinct
            .iter()
            .map(|house| divided(house, &distinct, cells, &mut segments))
            .collect();
        Self {
            values,
            all: (1 << values) - 1,
            houses_of: houses_of_cells(cells, &distinct),
            peers: peers_of_cells(cells, &distinct, arithmetic.as_ref()),
            houses: distinct,
            segments,
            divisions,
            arithmetic,
        }
    }
}

/// The ways to divide a house along the houses that cross it: a box by rows, by columns
/// and by a diagonal. A house that shares at most one cell with each other house is
/// divided into its cells. New segments are added to the others.
fn divided(
    house: &[usize],
    houses: &[Vec<usize>],
    cells: usize,
    segments: &mut Vec<Vec<usize>>,
) -> Vec<Vec<usize>> {
    let mut ways: Vec<Vec<Vec<usize>>> = vec![];
    for other in houses.iter().filter(|other| **other != house) {
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
        ways.push(vec![]);
    }
    ways.iter()
        .map(|way| parts_of(house, way, cells, segments))
        .collect()
}

fn parts_of(
    house: &[usize],
    way: &[Vec<usize>],
    cells: usize,
    segments: &mut Vec<Vec<usize>>,
) -> Vec<usize> {
    let mut parts = house.to_vec();
    parts.retain(|cell| !way.iter().flatten().any(|other| other == cell));
    for segment in way {
        let known = segments.iter().position(|known| known == segment);
        let number = known.unwrap_or_else(|| {
            segments.push(segment.clone());
            segments.len() - 1
        });
        parts.push(cells + number);
    }
    parts
}

// Defines the choices of a depth-first search. Data only.

/// A cell and the candidate (as a bit) that is tried there.
pub(super) type CellChoice = (usize, u32);

/// How the place of the next guess is chosen.
#[derive(PartialEq, Eq)]
pub(super) enum GuessOrder {
    /// The place with the fewest choices left.
    Narrowest,
    /// The first open cell, smallest value first: solutions come in lexicographic
    /// order.
    InOrder,
}

// Defines how long a search may take, and the error of a search that was stopped. Data
// only.

/// The number of dead ends after which a search stops. Dead ends are counted, not time,
/// so that the load of a machine does not change the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchBounds {
    /// Dead ends of the depth-first search for a first solution, after which the SAT
    /// solver takes over.
    pub patience: u64,
    /// Dead ends of the SAT solver, for each solution.
    pub dead_ends: u64,
}

impl Default for SearchBounds {
    /// More patience did not help on any set of grids that was tried. Minimal grids of
    /// order 25 need up to some hundred thousand dead ends, each about 50 microseconds.
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
