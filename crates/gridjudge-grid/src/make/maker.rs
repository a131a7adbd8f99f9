//! Selects how to make a grid of each kind.

use std::sync::Arc;

use crate::house_map::HouseMap;
use crate::make::adversarial::AdversarialSearch;
use crate::make::clue_removal::{CellGroups, ClueRemoval, ProofMode};
use crate::make::fill::GridFiller;
use crate::make::kind::GridKind;
use crate::make::rate::{ATTEMPTS, MakeError, Rater, Rating};
use crate::make::rng::SeededRng;
use crate::make::seventeen;
use crate::make::solution_counter::SolutionCounter;
use crate::naive::NaiveSearcher;
use crate::{Arithmetic, ArithmeticBreach, ArithmeticNarrowing, BLANK, Shape, Value};

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
            GridKind::Unsolvable => unsolvable(&mut self.reducer, &self.rater, rng),
            GridKind::Invalid if self.shape.order() < 2 => Err(MakeError::Invalid),
            GridKind::Invalid => Ok(invalid(&self.map, self.reducer.filler.full(rng)?, rng)),
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

// Makes grids in which two clues clash and nothing else is wrong.

/// Changes a complete grid so that exactly two clues clash. Half of the grids keep all cells that
/// do not clash with these two; the others keep fewer, down to a third.
pub(super) fn invalid(map: &HouseMap, mut cells: Vec<Value>, rng: &mut SeededRng) -> Vec<Value> {
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
        let others = rng
            .order(cells.len())
            .into_iter()
            .filter(|&cell| cell != kept && cell != changed);
        others.take(blanks).for_each(|cell| cells[cell] = BLANK);
    }
    let demands = map.arithmetic.as_ref().map(ArithmeticNarrowing::demands);
    while let Some(cell) =
        demands.and_then(|demands| broken_elsewhere(demands, &cells, [kept, changed]))
    {
        cells[cell] = BLANK;
    }
    cells
}

/// A cell in a broken cage or inequality, other than the two that clash; `None` if there is none.
fn broken_elsewhere(demands: &Arithmetic, cells: &[Value], clashing: [usize; 2]) -> Option<usize> {
    demands.breaches(cells).find_map(|breach| {
        let involved = match breach {
            ArithmeticBreach::Repeated { first, second, .. } => vec![first, second],
            ArithmeticBreach::Target { cage, .. } => demands.cages[cage].cells.clone(),
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

/// A grid without a solution: one with a single solution, plus a wrong clue. Of several, it is the
/// one that takes the most guesses to refute. Singles alone do not refute it.
pub(super) fn unsolvable(
    reducer: &mut GridReducer,
    rater: &Rater,
    rng: &mut SeededRng,
) -> Result<Vec<Value>, MakeError> {
    let mut found = Vec::new();
    for _ in 0..UNSOLVABLE_ATTEMPTS {
        if found.len() == GRIDS {
            break;
        }
        found.extend(spoilt(reducer, rater, rng)?);
    }
    let latest = found.into_iter().max_by_key(|(guesses, _)| *guesses);
    latest.map(|(_, cells)| cells).ok_or(MakeError::Unsolvable)
}

/// A grid with a wrong clue, and the guesses it takes to refute it; `None` if singles refute every
/// choice of that clue, or if it takes too many guesses.
fn spoilt(
    reducer: &mut GridReducer,
    rater: &Rater,
    rng: &mut SeededRng,
) -> Result<Option<(u64, Vec<Value>)>, MakeError> {
    let mut cells = reducer.minimal(rng)?;
    let solution = reducer.prover.solution(&cells).unwrap_or_default();
    for cell in rng
        .order(cells.len())
        .into_iter()
        .filter(|&cell| cells[cell] == BLANK)
        .collect::<Vec<_>>()
    {
        for value in rng
            .order(reducer.values())
            .into_iter()
            .map(|place| place as Value + 1)
        {
            cells[cell] = value;
            if value != solution[cell] && !rater.singles_refute(&cells) {
                return Ok(rater.guesses(&cells).map(|guesses| (guesses, cells)));
            }
        }
        cells[cell] = BLANK;
    }
    Ok(None)
}

// Makes grids by removing clues from random complete ones: minimal grids, symmetric ones, and ones
// with a given number of clues.

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
