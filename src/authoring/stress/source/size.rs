//! Chooses how many grids an input holds.

use gridjudge_grid::make::SeededRng;
use gridjudge_grid::{GridCount, Layout};

/// The most cells of an input.
const MOST_CELLS: u64 = 20_000;

/// A random number of grids. Most inputs are small, so that many can be run; some are large, and
/// some as large as allowed.
pub(super) fn number_of_grids(input: &Layout, cells: u64, rng: &mut SeededRng) -> u64 {
    let most = match input.count {
        GridCount::One | GridCount::AsInput => return 1,
        GridCount::First { most }
        | GridCount::UntilEnd { most }
        | GridCount::Until { most, .. } => most,
    };
    let most = most.min((MOST_CELLS / cells.max(1)).max(1));
    let mut between = |least: u64, most: u64| least + rng.below((most - least + 1) as usize) as u64;
    let count = match between(1, 1000) {
        1..=550 => 1,
        551..=850 => between(2, 4),
        851..=960 => between(5, 12),
        961..=992 => between(13, 40),
        993..=996 if input.may_be_empty => 0,
        _ => most,
    };
    count.min(most)
}
