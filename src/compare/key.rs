//! Names of what a baseline has lines for. Knows nothing of what is known of them.

use std::sync::Arc;

/// A submission on a case, in the order of files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TrialKey {
    pub(super) problem: Arc<str>,
    pub(super) submission: Arc<str>,
    pub(super) case: Arc<str>,
}

impl TrialKey {
    /// The submission that it is of.
    pub(super) fn owner(&self) -> SubmissionKey {
        (Arc::clone(&self.problem), Arc::clone(&self.submission))
    }
}

/// A problem and a submission to it.
pub(super) type SubmissionKey = (Arc<str>, Arc<str>);
