//! Rates how hard a grid is for a person, by the techniques needed to solve it without guessing,
//! and for a search, by the number of guesses of a plain search. `docs/generate.md` describes the
//! scale, which applies to every shape.
//!
//! | rating | techniques that suffice |
//! |---|---|
//! | easy | singles: a cell with one candidate, a symbol with one place in a house |
//! | medium | locked candidates, pairs (naked and hidden) |
//! | hard | triples (naked and hidden), X-wings, swordfish, XY-wings |
//! | extreme | more than these |

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::house_map::HouseMap;
use crate::make::steps;
use crate::make::steps::{CandidateContradiction, CandidateGrid, HouseIntersection};
use crate::{Shape, Value};

/// The number of guesses after which the search stops: a grid that needs more is useless as a case.
pub const MOST_GUESSES: u64 = 20_000;

/// How hard a grid is for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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
            crossings: steps::crossings(&map.houses),
        }
    }

    /// The rating of a grid with one solution. After each step, the easiest techniques are tried
    /// again first, so a hard step counts only if there was no easier one.
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
                Ok(None) | Err(CandidateContradiction) => return Rating::Extreme,
            }
        }
    }

    /// The number of guesses of a search that finds all solutions of a grid. It follows singles
    /// until nothing changes, then guesses each candidate, the smallest first, of the first cell
    /// among those with the fewest. `None` above [`MOST_GUESSES`].
    pub fn guesses(&self, clues: &[Value]) -> Option<u64> {
        let mut open: Vec<_> = CandidateGrid::new(&self.map, clues).into_iter().collect();
        let mut guesses = 0;
        while let Some(mut grid) = open.pop() {
            if steps::singles(&self.map, &mut grid).is_err() {
                continue;
            }
            if let Some((cell, candidates)) = grid.narrowest() {
                guesses += 1;
                if guesses > MOST_GUESSES {
                    return None;
                }
                open.extend(steps::bits(candidates).map(|bit| grid.with(cell, bit)));
            }
        }
        Some(guesses)
    }

    /// Whether singles alone show that a grid has no solution.
    pub(super) fn singles_refute(&self, clues: &[Value]) -> bool {
        CandidateGrid::new(&self.map, clues)
            .and_then(|mut grid| steps::singles(&self.map, &mut grid))
            .is_err()
    }

    /// Applies the easiest technique that makes progress, and returns its rating; `None` if no
    /// technique does.
    fn found(&self, grid: &mut CandidateGrid) -> Result<Option<Rating>, CandidateContradiction> {
        let map = &self.map;
        if steps::singles(map, grid)? {
            return Ok(Some(Rating::Easy));
        }
        if steps::locked(map, &self.crossings, grid)? || steps::subsets(map, grid, 2)? {
            return Ok(Some(Rating::Medium));
        }
        let is_hard = steps::subsets(map, grid, 3)?
            || steps::fish(map, grid, 2)?
            || steps::fish(map, grid, 3)?
            || steps::wings(map, grid)?;
        Ok(is_hard.then_some(Rating::Hard))
    }
}

// Defines the reasons why a grid of some kind could not be made. Data only.

/// The number of grids tried for one of the requested kind.
pub(super) const ATTEMPTS: usize = 2_000;

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
    #[error("none of {ATTEMPTS} minimal grids was rated {}", .0.name())]
    Rated(Rating),
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

#[cfg(test)]
mod tests;
