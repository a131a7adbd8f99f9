//! Asks a program of a package about the source of a submission, in whose folder it works. Knows nothing of how that was made ready.
//!
//! Source: the Kattis problem package format 2025-09, "Static validator".

use crate::checker::call::CheckerCall;
use crate::checker::output_check;
use crate::model::Case;
use crate::model::CaseWorth;
use crate::model::CheckerProgram;
use crate::model::CheckerTask;
use crate::model::Findings;
use crate::model::SubmittedSources;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Sandbox;

/// Asks the static validator of a problem whether it takes the source of a submission, and where the case is worth points, for how
/// many of them.
///
/// # Errors
/// A [`Fault`] if it does anything but answer, or the judge itself failed.
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
