//! Measures elapsed time, for work with a time budget. Not for runs, whose time launchers measure
//! themselves.

use std::time::{Duration, Instant};

/// A stopwatch that runs from its creation.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts a stopwatch.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// The time since it was started.
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    /// Whether the budget is spent; `false` if there is none.
    pub fn is_past(&self, budget: Option<Duration>) -> bool {
        budget.is_some_and(|budget| self.elapsed() >= budget)
    }
}
