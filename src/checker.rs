//! Runs the checker program of a problem on an output, or beside a submission as its interactor, in the sandbox, and reads what it
//! says. A checker is a tool: whatever it does but answer is a fault, and never a verdict. Knows nothing of how a checker or a
//! submission was made.

mod answer;
mod blame;
mod call;
mod conduct;
mod input_validator;
mod interaction;
mod points;

pub use interaction::JudgedInteraction;
pub use interaction::interact;

use std::io::Read;

use crate::model::Case;
use crate::model::CaseWorth;
use crate::model::CheckerProgram;
use crate::model::CheckerTask;
use crate::model::Findings;
use call::CheckerCall;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Run;
use gridjudge_sandbox::Sandbox;
pub use input_validator::InputOpinion;
pub use input_validator::validate_input;

/// Bytes of what a checker prints that are read.
const MOST_PRINTED: u64 = 64 * 1024;

/// Asks the checker of a problem whether an output is right, and where the case is worth points, how many of them.
///
/// # Errors
/// A [`Fault`] if the output cannot be read, or if the checker does anything but answer.
pub fn check(
    task: &CheckerTask,
    checker: &CheckerProgram,
    case: &Case,
    worth: Option<CaseWorth>,
    output: &mut dyn Read,
    sandbox: &dyn Sandbox,
) -> Result<Findings, Fault> {
    let call = CheckerCall::prepare(task, checker, case, Some(output))?.worth(worth);
    let mut run = sandbox.run(&call.launch, &task.limits)?;
    let printed = printed(&mut run).map_err(|error| Fault::new(conduct::doing(task, case), error))?;
    let printed = call.without_folders(&printed);
    let ended = conduct::answer_of(task, &run, &task.limits, &call, &printed);
    ended.map_err(|cause| conduct::fault(task, case, &cause, &printed))
}

fn printed(run: &mut Run) -> std::io::Result<String> {
    let mut printed = Vec::new();
    run.stdout.by_ref().take(MOST_PRINTED).read_to_end(&mut printed)?;
    Ok(String::from_utf8_lossy(&printed).into_owned())
}

#[cfg(test)]
mod tests;
