//! The outcome of judging a case: a trial, or why there is none. Plain data; knows neither how a
//! case is judged nor how the outcome is reported.

use std::sync::Arc;

use crate::compile::{BuildFolder, BuildResult};
use crate::model::{Program, Trial};
use gridjudge_sandbox::Fault;

/// The outcome of judging a case.
#[derive(Debug)]
pub(super) enum CaseOutcome {
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

impl CaseOutcome {
    /// The program of a submission and the folder that it is in, or the outcome of its cases if
    /// there is none.
    pub(super) fn or_program(
        build: &Result<BuildResult, Fault>,
    ) -> Result<(&Program, &BuildFolder), Self> {
        match build {
            Ok(BuildResult::Ready { program, folder }) => Ok((program, folder)),
            Ok(BuildResult::Refused { reason, output, .. }) => Err(Self::Refused {
                reason: reason.as_str().into(),
                output: output.as_str().into(),
            }),
            Ok(BuildResult::Unavailable { cause, remedy }) => Err(Self::Unavailable {
                cause: cause.as_str().into(),
                remedy: remedy.as_str().into(),
            }),
            Err(fault) => Err(Self::Faulted(fault.clone())),
        }
    }
}
