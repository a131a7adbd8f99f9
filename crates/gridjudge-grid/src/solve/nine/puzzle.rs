//! A plain 9x9 puzzle, and what became of it. Data only.

/// A grid: values 1 to 9 in reading order, 0 for blank.
pub type NinePuzzle = [u8; 81];

/// What became of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleOutcome {
    /// How many solutions there are, counted up to the limit.
    pub count: usize,
    /// The first that was found; blank if there is none.
    pub first: NinePuzzle,
}

impl PuzzleOutcome {
    /// That of a puzzle without a solution.
    pub const NONE: Self = Self { count: 0, first: [0; 81] };
}
