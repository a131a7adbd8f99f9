//! Makes grids by removing clues from random complete ones: minimal grids, symmetric ones, and ones
//! with a given number of clues.

use std::sync::Arc;

use crate::house_map::HouseMap;
use crate::make::clue_removal::{CellGroups, ClueRemoval, ProofMode};
use crate::make::error::{ATTEMPTS, MakeError};
use crate::make::fill::GridFiller;
use crate::make::rng::SeededRng;
use crate::make::solution_counter::SolutionCounter;
use crate::{BLANK, Shape, Value};

/// Makes grids of one shape with few clues and one solution.
#[derive(Debug)]
pub(super) struct GridReducer {
    map: Arc<HouseMap>,
    pub(super) filler: GridFiller,
    pub(super) prover: SolutionCounter,
}

impl GridReducer {
    pub(super) fn new(map: &Arc<HouseMap>, shape: &Shape) -> Self {
        Self {
            map: Arc::clone(map),
            filler: GridFiller::new(map, shape),
            prover: SolutionCounter::new(shape),
        }
    }

    /// The number of symbols of its grids.
    pub(super) fn values(&self) -> usize {
        self.map.values
    }

    /// A grid of which no clue can be removed.
    pub(super) fn minimal(&mut self, rng: &mut SeededRng) -> Result<Vec<Value>, MakeError> {
        self.thinned(&self.single_cells(), 0, rng)
    }

    /// A grid with the wanted number of clues.
    pub(super) fn with_clues(
        &mut self,
        wanted: usize,
        rng: &mut SeededRng,
    ) -> Result<Vec<Value>, MakeError> {
        let mut fewest = self.map.houses_of.len();
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

    /// A random complete grid in which groups of cells are blanked as long as exactly one solution
    /// and at least `least` clues are left.
    pub(super) fn thinned(
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

    /// Like [`Self::thinned`], for several generators, with the solutions of all grids counted side
    /// by side.
    pub(super) fn thinned_together(
        &mut self,
        groups: &CellGroups,
        least: usize,
        rng: &mut [SeededRng],
    ) -> Result<Vec<Vec<Value>>, MakeError> {
        let thinnings = rng
            .iter_mut()
            .map(|rng| self.thinning(groups, least, rng, ProofMode::Together));
        let mut thinnings = thinnings.collect::<Result<Vec<_>, _>>()?;
        let mut answers = Vec::new();
        loop {
            self.prover.are_unique(
                thinnings.iter().filter_map(ClueRemoval::question),
                &mut answers,
            );
            if answers.is_empty() {
                return Ok(thinnings.into_iter().map(ClueRemoval::into_cells).collect());
            }
            let open = thinnings
                .iter_mut()
                .filter(|thinning| thinning.question().is_some());
            open.zip(&answers)
                .for_each(|(thinning, &is_unique)| thinning.answer(is_unique));
        }
    }

    /// A random complete grid and the random order in which its groups of cells will be blanked.
    fn thinning(
        &self,
        groups: &CellGroups,
        least: usize,
        rng: &mut SeededRng,
        proofs: ProofMode,
    ) -> Result<ClueRemoval, MakeError> {
        let full = self.filler.full(rng)?;
        let order = rng.order(groups.len());
        Ok(ClueRemoval::new(
            &self.map, full, groups, order, least, proofs,
        ))
    }

    /// Groups of one cell each.
    pub(super) fn single_cells(&self) -> CellGroups {
        (0..self.map.houses_of.len())
            .map(|cell| vec![cell])
            .collect()
    }
}
