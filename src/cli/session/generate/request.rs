//! What to generate. Plain data.

use crate::cli::session::startup::ThreadCount;

/// The problems whose cases to generate, and how.
pub(crate) struct GenerateRequest {
    /// The ids of the problems.
    pub(crate) ids: Vec<String>,
    /// Whether to compare only, and to write nothing.
    pub(crate) check: bool,
    /// Whether to delete generated cases that no recipe makes any more.
    pub(crate) prune: bool,
    /// Grids made at once.
    pub(crate) threads: ThreadCount,
}
