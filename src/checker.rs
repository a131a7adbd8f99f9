//! Runs the checker program of a problem on an output, in the sandbox, and reads what it says. A checker is a tool: whatever
//! it does but answer is a fault, and never a verdict. Knows nothing of submissions, and not how the checker was made.

mod answer;
mod call;
mod input_validator;

use std::io::Read;

use crate::model;
use crate::model::Case;
use crate::model::CheckerProgram;
use crate::model::CheckerTask;
use crate::model::Findings;
use crate::model::Verdict;
use call::CheckerCall;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Run;
use gridjudge_sandbox::Sandbox;
pub use input_validator::InputOpinion;
pub use input_validator::validate_input;

/// Bytes of what a checker prints that are read.
const MOST_PRINTED: u64 = 64 * 1024;

/// Asks the checker of a problem what an output is worth.
///
/// # Errors
/// A [`Fault`] if the output cannot be read, or if the checker does anything but answer.
pub fn check(
    task: &CheckerTask,
    checker: &CheckerProgram,
    case: &Case,
    output: &mut dyn Read,
    sandbox: &dyn Sandbox,
) -> Result<Findings, Fault> {
    let call = CheckerCall::prepare(task, checker, case, output)?;
    let mut run = sandbox.run(&call.launch, &task.limits)?;
    let printed = printed(&mut run).map_err(|error| Fault::new(doing(task, case), error))?;
    let printed = call.without_folders(&printed);
    let ended = match broken_limit(&run, task) {
        Some(limit) => {
            Err(format!("it broke its own {limit} ([task.limits], or `validation_*` of a package)"))
        }
        None => answer::findings_of(task.protocol, run.exit, &call, &printed),
    };
    ended.map_err(|cause| fault(task, case, &cause, &printed))
}

/// The limit that a checker broke, in words. How it ended is no limit.
fn broken_limit(run: &Run, task: &CheckerTask) -> Option<&'static str> {
    match model::breach(run, &task.limits)? {
        Verdict::RuntimeError => None,
        Verdict::TimeLimit => Some("time limit"),
        Verdict::IdleLimit => Some("wall limit"),
        Verdict::MemoryLimit => Some("memory limit"),
        _ => Some("output limit"),
    }
}

fn printed(run: &mut Run) -> std::io::Result<String> {
    let mut printed = Vec::new();
    run.stdout.by_ref().take(MOST_PRINTED).read_to_end(&mut printed)?;
    Ok(String::from_utf8_lossy(&printed).into_owned())
}

fn doing(task: &CheckerTask, case: &Case) -> String {
    format!("running the checker {} on {}", task.source.display(), case.name)
}

/// What a checker did but answer, with its last words and the command to repeat it.
fn fault(task: &CheckerTask, case: &Case, cause: &str, printed: &str) -> Fault {
    let last = printed.lines().rev().map(str::trim).find(|line| !line.is_empty());
    let last = last.map(|last| last.chars().take(answer::LONGEST_LINE).collect::<String>());
    let cause = last.map_or_else(|| cause.to_owned(), |last| format!("{cause}; it said: {last}"));
    Fault::because(doing(task, case), cause).with_remedy(format!(
        "mend the checker; to repeat it, compile it and run `{}`, with what the submission prints for OUTPUT",
        call::shown(task, case)
    ))
}

#[cfg(test)]
mod tests;
