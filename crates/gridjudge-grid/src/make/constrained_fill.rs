//! Random complete grids that keep cages and inequalities: cell after cell gets a random value with which there are
//! solutions, until there is one. The solver is asked only how many there are, so its ways do not show.

use crate::BLANK;
use crate::Shape;
use crate::Value;
use crate::make::error::MakeError;
use crate::make::rng::SeededRng;
use crate::solve::Solver;

/// A complete grid. Every one can come out, though not all are equally likely.
///
/// # Errors
/// [`MakeError::Full`] if there is none, or the solver gave up.
pub(super) fn constrained_full(
    shape: &Shape,
    solver: &Solver,
    rng: &mut SeededRng,
) -> Result<Vec<Value>, MakeError> {
    let mut cells = vec![BLANK; shape.cells()];
    for cell in rng.order(shape.cells()) {
        for value in rng.order(shape.order()).into_iter().map(|place| place as Value + 1) {
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
