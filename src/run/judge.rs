//! The trait of everything that judges a case. It allows `cached` and `confirmer`, which handle cached and
//! doubtful results, to wrap a `Judge` each; `plain` runs the case.

use crate::model::PlannedCase;
use crate::run::case_outcome::CaseOutcome;

/// Judges the cases of a plan.
pub(super) trait Judge: Sync {
    /// Compiles the submission at this place in the plan ahead of its cases, if one of them will need it.
    fn prepare(&self, entry: usize);

    /// Judges a case.
    fn judge(&self, case: PlannedCase) -> CaseOutcome;
}
