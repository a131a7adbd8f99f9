//! Panics of ours: what comes of a task in spite of one. Every case is told, whatever happens to one.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use crate::model::Fault;
use crate::suite::narrator::Outcome;

/// What a task comes to, also if it panics.
pub(crate) fn caught(task: impl FnOnce() -> Option<Outcome>) -> Option<Outcome> {
    let outcome = catch_unwind(AssertUnwindSafe(task));
    outcome.unwrap_or_else(|panic| Some(Outcome::Faulted(bug(panic.as_ref()))))
}

/// A panic as a fault.
fn bug(panic: &(dyn Any + Send)) -> Fault {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    Fault::because("judging", format!("a bug of gridjudge: {}", text.unwrap_or("it panicked")))
        .with_remedy("report it, with the files that it was judging")
}
