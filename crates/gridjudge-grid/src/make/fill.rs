//! Makes random complete grids. Every complete grid is possible, though not all are equally likely.

use std::sync::Arc;

use crate::house_map::{HouseMap, PlacedValues, value_of};
use crate::make::rate::MakeError;
use crate::make::rng::SeededRng;
use crate::make::steps;
use crate::make::steps::CandidateGrid;
use crate::solve::Solver;
use crate::{BLANK, Shape, Value};

/// The number of values placed per cell before an attempt is abandoned and another started. A 9x9
/// grid takes 1.6.
const PATIENCE: usize = 6;

/// The number of attempts with each method. For plain 9x9 grids, the first nearly always succeeds.
const ATTEMPTS: usize = 20;

/// Fills empty grids of one shape.
#[derive(Debug)]
pub(super) struct GridFiller {
    map: Arc<HouseMap>,
    /// The shape and a solver if there are cages or inequalities; the solver decides whether a grid
    /// can be completed.
    constrained: Option<(Shape, Solver)>,
}

impl GridFiller {
    pub(super) fn new(map: &Arc<HouseMap>, shape: &Shape) -> Self {
        let constrained = shape
            .arithmetic()
            .map(|_| (shape.clone(), Solver::new(shape)));
        Self {
            map: Arc::clone(map),
            constrained,
        }
    }

    /// A complete grid.
    ///
    /// # Errors
    /// Returns [`MakeError::Full`] if none was found: there may be none of this shape.
    pub(super) fn full(&self, rng: &mut SeededRng) -> Result<Vec<Value>, MakeError> {
        if let Some((shape, solver)) = &self.constrained {
            return constrained_full(shape, solver, rng);
        }
        let quick = (0..ATTEMPTS).find_map(|_| self.attempt(rng));
        quick
            .or_else(&mut || (0..ATTEMPTS).find_map(|_| self.careful_attempt(rng)))
            .ok_or(MakeError::Full)
    }

    /// Fills cell after cell in reading order, each with a random value that fits.
    fn attempt(&self, rng: &mut SeededRng) -> Option<Vec<Value>> {
        let HouseMap {
            order, houses_of, ..
        } = &*self.map;
        let all = (1u32 << order) - 1;
        let mut taken = PlacedValues::new();
        // For each filled cell, its value and the values not yet tried.
        let mut filled: Vec<(u32, u32)> = Vec::with_capacity(houses_of.len());
        for _ in 0..PATIENCE * houses_of.len() {
            let Some(houses) = houses_of.get(filled.len()) else {
                return Some(
                    filled
                        .into_iter()
                        .map(|(placed, _)| value_of(placed))
                        .collect(),
                );
            };
            let mut left = all & !taken.around(houses);
            while left == 0 {
                let (placed, others) = filled.pop()?;
                taken.remove(&houses_of[filled.len()], placed);
                left = others;
            }
            let placed = rng.bit(left);
            taken.add(&houses_of[filled.len()], placed);
            filled.push((placed, left ^ placed));
        }
        None
    }

    /// Repeatedly decides a cell with the fewest candidates at random and follows all singles.
    /// Large grids and irregular regions need this.
    fn careful_attempt(&self, rng: &mut SeededRng) -> Option<Vec<Value>> {
        let empty = vec![0; self.map.houses_of.len()];
        let mut open: Vec<_> = CandidateGrid::new(&self.map, &empty).into_iter().collect();
        for _ in 0..PATIENCE * empty.len() {
            let mut grid = open.pop()?;
            if steps::singles(&self.map, &mut grid).is_err() {
                continue;
            }
            let Some((cell, mut left)) = grid.narrowest() else {
                return Some(grid.candidates.into_iter().map(value_of).collect());
            };
            while left != 0 {
                let bit = rng.bit(left);
                left ^= bit;
                open.push(grid.with(cell, bit));
            }
        }
        None
    }
}

// Makes random complete grids with cages and inequalities: gives cell after cell a random value
// that leaves a solution, until exactly one is left. Only the number of solutions is used, so the
// result does not depend on the solver's search order.

/// A complete grid. Every complete grid is possible, though not all are equally likely.
///
/// # Errors
/// Returns [`MakeError::Full`] if there is none, or the solver stopped its search.
pub(super) fn constrained_full(
    shape: &Shape,
    solver: &Solver,
    rng: &mut SeededRng,
) -> Result<Vec<Value>, MakeError> {
    let mut cells = vec![BLANK; shape.cells()];
    for cell in rng.order(shape.cells()) {
        for value in rng
            .order(shape.values())
            .into_iter()
            .map(|place| place as Value + 1)
        {
            cells[cell] = value;
            let mut found = solver.solutions(&cells, 2).map_err(|_| MakeError::Full)?;
            match found.len() {
                0 => cells[cell] = BLANK,
                1 => return found.pop().ok_or(MakeError::Full),
                _ => break,
            }
        }
        if cells[cell] == BLANK {
            break;
        }
    }
    Err(MakeError::Full)
}
