//! Measures how fast this machine computes at the moment, by a piece of work that is
//! always the same. Knows nothing of runs: a caller that compares times from different
//! days calibrates beside each run, and sees whether the machine was slower.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// How many times the work is repeated: about a tenth of a millisecond in all.
const TURNS: u32 = 20;

/// Measures the CPU time of a small search on this thread. The search has many branches
/// and independent steps, as most programs do, and so it slows down as they do when two
/// logical processors share one core; a chain of sums would not.
pub fn calibrate() -> Duration {
    let before = cpu_time();
    let found: u32 = (0..TURNS).map(|_| ways(black_box(0), 0, 0)).sum();
    black_box(found);
    cpu_time().saturating_sub(before)
}

/// Counts the ways to place queens on the remaining rows of a chessboard, given the
/// columns and both kinds of diagonals that are taken.
fn ways(columns: u32, falling: u32, rising: u32) -> u32 {
    if columns == 255 {
        return 1;
    }
    let mut free = 255 & !(columns | falling | rising);
    let mut found = 0;
    while free != 0 {
        let queen = free & free.wrapping_neg();
        free ^= queen;
        found += ways(
            columns | queen,
            (falling | queen) << 1,
            (rising | queen) >> 1,
        );
    }
    found
}

fn cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

// Measures elapsed time, for work with a time budget. Not for runs, whose time
// launchers measure themselves.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_queens_have_92_solutions_and_counting_them_takes_time() {
        assert_eq!(ways(0, 0, 0), 92);
        assert!(calibrate() > Duration::ZERO);
    }
}
