//! Runs a submission and the interactor of its problem, wired to each other, and says what the submission has earned. Knows both
//! runs; who is to blame stands in [`blame`](super::blame), and how they are wired in the sandbox.

use std::time::Duration;

use crate::checker::answer;
use crate::checker::blame::blame;
use crate::checker::call::CheckerCall;
use crate::checker::conduct;
use crate::checker::conduct::LIMITS_STAND;
use crate::checker::final_check::judge_written;
use crate::checker::transcript_recorder::TranscriptRecorder;
use crate::model;
use crate::model::CheckerProgram;
use crate::model::CheckerTask;
use crate::model::FindingKind;
use crate::model::Findings;
use crate::model::Job;
use crate::model::Speaker;
use crate::model::Transcript;
use crate::model::Verdict;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Interaction;
use gridjudge_sandbox::InteractionRequest;
use gridjudge_sandbox::Limits;
use gridjudge_sandbox::Party;
use gridjudge_sandbox::Run;
use gridjudge_sandbox::Sandbox;
use gridjudge_sandbox::Side;
use gridjudge_sandbox::Stall;
use gridjudge_sandbox::TalkListener;

/// Bytes that may be on their way to an interactor that reads nothing.
const MOST_UNREAD: u64 = 1 << 20;

/// Lines of a talk that are told with a fault.
const LINES_OF_FAULT: usize = 3;

/// What came of a talk.
#[derive(Debug)]
pub struct JudgedInteraction {
    /// The submission's run.
    pub run: Run,
    /// What it earned.
    pub verdict: Verdict,
    /// Why, where the run itself does not tell.
    pub findings: Option<Findings>,
    /// What was said, if that is to be kept.
    pub transcript: Option<Transcript>,
    /// Whether the interactor failed first, and the verdict is for a flood that may have been the cause.
    pub has_worn_out: bool,
}

/// Lets a submission talk to the interactor of its problem.
///
/// # Errors
/// A [`Fault`] if the interactor does anything but answer, and the submission had not failed before.
pub fn interact(
    task: &CheckerTask,
    interactor: &CheckerProgram,
    job: &Job,
    sandbox: &dyn Sandbox,
) -> Result<JudgedInteraction, Fault> {
    let hold = || {
        let call = CheckerCall::prepare(task, interactor, &job.case, None)?;
        let call = call.worth(job.problem.scoring.worth_of(&job.case.name));
        Ok((talk(task, &call, job, sandbox)?, call))
    };
    let (judged, call) = match hold()? {
        // The machine may have had its share in that. It hardly has it twice.
        (judged, call) if judged.has_worn_out => hold().unwrap_or((judged, call)),
        held => held,
    };
    match &task.final_checker {
        Some(last) if is_open(&judged) => {
            let findings = judge_written(task, last, interactor, &call, job, sandbox)?;
            Ok(JudgedInteraction { verdict: findings.verdict(), findings: Some(findings), ..judged })
        }
        _ => Ok(judged),
    }
}

/// Whether another program may say what a talk is worth: an interactor that gives points itself has said it.
fn is_open(judged: &JudgedInteraction) -> bool {
    let has_points = judged.findings.as_ref().is_some_and(|findings| findings.points.is_some());
    judged.verdict == Verdict::Accepted && !has_points
}

/// The same in a call that is prepared.
pub(super) fn talk(
    task: &CheckerTask,
    call: &CheckerCall,
    job: &Job,
    sandbox: &dyn Sandbox,
) -> Result<JudgedInteraction, Fault> {
    let submission = Party { launch: &job.launch, limits: &job.limits };
    let other = Party { launch: &call.launch, limits: &task.limits };
    // The interactor says that all is well so far, and the submission may end as it likes.
    let goes_on = answer::code_for_right(task.protocol);
    let recorder = job.keeps_transcript.then(TranscriptRecorder::default);
    let listener = recorder.as_ref().map(|recorder| recorder as &dyn TalkListener);
    let found = sandbox.interact(InteractionRequest { submission, interactor: other, goes_on, listener })?;
    let said = call.without_folders(&String::from_utf8_lossy(&found.interactor.stderr_tail));
    let answer = match found.stall {
        Some(Stall::InteractorOwes) => Err(too_late(task, &job.limits)),
        _ => conduct::answer_of(task, &found.interactor, &by_any_clock(&task.limits), call, &said),
    };
    let has_worn_out = answer.is_err() && found.first == Side::Interactor && is_flood(&found, &job.limits);
    let (first, breach) = match has_worn_out {
        true => (Side::Submission, Some(Verdict::OutputLimit)),
        false => (found.first, breach(&found, &job.limits)),
    };
    let transcript = recorder.map(TranscriptRecorder::into_transcript);
    match blame(first, breach, answer) {
        Ok((verdict, findings)) => {
            let findings = findings.or_else(|| found.stall.and_then(why_idle));
            Ok(JudgedInteraction { run: found.submission, verdict, findings, transcript, has_worn_out })
        }
        Err(cause) => {
            let talk = transcript.as_ref().map_or_else(String::new, end_of_talk);
            Err(conduct::fault(task, &job.case, &(cause + &talk), &said))
        }
    }
}

/// The same but for wall time, of which two programs that wait for each other say nothing by themselves.
fn by_any_clock(limits: &Limits) -> Limits {
    Limits { wall: Duration::MAX, ..limits.clone() }
}

/// What a submission earned by its own conduct.
fn breach(found: &Interaction, limits: &Limits) -> Option<Verdict> {
    let breach = model::breach(&found.submission, &by_any_clock(limits));
    match (breach, found.stall) {
        // It ended as it did because it was stopped.
        (None | Some(Verdict::RuntimeError), Some(Stall::BothWait | Stall::SubmissionOwes)) => {
            Some(Verdict::IdleLimit)
        }
        _ => breach,
    }
}

/// Whether a submission wrote so much that an interactor may have failed for reading all of it: standard error has a limit of the
/// same size and is counted in, and so is what nobody has read.
fn is_flood(found: &Interaction, limits: &Limits) -> bool {
    found.written > limits.output_bytes.saturating_mul(2).saturating_add(MOST_UNREAD)
}

fn too_late(task: &CheckerTask, limits: &Limits) -> String {
    let wall = task.limits.wall.saturating_add(limits.wall);
    format!("it was its turn, and nothing came of it within {wall:?} ({LIMITS_STAND})")
}

/// How a talk ended, behind what the interactor did but answer: where a talk that came to a verdict is kept, this one is not.
fn end_of_talk(transcript: &Transcript) -> String {
    let sign = |by| if by == Speaker::Submission { '>' } else { '<' };
    let lines = transcript.last(LINES_OF_FAULT).into_iter();
    let lines: Vec<_> = lines.map(|line| format!("`{} {}`", sign(line.by), line.text)).collect();
    match lines.is_empty() {
        true => "; nothing had been said".to_owned(),
        false => format!("; the talk ended with {}", lines.join(", ")),
    }
}

/// What is to be said of a submission that waited, beyond the time that it took.
fn why_idle(stall: Stall) -> Option<Findings> {
    let message = match stall {
        Stall::BothWait => {
            "it waits for input while the interactor waits for what it says: it has not flushed its output, or reads more than \
             it is told"
        }
        Stall::SubmissionOwes => "it was its turn to say something, and it let its wall time pass",
        Stall::InteractorOwes => return None,
    };
    let mut findings = Findings::default();
    findings.note(answer::finding(FindingKind::Wrong, message.to_owned()));
    Some(findings)
}

#[cfg(test)]
mod tests;
