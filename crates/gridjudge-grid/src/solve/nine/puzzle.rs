//! Defines a plain 9x9 puzzle and the outcome of solving it. Data only.

/// A grid: values 1 to 9 in reading order, 0 for blank.
pub type NinePuzzle = [u8; 81];

/// The outcome of solving a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleOutcome {
    /// The number of solutions, counted up to the limit.
    pub count: usize,
    /// The first solution found; blank if there is none.
    pub first: NinePuzzle,
}

impl PuzzleOutcome {
    /// The outcome of a puzzle without a solution.
    pub const NONE: Self = Self {
        count: 0,
        first: [0; 81],
    };
}
