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
use crate::make::candidates::{CandidateContradiction, CandidateGrid};
use crate::make::steps::HouseIntersection;
use crate::make::{candidates, steps};
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
                open.extend(candidates::bits(candidates).map(|bit| grid.with(cell, bit)));
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

#[cfg(test)]
mod tests;
