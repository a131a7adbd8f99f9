//! Panics of ours: what comes of a task in spite of one. Every case is told, whatever happens to one.

use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use crate::run::reporter::TaskOutcome;
use gridjudge_sandbox::Fault;

/// What a task comes to, also if it panics.
pub(crate) fn catch_panic(task: impl FnOnce() -> Option<TaskOutcome>) -> Option<TaskOutcome> {
    let outcome = catch_unwind(AssertUnwindSafe(task));
    outcome.unwrap_or_else(|panic| Some(TaskOutcome::Faulted(Fault::of_panic("judging", panic.as_ref()))))
}
