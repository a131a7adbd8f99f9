//! Runs a submission as often as the checker or interactor of its problem requests, each time on
//! the input that the last pass has left. The limits apply to each pass on its own. Knows when
//! another pass is needed; a single pass is judged elsewhere.
//!
//! Source: the Kattis problem package format 2025-09, "Multi-pass validation".

use gridjudge_sandbox::{Fault, Input, Launch, Sandbox, Usage};

use crate::checker::output_check::judge_output;
use crate::checker::{CallFolder, CheckerCall, JudgedInteraction, conduct, interaction};
use crate::model;
use crate::model::{CheckerProgram, CheckerTask, Job, JudgingProgramKind, Verdict};

/// Judges a submission in passes. The result is that of the last pass, with the highest usage of
/// any pass.
///
/// # Errors
/// Returns a [`Fault`] if the checker gives no valid answer, or requests more passes than the
/// problem allows.
pub fn judge_passes(
    task: &CheckerTask,
    checker: &CheckerProgram,
    job: &Job,
    sandbox: &dyn Sandbox,
) -> Result<JudgedInteraction, Fault> {
    let mut most = Usage::default();
    let mut next: Option<NextPass> = None;
    for number in 1..=task.passes {
        let (mut judged, call) = match task.kind {
            JudgingProgramKind::Checker
            | JudgingProgramKind::FinalChecker
            | JudgingProgramKind::Grader
            | JudgingProgramKind::StaticValidator => {
                run_pass(task, checker, job, next.take(), sandbox)?
            }
            JudgingProgramKind::Interactor => {
                interactive_pass(task, checker, job, next.take(), sandbox)?
            }
        };
        most = at_least(most, judged.run.usage);
        judged.run.usage = most;
        if number > 1 {
            name_pass(&mut judged, number);
        }
        let Some(call) = call.filter(|_| judged.verdict == Verdict::Accepted) else {
            return Ok(judged);
        };
        let asked = call
            .take_next_pass()
            .map_err(|cause| conduct::fault(task, &job.case, &cause, ""))?;
        match asked {
            Some(input) => {
                next = Some(NextPass {
                    input,
                    folder: call.into_folder(),
                })
            }
            None => return Ok(judged),
        }
    }
    let cause = format!(
        "it asks for another pass after {} (`validation_passes`)",
        task.passes
    );
    Err(conduct::fault(task, &job.case, &cause, ""))
}

/// The input of the next pass, and the folder that all calls of the checker share.
struct NextPass {
    input: Vec<u8>,
    folder: CallFolder,
}

/// Runs the submission and, unless the run itself decides the verdict, the checker on its output.
fn run_pass(
    task: &CheckerTask,
    checker: &CheckerProgram,
    job: &Job,
    next: Option<NextPass>,
    sandbox: &dyn Sandbox,
) -> Result<(JudgedInteraction, Option<CheckerCall>), Fault> {
    let (launch, folder) = match next {
        None => (job.launch.clone(), None),
        Some(NextPass { input, folder }) => (
            Launch {
                input: Input::Bytes(input),
                ..job.launch.clone()
            },
            Some(folder),
        ),
    };
    let mut run = sandbox.run(&launch, &job.limits)?;
    if let Some(verdict) = model::verdict_of_breach(&run, &job.limits) {
        return Ok((
            JudgedInteraction {
                run,
                verdict,
                findings: None,
                transcript: None,
            },
            None,
        ));
    }
    let call = match folder {
        None => CheckerCall::prepare(
            task,
            checker,
            &job.case,
            job.submitted(),
            Some(&mut run.stdout),
        )?,
        Some(folder) => CheckerCall::again(folder, task, checker, job, Some(&mut run.stdout))?,
    };
    let call = call.worth(job.problem.scoring.worth_of(&job.case.name));
    let findings = judge_output(task, &call, &job.case, sandbox)?;
    let verdict = findings.verdict();
    let findings = Some(findings);
    Ok((
        JudgedInteraction {
            run,
            verdict,
            findings,
            transcript: None,
        },
        Some(call),
    ))
}

/// Runs the submission with the interactor. Only the interactor is given the input of the pass.
fn interactive_pass(
    task: &CheckerTask,
    interactor: &CheckerProgram,
    job: &Job,
    next: Option<NextPass>,
    sandbox: &dyn Sandbox,
) -> Result<(JudgedInteraction, Option<CheckerCall>), Fault> {
    let call = match next {
        None => CheckerCall::prepare(task, interactor, &job.case, job.submitted(), None)?,
        Some(NextPass { folder, .. }) => CheckerCall::again(folder, task, interactor, job, None)?,
    };
    let call = call.worth(job.problem.scoring.worth_of(&job.case.name));
    let judged = interaction::talk(task, &call, job, sandbox)?;
    Ok((judged, Some(call)))
}

/// The larger of each figure, as the limits apply to each pass on its own.
fn at_least(most: Usage, usage: Usage) -> Usage {
    let peak_memory_bytes = most.peak_memory_bytes.max(usage.peak_memory_bytes);
    let possible = |usage: Usage| {
        usage
            .peak_memory_bytes
            .saturating_add(usage.hidden_memory_bytes)
    };
    Usage {
        cpu: most.cpu.max(usage.cpu),
        wall: most.wall.max(usage.wall),
        peak_memory_bytes,
        hidden_memory_bytes: possible(most).max(possible(usage)) - peak_memory_bytes,
        ..usage
    }
}

/// Adds the number of the pass to the findings.
fn name_pass(judged: &mut JudgedInteraction, number: u32) {
    let findings = judged
        .findings
        .iter_mut()
        .flat_map(|findings| &mut findings.listed);
    findings.for_each(|finding| finding.message = format!("pass {number}: {}", finding.message));
}
