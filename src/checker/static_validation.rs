//! Runs the static validator of a package on the sources of a submission, in their folder. Knows
//! nothing of how that folder was prepared.
//!
//! Source: the Kattis problem package format 2025-09, "Static validator".

use crate::checker::call::CheckerCall;
use crate::checker::output_check;
use crate::model::{Case, CaseWorth, CheckerProgram, CheckerTask, Findings, SubmittedSources};
use gridjudge_sandbox::{Fault, Sandbox};

/// Asks the static validator of a problem whether it accepts the sources of a submission and, if
/// the case has points, how many they get.
///
/// # Errors
/// Returns a [`Fault`] if it gives no valid answer, or if the judge itself failed.
pub fn validate_sources(
    task: &CheckerTask,
    validator: &CheckerProgram,
    case: &Case,
    worth: Option<CaseWorth>,
    sources: &SubmittedSources,
    sandbox: &dyn Sandbox,
) -> Result<Findings, Fault> {
    let call = CheckerCall::on_sources(task, validator, sources)?.worth(worth);
    output_check::judge_output(task, &call, case, sandbox)
}
