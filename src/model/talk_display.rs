//! Where talks are shown while they go on. Events tell of a talk when it is over, in the order of the plan; this is for who looks on,
//! and no report rests on it.

use crate::model::Transcript;
use crate::model::TranscriptLine;

/// A case of a submission, by their places in the plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlannedCase {
    /// The submission's place in the plan.
    pub entry: usize,
    /// The case's place among its cases.
    pub case: usize,
}

/// Shows what submissions and interactors say to each other, as it is said. It is told by many threads, and keeps none of them waiting.
pub trait TalkDisplay: Sync {
    /// All that comes before this case in the plan has been told. Of what comes later something may have been said already.
    fn turn(&self, case: PlannedCase);

    /// A talk begins; there may be several on a case.
    fn begin(&self, case: PlannedCase);

    /// A line was said, one of the first of the talk: there is a bound on how many are.
    fn say(&self, case: PlannedCase, line: &TranscriptLine);

    /// A talk is over, in which all this was said.
    fn end(&self, case: PlannedCase, talk: &Transcript);
}
