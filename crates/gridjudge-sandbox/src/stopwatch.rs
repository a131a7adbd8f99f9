//! Elapsed time, for work with a time budget. Knows nothing of runs, whose time launchers measure themselves.

use std::time::Duration;
use std::time::Instant;

/// A stopwatch that runs from its making.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts it.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// What has passed since.
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    /// Whether a budget is spent; never, if there is none.
    pub fn is_past(&self, budget: Option<Duration>) -> bool {
        budget.is_some_and(|budget| self.elapsed() >= budget)
    }
}
