//! Runs the checker program of a problem in the sandbox, on an output or beside a
//! submission as its interactor, and reads its answer. A checker is a tool: anything it
//! does except answer is a fault, and never a verdict. Knows nothing of how a checker
//! or a submission was compiled.

mod answer;
mod call;
mod call_folder;
mod generator;
mod grader;
mod interaction;
mod output_check;
mod points;
mod transcript_recorder;

use gridjudge_sandbox::{Fault, Sandbox};

use crate::model::{Findings, SubmittedSources};

use call::CheckerCall;
use call_folder::{CallFolder, CaseFiles, last_words};

pub use call::CheckerSetup;
pub use generator::{GeneratorCall, InputOpinion, WantedInput, validate_input};
pub use grader::GraderCall;
pub use interaction::judge_passes;
pub use output_check::check_output;
pub use transcript_recorder::TranscriptRecorder;

// Runs the static validator of a package on the sources of a submission, in their
// folder. Knows nothing of how that folder was prepared.
//
// Source: the Kattis problem package format 2025-09, "Static validator".

/// Asks the static validator of a problem whether it accepts the sources of a
/// submission and, if the case has points, how many they get.
///
/// # Errors
/// Returns a [`Fault`] if it gives no valid answer, or if the judge itself failed.
pub fn validate_sources(
    setup: CheckerSetup<'_>,
    sources: &SubmittedSources,
    sandbox: &dyn Sandbox,
) -> Result<Findings, Fault> {
    let call = CheckerCall::on_sources(setup, sources)?;
    output_check::judge_output(&call, sandbox)
}

#[cfg(test)]
mod tests;
