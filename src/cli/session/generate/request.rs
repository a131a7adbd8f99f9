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
    /// Whether to name every file that is written, and not only the inputs.
    pub(crate) names_every_file: bool,
    /// Grids made at once.
    pub(crate) threads: ThreadCount,
}

impl GenerateRequest {
    /// A request to write the missing cases of one problem.
    pub(crate) fn missing_of(id: &str) -> Self {
        Self {
            ids: vec![id.to_owned()],
            check: false,
            prune: false,
            names_every_file: true,
            threads: ThreadCount::default(),
        }
    }
}
