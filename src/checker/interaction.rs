//! Runs a submission and the interactor of its problem, connected to each other, and
//! returns the submission's verdict. Interprets both runs; [`blame`] decides which of
//! them failed, and the sandbox connects them.
//!
//! A submission runs as often as the checker or interactor requests, each time on the
//! input that the last pass has left. The limits apply to each pass on its own. Source:
//! the Kattis problem package format 2025-09, "Multi-pass validation".

use std::io::{self, Read};
use std::time::Duration;

use gridjudge_sandbox::{
    Fault, Input, Interaction, InteractionListener, InteractionRequest, Limits,
    Party, Sandbox, Side, Stall, Usage,
};

use crate::checker::answer::{self, LIMITS_PLACE};
use crate::checker::output_check::{self, judge_output};
use crate::checker::{CallFolder, CheckerCall, CheckerSetup, TranscriptRecorder};
use crate::model::{
    self, CheckerTask, FindingKind, Findings, Job, JudgingProgramKind, Speaker,
    Transcript, Trial, Verdict,
};
use crate::text::JoinedTexts;

/// The most bytes that may be in transit to an interactor that reads nothing.
const MOST_UNREAD: u64 = 1 << 20;

/// How many lines of an interaction a fault shows.
const LINES_OF_FAULT: usize = 3;

/// Runs the submission with the interactor of a prepared call and, if that accepts, the
/// final checker.
fn judge_interaction(
    call: &CheckerCall<'_>,
    job: &Job,
    sandbox: &dyn Sandbox,
) -> Result<Trial, Fault> {
    let judged = talk(call, job, sandbox)?;
    let has_points = judged.findings.points.is_some();
    match &call.setup.task.final_checker {
        // The interactor has accepted, and has not given points itself.
        Some(last) if judged.verdict == Verdict::Accepted && !has_points => {
            let findings = judge_written(call, last, sandbox)?;
            Ok(Trial {
                verdict: findings.verdict(),
                findings,
                ..judged
            })
        }
        _ => Ok(judged),
    }
}

/// Runs the submission with the interactor of a prepared call, once, and returns the
/// result without the final checker.
fn talk(
    call: &CheckerCall<'_>,
    job: &Job,
    sandbox: &dyn Sandbox,
) -> Result<Trial, Fault> {
    let submission = Party {
        launch: &job.launch,
        limits: &job.limits,
    };
    let task = call.setup.task;
    let interactor = Party {
        launch: &call.launch,
        limits: &task.limits,
    };
    let rules = task.protocol.rules();
    let lets_finish = |code, said: &[u8]| answer::lets_finish(rules, code, said);
    let recorder = job.keeps_transcript.then(TranscriptRecorder::default);
    let listener = recorder
        .as_ref()
        .map(|recorder| recorder as &dyn InteractionListener);
    let request = InteractionRequest {
        submission,
        interactor,
        lets_finish: &lets_finish,
        listener,
        stop: None,
    };
    let found = sandbox.interact(request)?;
    call.fault_if_disk_is_full()?;
    let transcript = recorder.map(TranscriptRecorder::into_transcript);
    judge_pair(call, &job.limits, found, transcript)
}

/// Says who of the two is to blame, and what the interactor has found otherwise.
fn judge_pair(
    call: &CheckerCall<'_>,
    limits: &Limits,
    found: Interaction,
    transcript: Option<Transcript>,
) -> Result<Trial, Fault> {
    let task = call.setup.task;
    let said =
        call.without_folders(&String::from_utf8_lossy(&found.interactor.stderr_tail));
    let answer = match found.stall {
        Some(Stall::InteractorsTurn) => {
            let wall = task.limits.wall.saturating_add(limits.wall);
            Err(format!(
                "it was its turn, and nothing came of it within {wall:?} ({LIMITS_PLACE})"
            ))
        }
        _ => {
            let own_limits = without_wall(&task.limits);
            call.answer_of(&found.interactor, &own_limits, &said)
        }
    };
    let breach = model::verdict_of_breach(&found.submission, &without_wall(limits));
    let breach = match (breach, found.stall) {
        // A runtime error here only says that it was stopped.
        (
            None | Some(Verdict::RuntimeError),
            Some(Stall::BothWait | Stall::SubmissionsTurn),
        ) => Some(Verdict::IdleLimit),
        _ => breach,
    };
    let has_failed = answer.is_err() && found.first == Side::Interactor;
    let is_late = breach.is_some_and(Verdict::is_about_time);
    // Reading so much may have made the interactor fail. Twice the output limit, because
    // standard error is counted too and has a limit of the same size, and some bytes
    // more that may be unread.
    let most = limits.output_bytes.saturating_mul(2);
    let is_flood = found.written > most.saturating_add(MOST_UNREAD);
    // Which of the two a flood stops first, the submission by its time or the
    // interactor by its memory, depends on the machine. The output is to blame for
    // either.
    let (first, breach) = if (has_failed || is_late) && is_flood {
        (Side::Submission, Some(Verdict::OutputLimit))
    } else {
        (found.first, breach)
    };
    match blame(first, breach, answer) {
        Ok((verdict, findings)) => {
            let findings = findings.or_else(|| why_idle(found.stall?, found.first));
            let findings = findings.unwrap_or_default();
            Ok(Trial {
                transcript,
                ..Trial::of_run(found.submission, verdict, findings)
            })
        }
        Err(cause) => {
            let talk = transcript.as_ref().map_or_else(String::new, end_of_talk);
            Err(call.setup.fault(&(cause + &talk), &said))
        }
    }
}

/// The limits without the wall limit: two programs that wait for each other say nothing
/// about the wall time of either.
fn without_wall(limits: &Limits) -> Limits {
    Limits {
        wall: Duration::MAX,
        ..limits.clone()
    }
}

/// The last lines of a transcript, for the fault of an interactor: a fault, unlike a
/// verdict, does not include the transcript.
fn end_of_talk(transcript: &Transcript) -> String {
    let lines = transcript
        .last(LINES_OF_FAULT)
        .into_iter()
        .map(|line| match line.by {
            Speaker::Submission => format!("`> {}`", line.text),
            Speaker::Interactor => format!("`< {}`", line.text),
        })
        .joined(", ");
    if lines.is_empty() {
        "; nothing had been said".to_owned()
    } else {
        format!("; the talk ended with {lines}")
    }
}

/// Explains why a submission was stopped while it waited.
fn why_idle(stall: Stall, first: Side) -> Option<Findings> {
    let message = match stall {
        Stall::BothWait => {
            "it waits for input while the interactor waits for what it says: it has not flushed \
             its output, or reads more than it is told"
        }
        Stall::SubmissionsTurn if first == Side::Interactor => {
            "it let its wall time pass, although the interactor had ended"
        }
        Stall::SubmissionsTurn => {
            "it was its turn to say something, and it let its wall time pass"
        }
        Stall::InteractorsTurn => return None,
    };
    let finding = answer::checker_finding(FindingKind::Wrong, message.to_owned());
    Some(finding.into())
}

// Decides which of two interacting programs is to blame. Knows how each has ended, but
// not how that was observed.

/// Returns the verdict of a submission, with the interactor's findings if they decide
/// it, or in words why the interactor is at fault.
///
/// `breach` is the verdict that follows from the submission's run alone; `answer` is
/// the interactor's answer, or why it gave none. Whichever failed first is to blame:
///
/// 1. An interactor that gives no valid answer is at fault, unless the submission had
///    failed before: after a submission has crashed, even a correct interactor may
///    fail.
/// 2. An interactor that rejects and ends first has decided: what the submission does
///    after that does not matter.
/// 3. A submission that broke a limit or crashed has failed, whatever the interactor
///    answers.
/// 4. Otherwise the interactor decides.
fn blame(
    first: Side,
    breach: Option<Verdict>,
    answer: Result<Findings, String>,
) -> Result<(Verdict, Option<Findings>), String> {
    let findings = match (answer, first, breach) {
        (Err(_), Side::Submission, Some(verdict)) => return Ok((verdict, None)),
        (Err(cause), ..) => return Err(cause),
        (Ok(findings), ..) => findings,
    };
    let has_decided =
        first == Side::Interactor && findings.verdict() != Verdict::Accepted;
    match breach.filter(|_| !has_decided) {
        Some(verdict) => Ok((verdict, None)),
        None => Ok((findings.verdict(), Some(findings))),
    }
}

// Runs the checker that comes after an interactor on the file that the interactor has
// written. The interaction itself, and that the interactor has accepted it, are decided
// elsewhere.
//
// Source: testlib.h, "Interactor, using testlib running format": the contents of `tout`
// "can be judged by checker later".

/// Judges the output file that an interactor has left in the folder of its call.
///
/// # Errors
/// Returns a [`Fault`] if it is not a regular file or too large, or if the checker
/// gives no valid answer.
fn judge_written(
    call: &CheckerCall<'_>,
    last: &CheckerTask,
    sandbox: &dyn Sandbox,
) -> Result<Findings, Fault> {
    let interactor = call.setup;
    let last = CheckerSetup {
        task: last,
        ..interactor
    };
    let Some(program) = &interactor.program.final_checker else {
        return Err(Fault::because(last.doing(), "it was not compiled"));
    };
    let written = call
        .written_output(interactor.task.limits.output_bytes)
        .map_err(|cause| interactor.fault(&cause, ""))?;
    let mut output: Box<dyn Read> = match written {
        Some(file) => Box::new(file),
        None => Box::new(io::empty()),
    };
    output_check::check_output(
        &CheckerSetup { program, ..last },
        &mut output,
        sandbox,
    )
}

/// Judges a submission with the interactor of its problem, or in passes. The result is
/// that of the last pass, with the highest usage of any pass.
///
/// # Errors
/// Returns a [`Fault`] if the checker or interactor gives no valid answer and the
/// submission had not failed before, or if it requests more passes than the problem
/// allows.
pub fn judge_passes(
    first: CheckerSetup<'_>,
    job: &Job,
    sandbox: &dyn Sandbox,
) -> Result<Trial, Fault> {
    let task = first.task;
    let mut most = Usage::default();
    let mut next: Option<NextPass> = None;
    for pass in 1..=task.passes {
        let setup = CheckerSetup { pass, ..first };
        let (mut judged, call) = if task.kind == JudgingProgramKind::Interactor {
            // Only the interactor is given the input of the pass.
            let last = next.take().map(|next| next.folder);
            let call = CheckerCall::prepare(setup, last, None)?;
            (judge_interaction(&call, job, sandbox)?, Some(call))
        } else {
            run_pass(setup, job, next.take(), sandbox)?
        };
        most = at_least(most, judged.usage);
        judged.usage = most;
        if pass > 1 {
            judged.pass = Some(pass);
            for finding in &mut judged.findings.listed {
                finding.message = format!("pass {pass}: {}", finding.message)
            }
        }
        let may_go_on = task.passes > 1 && judged.verdict == Verdict::Accepted;
        let Some(call) = call.filter(|_| may_go_on) else {
            return Ok(judged);
        };
        let asked = call
            .take_next_pass()
            .map_err(|cause| setup.fault(&cause, ""))?;
        match asked {
            Some(input) => {
                next = Some(NextPass {
                    input,
                    folder: call.folder,
                })
            }
            None => return Ok(judged),
        }
    }
    let cause = format!(
        "it asks for another pass after {} (`validation_passes`)",
        task.passes
    );
    let last = CheckerSetup {
        pass: task.passes,
        ..first
    };
    Err(last.fault(&cause, ""))
}

/// The input of the next pass, and the folder that all calls of the checker share.
struct NextPass {
    input: Vec<u8>,
    folder: CallFolder,
}

/// Runs the submission and, unless the run itself decides the verdict, the checker on
/// its output.
fn run_pass<'a>(
    setup: CheckerSetup<'a>,
    job: &Job,
    next: Option<NextPass>,
    sandbox: &dyn Sandbox,
) -> Result<(Trial, Option<CheckerCall<'a>>), Fault> {
    let mut launch = job.launch.clone();
    let folder = next.map(|NextPass { input, folder }| {
        launch.input = Input::Bytes(input);
        folder
    });
    let mut run = sandbox.run(&launch, &job.limits)?;
    if let Some(verdict) = model::verdict_of_breach(&run, &job.limits) {
        return Ok((Trial::of_run(run, verdict, Findings::default()), None));
    }
    let call = CheckerCall::prepare(setup, folder, Some(&mut run.stdout))?;
    let findings = judge_output(&call, sandbox)?;
    let trial = Trial::of_run(run, findings.verdict(), findings);
    Ok((trial, Some(call)))
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

#[cfg(test)]
mod tests;

#[cfg(test)]
mod blame_tests {
    use super::*;
    use crate::checker::answer;
    use crate::model::FindingKind;

    fn accepts() -> Result<Findings, String> {
        Ok(Findings::default())
    }

    fn rejects() -> Result<Findings, String> {
        let mut findings = Findings::default();
        findings.note_finding(answer::checker_finding(
            FindingKind::Wrong,
            "no".to_owned(),
        ));
        Ok(findings)
    }

    fn fails() -> Result<Findings, String> {
        Err("it crashed".to_owned())
    }

    /// The interactor's answer, the submission's breach, and the verdict if the
    /// interactor or the submission ended first.
    type Row = (
        fn() -> Result<Findings, String>,
        Option<Verdict>,
        [Result<Verdict, ()>; 2],
    );

    #[test]
    fn the_program_that_failed_first_is_to_blame() {
        use Verdict::*;
        let mut rows: Vec<Row> = vec![
            (accepts, None, [Ok(Accepted); 2]),
            (rejects, None, [Ok(WrongAnswer); 2]),
            (fails, None, [Err(()); 2]),
        ];
        for breach in [OutputLimit, MemoryLimit, TimeLimit, IdleLimit, RuntimeError] {
            rows.push((accepts, Some(breach), [Ok(breach); 2]));
            rows.push((rejects, Some(breach), [Ok(WrongAnswer), Ok(breach)]));
            rows.push((fails, Some(breach), [Err(()), Ok(breach)]));
        }
        for (answer, breach, expected) in rows {
            for (first, expected) in [Side::Interactor, Side::Submission]
                .into_iter()
                .zip(expected)
            {
                let found = blame(first, breach, answer());
                let verdict =
                    found.as_ref().map(|(verdict, _)| *verdict).map_err(|_| ());
                assert_eq!(
                    verdict,
                    expected,
                    "{first:?} first, {breach:?}, {:?}",
                    answer()
                );
                // Findings are returned only if they decided the verdict.
                let has_finding = found.is_ok_and(|(_, findings)| findings.is_some());
                assert_eq!(
                    has_finding,
                    expected.is_ok_and(|verdict| Some(verdict) != breach)
                );
            }
        }
    }
}

#[cfg(test)]
pub(super) mod final_check_tests;
