//! The keys of the lines of a baseline. Knows nothing of their content.

use std::sync::Arc;

/// The key of a submission on a case, sorted as in files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TrialKey {
    pub(super) problem: Arc<str>,
    pub(super) submission: Arc<str>,
    pub(super) case: Arc<str>,
}

impl TrialKey {
    /// The key of its submission.
    pub(super) fn owner(&self) -> SubmissionKey {
        (Arc::clone(&self.problem), Arc::clone(&self.submission))
    }
}

/// A problem and a submission to it.
pub(super) type SubmissionKey = (Arc<str>, Arc<str>);
