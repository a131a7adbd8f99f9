//! Runs and judges one job, from process to verdict. Knows neither the plan around it
//! nor any report. Start at [`judge_job`].

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek};
use std::path::{Path, PathBuf};

use gridjudge_sandbox::{
    Fault, Input, Limits, MissingOutput, Run, Sandbox, again_if_lost,
};

use crate::checker::{self, CheckerSetup};
use crate::model::{
    self, Case, CheckerProgram, CheckerTask, Finding, FindingKind, FindingRule,
    Findings, Job, JudgingProgramKind, Problem, Program, SubmittedSources, Trial,
    Verdict,
};
use crate::{check, files};

pub use crate::checker::{GraderCall, TranscriptRecorder};

/// Runs a job and judges it.
///
/// # Errors
/// Returns a [`Fault`], never a verdict, if the sandbox failed, the case could not be
/// read, or one of the programs was removed.
pub fn judge_job(job: &Job, sandbox: &dyn Sandbox) -> Result<Trial, Fault> {
    let submission = (
        job.launch.command.as_slice(),
        job.launch.readable.as_slice(),
    );
    let trial = again_if_lost(|| run_job(job, sandbox))?;
    unless_removed(trial, Some(submission), job.checker.as_deref())
}

/// Returns a trial of this job that was stopped some time after its time limit with the
/// points of what it prints until then, where these count: one more run, which ends at
/// the limit, shows that.
///
/// # Errors
/// As [`judge_job`].
pub fn with_points_at_the_limit(
    trial: Trial,
    job: &Job,
    sandbox: &dyn Sandbox,
) -> Result<Trial, Fault> {
    let counts = job.problem.task_on(&job.case.name).scores_failed_runs();
    if trial.verdict != Verdict::TimeLimit || !counts {
        return Ok(trial);
    }
    let stopped = judge_job(job, sandbox)?;
    Ok(Trial {
        findings: stopped.findings.points_only(),
        ..trial
    })
}

fn run_job(job: &Job, sandbox: &dyn Sandbox) -> Result<Trial, Fault> {
    let Job {
        problem,
        case,
        limits,
        checker,
        ..
    } = job;
    let setup =
        CheckerSetup::on_case(problem, case, checker.as_deref(), job.submitted());
    if let Some(setup) = setup
        && (setup.task.kind == JudgingProgramKind::Interactor
            || setup.task.passes > 1)
    {
        let trial = checker::judge_passes(setup, job, sandbox)?;
        // A flood does not end an interaction: the time does, and the output is to
        // blame.
        let is_flood = trial.verdict == Verdict::OutputLimit;
        return Ok(if is_flood {
            trial
        } else {
            trial.within_time_limit(limits)
        });
    }
    let run = sandbox.run(&job.launch, limits)?;
    let trial = judge(run, limits, problem, &case.name, |output| {
        findings(problem, case, setup, output, sandbox)
    })?;
    Ok(trial.within_time_limit(limits))
}

/// Judges the answer to a case that was submitted as a file like the output of a
/// program. If the submission has none for this case, the finding is that it is
/// missing. Of the limits only the output limit applies; `checker` is the problem's, if
/// a program judges outputs.
///
/// # Errors
/// As [`judge_job`], and if the answer is no longer a regular file.
pub fn judge_answer(
    problem: &Problem,
    case: &Case,
    file: Option<&Path>,
    limits: &Limits,
    checker: Option<&CheckerProgram>,
    sandbox: &dyn Sandbox,
) -> Result<Trial, Fault> {
    let Some(path) = file else {
        let message = "the submission holds no answer to this case";
        let finding = Finding::unplaced(FindingRule::Missing, message);
        return Ok(trial_without_run(finding.into()));
    };
    let failed = Fault::at("reading", path);
    // The path was a regular file when the submission was read; it may be a link or a
    // pipe by now.
    let file = files::open_real(path).map_err(|error| failed(error.into()))?;
    let found = file.metadata().map_err(failed)?;
    let setup = CheckerSetup::on_case(problem, case, checker, None);
    let trial = again_if_lost(|| {
        let mut file = file.try_clone().map_err(failed)?;
        file.rewind().map_err(failed)?;
        let run = Run::of_output(file.take(found.len()), found.len());
        judge(run, limits, problem, &case.name, |output| {
            findings(problem, case, setup, output, sandbox)
        })
    })?;
    unless_removed(trial, None, checker)
}

/// Judges the source of a submission with the problem's static validator; the
/// submission is not run.
///
/// # Errors
/// Returns a [`Fault`] if the validator gives no valid answer, or if the judge itself
/// failed.
pub fn judge_sources(
    problem: &Problem,
    case: &Case,
    task: &CheckerTask,
    validator: &CheckerProgram,
    sources: &SubmittedSources,
    sandbox: &dyn Sandbox,
) -> Result<Trial, Fault> {
    let worth = problem.scoring.worth_of(&case.name);
    let setup = CheckerSetup {
        submitted: Some(&sources.folder),
        ..CheckerSetup::new(task, validator, case, worth)
    };
    let findings =
        again_if_lost(|| checker::validate_sources(setup, sources, sandbox))?;
    let trial = trial_without_run(findings);
    let of_submission = (&[][..], std::slice::from_ref(&sources.folder));
    unless_removed(trial, Some(of_submission), Some(validator))
}

/// The trial of a submission of which nothing was run.
fn trial_without_run(findings: Findings) -> Trial {
    let run = Run::of_output(io::empty(), 0);
    Trial::of_run(run, findings.verdict(), findings)
}

/// Checks an output against a case: with the problem's checker program if it has one,
/// else in-process.
fn findings(
    problem: &Problem,
    case: &Case,
    checker: Option<CheckerSetup<'_>>,
    output: &mut dyn Read,
    sandbox: &dyn Sandbox,
) -> Result<Findings, Fault> {
    if let Some(setup) = &checker {
        return checker::check_output(setup, output, sandbox);
    }
    let open = |path: &Path| File::open(path).map_err(Fault::at("reading", path));
    check(
        problem,
        open(&case.input)?,
        output,
        open(&case.answer)?,
        &case.name,
    )
}

/// Runs a program on a case that is in memory, and judges it.
///
/// # Errors
/// As [`judge_job`].
pub fn judge_in_memory(
    problem: &Problem,
    program: &Program,
    limits: &Limits,
    input: &[u8],
    answer: &[u8],
    sandbox: &dyn Sandbox,
) -> Result<Trial, Fault> {
    let run = sandbox.run(
        &program.on_case(problem, "", Input::Bytes(input.to_vec())),
        limits,
    )?;
    let case = "an input";
    judge(run, limits, problem, case, |output| {
        check(problem, input, output, answer, case)
    })
}

/// Judges a run. Its output is read only if the run broke no limit and did not crash,
/// or if it gives points even then.
fn judge(
    mut run: Run,
    limits: &Limits,
    problem: &Problem,
    case: &str,
    read: impl FnOnce(&mut dyn Read) -> Result<Findings, Fault>,
) -> Result<Trial, Fault> {
    let (verdict, findings) = match model::verdict_of_breach(&run, limits) {
        Some(verdict) if problem.task_on(case).scores_failed_runs() => {
            // DMOJ drops all of an output that is too long.
            let is_dropped = verdict == Verdict::OutputLimit;
            let findings = if is_dropped {
                read(&mut io::empty())
            } else {
                read(&mut run.stdout)
            };
            (verdict, findings?.points_only())
        }
        Some(verdict) => (verdict, Findings::default()),
        None => {
            let findings = match (run.missing_output, &problem.file_streams.output) {
                (Some(missing), Some(name)) => without_output(missing, name),
                _ => read(&mut run.stdout)?,
            };
            (findings.verdict(), findings)
        }
    };
    Ok(Trial::of_run(run, verdict, findings))
}

/// The presentation error of a submission that left no readable output file.
///
/// Source: testlib.h, `InStream::reset`: a checker that does not find the output ends
/// with `_pe`.
fn without_output(missing: MissingOutput, name: &str) -> Findings {
    let message = match missing {
        MissingOutput::Absent => {
            format!("the output belongs in the file `{name}`, which does not exist")
        }
        MissingOutput::NotAFile => {
            format!("the output belongs in `{name}`, which is not a readable file")
        }
    };
    let finding = Finding {
        kind: FindingKind::Presentation,
        ..Finding::unplaced(FindingRule::Missing, message)
    };
    finding.into()
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

// Notices that a program was removed while it was judged, as by a job that cleans the
// folder for temporary files. Knows nothing of what a run means.

/// The command of a program, and what it must be able to read: first of all its own
/// folder.
type ProgramFiles<'a> = (&'a [String], &'a [PathBuf]);

/// Returns a trial, unless it is not accepted and one of the programs is gone: a
/// program that is missing, or misses some of its files, fails for a reason that is not
/// its own.
///
/// # Errors
/// Returns a [`Fault`] if a program is gone.
fn unless_removed(
    trial: Trial,
    submission: Option<ProgramFiles<'_>>,
    checker: Option<&CheckerProgram>,
) -> Result<Trial, Fault> {
    if trial.verdict == Verdict::Accepted {
        return Ok(trial);
    }
    let all_checkers =
        std::iter::successors(checker, |checker| checker.final_checker.as_deref());
    let of_checkers = all_checkers.map(|checker| {
        let program = &checker.program;
        (program.command.as_slice(), program.readable.as_slice())
    });
    match submission.into_iter().chain(of_checkers).find_map(missing) {
        Some(path) => Err(Fault::because(
            format!("running a program in {}", path.display()),
            "the folder of the program, or a file in it, was removed while it was judged",
        )
        .with_remedy(
            "let nothing else remove files there, or set TMPDIR to a folder where nothing does",
        )),
        None => Ok(trial),
    }
}

/// The folder of a program, or a file in it that its command names, if it is gone.
fn missing<'a>((command, readable): ProgramFiles<'a>) -> Option<&'a Path> {
    let folder = readable.first()?;
    // Words with these characters are lists or patterns, as in a path of classes.
    let named = command
        .iter()
        .filter(|word| !word.contains(['*', ':']))
        .map(Path::new)
        .filter(|word| word.starts_with(folder));
    [folder.as_path()].into_iter().chain(named).find(|path| {
        path.symlink_metadata()
            .is_err_and(|error| error.kind() == ErrorKind::NotFound)
    })
}

#[cfg(test)]
mod removed_program_tests {
    use std::fs;

    use super::*;
    use gridjudge_sandbox::{Exit, Usage};

    #[test]
    fn a_trial_that_is_not_accepted_is_a_fault_if_its_program_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let main = folder.path().join("main.py");
        fs::write(&main, "").unwrap();
        let command = ["/runtime".to_owned(), main.display().to_string()];
        let readable = [folder.path().to_owned()];
        let judged = |verdict| {
            let trial = Trial::new(verdict, Exit::Code(1), Usage::default());
            unless_removed(trial, Some((&command, &readable)), None)
        };
        assert_eq!(
            judged(Verdict::RuntimeError).unwrap().verdict,
            Verdict::RuntimeError
        );
        fs::remove_file(&main).unwrap();
        assert_eq!(
            judged(Verdict::Accepted).unwrap().verdict,
            Verdict::Accepted
        );
        for verdict in [Verdict::RuntimeError, Verdict::WrongAnswer] {
            assert!(
                judged(verdict)
                    .unwrap_err()
                    .cause
                    .contains("was removed while it was judged")
            );
        }
    }
}
