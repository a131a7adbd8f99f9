//! Runs the checker of a problem on a complete output. Knows nothing of how the
//! submission ran.

use std::io::{self, Read, Seek};
use std::iter;

use gridjudge_sandbox::{Fault, Sandbox};

use crate::checker::{CheckerCall, CheckerSetup};
use crate::model::{Findings, Verdict};

/// The most bytes of a checker's output that are read.
const MOST_PRINTED: u64 = 64 * 1024;

/// Asks the checker of a problem whether an output is right and, if the case has
/// points, how many it gets. If there are several checkers, they run one after the
/// other until one rejects the output: each may rely on what those before it have
/// checked.
///
/// # Errors
/// Returns a [`Fault`] if the output cannot be read, if a checker gives no valid
/// answer, or if several give points.
///
/// Source: the Kattis problem package format, `legacy`, "Output Validators":
/// "validation fails if any validator fails".
pub fn check_output(
    setup: &CheckerSetup<'_>,
    output: &mut dyn Read,
    sandbox: &dyn Sandbox,
) -> Result<Findings, Fault> {
    let ask = |setup: &CheckerSetup<'_>, output: &mut dyn Read| {
        judge_output(&CheckerCall::prepare(*setup, None, Some(output))?, sandbox)
    };
    let checkers: Vec<_> = iter::successors(Some(*setup), |setup| {
        Some(CheckerSetup {
            task: setup.task.final_checker.as_deref()?,
            program: setup.program.final_checker.as_deref()?,
            ..*setup
        })
    })
    .collect();
    if checkers.len() == 1 {
        return ask(setup, output);
    }
    let unreadable = |error| Fault::new(setup.doing(), error);
    // Each checker reads the output from its start, and it may be too large for memory.
    let mut copy = tempfile::tempfile().map_err(unreadable)?;
    io::copy(output, &mut copy).map_err(unreadable)?;
    let mut findings = Findings::default();
    for checker in checkers {
        copy.rewind().map_err(unreadable)?;
        let found = ask(&checker, &mut copy)?;
        if found.verdict() != Verdict::Accepted {
            return Ok(found);
        }
        if findings.points.is_some() && found.points.is_some() {
            return Err(checker.fault("it gives points, and so does another one", ""));
        }
        findings = Findings {
            points: found.points.or(findings.points),
            ..found
        };
    }
    Ok(findings)
}

/// Runs a prepared call of one checker, and returns its answer.
pub(super) fn judge_output(
    call: &CheckerCall<'_>,
    sandbox: &dyn Sandbox,
) -> Result<Findings, Fault> {
    let setup = &call.setup;
    let limits = &setup.task.limits;
    let mut run = sandbox.run(&call.launch, limits)?;
    call.fault_if_disk_is_full()?;
    let mut printed = run
        .printed(MOST_PRINTED)
        .map_err(|error| Fault::new(setup.doing(), error))?;
    // The end of its standard error follows.
    if printed.last().is_some_and(|last| *last != b'\n') {
        printed.push(b'\n');
    }
    printed.extend_from_slice(&run.stderr_tail);
    let printed = call.without_folders(&String::from_utf8_lossy(&printed));
    call.answer_of(&run, limits, &printed)
        .map_err(|cause| setup.fault(&cause, &call.message_of_checker(&printed)))
}
