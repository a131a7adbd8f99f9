//! The trait of everything that judges a case. It allows `cached`, which handles stored results, to
//! wrap a `Judge`; `plain` runs the case.

use crate::model::{PlannedCase, Trial};
use crate::run::case_outcome::CaseOutcome;

/// Judges the cases of a plan.
pub(super) trait Judge: Sync {
    /// The stored trial of a case, if there is one: nothing is compiled or run.
    fn recall(&self, case: PlannedCase) -> Option<Trial>;

    /// Judges a case.
    fn judge(&self, case: PlannedCase) -> CaseOutcome;
}
