//! Selects how to make a grid of each kind.

use std::sync::Arc;

use crate::house_map::HouseMap;
use crate::make::adversarial::AdversarialSearch;
use crate::make::error::{ATTEMPTS, MakeError};
use crate::make::kind::GridKind;
use crate::make::rate::{Rater, Rating};
use crate::make::reducer::GridReducer;
use crate::make::rng::SeededRng;
use crate::make::{invalid, seventeen, unsolvable};
use crate::naive::NaiveSearcher;
use crate::{BLANK, Shape, Value};

/// Makes grids of one shape.
#[derive(Debug)]
pub struct GridMaker {
    shape: Shape,
    map: Arc<HouseMap>,
    reducer: GridReducer,
    rater: Rater,
    adversary: AdversarialSearch,
}

impl GridMaker {
    /// A maker of grids of this shape.
    pub fn new(shape: &Shape) -> Self {
        let map = Arc::new(HouseMap::new(shape));
        Self {
            shape: shape.clone(),
            reducer: GridReducer::new(&map, shape),
            rater: Rater::on(&map),
            map: Arc::clone(&map),
            adversary: AdversarialSearch::new(NaiveSearcher::new(shape)),
        }
    }

    /// Makes one grid: row-major, 0 for blank.
    ///
    /// # Errors
    /// Returns [`MakeError`] if there is no such grid, or none was found.
    pub fn make(&mut self, kind: GridKind, rng: &mut SeededRng) -> Result<Vec<Value>, MakeError> {
        match kind {
            GridKind::Complete => self.reducer.filler.full(rng),
            GridKind::Clues(clues) => self.reducer.with_clues(clues, rng),
            GridKind::Minimal => self.reducer.minimal(rng),
            GridKind::Symmetric(symmetry) => {
                self.reducer
                    .thinned(&symmetry.groups(self.shape.order()).into(), 0, rng)
            }
            GridKind::Seventeen => Ok(seventeen::turned(self.nine(rng)?)),
            GridKind::Rated(rating) => self.rated(rating, rng),
            GridKind::Slow { search, nodes } => {
                let rng = self.nine(rng)?;
                self.adversary
                    .slow(&mut self.reducer.prover, search, nodes, rng)
            }
            GridKind::Several { least, most } => self.several(least, most, rng),
            GridKind::Unsolvable => unsolvable::unsolvable(&mut self.reducer, &self.rater, rng),
            GridKind::Invalid if self.shape.order() < 2 => Err(MakeError::Invalid),
            GridKind::Invalid => Ok(invalid::invalid(
                &self.map,
                self.reducer.filler.full(rng)?,
                rng,
            )),
        }
    }

    /// Makes a grid from each of several generators. The grids are those that [`make`](Self::make)
    /// makes, but their solutions are counted side by side if that is faster.
    ///
    /// # Errors
    /// Returns the first [`MakeError`].
    pub fn make_many(
        &mut self,
        kind: GridKind,
        rng: &mut [SeededRng],
    ) -> Result<Vec<Vec<Value>>, MakeError> {
        match kind {
            GridKind::Minimal => {
                self.reducer
                    .thinned_together(&self.reducer.single_cells(), 0, rng)
            }
            GridKind::Symmetric(symmetry) => {
                self.reducer
                    .thinned_together(&symmetry.groups(self.shape.order()).into(), 0, rng)
            }
            _ => rng.iter_mut().map(|rng| self.make(kind, rng)).collect(),
        }
    }

    /// The rater for grids of this shape.
    pub fn rater(&self) -> &Rater {
        &self.rater
    }

    fn nine<'d>(&self, rng: &'d mut SeededRng) -> Result<&'d mut SeededRng, MakeError> {
        if self.shape.is_plain_nine() {
            Ok(rng)
        } else {
            Err(MakeError::NotNine)
        }
    }

    fn rated(&mut self, rating: Rating, rng: &mut SeededRng) -> Result<Vec<Value>, MakeError> {
        for _ in 0..ATTEMPTS {
            let cells = self.reducer.minimal(rng)?;
            if self.rater.rating(&cells) == rating {
                return Ok(cells);
            }
        }
        Err(MakeError::Rated(rating))
    }

    /// A minimal grid from which further clues are removed, except those whose removal leaves too
    /// many solutions.
    fn several(
        &mut self,
        least: usize,
        most: usize,
        rng: &mut SeededRng,
    ) -> Result<Vec<Value>, MakeError> {
        for _ in 0..ATTEMPTS {
            let mut cells = self.reducer.minimal(rng)?;
            for cell in rng.order(cells.len()) {
                let clue = std::mem::replace(&mut cells[cell], BLANK);
                match self.reducer.prover.count(&cells, most.saturating_add(1)) {
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
