//! Why a submission is refused before it is compiled or run. Plain data.

use std::sync::Arc;

/// Why a submission is refused before it is compiled or run, for example because its source is too
/// long.
#[derive(Clone, Debug)]
pub struct PlannedRefusal {
    /// The reason in a few words.
    pub reason: Arc<str>,
    /// Everything that is wrong with the submission.
    pub output: Arc<str>,
}
