//! Runs the checker of a problem on a complete output. Knows nothing of how the submission ran.

use std::io::{Read, Seek};
use std::path::Path;
use std::{io, iter};

use gridjudge_sandbox::{Fault, Input, Launch, Run, Sandbox, Usage};

use crate::checker::{CallFolder, CheckerCall, JudgedInteraction, answer, interaction};
use crate::model;
use crate::model::{
    Case, CaseWorth, CheckerProgram, CheckerTask, Findings, Job, JudgingProgramKind, Verdict,
};

/// The most bytes of a checker's output that are read.
const MOST_PRINTED: u64 = 64 * 1024;

/// Asks the checker of a problem whether an output is right and, if the case has points, how many
/// it gets. If there are several checkers, they run one after the other until one rejects the
/// output: each may rely on what those before it have checked. `submitted` is the folder with the
/// files of the submission, if there are any.
///
/// # Errors
/// Returns a [`Fault`] if the output cannot be read, if a checker gives no valid answer, or if
/// several give points.
///
/// Source: the Kattis problem package format, `legacy`, "Output Validators": "validation fails if
/// any validator fails".
pub fn check(
    task: &CheckerTask,
    checker: &CheckerProgram,
    case: &Case,
    worth: Option<CaseWorth>,
    submitted: Option<&Path>,
    output: &mut dyn Read,
    sandbox: &dyn Sandbox,
) -> Result<Findings, Fault> {
    let ask = |task: &CheckerTask, checker: &CheckerProgram, output: &mut dyn Read| {
        let call = CheckerCall::prepare(task, checker, case, submitted, Some(output))?.worth(worth);
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
            return Err(answer::fault(
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
    let printed =
        printed(&mut run).map_err(|error| Fault::new(answer::doing(task, case), error))?;
    let printed = call.without_folders(&printed);
    let ended = answer::answer_of(task, &run, &task.limits, call, &printed);
    ended.map_err(|cause| {
        answer::fault(
            task,
            case,
            &cause,
            &answer::words_of(task.protocol.rules(), call, &printed),
        )
    })
}

/// The standard output of a checker, followed by the end of its standard error.
fn printed(run: &mut Run) -> std::io::Result<String> {
    let mut printed = Vec::new();
    run.stdout
        .by_ref()
        .take(MOST_PRINTED)
        .read_to_end(&mut printed)?;
    if printed.last().is_some_and(|last| *last != b'\n') {
        printed.push(b'\n');
    }
    printed.extend_from_slice(&run.stderr_tail);
    Ok(String::from_utf8_lossy(&printed).into_owned())
}

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
            .map_err(|cause| answer::fault(task, &job.case, &cause, ""))?;
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
    Err(answer::fault(task, &job.case, &cause, ""))
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
