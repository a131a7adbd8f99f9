//! Grids without a solution that do not show it soon.

use crate::BLANK;
use crate::Value;
use crate::make::error::MakeError;
use crate::make::rate::Rater;
use crate::make::reducer::GridReducer;
use crate::make::rng::SeededRng;

/// Grids of which the latest to be found out is taken.
const GRIDS: usize = 16;

/// Grids begun before giving up.
const ATTEMPTS: usize = 400;

/// Of several grids with one solution to which a clue was added that is not of it, the one that takes the most guesses
/// to be found out. Singles alone refute none of them.
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

/// A grid with a clue too many, and the guesses it takes to see it; `None` if singles show it wherever that clue stands.
fn spoilt(
    reducer: &mut GridReducer,
    rater: &Rater,
    rng: &mut SeededRng,
) -> Result<Option<(u64, Vec<Value>)>, MakeError> {
    let mut cells = reducer.minimal(rng)?;
    let solution = reducer.prover.solution(&cells).unwrap_or_default();
    for cell in rng.order(cells.len()).into_iter().filter(|&cell| cells[cell] == BLANK).collect::<Vec<_>>() {
        for value in rng.order(reducer.order()).into_iter().map(|place| place as Value + 1) {
            cells[cell] = value;
            if value != solution[cell] && !rater.singles_refute(&cells) {
                return Ok(rater.guesses(&cells).map(|guesses| (guesses, cells)));
            }
        }
        cells[cell] = BLANK;
    }
    Ok(None)
}
