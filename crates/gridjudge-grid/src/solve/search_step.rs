//! How a depth-first search moves and ends. Data only.

/// A cell has no candidate left, or a house no place for a symbol.
pub(super) struct Contradiction;

/// A cell and the one candidate that is tried there.
pub(super) type CellChoice = (usize, u32);

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchStep {
    /// Another solution: `DepthFirstSearch::solution` tells it.
    Found,
    /// There are no more.
    Exhausted,
    /// The allowance was used up.
    GaveUp,
}

/// Which place to guess at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GuessOrder {
    /// Where the fewest candidates are left.
    Narrowest,
    /// At the first open cell, smallest value first: solutions come in lexicographic order.
    InOrder,
}
