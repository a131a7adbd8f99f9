//! Why a submission is refused that nobody has run. Plain data.

use std::sync::Arc;

/// Why a submission is refused without a look at what it does, as too long a source.
#[derive(Clone, Debug)]
pub struct PlannedRefusal {
    /// In a few words.
    pub reason: Arc<str>,
    /// Everything that is wrong with it.
    pub output: Arc<str>,
}
