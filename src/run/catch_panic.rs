//! Converts a panic of the judge into a fault of the case that it judged, so that the other cases
//! are still judged and every case is reported.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::run::case_outcome::CaseOutcome;
use gridjudge_sandbox::Fault;

/// Calls `judge` and returns its outcome, or a fault if it panics.
pub(super) fn catch_panic(judge: impl FnOnce() -> CaseOutcome) -> CaseOutcome {
    let outcome = catch_unwind(AssertUnwindSafe(judge));
    outcome.unwrap_or_else(|panic| CaseOutcome::Faulted(Fault::of_panic("judging", panic.as_ref())))
}
