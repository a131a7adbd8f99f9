//! Measures the grids of a case, and describes them in a few words for the setter.

use std::fmt;

use rayon::prelude::*;

use crate::authoring::generate::made_grid::MadeGrid;
use crate::model::RecipeKind;
use gridjudge_grid::BLANK;
use gridjudge_grid::make::{GridKind, MOST_GUESSES, Rating};

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
