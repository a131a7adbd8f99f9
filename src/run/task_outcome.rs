//! What judging a case came to: a trial, or why there is none. Plain data; knows neither how it came about nor what is told
//! of it.

use std::sync::Arc;

use crate::model::Trial;
use gridjudge_sandbox::Fault;

/// What judging a case came to.
#[derive(Debug)]
pub(super) enum TaskOutcome {
    /// It was judged.
    Judged(Box<Trial>),
    /// The judge failed at it.
    Faulted(Fault),
    /// The submission was refused by its compiler.
    Refused {
        /// In a few words.
        reason: Arc<str>,
        /// What the compiler said.
        output: Arc<str>,
    },
    /// The submission cannot be made ready on this machine.
    Unavailable {
        /// What is missing.
        cause: Arc<str>,
        /// How to get it.
        remedy: Arc<str>,
    },
    /// An earlier case had settled the submission when its turn came.
    NotRun,
}
