//! Runs the checker of a problem on a complete output. Knows nothing of how the
//! submission ran.

use std::io::{self, Read, Seek};
use std::iter;
use std::path::Path;

use gridjudge_sandbox::{Fault, Run, Sandbox};

use crate::checker::{CheckerCall, answer};
use crate::model::{Case, CaseWorth, CheckerProgram, CheckerTask, Findings, Verdict};

/// The most bytes of a checker's output that are read.
const MOST_PRINTED: u64 = 64 * 1024;

/// Asks the checker of a problem whether an output is right and, if the case has
/// points, how many it gets. If there are several checkers, they run one after the
/// other until one rejects the output: each may rely on what those before it have
/// checked. `submitted` is the folder with the files of the submission, if there are
/// any.
///
/// # Errors
/// Returns a [`Fault`] if the output cannot be read, if a checker gives no valid
/// answer, or if several give points.
///
/// Source: the Kattis problem package format, `legacy`, "Output Validators":
/// "validation fails if any validator fails".
pub fn check_output(
    task: &CheckerTask,
    checker: &CheckerProgram,
    case: &Case,
    worth: Option<CaseWorth>,
    submitted: Option<&Path>,
    output: &mut dyn Read,
    sandbox: &dyn Sandbox,
) -> Result<Findings, Fault> {
    let ask = |task: &CheckerTask, checker: &CheckerProgram, output: &mut dyn Read| {
        let call = CheckerCall::prepare(task, checker, case, submitted, Some(output))?
            .worth(worth);
        judge_output(task, &call, case, sandbox)
    };
    let checkers = checkers_in_order(task, checker);
    if checkers.len() == 1 {
        return ask(task, checker, output);
    }
    let unreadable = |error| Fault::new(answer::doing(task, case), error);
    // Each checker reads the output from its start, and it may be too large for memory.
    let mut copy = tempfile::tempfile().map_err(unreadable)?;
    io::copy(output, &mut copy).map_err(unreadable)?;
    let mut findings = Findings::default();
    for (task, checker) in checkers {
        copy.rewind().map_err(unreadable)?;
        let found = ask(task, checker, &mut copy)?;
        if found.verdict() != Verdict::Accepted {
            return Ok(found);
        }
        if findings.points.is_some() && found.points.is_some() {
            return Err(answer::checker_fault(
                task,
                case,
                "it gives points, and so does another one",
                "",
            ));
        }
        findings = Findings {
            points: found.points.or(findings.points),
            ..found
        };
    }
    Ok(findings)
}

/// A checker and those that run after it.
fn checkers_in_order<'a>(
    task: &'a CheckerTask,
    checker: &'a CheckerProgram,
) -> Vec<(&'a CheckerTask, &'a CheckerProgram)> {
    iter::successors(Some((task, checker)), |(task, checker)| {
        Some((
            task.final_checker.as_deref()?,
            checker.final_checker.as_deref()?,
        ))
    })
    .collect()
}

/// Runs a prepared call of one checker, and returns its answer.
pub(super) fn judge_output(
    task: &CheckerTask,
    call: &CheckerCall,
    case: &Case,
    sandbox: &dyn Sandbox,
) -> Result<Findings, Fault> {
    let mut run = sandbox.run(&call.launch, &task.limits)?;
    answer::fault_if_disk_is_full(task, case, call)?;
    let printed = printed(&mut run)
        .map_err(|error| Fault::new(answer::doing(task, case), error))?;
    let printed = call.without_folders(&printed);
    let ended = answer::answer_of(task, &run, &task.limits, call, &printed);
    ended.map_err(|cause| {
        answer::checker_fault(
            task,
            case,
            &cause,
            &answer::message_of_checker(task.protocol.rules(), call, &printed),
        )
    })
}

/// The standard output of a checker, followed by the end of its standard error.
fn printed(run: &mut Run) -> std::io::Result<String> {
    let mut printed = run.printed(MOST_PRINTED)?;
    if printed.last().is_some_and(|last| *last != b'\n') {
        printed.push(b'\n');
    }
    printed.extend_from_slice(&run.stderr_tail);
    Ok(String::from_utf8_lossy(&printed).into_owned())
}
