//! Defines the reasons why a grid of some kind could not be made. Data only.

use crate::make::rate::Rating;

/// The number of grids tried for one of the requested kind.
pub(super) const ATTEMPTS: usize = 2_000;

/// Why a grid cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MakeError {
    /// The kind is for plain 9x9 grids.
    #[error("grids of this kind are 9x9, with boxes of 3x3 and no other regions")]
    NotNine,
    /// No complete grid was found.
    #[error("no complete grid of this shape was found")]
    Full,
    /// No grid with this few clues was found.
    #[error(
        "no grid with {wanted} clues and one solution was found; the one with the fewest had {fewest}"
    )]
    Clues {
        /// The requested number of clues.
        wanted: usize,
        /// The fewest clues of a grid found.
        fewest: usize,
    },
    /// No grid of this rating was found.
    #[error("none of {ATTEMPTS} minimal grids was rated {}", .0.name())]
    Rated(Rating),
    /// No grid took the search this many nodes.
    #[error(
        "no grid was found that takes a search `{search}` {nodes} nodes; the worst took {most}"
    )]
    Slow {
        /// The name of the search.
        search: &'static str,
        /// The requested number of nodes.
        nodes: u64,
        /// The most nodes that a grid took.
        most: u64,
    },
    /// No grid had a number of solutions in this range.
    #[error("no grid with {least} to {most} solutions was found")]
    Several {
        /// The least number of solutions.
        least: usize,
        /// The largest number of solutions.
        most: usize,
    },
    /// Singles refute every grid without a solution that was tried.
    #[error("no grid without a solution was found that singles alone do not refute")]
    Unsolvable,
    /// No two clues can clash in a grid of one cell.
    #[error("a grid of one cell has no two clues that could clash")]
    Invalid,
}
