//! When to start the decisions anew, and when to forget. Counts conflicts, never time.

/// Conflicts before the first restart, and the least between two.
const LEAST: u64 = 20;

/// The values here and in `order` are those that solved most of Frisch's sixteen minimal grids of order 25 within 60,000
/// conflicts; none of them is critical. Vivifying learned clauses and probing literals at the outset gained nothing.
///
/// How much worse than its long average the recent glue must be for a restart.
const MARGIN: f64 = 1.1;

/// Learned clauses before the first are forgotten, and how many more are allowed each time.
const FIRST_LEARNED: usize = 2000;
const MORE_LEARNED: usize = 300;

/// Averages of the glue of learned clauses.
#[derive(Clone, Debug)]
pub(super) struct RestartPolicy {
    recent: f64,
    lasting: f64,
    conflicts: u64,
    since: u64,
    allowed: usize,
}

impl Default for RestartPolicy {
    fn default() -> Self {
        Self { recent: 0.0, lasting: 0.0, conflicts: 0, since: 0, allowed: FIRST_LEARNED }
    }
}

impl RestartPolicy {
    /// Takes in the glue of a clause just learned.
    pub(super) fn learned(&mut self, glue: u32) {
        self.conflicts += 1;
        self.since += 1;
        let glue = f64::from(glue);
        // The first values weigh more, or the averages would start near 0.
        let weight = |span: f64| (1.0 / span).max(1.0 / self.conflicts as f64);
        self.recent += (glue - self.recent) * weight(32.0);
        self.lasting += (glue - self.lasting) * weight(5000.0);
    }

    /// Whether the clauses learned of late are so bad that other decisions should be tried.
    pub(super) fn are_due(&self) -> bool {
        self.since >= LEAST && self.recent > MARGIN * self.lasting
    }

    pub(super) fn restarted(&mut self) {
        self.since = 0;
    }

    /// Whether so many learned clauses are too many. Each time more are allowed, so the search does not run in circles.
    pub(super) fn should_forget(&mut self, learned: usize) -> bool {
        let is_due = learned > self.allowed;
        self.allowed += if is_due { MORE_LEARNED } else { 0 };
        is_due
    }
}
