//! Runs a submission and the interactor of its problem, connected to each other, and returns the
//! submission's verdict. Interprets both runs; [`blame`](crate::checker::interaction) decides which
//! of them failed, and the sandbox connects them.

use std::collections::VecDeque;
use std::io::Read;
use std::time::Duration;
use std::{io, mem};

use gridjudge_sandbox::{
    Fault, Interaction, InteractionListener, InteractionRequest, Limits, Party, Run, Sandbox, Side,
    Stall,
};
use parking_lot::Mutex;

use crate::checker::answer::LIMITS_PLACE;
use crate::checker::{CheckerCall, answer, output_check};
use crate::model;
use crate::model::{
    CheckerProgram, CheckerTask, FindingKind, Findings, Job, Speaker, Transcript, TranscriptLine,
    Verdict, micros,
};

/// The most bytes that may be in transit to an interactor that reads nothing.
const MOST_UNREAD: u64 = 1 << 20;

/// How many lines of an interaction a fault shows.
const LINES_OF_FAULT: usize = 3;

/// The result of an interaction.
#[derive(Debug)]
pub struct JudgedInteraction {
    /// The submission's run.
    pub run: Run,
    /// The submission's verdict.
    pub verdict: Verdict,
    /// The reasons for the verdict; `None` if the run itself decided it.
    pub findings: Option<Findings>,
    /// The transcript, if the job asks for it.
    pub transcript: Option<Transcript>,
}

/// Judges a submission with the interactor of its problem.
///
/// # Errors
/// Returns a [`Fault`] if the interactor gives no valid answer and the submission had not failed
/// before.
pub fn interact(
    task: &CheckerTask,
    interactor: &CheckerProgram,
    job: &Job,
    sandbox: &dyn Sandbox,
) -> Result<JudgedInteraction, Fault> {
    let call = CheckerCall::prepare(task, interactor, &job.case, job.submitted(), None)?;
    let call = call.worth(job.problem.scoring.worth_of(&job.case.name));
    let judged = talk(task, &call, job, sandbox)?;
    match &task.final_checker {
        Some(last) if is_open(&judged) => {
            let findings = judge_written(task, last, interactor, &call, job, sandbox)?;
            Ok(JudgedInteraction {
                verdict: findings.verdict(),
                findings: Some(findings),
                ..judged
            })
        }
        _ => Ok(judged),
    }
}

/// Whether the final checker decides: the interactor has accepted, and has not given points itself.
fn is_open(judged: &JudgedInteraction) -> bool {
    let has_points = judged
        .findings
        .as_ref()
        .is_some_and(|findings| findings.points.is_some());
    judged.verdict == Verdict::Accepted && !has_points
}

/// Runs the submission with the interactor of a prepared call, once, and returns the result without
/// the final checker.
pub(super) fn talk(
    task: &CheckerTask,
    call: &CheckerCall,
    job: &Job,
    sandbox: &dyn Sandbox,
) -> Result<JudgedInteraction, Fault> {
    let submission = Party {
        launch: &job.launch,
        limits: &job.limits,
    };
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
    answer::fault_if_disk_is_full(task, &job.case, call)?;
    let transcript = recorder.map(TranscriptRecorder::into_transcript);
    judge_pair(task, call, job, found, transcript)
}

/// Says who of the two is to blame, and what the interactor has found otherwise.
fn judge_pair(
    task: &CheckerTask,
    call: &CheckerCall,
    job: &Job,
    found: Interaction,
    transcript: Option<Transcript>,
) -> Result<JudgedInteraction, Fault> {
    let said = call.without_folders(&String::from_utf8_lossy(&found.interactor.stderr_tail));
    let answer = match found.stall {
        Some(Stall::InteractorsTurn) => Err(too_late(task, &job.limits)),
        _ => answer::answer_of(
            task,
            &found.interactor,
            &without_wall(&task.limits),
            call,
            &said,
        ),
    };
    let breach = verdict_of_pair(&found, &job.limits);
    let has_failed = answer.is_err() && found.first == Side::Interactor;
    let is_late = breach.is_some_and(Verdict::is_about_time);
    // Which of the two a flood stops first, the submission by its time or the interactor by its
    // memory, depends on the machine. The output is to blame for either.
    let (first, breach) = if (has_failed || is_late) && is_flood(&found, &job.limits) {
        (Side::Submission, Some(Verdict::OutputLimit))
    } else {
        (found.first, breach)
    };
    match blame(first, breach, answer) {
        Ok((verdict, findings)) => {
            let findings = findings.or_else(|| found.stall.and_then(why_idle));
            Ok(JudgedInteraction {
                run: found.submission,
                verdict,
                findings,
                transcript,
            })
        }
        Err(cause) => {
            let talk = transcript.as_ref().map_or_else(String::new, end_of_talk);
            Err(answer::fault(task, &job.case, &(cause + &talk), &said))
        }
    }
}

/// The limits without the wall limit: two programs that wait for each other say nothing about the
/// wall time of either.
fn without_wall(limits: &Limits) -> Limits {
    Limits {
        wall: Duration::MAX,
        ..limits.clone()
    }
}

/// The verdict that follows from the submission's run alone, if any.
fn verdict_of_pair(found: &Interaction, limits: &Limits) -> Option<Verdict> {
    let breach = model::verdict_of_breach(&found.submission, &without_wall(limits));
    match (breach, found.stall) {
        // A runtime error here only says that it was stopped.
        (None | Some(Verdict::RuntimeError), Some(Stall::BothWait | Stall::SubmissionsTurn)) => {
            Some(Verdict::IdleLimit)
        }
        _ => breach,
    }
}

/// Whether a submission wrote so much that reading it may have made the interactor fail. Twice the
/// output limit, because standard error is counted too and has a limit of the same size, and some
/// bytes more that may be unread.
fn is_flood(found: &Interaction, limits: &Limits) -> bool {
    found.written
        > limits
            .output_bytes
            .saturating_mul(2)
            .saturating_add(MOST_UNREAD)
}

fn too_late(task: &CheckerTask, limits: &Limits) -> String {
    let wall = task.limits.wall.saturating_add(limits.wall);
    format!("it was its turn, and nothing came of it within {wall:?} ({LIMITS_PLACE})")
}

/// The last lines of a transcript, for the fault of an interactor: a fault, unlike a verdict, does
/// not include the transcript.
fn end_of_talk(transcript: &Transcript) -> String {
    let lines = transcript.last(LINES_OF_FAULT).into_iter();
    let lines: Vec<_> = lines
        .map(|line| match line.by {
            Speaker::Submission => format!("`> {}`", line.text),
            Speaker::Interactor => format!("`< {}`", line.text),
        })
        .collect();
    if lines.is_empty() {
        "; nothing had been said".to_owned()
    } else {
        format!("; the talk ended with {}", lines.join(", "))
    }
}

/// Explains why a submission was stopped while it waited.
fn why_idle(stall: Stall) -> Option<Findings> {
    let message = match stall {
        Stall::BothWait => {
            "it waits for input while the interactor waits for what it says: it has not flushed \
             its output, or reads more than it is told"
        }
        Stall::SubmissionsTurn => "it was its turn to say something, and it let its wall time pass",
        Stall::InteractorsTurn => return None,
    };
    let mut findings = Findings::default();
    findings.note(answer::finding(FindingKind::Wrong, message.to_owned()));
    Some(findings)
}

// Decides which of two interacting programs is to blame. Knows how each has ended, but not how
// that was observed.

/// Returns the verdict of a submission, with the interactor's findings if they decide it, or in
/// words why the interactor is at fault.
///
/// `breach` is the verdict that follows from the submission's run alone; `answer` is the
/// interactor's answer, or why it gave none. Whichever failed first is to blame:
///
/// 1. An interactor that gives no valid answer is at fault, unless the submission had failed
///    before: after a submission has crashed, even a correct interactor may fail.
/// 2. An interactor that rejects and ends first has decided: what the submission does after that
///    does not matter.
/// 3. A submission that broke a limit or crashed has failed, whatever the interactor answers.
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
    let has_decided = first == Side::Interactor && findings.verdict() != Verdict::Accepted;
    match breach.filter(|_| !has_decided) {
        Some(verdict) => Ok((verdict, None)),
        None => Ok((findings.verdict(), Some(findings))),
    }
}

// Runs the checker that comes after an interactor on the file that the interactor has written. The
// interaction itself, and that the interactor has accepted it, are decided elsewhere.
//
// Source: testlib.h, "Interactor, using testlib running format": the contents of `tout` "can be
// judged by checker later".

/// Judges the output file that an interactor has left in the folder of its call.
///
/// # Errors
/// Returns a [`Fault`] if it is not a regular file or too large, or if the checker gives no valid
/// answer.
fn judge_written(
    task: &CheckerTask,
    last: &CheckerTask,
    interactor: &CheckerProgram,
    call: &CheckerCall,
    job: &Job,
    sandbox: &dyn Sandbox,
) -> Result<Findings, Fault> {
    let Some(checker) = &interactor.final_checker else {
        return Err(Fault::because(
            answer::doing(last, &job.case),
            "it was not compiled",
        ));
    };
    let written = call.written_output(task.limits.output_bytes);
    let written = written.map_err(|cause| answer::fault(task, &job.case, &cause, ""))?;
    let mut output: Box<dyn Read> = match written {
        Some(file) => Box::new(file),
        None => Box::new(io::empty()),
    };
    output_check::check(
        last,
        checker,
        &job.case,
        call.worth,
        job.submitted(),
        &mut output,
        sandbox,
    )
}

#[cfg(test)]
pub(super) mod final_check_tests;

/// How many lines are recorded of the beginning, and as many of the end.
const MOST_LINES: usize = 200;

/// The most bytes that are recorded of a line.
const MOST_BYTES: usize = 200;

/// Records the transcript of the interaction that it listens to.
#[derive(Default)]
pub struct TranscriptRecorder(Mutex<Recording>);

#[derive(Default)]
struct Recording {
    first: Vec<TranscriptLine>,
    last: VecDeque<TranscriptLine>,
    left_out: u64,
    open: Option<OpenLine>,
}

/// A line that is not complete yet.
struct OpenLine {
    at: Duration,
    by: Speaker,
    start: Vec<u8>,
    left_out: u64,
}

impl TranscriptRecorder {
    /// Returns the transcript.
    pub fn into_transcript(self) -> Transcript {
        let mut heard = self.0.into_inner();
        heard.close_line(true, &|_| {});
        Transcript {
            lines: heard.first,
            left_out: heard.left_out,
            last_lines: heard.last.into(),
        }
    }

    /// Records these bytes, and calls `show` with each line that they complete, if it is one of the
    /// first lines.
    pub fn hear_and_show(
        &self,
        by: Side,
        at: Duration,
        bytes: &[u8],
        show: &dyn Fn(&TranscriptLine),
    ) {
        let by = match by {
            Side::Submission => Speaker::Submission,
            Side::Interactor => Speaker::Interactor,
        };
        let mut heard = self.0.lock();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            heard.add(by, at, piece, show);
        }
    }
}

impl InteractionListener for TranscriptRecorder {
    fn begin(&self) {
        *self.0.lock() = Recording::default();
    }

    fn receive(&self, by: Side, at: Duration, bytes: &[u8]) {
        self.hear_and_show(by, at, bytes, &|_| {});
    }
}

impl Recording {
    /// Adds a piece of one line, which may include its end.
    fn add(&mut self, by: Speaker, at: Duration, piece: &[u8], show: &dyn Fn(&TranscriptLine)) {
        if self.open.as_ref().is_some_and(|open| open.by != by) {
            self.close_line(true, show);
        }
        let (text, is_whole) = piece
            .strip_suffix(b"\n")
            .map_or((piece, false), |text| (text, true));
        let open = self.open.get_or_insert_with(|| OpenLine {
            at,
            by,
            start: Vec::new(),
            left_out: 0,
        });
        let kept = text.len().min(MOST_BYTES - open.start.len());
        open.start.extend(&text[..kept]);
        open.left_out += (text.len() - kept) as u64;
        if is_whole {
            self.close_line(false, show);
        }
    }

    fn close_line(&mut self, unfinished: bool, show: &dyn Fn(&TranscriptLine)) {
        let Some(OpenLine {
            at,
            by,
            start,
            left_out: left_out_bytes,
        }) = mem::take(&mut self.open)
        else {
            return;
        };
        let text = String::from_utf8_lossy(&start);
        let line = TranscriptLine {
            at_us: micros(at),
            by,
            text: text.strip_suffix('\r').unwrap_or(&text).to_owned(),
            left_out_bytes,
            unfinished,
        };
        if self.first.len() < MOST_LINES {
            show(&line);
            self.first.push(line);
            return;
        }
        if self.last.len() == MOST_LINES {
            self.last.pop_front();
            self.left_out += 1;
        }
        self.last.push_back(line);
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
        findings.note(answer::finding(FindingKind::Wrong, "no".to_owned()));
        Ok(findings)
    }

    fn fails() -> Result<Findings, String> {
        Err("it crashed".to_owned())
    }

    /// The interactor's answer, the submission's breach, and the verdict if the interactor or the
    /// submission ended first.
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
                let verdict = found.as_ref().map(|(verdict, _)| *verdict).map_err(|_| ());
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
mod transcript_recorder_tests {
    use super::*;

    fn heard(words: &[(Side, &str)]) -> Transcript {
        let recorder = TranscriptRecorder::default();
        recorder.receive(
            Side::Submission,
            Duration::ZERO,
            b"of an attempt that does not count",
        );
        recorder.begin();
        for ((by, bytes), number) in words.iter().zip(1..) {
            recorder.receive(*by, Duration::from_micros(number), bytes.as_bytes());
        }
        recorder.into_transcript()
    }

    /// Each line as its time, `>` or `<`, and its text, with `~` after an unfinished one.
    fn shown(lines: &[TranscriptLine]) -> Vec<String> {
        let sign = |by| if by == Speaker::Submission { '>' } else { '<' };
        let end = |line: &TranscriptLine| if line.unfinished { "~" } else { "" };
        lines
            .iter()
            .map(|line| format!("{}{}{}{}", line.at_us, sign(line.by), line.text, end(line)))
            .collect()
    }

    #[test]
    fn bytes_are_joined_and_split_into_lines_of_one_speaker() {
        use Side::{Interactor, Submission};
        let talk = heard(&[
            (Submission, "1\n2\r\n3"),
            (Submission, "4\n"),
            (Interactor, "no"),
            (Submission, "\n"),
            (Interactor, "\n"),
            (Interactor, "b"),
            (Interactor, "ye"),
        ]);
        assert_eq!(
            shown(&talk.lines),
            ["1>1", "1>2", "1>34", "3<no~", "4>", "5<", "6<bye~"]
        );
        assert_eq!((talk.left_out, talk.last_lines), (0, vec![]));
    }

    #[test]
    fn a_long_transcript_keeps_its_beginning_and_end_and_a_long_line_its_start() {
        let many: String = (0..1000).map(|number| format!("{number}\n")).collect();
        let talk = heard(&[
            (Side::Submission, &many),
            (Side::Interactor, &"x".repeat(1_000_000)),
        ]);
        assert_eq!(talk.lines.len(), MOST_LINES);
        assert_eq!(talk.last_lines.len(), MOST_LINES);
        assert_eq!(talk.left_out, 1001 - 2 * MOST_LINES as u64);
        assert_eq!(
            (&*talk.lines[199].text, &*talk.last_lines[0].text),
            ("199", "801")
        );
        let long = talk.last_lines.last().unwrap();
        assert_eq!(
            (long.text.len(), long.left_out_bytes),
            (MOST_BYTES, 1_000_000 - MOST_BYTES as u64)
        );
    }
}
