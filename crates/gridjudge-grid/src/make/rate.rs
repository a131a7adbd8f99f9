//! Rates how hard a grid is for a person, by the techniques needed to solve it without
//! guessing, and for a search, by the number of guesses of a plain search.
//! `docs/generate.md` describes the scale, which applies to every shape.
//!
//! | rating | techniques that suffice |
//! |---|---|
//! | easy | singles: a cell with one candidate, a symbol with one place in a house |
//! | medium | locked candidates, pairs (naked and hidden) |
//! | hard | triples (naked and hidden), X-wings, swordfish, XY-wings |
//! | extreme | more than these |

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::arithmetic::{keep, set_bits};
use crate::house_map::{HouseMap, bits_of, value_of};
use crate::{BLANK, Narrowed, NoCandidate, Shape, Value};

/// The number of guesses after which the search stops: a grid that needs more is
/// useless as a case.
pub const MOST_GUESSES: u64 = 20_000;

/// How hard a grid is for a person.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Rating {
    /// Singles suffice.
    Easy,
    /// Locked candidates and pairs are needed.
    Medium,
    /// Triples, X-wings, swordfish or XY-wings are needed.
    Hard,
    /// None of these techniques suffices.
    Extreme,
}

impl Rating {
    /// All ratings, the easiest first.
    pub const ALL: [Self; 4] = [Self::Easy, Self::Medium, Self::Hard, Self::Extreme];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
            Self::Extreme => "extreme",
        }
    }
}

/// Rates grids of one shape.
#[derive(Clone, Debug)]
pub struct Rater {
    map: Arc<HouseMap>,
    crossings: Vec<HouseIntersection>,
}

impl Rater {
    /// A rater for grids of this shape.
    pub fn new(shape: &Shape) -> Self {
        Self::on(&Arc::new(HouseMap::new(shape)))
    }

    /// A rater that shares the geometry of its shape.
    pub(super) fn on(map: &Arc<HouseMap>) -> Self {
        Self {
            map: Arc::clone(map),
            crossings: crossings(&map.houses),
        }
    }

    /// The rating of a grid with one solution. After each step, the easiest techniques
    /// are tried again first, so a hard step counts only if there was no easier one.
    pub fn rating(&self, clues: &[Value]) -> Rating {
        let Ok(mut grid) = CandidateGrid::new(&self.map, clues) else {
            return Rating::Extreme;
        };
        let mut rating = Rating::Easy;
        loop {
            match self.found(&mut grid) {
                Ok(Some(needed)) => rating = rating.max(needed),
                Ok(None) if grid.is_solved() => return rating,
                // No technique helps, or the grid has no solution.
                Ok(None) | Err(NoCandidate) => return Rating::Extreme,
            }
        }
    }

    /// The number of guesses of a search that finds all solutions of a grid. It follows
    /// singles until nothing changes, then guesses each candidate, the smallest first,
    /// of the first cell among those with the fewest. `None` above [`MOST_GUESSES`].
    pub fn guesses(&self, clues: &[Value]) -> Option<u64> {
        let mut open: Vec<_> =
            CandidateGrid::new(&self.map, clues).into_iter().collect();
        let mut guesses = 0;
        while let Some(mut grid) = open.pop() {
            if singles(&self.map, &mut grid).is_err() {
                continue;
            }
            if let Some((cell, candidates)) = grid.narrowest() {
                guesses += 1;
                if guesses > MOST_GUESSES {
                    return None;
                }
                open.extend(bits(candidates).map(|bit| grid.with(cell, bit)));
            }
        }
        Some(guesses)
    }

    /// Whether singles alone show that a grid has no solution.
    pub(super) fn singles_refute(&self, clues: &[Value]) -> bool {
        CandidateGrid::new(&self.map, clues)
            .and_then(|mut grid| singles(&self.map, &mut grid))
            .is_err()
    }

    /// Applies the easiest technique that makes progress, and returns its rating;
    /// `None` if no technique does.
    fn found(&self, grid: &mut CandidateGrid) -> Result<Option<Rating>, NoCandidate> {
        let map = &self.map;
        if singles(map, grid)? {
            return Ok(Some(Rating::Easy));
        }
        if locked(map, &self.crossings, grid)? || subsets(map, grid, 2)? {
            return Ok(Some(Rating::Medium));
        }
        let is_hard = subsets(map, grid, 3)?
            || fish(map, grid, 2)?
            || fish(map, grid, 3)?
            || wings(map, grid)?;
        Ok(is_hard.then_some(Rating::Hard))
    }
}

// Defines the reasons why a grid of some kind could not be made. Data only.

/// Why a grid cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MakeError {
    /// The kind is for plain 9x9 grids.
    #[error("grids of this kind are 9x9, with boxes of 3x3 and no other regions")]
    NotNine,
    /// No complete grid was found.
    #[error("no complete grid of this shape was found")]
    Full,
    /// No grid with this few clues was found.
    #[error(
        "no grid with {wanted} clues and one solution was found; the one with the fewest had \
         {fewest}"
    )]
    Clues {
        /// The requested number of clues.
        wanted: usize,
        /// The fewest clues of a grid found.
        fewest: usize,
    },
    /// No grid of this rating was found.
    #[error("none of {attempts} minimal grids was rated {}", rating.name())]
    Rated {
        /// The requested rating.
        rating: Rating,
        /// The number of grids that were made.
        attempts: usize,
    },
    /// No grid took the search this many nodes.
    #[error(
        "no grid was found that takes a search `{search}` {nodes} nodes; the worst took {most}"
    )]
    Slow {
        /// The name of the search.
        search: &'static str,
        /// The requested number of nodes.
        nodes: u64,
        /// The most nodes that a grid took.
        most: u64,
    },
    /// No grid had a number of solutions in this range.
    #[error("no grid with {least} to {most} solutions was found")]
    Several {
        /// The least number of solutions.
        least: usize,
        /// The largest number of solutions.
        most: usize,
    },
    /// Singles refute every grid without a solution that was tried.
    #[error("no grid without a solution was found that singles alone do not refute")]
    Unsolvable,
    /// No two clues can clash in a grid of one cell.
    #[error("a grid of one cell has no two clues that could clash")]
    Invalid,
}

// Implements the techniques by which a person solves a grid. Each removes candidates
// and returns whether it removed any.

/// Two houses that share cells: a symbol that is not possible in the rest of one is not
/// possible in the rest of the other.
#[derive(Clone, Debug)]
struct HouseIntersection {
    rest_of_one: Vec<usize>,
    rest_of_other: Vec<usize>,
}

/// Follows cells with one candidate, symbols with one place, and the limits of cages
/// and inequalities, until nothing changes.
pub(super) fn singles(map: &HouseMap, grid: &mut CandidateGrid) -> Narrowed {
    let mut moved = false;
    while naked_singles(&map.peers, grid)?
        || hidden_singles(&map.houses, map.values, grid)?
        || arithmetic(map, grid)?
    {
        moved = true;
    }
    Ok(moved)
}

/// Removes the value of each decided cell from its peers, until nothing changes.
/// Returns whether that removed any candidate.
///
/// # Errors
/// Returns [`NoCandidate`] if no candidate of a cell is left.
pub fn naked_singles(peers: &[Vec<usize>], grid: &mut CandidateGrid) -> Narrowed {
    let mut moved = false;
    let is_new = |grid: &CandidateGrid, cell: usize| {
        grid.candidates[cell].is_power_of_two() && !grid.settled[cell]
    };
    let mut open: Vec<_> = (0..grid.candidates.len())
        .filter(|&cell| is_new(grid, cell))
        .collect();
    while let Some(cell) = open.pop() {
        if std::mem::replace(&mut grid.settled[cell], true) {
            continue;
        }
        for &peer in &peers[cell] {
            if grid.remove(peer, grid.candidates[cell])? {
                moved = true;
                if is_new(grid, peer) {
                    open.push(peer);
                }
            }
        }
    }
    Ok(moved)
}

fn arithmetic(map: &HouseMap, grid: &mut CandidateGrid) -> Narrowed {
    match &map.arithmetic {
        Some(arithmetic) => arithmetic.narrow(&mut grid.candidates),
        None => Ok(false),
    }
}

/// Decides the cells that are the only place of a symbol in one of these houses, which
/// must hold all symbols. Returns whether that removed any candidate.
///
/// # Errors
/// Returns [`NoCandidate`] if a symbol has no place, or two have the same.
pub fn hidden_singles(
    houses: &[Vec<usize>],
    values: usize,
    grid: &mut CandidateGrid,
) -> Narrowed {
    let all = (1u32 << values) - 1;
    let mut moved = false;
    for house in houses {
        let (once, twice) = house.iter().fold((0, 0), |(once, twice), &cell| {
            (
                once | grid.candidates[cell],
                twice | once & grid.candidates[cell],
            )
        });
        if once != all {
            return Err(NoCandidate);
        }
        for &cell in house {
            let single = grid.candidates[cell] & !twice;
            if single != 0 && single != grid.candidates[cell] {
                moved |= grid.remove(cell, !single)?;
            }
            // Two symbols have this cell as their only place.
            if single != 0 && !single.is_power_of_two() {
                return Err(NoCandidate);
            }
        }
    }
    Ok(moved)
}

/// The pairs of houses that share at least two cells, in both directions.
fn crossings(houses: &[Vec<usize>]) -> Vec<HouseIntersection> {
    let mut found = vec![];
    for one in houses {
        for other in houses.iter().filter(|other| *other != one) {
            let outside = |from: &[usize], house: &[usize]| -> Vec<usize> {
                from.iter()
                    .copied()
                    .filter(|cell| !house.contains(cell))
                    .collect()
            };
            let rest_of_one = outside(one, other);
            if rest_of_one.len() + 2 <= one.len() && !rest_of_one.is_empty() {
                found.push(HouseIntersection {
                    rest_of_one,
                    rest_of_other: outside(other, one),
                });
            }
        }
    }
    found
}

/// Locked candidates: if all places of a symbol in one house are also in another, the
/// symbol is not in the rest of the other.
fn locked(
    map: &HouseMap,
    crossings: &[HouseIntersection],
    grid: &mut CandidateGrid,
) -> Narrowed {
    for crossing in crossings {
        let rest = crossing
            .rest_of_one
            .iter()
            .fold(0, |mask, &cell| mask | grid.candidates[cell]);
        let locked = ((1 << map.values) - 1) & !rest;
        if locked != 0
            && grid.remove_all(crossing.rest_of_other.iter().copied(), locked)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Subsets: if `size` cells of a house have `size` candidates between them, these are
/// nowhere else in the house; if `size` symbols have `size` places between them, no
/// other symbols are there.
fn subsets(map: &HouseMap, grid: &mut CandidateGrid, size: usize) -> Narrowed {
    for house in &map.houses {
        let cells: Vec<_> = house.iter().map(|&cell| grid.candidates[cell]).collect();
        for (chosen, union) in closed(&cells, size) {
            let others = set_bits(!chosen).map_while(|place| house.get(place));
            if grid.remove_all(others.copied(), union)? {
                return Ok(true);
            }
        }
        let places: Vec<_> = (0..map.values)
            .map(|symbol| places_of(house, grid, 1 << symbol))
            .collect();
        for (chosen, union) in closed(&places, size) {
            let cells = set_bits(union).map(|place| house[place]);
            if grid.remove_all(cells, !chosen)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Fish: if a symbol has places only in the same `size` columns in `size` rows, it is
/// nowhere else in these columns. The same holds with rows and columns exchanged.
fn fish(map: &HouseMap, grid: &mut CandidateGrid, size: usize) -> Narrowed {
    let order = map.order;
    // In a magic square, a line need not hold a symbol.
    if map.values != order {
        return Ok(false);
    }
    for bit in (0..order).map(|symbol| 1u32 << symbol) {
        for is_turned in [false, true] {
            let cell = |line: usize, place: usize| {
                if is_turned {
                    order * place + line
                } else {
                    order * line + place
                }
            };
            let lines: Vec<_> = (0..order)
                .map(|line| {
                    let cells: Vec<_> =
                        (0..order).map(|place| cell(line, place)).collect();
                    places_of(&cells, grid, bit)
                })
                .collect();
            for (chosen, union) in closed(&lines, size) {
                let crossed = (0..order)
                    .filter(|line| chosen & (1 << line) == 0)
                    .flat_map(|line| {
                        set_bits(union).map(move |place| cell(line, place))
                    });
                if grid.remove_all(crossed, bit)? {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// XY-wings: if a cell with the candidates a and b sees a cell with a and c and a cell
/// with b and c, then c is in no cell that sees both of them.
fn wings(map: &HouseMap, grid: &mut CandidateGrid) -> Narrowed {
    let pair = |grid: &CandidateGrid, cell: usize| {
        Some(grid.candidates[cell]).filter(|mask| mask.count_ones() == 2)
    };
    for pivot in 0..grid.candidates.len() {
        let Some(hinge) = pair(grid, pivot) else {
            continue;
        };
        for &one in &map.peers[pivot] {
            let Some(left) =
                pair(grid, one).filter(|mask| (mask & hinge).count_ones() == 1)
            else {
                continue;
            };
            let wanted = left ^ hinge;
            for &other in map.peers[pivot].iter().filter(|&&other| other > one) {
                if grid.candidates[other] != wanted {
                    continue;
                }
                if grid.remove_all(
                    map.peers[one]
                        .iter()
                        .filter(|cell| map.peers[other].binary_search(cell).is_ok())
                        .copied(),
                    left & wanted,
                )? {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// The places of a symbol in a list of cells, as bits.
fn places_of(cells: &[usize], grid: &CandidateGrid, bit: u32) -> u32 {
    cells
        .iter()
        .enumerate()
        .filter(|(_, cell)| grid.candidates[**cell] & bit != 0)
        .fold(0, |mask, (place, _)| mask | 1 << place)
}

/// All choices of `size` masks, each of at least two bits, that have `size` bits
/// between them: the chosen masks (as bits), and their bits.
fn closed(masks: &[u32], size: usize) -> Vec<(u32, u32)> {
    let useful = (0..masks.len())
        .filter(|&place| (2..=size as u32).contains(&masks[place].count_ones()))
        .fold(0u32, |all, place| all | 1 << place);
    let mut choices = vec![(0u32, 0u32)];
    for _ in 0..size {
        let mut longer = vec![];
        for (chosen, union) in choices {
            // Only masks after the last chosen one are added, so that each choice is
            // made once.
            let beyond = if chosen == 0 {
                useful
            } else {
                useful & !(u32::MAX >> chosen.leading_zeros())
            };
            longer.extend(bits(beyond).filter_map(|bit| {
                let wider = union | masks[bit.trailing_zeros() as usize];
                (wider.count_ones() as usize <= size).then_some((chosen | bit, wider))
            }));
        }
        choices = longer;
    }
    choices
}

// Holds the candidates of a grid.

/// The candidates of every cell; bit `v - 1` stands for value `v`.
#[derive(Clone)]
pub struct CandidateGrid {
    /// Row-major.
    pub candidates: Vec<u32>,
    /// The cells whose value has been removed from their peers.
    settled: Vec<bool>,
}

impl CandidateGrid {
    /// The initial candidates: those given by the clues alone.
    pub(super) fn new(map: &HouseMap, clues: &[Value]) -> Result<Self, NoCandidate> {
        let all = (1u32 << map.values) - 1;
        if (0..clues.len()).any(|cell| {
            clues[cell] != BLANK
                && map.peers[cell]
                    .iter()
                    .any(|&peer| clues[peer] == clues[cell])
        }) {
            return Err(NoCandidate);
        }
        Ok(Self::with_tries(clues, all))
    }

    /// The clues, and these candidates in each blank cell.
    pub fn with_tries(clues: &[Value], tries: u32) -> Self {
        Self {
            candidates: bits_of(clues, tries),
            settled: vec![false; clues.len()],
        }
    }

    fn is_solved(&self) -> bool {
        self.candidates
            .iter()
            .all(|candidates| candidates.is_power_of_two())
    }

    /// Removes candidates from a cell. Returns whether it had any of them.
    fn remove(&mut self, cell: usize, bits: u32) -> Narrowed {
        keep(&mut self.candidates[cell], !bits)
    }

    /// Like [`Self::remove`], for several cells.
    fn remove_all(
        &mut self,
        cells: impl IntoIterator<Item = usize>,
        bits: u32,
    ) -> Narrowed {
        let mut moved = false;
        for cell in cells {
            moved |= self.remove(cell, bits)?;
        }
        Ok(moved)
    }

    /// The undecided cell with the fewest candidates, the first if there are several,
    /// and its candidates.
    pub fn narrowest(&self) -> Option<(usize, u32)> {
        self.candidates
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, mask)| !mask.is_power_of_two())
            .min_by_key(|(_, mask)| mask.count_ones())
    }

    /// The values of the decided cells; all other cells are blank.
    pub fn values(&self) -> Vec<Value> {
        self.candidates
            .iter()
            .map(|mask| {
                if mask.is_power_of_two() {
                    value_of(*mask)
                } else {
                    BLANK
                }
            })
            .collect()
    }

    /// The grid in which a cell is decided.
    #[must_use]
    pub fn with(&self, cell: usize, bit: u32) -> Self {
        let mut next = self.clone();
        next.candidates[cell] = bit;
        next
    }
}

/// The bits of a mask, the largest first, so that the smallest is on top if they are
/// pushed on a stack.
pub fn bits(mask: u32) -> impl Iterator<Item = u32> {
    (0..u32::BITS)
        .rev()
        .map(|place| 1 << place)
        .filter(move |bit| mask & bit != 0)
}

#[cfg(test)]
mod tests;
