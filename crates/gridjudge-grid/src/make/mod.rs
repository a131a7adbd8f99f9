//! Makes grids: random ones, minimal ones, hard ones, and ones that are slow for a
//! given search. The same seed gives the same grid on every machine and in every
//! version, however the solver works: makers use only results that do not depend on its
//! search order, such as the number of solutions. Start at [`GridMaker::make`].

mod adversarial;
mod clue_removal;
mod fill;
mod rate;
mod rng;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::house_map::HouseMap;
use crate::naive::{NaiveSearch, NaiveSearcher};
use crate::solve::Solver;
use crate::solve::nine::BatchSolver;
pub use crate::symbols::renamed;
use crate::{Arithmetic, ArithmeticBreach, ArithmeticNarrowing, BLANK, Shape, Value};
use clue_removal::{CellGroups, ClueRemoval};
pub use fill::random_regions;
pub use rate::{
    CandidateGrid, MOST_GUESSES, MakeError, Rater, Rating, bits, hidden_singles,
    naked_singles,
};
pub use rng::SeededRng;

/// How many grids are tried for one of the requested kind: of small orders in seconds,
/// of orders above `LARGEST_QUICK`, where one takes some tenths of a second, in about
/// half a minute.
const ATTEMPTS: usize = 2_000;
const ATTEMPTS_OF_LARGE: usize = 100;
const LARGEST_QUICK: usize = 14;

// Selects how to make a grid of each kind.

/// Makes grids of one shape.
pub struct GridMaker {
    map: Arc<HouseMap>,
    solver: Solver,
    /// Solves many plain 9x9 grids side by side; `None` for other shapes.
    batch: Option<Box<BatchSolver>>,
    rater: Rater,
    searcher: NaiveSearcher,
}

impl GridMaker {
    /// A maker of grids of this shape.
    pub fn new(shape: &Shape) -> Self {
        let map = Arc::new(HouseMap::new(shape));
        Self {
            solver: Solver::new(shape),
            batch: shape.is_plain_nine().then(Box::default),
            rater: Rater::on(&map),
            map: Arc::clone(&map),
            searcher: NaiveSearcher::new(shape),
        }
    }

    /// Makes one grid: row-major, 0 for blank.
    ///
    /// # Errors
    /// Returns [`MakeError`] if there is no such grid, or none was found.
    pub fn make(
        &mut self,
        kind: GridKind,
        rng: &mut SeededRng,
    ) -> Result<Vec<Value>, MakeError> {
        match kind {
            GridKind::Complete => self.full(rng),
            GridKind::Clues(clues) => self.with_clues(clues, rng),
            GridKind::Minimal => self.minimal(rng),
            GridKind::Symmetric(symmetry) => {
                let groups = symmetry.groups(self.map.order);
                self.thinned(&groups, 0, rng)
            }
            GridKind::Seventeen | GridKind::Slow { .. } if self.batch.is_none() => {
                Err(MakeError::NotNine)
            }
            GridKind::Seventeen => Ok(adversarial::turned(rng)),
            GridKind::Rated(rating) => self.rated(rating, rng),
            GridKind::Slow { search, nodes } => {
                adversarial::slow(&self.searcher, &self.solver, search, nodes, rng)
            }
            GridKind::Several { least, most } => self.several(least, most, rng),
            GridKind::Unsolvable => self.unsolvable(rng),
            GridKind::Invalid if self.map.order < 2 => Err(MakeError::Invalid),
            GridKind::Invalid => Ok(invalid(&self.map, self.full(rng)?, rng)),
        }
    }

    /// Makes a grid from each of several generators. The grids are those that
    /// [`make`](Self::make) makes, but their solutions are counted side by side if that
    /// is faster.
    ///
    /// # Errors
    /// Returns the first [`MakeError`].
    pub fn make_many(
        &mut self,
        kind: GridKind,
        rng: &mut [SeededRng],
    ) -> Result<Vec<Vec<Value>>, MakeError> {
        let groups = match kind {
            GridKind::Minimal => self.single_cells(),
            GridKind::Symmetric(symmetry) => symmetry.groups(self.map.order),
            _ => return rng.iter_mut().map(|rng| self.make(kind, rng)).collect(),
        };
        self.thinned_together(&groups, 0, rng)
    }

    fn full(&self, rng: &mut SeededRng) -> Result<Vec<Value>, MakeError> {
        fill::full_grid(&self.map, &self.solver, rng)
    }

    /// The number of grids tried for one of the requested kind.
    fn attempts(&self) -> usize {
        if self.map.order > LARGEST_QUICK {
            ATTEMPTS_OF_LARGE
        } else {
            ATTEMPTS
        }
    }

    fn rated(
        &mut self,
        rating: Rating,
        rng: &mut SeededRng,
    ) -> Result<Vec<Value>, MakeError> {
        let attempts = self.attempts();
        for _ in 0..attempts {
            let cells = self.minimal(rng)?;
            if self.rater.rating(&cells) == rating {
                return Ok(cells);
            }
        }
        Err(MakeError::Rated { rating, attempts })
    }

    /// A minimal grid from which further clues are removed, except those whose removal
    /// leaves too many solutions.
    fn several(
        &mut self,
        least: usize,
        most: usize,
        rng: &mut SeededRng,
    ) -> Result<Vec<Value>, MakeError> {
        let limit = most.saturating_add(1) as u64;
        for _ in 0..self.attempts() {
            let mut cells = self.minimal(rng)?;
            for cell in rng.order(cells.len()) {
                let clue = std::mem::replace(&mut cells[cell], BLANK);
                match self.solver.count(&cells, limit) {
                    _ if clue == BLANK => {}
                    Ok(count) if count < least as u64 => {}
                    Ok(count) if count < limit => return Ok(cells),
                    _ => cells[cell] = clue,
                }
            }
        }
        Err(MakeError::Several { least, most })
    }
}

// Makes grids in which two clues clash and nothing else is wrong.

/// Changes a complete grid so that exactly two clues clash. Half of the grids keep all
/// cells that do not clash with these two; the others keep fewer, down to a third.
fn invalid(map: &HouseMap, mut cells: Vec<Value>, rng: &mut SeededRng) -> Vec<Value> {
    let house = &map.houses[rng.below(map.houses.len())];
    let places = rng.order(house.len());
    let kept = house[places[0]];
    let changed = house[places[1]];
    let value = cells[kept];
    cells[changed] = value;
    for &peer in map.peers[changed].iter().filter(|&&peer| peer != kept) {
        if cells[peer] == value {
            cells[peer] = BLANK;
        }
    }
    if rng.below(2) == 0 {
        let blanks = rng.below(2 * cells.len() / 3 + 1);
        for cell in rng
            .order(cells.len())
            .into_iter()
            .filter(|&cell| cell != kept && cell != changed)
            .take(blanks)
        {
            cells[cell] = BLANK;
        }
    }
    let demands = map.arithmetic.as_ref().map(ArithmeticNarrowing::demands);
    while let Some(cell) =
        demands.and_then(|demands| broken_elsewhere(demands, &cells, [kept, changed]))
    {
        cells[cell] = BLANK;
    }
    cells
}

/// A cell in a broken cage or inequality, other than the two that clash; `None` if
/// there is none.
fn broken_elsewhere(
    demands: &Arithmetic,
    cells: &[Value],
    clashing: [usize; 2],
) -> Option<usize> {
    demands.breaches(cells).find_map(|breach| {
        let involved = match breach {
            ArithmeticBreach::Repeated { first, second, .. } => vec![first, second],
            ArithmeticBreach::Target { cage, .. } => {
                demands.cages[cage].cells.clone()
            }
            ArithmeticBreach::NotLess(pair) => vec![pair.less, pair.greater],
        };
        involved.into_iter().find(|cell| !clashing.contains(cell))
    })
}

// Makes grids without a solution for which that is hard to find out.

/// The number of grids among which the one that takes the most guesses is chosen.
const GRIDS: usize = 16;

/// The most grids that are tried to find these.
const UNSOLVABLE_ATTEMPTS: usize = 400;

impl GridMaker {
    /// A grid without a solution: one with a single solution, plus a wrong clue. Of
    /// several, it is the one that takes the most guesses to refute. Singles alone do
    /// not refute it.
    fn unsolvable(&mut self, rng: &mut SeededRng) -> Result<Vec<Value>, MakeError> {
        let mut found = vec![];
        for _ in 0..UNSOLVABLE_ATTEMPTS {
            if found.len() == GRIDS {
                break;
            }
            found.extend(self.spoilt(rng)?);
        }
        found
            .into_iter()
            .max_by_key(|(guesses, _)| *guesses)
            .map(|(_, cells)| cells)
            .ok_or(MakeError::Unsolvable)
    }

    /// A grid with a wrong clue, and the guesses it takes to refute it; `None` if
    /// singles refute every choice of that clue, or if it takes too many guesses.
    fn spoilt(
        &mut self,
        rng: &mut SeededRng,
    ) -> Result<Option<(u64, Vec<Value>)>, MakeError> {
        let mut cells = self.minimal(rng)?;
        // There is one.
        let solution = self
            .solver
            .solutions(&cells, 1)
            .unwrap_or_default()
            .concat();
        for cell in rng
            .order(cells.len())
            .into_iter()
            .filter(|&cell| cells[cell] == BLANK)
            .collect::<Vec<_>>()
        {
            for value in rng.values(self.map.values) {
                cells[cell] = value;
                if value != solution[cell] && !self.rater.singles_refute(&cells) {
                    return Ok(self
                        .rater
                        .guesses(&cells)
                        .map(|guesses| (guesses, cells)));
                }
            }
            cells[cell] = BLANK;
        }
        Ok(None)
    }
}

// Makes grids by removing clues from random complete ones: minimal grids, symmetric
// ones, and ones with a given number of clues.

impl GridMaker {
    /// A grid of which no clue can be removed.
    fn minimal(&mut self, rng: &mut SeededRng) -> Result<Vec<Value>, MakeError> {
        self.thinned(&self.single_cells(), 0, rng)
    }

    /// A grid with the wanted number of clues.
    fn with_clues(
        &mut self,
        wanted: usize,
        rng: &mut SeededRng,
    ) -> Result<Vec<Value>, MakeError> {
        let mut fewest = self.map.houses_of.len();
        for _ in 0..self.attempts() {
            let cells = self.thinned(&self.single_cells(), wanted, rng)?;
            let clues = adversarial::clues_in(&cells);
            if clues == wanted {
                return Ok(cells);
            }
            fewest = fewest.min(clues);
        }
        Err(MakeError::Clues { wanted, fewest })
    }

    /// A random complete grid in which groups of cells are blanked as long as exactly
    /// one solution and at least `least` clues are left.
    fn thinned(
        &mut self,
        groups: &CellGroups,
        least: usize,
        rng: &mut SeededRng,
    ) -> Result<Vec<Value>, MakeError> {
        let mut grids =
            self.thinned_together(groups, least, std::slice::from_mut(rng))?;
        Ok(grids.swap_remove(0))
    }

    /// Like [`Self::thinned`], for several generators, with the solutions of all grids
    /// counted side by side.
    fn thinned_together(
        &mut self,
        groups: &CellGroups,
        least: usize,
        rng: &mut [SeededRng],
    ) -> Result<Vec<Vec<Value>>, MakeError> {
        let mut thinnings = rng
            .iter_mut()
            .map(|rng| {
                let full = self.full(rng)?;
                let order = rng.order(groups.len());
                Ok(ClueRemoval::new(&self.map, full, groups, order, least))
            })
            .collect::<Result<Vec<_>, _>>()?;
        loop {
            let questions: Vec<_> =
                thinnings.iter().filter_map(ClueRemoval::question).collect();
            let answers = self.are_unique(&questions);
            if answers.is_empty() {
                return Ok(thinnings
                    .into_iter()
                    .map(|thinning| thinning.cells)
                    .collect());
            }
            for (thinning, is_unique) in thinnings
                .iter_mut()
                .filter(|thinning| thinning.question().is_some())
                .zip(answers)
            {
                thinning.answer(is_unique);
            }
        }
    }

    /// Whether each of these grids is known to have exactly one solution. False if a
    /// grid is too hard to decide.
    fn are_unique(&mut self, grids: &[&[Value]]) -> Vec<bool> {
        match &mut self.batch {
            // The batch is slower for a single grid.
            Some(batch) if grids.len() > 1 => {
                let puzzles: Vec<_> = grids
                    .iter()
                    .map(|cells| std::array::from_fn(|cell| cells[cell]))
                    .collect();
                let mut outcomes = vec![];
                batch.solve(&puzzles, 2, &mut outcomes);
                outcomes.iter().map(|outcome| outcome.count == 1).collect()
            }
            _ => grids
                .iter()
                .map(|cells| self.solver.count(cells, 2) == Ok(1))
                .collect(),
        }
    }

    /// Groups of one cell each.
    fn single_cells(&self) -> CellGroups {
        (0..self.map.houses_of.len())
            .map(|cell| vec![cell])
            .collect()
    }
}

// Defines the kinds of grids that can be made. Data only.

/// The kind of grid to make. All except the last three have exactly one solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GridKind {
    /// A grid without blanks.
    Complete,
    /// A grid with this many clues.
    Clues(usize),
    /// A grid of which no clue can be removed.
    Minimal,
    /// A grid with a symmetric pattern of clues, of which no group of symmetric clues
    /// can be removed.
    Symmetric(Symmetry),
    /// A grid with 17 clues. Plain 9x9 only.
    Seventeen,
    /// A grid with this rating, of which no clue can be removed.
    Rated(Rating),
    /// A grid that takes a naive search at least this many nodes. Plain 9x9 only.
    Slow {
        /// The search.
        search: NaiveSearch,
        /// The nodes.
        nodes: u64,
    },
    /// A grid with a number of solutions in this range. No more clues are removed than
    /// necessary.
    Several {
        /// The least number of solutions.
        least: usize,
        /// The largest number of solutions.
        most: usize,
    },
    /// A grid without a solution that singles alone do not refute.
    Unsolvable,
    /// A grid with two clues that clash and no other mistake. Order 2 or more.
    Invalid,
}

// Defines the symmetries that the pattern of clues may have.

/// A transformation under which the pattern of clues stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Symmetry {
    /// Half a turn.
    HalfTurn,
    /// A quarter of a turn.
    QuarterTurn,
    /// Left and right exchanged.
    LeftRight,
    /// Top and bottom exchanged.
    TopBottom,
    /// Rows and columns exchanged.
    Diagonal,
    /// Rows and columns exchanged along the other diagonal.
    OtherDiagonal,
}

impl Symmetry {
    /// All symmetries, with their names.
    pub const ALL: [(&'static str, Self); 6] = [
        ("half-turn", Self::HalfTurn),
        ("quarter-turn", Self::QuarterTurn),
        ("left-right", Self::LeftRight),
        ("top-bottom", Self::TopBottom),
        ("diagonal", Self::Diagonal),
        ("other-diagonal", Self::OtherDiagonal),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(_, known)| *known == self)
            .map_or("", |(name, _)| name)
    }

    /// The groups of cells that map to each other, each group sorted, ordered by their
    /// first cells.
    fn groups(self, order: usize) -> CellGroups {
        let mut groups: Vec<Vec<_>> = (0..order * order)
            .map(|cell| {
                let mut group = vec![cell];
                let mut next = self.image(cell, order);
                while next != cell {
                    group.push(next);
                    next = self.image(next, order);
                }
                group.sort_unstable();
                group
            })
            .collect();
        // Each cell of a group has given it.
        groups.sort_unstable();
        groups.dedup();
        groups.into()
    }

    fn image(self, cell: usize, order: usize) -> usize {
        let last = order - 1;
        let row = cell / order;
        let column = cell % order;
        let (row, column) = match self {
            Self::HalfTurn => (last - row, last - column),
            Self::QuarterTurn => (column, last - row),
            Self::LeftRight => (row, last - column),
            Self::TopBottom => (last - row, column),
            Self::Diagonal => (column, row),
            Self::OtherDiagonal => (last - column, last - row),
        };
        order * row + column
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod symmetry_tests {
    use super::*;

    #[test]
    fn groups_hold_every_cell_once_and_are_as_large_as_the_symmetry() {
        for (name, symmetry) in Symmetry::ALL {
            for order in [4, 9] {
                let groups = symmetry.groups(order);
                let mut cells: Vec<_> = groups.concat();
                cells.sort_unstable();
                assert_eq!(cells, (0..order * order).collect::<Vec<_>>(), "{name}");
                let largest = groups.iter().map(Vec::len).max();
                assert_eq!(
                    largest,
                    Some(if symmetry == Symmetry::QuarterTurn {
                        4
                    } else {
                        2
                    }),
                    "{name}"
                );
            }
        }
    }
}
