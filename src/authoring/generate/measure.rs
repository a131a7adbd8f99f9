//! Measures the grids of a case, and describes them in a few words for the setter.

use std::fmt;
use std::sync::Arc;

use gridjudge_grid::make::{
    GridKind, GridMaker, MOST_GUESSES, MakeError, Rater, Rating, SeededRng, random_regions,
};
use gridjudge_grid::{BLANK, Shape, Value};
use rayon::prelude::*;

use crate::model::RecipeKind;

/// The largest order whose grids are rated. How hard larger grids are for people is not known.
const LARGEST_RATED: usize = 16;

/// The properties of all grids of a case together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseMetrics {
    /// The number of grids.
    pub grids: usize,
    /// The fewest and the most clues of a grid.
    pub clues: (usize, usize),
    /// The hardest rating; `None` unless the grids have one solution each and are small enough to
    /// be rated.
    pub rating: Option<Rating>,
    /// The most guesses that a plain search needs for a grid.
    pub guesses: GuessCount,
    /// What the recipe guarantees beyond that, in words.
    pub promise: String,
}

/// The number of guesses that a plain search needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GuessCount {
    /// Not counted: the grids are invalid, have several solutions, or are very large.
    Unknown,
    /// This many.
    Exactly(u64),
    /// More than [`MOST_GUESSES`].
    TooMany,
}

impl fmt::Display for GuessCount {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => out.write_str("-"),
            Self::Exactly(guesses) => write!(out, "{guesses}"),
            Self::TooMany => write!(out, "> {MOST_GUESSES}"),
        }
    }
}

impl CaseMetrics {
    pub(super) fn of(kind: &RecipeKind, order: usize, grids: &[MadeGrid]) -> Self {
        let clues = |grid: &MadeGrid| grid.cells.iter().filter(|&&value| value != BLANK).count();
        let is_small = order <= LARGEST_RATED;
        let is_unique = match kind {
            RecipeKind::Made(kind) => !matches!(
                kind,
                GridKind::Several { .. } | GridKind::Unsolvable | GridKind::Invalid
            ),
            // Whoever collected them may not have proven it.
            RecipeKind::Collection(_) => false,
        };
        let rating = |grid: &MadeGrid| grid.rater.rating(&grid.cells);
        let guesses = |grid: &MadeGrid| match grid.rater.guesses(&grid.cells) {
            Some(guesses) => GuessCount::Exactly(guesses),
            None => GuessCount::TooMany,
        };
        let counted = is_small && (is_unique || *kind == RecipeKind::Made(GridKind::Unsolvable));
        Self {
            grids: grids.len(),
            clues: (
                grids.iter().map(clues).min().unwrap_or_default(),
                grids.iter().map(clues).max().unwrap_or_default(),
            ),
            rating: (is_small && is_unique)
                .then(|| grids.par_iter().map(rating).max())
                .flatten(),
            guesses: counted
                .then(|| grids.par_iter().map(guesses).max())
                .flatten()
                .unwrap_or(GuessCount::Unknown),
            promise: match kind {
                RecipeKind::Made(kind) => promise(*kind),
                RecipeKind::Collection(file) => {
                    let name = file
                        .file_name()
                        .unwrap_or_default()
                        .to_string_lossy()
                        .into_owned();
                    format!("from `{name}`")
                }
            },
        }
    }

    /// The cells of its row in a table: grids, clues, rating, guesses, promise.
    pub(super) fn columns(&self) -> [String; 5] {
        let (fewest, most) = self.clues;
        let clues = if fewest == most {
            fewest.to_string()
        } else {
            format!("{fewest} to {most}")
        };
        let rating = self.rating.map_or("-", Rating::name).to_owned();
        [
            self.grids.to_string(),
            clues,
            rating,
            self.guesses.to_string(),
            self.promise.clone(),
        ]
    }
}

fn promise(kind: GridKind) -> String {
    match kind {
        GridKind::Complete => "no blank".to_owned(),
        GridKind::Clues(_) => "one solution".to_owned(),
        GridKind::Minimal | GridKind::Seventeen | GridKind::Rated(_) => "minimal".to_owned(),
        GridKind::Symmetric(symmetry) => format!("symmetric: {}", symmetry.name()),
        GridKind::Slow { search, nodes } => {
            format!("`{}` takes {nodes} nodes or more", search.name())
        }
        GridKind::Several { least, most } => format!("{least} to {most} solutions"),
        GridKind::Unsolvable => "no solution".to_owned(),
        GridKind::Invalid => "two clues clash".to_owned(),
    }
}

// One generated grid, with its shape and the rater that measures it. Where each grid brings a map
// of its own, the map is generated first.

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
