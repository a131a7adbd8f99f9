//! The outcome of judging a case: a trial, or why there is none. Plain data; knows neither how a case is
//! judged nor how the outcome is reported.

use std::sync::Arc;

use crate::model::Trial;
use gridjudge_sandbox::Fault;

/// The outcome of judging a case.
#[derive(Debug)]
pub(super) enum TaskOutcome {
    /// The case was judged.
    Judged(Box<Trial>),
    /// The judge failed.
    Faulted(Fault),
    /// The submission was refused: by its compiler, or before it was compiled.
    Refused {
        /// The reason in a few words.
        reason: Arc<str>,
        /// The output of the compiler, or all reasons.
        output: Arc<str>,
    },
    /// The submission cannot be prepared on this machine.
    Unavailable {
        /// What is missing.
        cause: Arc<str>,
        /// How to get it.
        remedy: Arc<str>,
    },
    /// The case was not run, because an earlier one had settled the submission.
    NotRun,
}
