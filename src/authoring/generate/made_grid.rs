//! One generated grid, with its shape and the rater that measures it. Where each grid brings a map
//! of its own, the map is generated first.

use std::sync::Arc;

use gridjudge_grid::make::{GridKind, GridMaker, MakeError, Rater, SeededRng, random_regions};
use gridjudge_grid::{Shape, Value};

/// The most maps tried for one grid. Nearly every map of order 9 has complete grids; some of order
/// 4 have none.
const MAPS: usize = 100;

/// A generated grid.
pub(super) struct MadeGrid {
    pub(super) shape: Shape,
    /// Row-major, 0 for blank.
    pub(super) cells: Vec<Value>,
    pub(super) rater: Arc<Rater>,
}

impl MadeGrid {
    /// Generates a random map for `shape`, which has no regions yet, and a grid on it.
    ///
    /// # Errors
    /// Returns [`MakeError`] if there is no such grid, or none was found.
    pub(super) fn with_own_map(
        shape: &Shape,
        kind: GridKind,
        rng: &mut SeededRng,
    ) -> Result<Self, MakeError> {
        for _ in 0..MAPS {
            let regions = random_regions(shape.order(), rng);
            let divided = shape
                .clone()
                .with_regions(&regions)
                .map_err(|_| MakeError::Full)?;
            match GridMaker::new(&divided).make(kind, rng) {
                Ok(cells) => {
                    return Ok(Self {
                        rater: Arc::new(Rater::new(&divided)),
                        shape: divided,
                        cells,
                    });
                }
                Err(MakeError::Full) => {}
                Err(other) => return Err(other),
            }
        }
        Err(MakeError::Full)
    }
}
