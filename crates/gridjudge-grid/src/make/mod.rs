//! Grids by construction: random ones, minimal ones, hard ones, and ones that defeat a given search. The same dice
//! give the same grid, on every machine and for ever, however the solver comes to its answers: it is asked only for
//! what does not depend on its ways. Start at [`GridMaker::make`].

mod adversarial;
mod candidates;
mod clue_removal;
mod fill;
mod rate;
mod rng;
mod seventeen;
mod solution_counter;
mod steps;
mod symmetry;
mod transform;
mod unavoidable;
mod unsolvable;

use std::sync::Arc;

use serde::Deserialize;
use serde::Serialize;

pub use rate::MOST_GUESSES;
pub use rate::Rater;
pub use rate::Rating;
pub use rng::SeededRng;
pub use symmetry::Symmetry;

use crate::BLANK;
use crate::Shape;
use crate::Value;
use crate::make::adversarial::AdversarialSearch;
use crate::make::candidates::HouseMap;
use crate::make::clue_removal::ClueRemoval;
use crate::make::clue_removal::ProofMode;
use crate::make::fill::GridFiller;
use crate::make::solution_counter::SolutionCounter;
use crate::naive::NaiveSearch;
use crate::naive::NaiveSearcher;

/// What is blanked together.
type CellGroups = Arc<[Vec<usize>]>;

/// Grids begun before giving up on one that is as asked for.
const ATTEMPTS: usize = 2_000;

/// What kind of grid is to be made. All but the last two have one solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GridKind {
    /// No blank.
    Complete,
    /// As many clues as are given here.
    Clues(usize),
    /// No clue can be taken away.
    Minimal,
    /// The clues stand symmetrically, and no group of them that stands for each other can be taken away.
    Symmetric(Symmetry),
    /// 17 clues. Plain 9x9 only.
    Seventeen,
    /// No clue can be taken away, and it is as hard as this.
    Rated(Rating),
    /// Takes a naive search this many nodes at least. Plain 9x9 only.
    Slow {
        /// The search.
        search: NaiveSearch,
        /// The nodes.
        nodes: u64,
    },
    /// Between these numbers of solutions, and no more clues taken away than that needs.
    Several {
        /// At least so many.
        least: usize,
        /// At most so many.
        most: usize,
    },
    /// No solution, which singles do not show.
    Unsolvable,
}

/// Why a grid cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MakeError {
    /// The kind is for plain 9x9 grids.
    #[error("grids of this kind are 9x9, with boxes of 3x3 and no other regions")]
    NotNine,
    /// No complete grid was found.
    #[error("no complete grid of this shape was found")]
    Full,
    /// No grid of so few clues was found.
    #[error("no grid with {wanted} clues and one solution was found; the one with the fewest had {fewest}")]
    Clues {
        /// As asked for.
        wanted: usize,
        /// The fewest clues that came out.
        fewest: usize,
    },
    /// No grid of this rating was found.
    #[error("none of {ATTEMPTS} minimal grids was rated {}", .0.name())]
    Rated(Rating),
    /// No grid took the search so long.
    #[error("no grid was found that takes a search `{search}` {nodes} nodes; the worst took {most}")]
    Slow {
        /// The name of the search.
        search: &'static str,
        /// As asked for.
        nodes: u64,
        /// The most that one took.
        most: u64,
    },
    /// No grid had as many solutions.
    #[error("no grid with {least} to {most} solutions was found")]
    Several {
        /// At least so many.
        least: usize,
        /// At most so many.
        most: usize,
    },
    /// All grids without solution gave themselves away.
    #[error("no grid was found whose lack of a solution singles do not show")]
    Unsolvable,
}

/// Makes grids of one shape.
#[derive(Debug)]
pub struct GridMaker {
    map: Arc<HouseMap>,
    filler: GridFiller,
    prover: SolutionCounter,
    rater: Rater,
    saboteur: AdversarialSearch,
    shape: Shape,
}

impl GridMaker {
    /// A maker of grids of this shape.
    pub fn new(shape: &Shape) -> Self {
        let map = Arc::new(HouseMap::new(shape));
        Self {
            filler: GridFiller::new(&map),
            prover: SolutionCounter::new(shape),
            rater: Rater::on(&map),
            saboteur: AdversarialSearch::new(NaiveSearcher::new(shape)),
            shape: shape.clone(),
            map,
        }
    }

    /// Makes one grid: row-major, 0 for blank.
    ///
    /// # Errors
    /// [`MakeError`] if there is no such grid, or none was found.
    pub fn make(&mut self, kind: GridKind, rng: &mut SeededRng) -> Result<Vec<Value>, MakeError> {
        match kind {
            GridKind::Complete => self.filler.full(rng),
            GridKind::Clues(clues) => self.with_clues(clues, rng),
            GridKind::Minimal => self.minimal(rng),
            GridKind::Symmetric(symmetry) => {
                self.thinned(&symmetry.groups(self.shape.order()).into(), 0, rng)
            }
            GridKind::Seventeen => Ok(seventeen::turned(self.nine(rng)?)),
            GridKind::Rated(rating) => self.rated(rating, rng),
            GridKind::Slow { search, nodes } => {
                let rng = self.nine(rng)?;
                self.saboteur.slow(&mut self.prover, search, nodes, rng)
            }
            GridKind::Several { least, most } => self.several(least, most, rng),
            GridKind::Unsolvable => unsolvable::unsolvable(self, rng),
        }
    }

    /// Makes a grid for each of several dice, the same that [`make`](Self::make) makes, but with proofs led side by side
    /// where that is quicker.
    ///
    /// # Errors
    /// The first [`MakeError`].
    pub fn make_many(&mut self, kind: GridKind, rng: &mut [SeededRng]) -> Result<Vec<Vec<Value>>, MakeError> {
        match kind {
            GridKind::Minimal => self.thinned_together(&self.single_cells(), 0, rng),
            GridKind::Symmetric(symmetry) => {
                self.thinned_together(&symmetry.groups(self.shape.order()).into(), 0, rng)
            }
            _ => rng.iter_mut().map(|rng| self.make(kind, rng)).collect(),
        }
    }

    /// How hard grids of this shape are.
    pub fn rater(&self) -> &Rater {
        &self.rater
    }

    fn nine<'d>(&self, rng: &'d mut SeededRng) -> Result<&'d mut SeededRng, MakeError> {
        if is_plain_nine(&self.shape) { Ok(rng) } else { Err(MakeError::NotNine) }
    }

    fn minimal(&mut self, rng: &mut SeededRng) -> Result<Vec<Value>, MakeError> {
        self.thinned(&self.single_cells(), 0, rng)
    }

    fn thinned(
        &mut self,
        groups: &CellGroups,
        least: usize,
        rng: &mut SeededRng,
    ) -> Result<Vec<Value>, MakeError> {
        let mut thinning = self.thinning(groups, least, rng, ProofMode::Alone)?;
        while let Some(question) = thinning.question() {
            let is_unique = self.prover.is_unique(question);
            thinning.answer(is_unique);
        }
        Ok(thinning.into_cells())
    }

    fn thinned_together(
        &mut self,
        groups: &CellGroups,
        least: usize,
        rng: &mut [SeededRng],
    ) -> Result<Vec<Vec<Value>>, MakeError> {
        let thinnings = rng.iter_mut().map(|rng| self.thinning(groups, least, rng, ProofMode::Together));
        let mut thinnings = thinnings.collect::<Result<Vec<_>, _>>()?;
        let mut answers = Vec::new();
        loop {
            self.prover.are_unique(thinnings.iter().filter_map(ClueRemoval::question), &mut answers);
            if answers.is_empty() {
                return Ok(thinnings.into_iter().map(ClueRemoval::into_cells).collect());
            }
            let open = thinnings.iter_mut().filter(|thinning| thinning.question().is_some());
            open.zip(&answers).for_each(|(thinning, &is_unique)| thinning.answer(is_unique));
        }
    }

    /// A random grid of which groups of cells are to be blanked in random order.
    fn thinning(
        &self,
        groups: &CellGroups,
        least: usize,
        rng: &mut SeededRng,
        proofs: ProofMode,
    ) -> Result<ClueRemoval, MakeError> {
        let full = self.filler.full(rng)?;
        let order = rng.order(groups.len());
        Ok(ClueRemoval::new(&self.map, full, groups, order, least, proofs))
    }

    /// Every cell by itself.
    fn single_cells(&self) -> CellGroups {
        (0..self.shape.cells()).map(|cell| vec![cell]).collect()
    }

    fn with_clues(&mut self, wanted: usize, rng: &mut SeededRng) -> Result<Vec<Value>, MakeError> {
        let mut fewest = self.shape.cells();
        for _ in 0..ATTEMPTS {
            let cells = self.thinned(&self.single_cells(), wanted, rng)?;
            let clues = cells.iter().filter(|&&value| value != BLANK).count();
            if clues == wanted {
                return Ok(cells);
            }
            fewest = fewest.min(clues);
        }
        Err(MakeError::Clues { wanted, fewest })
    }

    fn rated(&mut self, rating: Rating, rng: &mut SeededRng) -> Result<Vec<Value>, MakeError> {
        for _ in 0..ATTEMPTS {
            let cells = self.minimal(rng)?;
            if self.rater.rating(&cells) == rating {
                return Ok(cells);
            }
        }
        Err(MakeError::Rated(rating))
    }

    /// A minimal grid of which further clues are taken away, each unless that leaves too many solutions.
    fn several(&mut self, least: usize, most: usize, rng: &mut SeededRng) -> Result<Vec<Value>, MakeError> {
        for _ in 0..ATTEMPTS {
            let mut cells = self.minimal(rng)?;
            for cell in rng.order(cells.len()) {
                let clue = std::mem::replace(&mut cells[cell], BLANK);
                match self.prover.count(&cells, most.saturating_add(1)) {
                    _ if clue == BLANK => {}
                    Some(count) if (least..=most).contains(&count) => return Ok(cells),
                    Some(count) if count < least => {}
                    _ => cells[cell] = clue,
                }
            }
        }
        Err(MakeError::Several { least, most })
    }
}

/// Whether grids of this shape are the usual ones.
pub fn is_plain_nine(shape: &Shape) -> bool {
    shape.order() == 9 && shape.has_only_boxes(3, 3)
}

#[cfg(test)]
mod tests;
