//! Makes random complete grids with cages and inequalities: gives cell after cell a random value
//! that leaves a solution, until exactly one is left. Only the number of solutions is used, so the
//! result does not depend on the solver's search order.

use crate::make::error::MakeError;
use crate::make::rng::SeededRng;
use crate::solve::Solver;
use crate::{BLANK, Shape, Value};

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
