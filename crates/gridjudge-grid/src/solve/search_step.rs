//! Defines the steps and outcomes of a depth-first search. Data only.

/// A cell has no candidate left, or a house no place for a symbol.
pub(super) struct Contradiction;

/// A cell and the candidate (as a bit) that is tried there.
pub(super) type CellChoice = (usize, u32);

/// The outcome of a step of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchStep {
    /// Another solution was found: `DepthFirstSearch::solution` returns it.
    Found,
    /// There are no more solutions.
    Exhausted,
    /// The allowance of dead ends was used up.
    GaveUp,
}

/// How the place of the next guess is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GuessOrder {
    /// The place with the fewest choices left.
    Narrowest,
    /// The first open cell, smallest value first: solutions come in lexicographic order.
    InOrder,
}
