//! Panics of the judge's own: what a case comes to in spite of one. Every case is told, whatever happens to one.

use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use crate::run::task_outcome::TaskOutcome;
use gridjudge_sandbox::Fault;

/// What judging comes to, also if it panics.
pub(super) fn catch_panic(judge: impl FnOnce() -> TaskOutcome) -> TaskOutcome {
    let outcome = catch_unwind(AssertUnwindSafe(judge));
    outcome.unwrap_or_else(|panic| TaskOutcome::Faulted(Fault::of_panic("judging", panic.as_ref())))
}
