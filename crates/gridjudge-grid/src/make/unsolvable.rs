//! Makes grids without a solution for which that is hard to find out.

use crate::make::error::MakeError;
use crate::make::rate::Rater;
use crate::make::reducer::GridReducer;
use crate::make::rng::SeededRng;
use crate::{BLANK, Value};

/// The number of grids among which the one that takes the most guesses is chosen.
const GRIDS: usize = 16;

/// The most grids that are tried to find these.
const ATTEMPTS: usize = 400;

/// A grid without a solution: one with a single solution, plus a wrong clue. Of several, it is the
/// one that takes the most guesses to refute. Singles alone do not refute it.
pub(super) fn unsolvable(
    reducer: &mut GridReducer,
    rater: &Rater,
    rng: &mut SeededRng,
) -> Result<Vec<Value>, MakeError> {
    let mut found = Vec::new();
    for _ in 0..ATTEMPTS {
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
