//! One job, from process to verdict. Knows neither the plan around it nor any report.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::check;
use crate::checker;
use crate::checker::JudgedInteraction;
use crate::model;
use crate::model::CheckerKind;
use crate::model::Findings;
use crate::model::Job;
use crate::model::Problem;
use crate::model::Program;
use crate::model::Task;
use crate::model::Trial;
use crate::model::Verdict;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Input;
use gridjudge_sandbox::Limits;
use gridjudge_sandbox::Run;
use gridjudge_sandbox::Sandbox;

/// Runs a job and judges it.
///
/// # Errors
/// A [`Fault`] if the sandbox failed, or the case could not be read: never a verdict.
pub fn hold(job: &Job, sandbox: &dyn Sandbox) -> Result<Trial, Fault> {
    if let (Task::Checker(task), Some(program)) = (job.problem.task_on(&job.case.name), &job.checker)
        && (task.kind == CheckerKind::Interactor || task.passes > 1)
    {
        let judged = match task.passes {
            1 => checker::interact(task, program, job, sandbox)?,
            _ => checker::judge_passes(task, program, job, sandbox)?,
        };
        let JudgedInteraction { run, verdict, findings, transcript, has_worn_out: _ } = judged;
        return Ok(Trial { transcript, ..trial(run, verdict, findings) });
    }
    let run = sandbox.run(&job.launch, &job.limits)?;
    judge(run, &job.limits, |output| {
        if let (Task::Checker(task), Some(program)) = (job.problem.task_on(&job.case.name), &job.checker) {
            let worth = job.problem.scoring.worth_of(&job.case.name);
            return checker::check(task, program, &job.case, worth, output, sandbox);
        }
        let open = |path: &Path| {
            File::open(path).map_err(|error| Fault::new(format!("reading {}", path.display()), error))
        };
        let (input, answer) = (open(&job.case.input)?, open(&job.case.answer)?);
        check(&job.problem, input, output, answer, &job.case.name)
    })
}

/// The same for a case that is held in memory.
///
/// # Errors
/// As [`hold`].
pub fn hold_in_memory(
    problem: &Problem,
    program: &Program,
    limits: &Limits,
    input: &[u8],
    answer: &[u8],
    sandbox: &dyn Sandbox,
) -> Result<Trial, Fault> {
    let run = sandbox.run(&program.on(Input::Bytes(input.to_vec())), limits)?;
    judge(run, limits, |output| check(problem, input, output, answer, "an input"))
}

/// What a run is worth. Its output is read only when the run itself was clean.
fn judge(
    mut run: Run,
    limits: &Limits,
    read: impl FnOnce(&mut dyn Read) -> Result<Findings, Fault>,
) -> Result<Trial, Fault> {
    let (verdict, findings) = match model::breach(&run, limits) {
        Some(verdict) => (verdict, None),
        None => {
            let findings = read(&mut run.stdout)?;
            (findings.verdict(), Some(findings))
        }
    };
    Ok(trial(run, verdict, findings))
}

fn trial(run: Run, verdict: Verdict, findings: Option<Findings>) -> Trial {
    Trial {
        verdict,
        exit: run.exit,
        usage: run.usage,
        findings,
        stderr_tail: run.stderr_tail,
        transcript: None,
        rerun: false,
        cached: false,
    }
}

fn check(
    problem: &Problem,
    input: impl Read,
    output: impl Read,
    answer: impl Read,
    case: &str,
) -> Result<Findings, Fault> {
    check::output(problem.task_on(case), input, output, Some(answer))
        .map_err(|error| Fault::new(format!("checking the output for {case}"), error))
}
