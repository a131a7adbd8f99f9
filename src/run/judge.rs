//! The one small trait of everything that judges a case, so that what is known, or doubtful, can be handled around what
//! runs it: `cached` and `confirmed` hold a `Judge` each, and `plain` runs the case.

use crate::model::PlannedCase;
use crate::run::task_outcome::TaskOutcome;

/// Judges the cases of a plan.
pub(super) trait Judge: Sync {
    /// Makes the submission at this place in the plan ready ahead of its cases, if one of them will need that.
    fn prepare(&self, entry: usize);

    /// What a case comes to.
    fn judge(&self, case: PlannedCase) -> TaskOutcome;
}
