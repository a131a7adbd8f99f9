//! Asks the checker of a problem about an output that is there whole. Knows one call, and nothing of how the submission ran.

use std::io::Read;

use crate::checker::call::CheckerCall;
use crate::checker::conduct;
use crate::model::Case;
use crate::model::CaseWorth;
use crate::model::CheckerProgram;
use crate::model::CheckerTask;
use crate::model::Findings;
use crate::model::Verdict;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Run;
use gridjudge_sandbox::Sandbox;

/// Bytes of what a checker prints that are read.
const MOST_PRINTED: u64 = 64 * 1024;

/// Asks the checker of a problem whether an output is right, and where the case is worth points, how many of them. Where there are
/// several, all are asked, and the first that rejects the output is believed.
///
/// # Errors
/// A [`Fault`] if the output cannot be read, if a checker does anything but answer, or if several give points.
///
/// Source: the Kattis problem package format, `legacy`, "Output Validators": "All output validators provided will be run on the
/// output", and "validation fails if any validator fails".
pub fn check(
    task: &CheckerTask,
    checker: &CheckerProgram,
    case: &Case,
    worth: Option<CaseWorth>,
    output: &mut dyn Read,
    sandbox: &dyn Sandbox,
) -> Result<Findings, Fault> {
    let (Some(next), Some(next_program)) = (&task.final_checker, &checker.final_checker) else {
        let call = CheckerCall::prepare(task, checker, case, Some(output))?.worth(worth);
        return judge_output(task, &call, case, sandbox);
    };
    let mut bytes = Vec::new();
    output.read_to_end(&mut bytes).map_err(|error| Fault::new(conduct::doing(task, case), error))?;
    let call = CheckerCall::prepare(task, checker, case, Some(&mut &bytes[..]))?.worth(worth);
    let first = judge_output(task, &call, case, sandbox)?;
    let others = check(next, next_program, case, worth, &mut &bytes[..], sandbox)?;
    match (first.verdict(), first.points.is_some() && others.points.is_some()) {
        (Verdict::Accepted, true) => {
            Err(conduct::fault(task, case, "it gives points, and so does another one", ""))
        }
        (Verdict::Accepted, false) => Ok(Findings { points: first.points.or(others.points), ..others }),
        _ => Ok(first),
    }
}

/// The same in a call that is prepared.
pub(super) fn judge_output(
    task: &CheckerTask,
    call: &CheckerCall,
    case: &Case,
    sandbox: &dyn Sandbox,
) -> Result<Findings, Fault> {
    let mut run = sandbox.run(&call.launch, &task.limits)?;
    let printed = printed(&mut run).map_err(|error| Fault::new(conduct::doing(task, case), error))?;
    let printed = call.without_folders(&printed);
    let ended = conduct::answer_of(task, &run, &task.limits, call, &printed);
    ended.map_err(|cause| conduct::fault(task, case, &cause, &printed))
}

/// What a checker wrote to its standard output, then to its standard error.
fn printed(run: &mut Run) -> std::io::Result<String> {
    let mut printed = Vec::new();
    run.stdout.by_ref().take(MOST_PRINTED).read_to_end(&mut printed)?;
    if printed.last().is_some_and(|last| *last != b'\n') {
        printed.push(b'\n');
    }
    printed.extend_from_slice(&run.stderr_tail);
    Ok(String::from_utf8_lossy(&printed).into_owned())
}
