//! Where interactions are shown while they take place. Events report an interaction when it is
//! over, in the order of the plan; this is only for people who watch, and no report relies on it.

use crate::model::{Transcript, TranscriptLine};

/// A case of a submission, by its places in the plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlannedCase {
    /// The submission's place in the plan.
    pub entry: usize,
    /// The case's place among the submission's cases.
    pub case: usize,
}

/// Shows the lines of submissions and interactors as they are sent. It is called from many threads
/// and must not block them.
pub trait InteractionDisplay: Sync {
    /// Everything before this case in the plan has been reported. Lines of later cases may already
    /// have been passed to [`say`](Self::say).
    fn turn(&self, case: PlannedCase);

    /// An interaction begins; there may be several on a case.
    fn begin(&self, case: PlannedCase);

    /// A line was sent. Called only for the first lines of an interaction; their number is bounded.
    fn say(&self, case: PlannedCase, line: &TranscriptLine);

    /// An interaction is over; this is its transcript.
    fn end(&self, case: PlannedCase, talk: &Transcript);
}
