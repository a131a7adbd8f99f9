//! How long a search may go on, and that it gave up. Data only.

/// How many dead ends to run into before giving up. Counts, not time: a machine's load decides nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchBounds {
    /// Dead ends of the depth-first search for a first solution, after which the search that learns goes on.
    pub patience: u64,
    /// Dead ends of the search that learns, for each solution.
    pub dead_ends: u64,
}

impl SearchBounds {
    /// The same for a search that must do without the one that learns: all dead ends are its own.
    pub(super) fn alone(self) -> Self {
        Self { patience: self.dead_ends, ..self }
    }
}

impl Default for SearchBounds {
    /// More patience would help no set of grids that was tried. Minimal grids of order 25 take up to some hundred thousand
    /// dead ends, each about 50 microseconds.
    fn default() -> Self {
        Self { patience: 20, dead_ends: 1_000_000 }
    }
}

/// The search gave up on a grid before it had found all it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the solver gave up on this grid after {dead_ends} dead ends")]
pub struct TooHard {
    /// How many it ran into without finding a solution.
    pub dead_ends: u64,
}
