//! The kinds of grids that can be made. Data only.

use serde::Deserialize;
use serde::Serialize;

use crate::make::rate::Rating;
use crate::make::symmetry::Symmetry;
use crate::naive::NaiveSearch;

/// What kind of grid is to be made. All but the last three have one solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GridKind {
    /// No blank.
    Complete,
    /// As many clues as are given here.
    Clues(usize),
    /// No clue can be taken away.
    Minimal,
    /// The clues stand symmetrically, and no group of them that stands for each other can be taken away.
    Symmetric(Symmetry),
    /// 17 clues. Plain 9x9 only.
    Seventeen,
    /// No clue can be taken away, and it is as hard as this.
    Rated(Rating),
    /// Takes a naive search this many nodes at least. Plain 9x9 only.
    Slow {
        /// The search.
        search: NaiveSearch,
        /// The nodes.
        nodes: u64,
    },
    /// Between these numbers of solutions, and no more clues taken away than that needs.
    Several {
        /// At least so many.
        least: usize,
        /// At most so many.
        most: usize,
    },
    /// No solution, which singles do not show.
    Unsolvable,
    /// Two clues clash, and nothing else is wrong. Order 2 or more.
    Invalid,
}
