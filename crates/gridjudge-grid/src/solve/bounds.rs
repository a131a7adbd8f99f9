//! Defines how long a search may take, and the error of a search that was stopped. Data only.

/// The number of dead ends after which a search stops. Dead ends are counted, not time, so that the
/// load of a machine does not change the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchBounds {
    /// Dead ends of the depth-first search for a first solution, after which the SAT solver takes
    /// over.
    pub patience: u64,
    /// Dead ends of the SAT solver, for each solution.
    pub dead_ends: u64,
}

impl SearchBounds {
    /// The bounds for a depth-first search without the SAT solver: it may use all dead ends itself.
    pub(super) fn alone(self) -> Self {
        Self {
            patience: self.dead_ends,
            ..self
        }
    }
}

impl Default for SearchBounds {
    /// More patience did not help on any set of grids that was tried. Minimal grids of order 25
    /// need up to some hundred thousand dead ends, each about 50 microseconds.
    fn default() -> Self {
        Self {
            patience: 20,
            dead_ends: 1_000_000,
        }
    }
}

/// The search on a grid was stopped before it had found all solutions requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the solver gave up on this grid after {dead_ends} dead ends")]
pub struct TooHard {
    /// The number of dead ends without finding a solution.
    pub dead_ends: u64,
}
