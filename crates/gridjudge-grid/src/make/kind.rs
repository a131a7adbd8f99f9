//! Defines the kinds of grids that can be made. Data only.

use serde::{Deserialize, Serialize};

use crate::make::rate::Rating;
use crate::make::symmetry::Symmetry;
use crate::naive::NaiveSearch;

/// The kind of grid to make. All except the last three have exactly one solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GridKind {
    /// A grid without blanks.
    Complete,
    /// A grid with this many clues.
    Clues(usize),
    /// A grid of which no clue can be removed.
    Minimal,
    /// A grid with a symmetric pattern of clues, of which no group of symmetric clues can be
    /// removed.
    Symmetric(Symmetry),
    /// A grid with 17 clues. Plain 9x9 only.
    Seventeen,
    /// A grid with this rating, of which no clue can be removed.
    Rated(Rating),
    /// A grid that takes a naive search at least this many nodes. Plain 9x9 only.
    Slow {
        /// The search.
        search: NaiveSearch,
        /// The nodes.
        nodes: u64,
    },
    /// A grid with a number of solutions in this range. No more clues are removed than necessary.
    Several {
        /// The least number of solutions.
        least: usize,
        /// The largest number of solutions.
        most: usize,
    },
    /// A grid without a solution that singles alone do not refute.
    Unsolvable,
    /// A grid with two clues that clash and no other mistake. Order 2 or more.
    Invalid,
}
