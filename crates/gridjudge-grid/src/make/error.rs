//! Why a grid of some kind could not be made. Data only.

use crate::make::rate::Rating;

/// Grids begun before giving up on one that is as asked for.
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
    /// No grid of so few clues was found.
    #[error("no grid with {wanted} clues and one solution was found; the one with the fewest had {fewest}")]
    Clues {
        /// As asked for.
        wanted: usize,
        /// The fewest clues that came out.
        fewest: usize,
    },
    /// No grid of this rating was found.
    #[error("none of {ATTEMPTS} minimal grids was rated {}", .0.name())]
    Rated(Rating),
    /// No grid took the search so long.
    #[error("no grid was found that takes a search `{search}` {nodes} nodes; the worst took {most}")]
    Slow {
        /// The name of the search.
        search: &'static str,
        /// As asked for.
        nodes: u64,
        /// The most that one took.
        most: u64,
    },
    /// No grid had as many solutions.
    #[error("no grid with {least} to {most} solutions was found")]
    Several {
        /// At least so many.
        least: usize,
        /// At most so many.
        most: usize,
    },
    /// All grids without solution gave themselves away.
    #[error("no grid was found whose lack of a solution singles do not show")]
    Unsolvable,
    /// No two clues can clash in a grid of one cell.
    #[error("a grid of one cell has no two clues that could clash")]
    Invalid,
}
