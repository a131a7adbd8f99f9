//! Writes JUnit XML for Jenkins and GitLab, valid under the schema of Jenkins' xUnit
//! plugin: a suite for each submission, a test case for each of its cases, and for each
//! problem with mistakes a suite with a test case for each of them. A case that fails
//! as expected is no failure. Counts come before the elements they count, so finished
//! suites wait in an unnamed file instead of memory.

use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::sync::Arc;

use quick_xml::Writer;
use quick_xml::events::{BytesStart, BytesText, Event as Xml};
use tempfile::SpooledTempFile;

use crate::model::{
    AttemptRecord, Event, GroupScore, MistakeRecord, SubmissionSummary, TrialFault,
    TrialRecord, Verdict,
};
use crate::report::{Sink, SubmissionTracker, TrialStatus, explain};
use crate::text::{JoinedTexts, one_line};

/// The most bytes of text in a report. GitLab accepts files below 30 MB; beyond this, a
/// failure has its message only.
const MOST_TEXT: usize = 12 << 20;

/// With more trials, memory figures are left out: GitLab accepts 250,000 objects.
const MOST_MEASURED: usize = 60_000;

/// Writes events as JUnit XML when the suite is over.
pub struct Junit<W> {
    target: W,
    tracker: SubmissionTracker,
    /// The finished suites.
    body: Writer<Spool>,
    suite: Option<JunitSuite>,
    counts: JunitCounts,
    started: String,
    is_measured: bool,
    /// The bytes of text that there is room for.
    room: usize,
}

impl<W: Write> Junit<W> {
    /// A report written to `target`.
    pub fn new(target: W) -> Self {
        Self {
            target,
            tracker: SubmissionTracker::default(),
            body: Writer::new(spool()),
            suite: None,
            counts: JunitCounts::default(),
            started: String::new(),
            is_measured: true,
            room: MOST_TEXT,
        }
    }

    /// The suite of a submission. Opens it if necessary.
    fn suite(&mut self, problem: &str, submission: &str) -> &mut JunitSuite {
        self.suite
            .get_or_insert_with(|| JunitSuite::new(problem, submission))
    }

    fn trial(&mut self, record: &TrialRecord) -> io::Result<()> {
        let (status, state) = self.tracker.take_trial(record);
        let outcome = match status {
            TrialStatus::Passed => None,
            TrialStatus::NotJudged => {
                let why = explain::why_not_judged(record, state.rejected.first());
                Some(TestCaseOutcome::new("skipped", "", why))
            }
            TrialStatus::Failed => {
                let why = state.why(record);
                let text =
                    unless_too_long(explain::details_of_trial(record), self.room);
                let kind = kind(record.verdict);
                Some(TestCaseOutcome::new("failure", &kind, &why).with_text(text))
            }
        };
        let text = outcome.as_ref().map_or(0, |outcome| outcome.text.len());
        self.room = self.room.saturating_sub(text);
        let memory = record.peak_memory_bytes.filter(|_| self.is_measured);
        let flaky: Vec<_> = record
            .attempts
            .iter()
            .filter(|attempt| attempt.verdict != Verdict::Accepted)
            .take_while(|_| record.is_flaky())
            .take(MOST_ATTEMPTS)
            .collect();
        self.suite(&record.problem, &record.submission).write_case(
            explain::place(record),
            record.cpu_us,
            outcome.as_ref(),
            &flaky,
            &output(record, memory),
        )
    }

    fn fault(&mut self, failed: &TrialFault) -> io::Result<()> {
        let fault = &failed.fault;
        let text = fault
            .remedy
            .as_ref()
            .map_or_else(String::new, |remedy| format!("hint: {}", one_line(remedy)));
        let outcome = TestCaseOutcome::new("error", "JUDGE_FAILED", &fault.to_string())
            .with_text(text);
        self.suite(&failed.problem, &failed.submission)
            .write_plain(&failed.case, Some(&outcome))
    }

    /// Adds a test case for the submission's expectation if it is expected to be
    /// rejected, or if no single case shows that the expectation was not met, as for a
    /// wrong program that is accepted.
    fn finished(&mut self, summary: &SubmissionSummary) -> io::Result<()> {
        let state = self.tracker.end().unwrap_or_default();
        let suite = self.suite(&summary.problem, &summary.submission);
        let groups = summary.score.iter().flat_map(|score| &score.groups);
        suite.points = groups.cloned().collect();
        let broken = state.unexpected_verdict(summary);
        if state.is_expected_to_fail() || broken.is_some() {
            let name =
                format!("earns {}", summary.expected.clone().unwrap_or_default());
            let outcome = match broken {
                Some(message) => {
                    Some(TestCaseOutcome::new("failure", "BROKEN_PROMISE", &message))
                }
                None if summary.faults > 0 => {
                    Some(TestCaseOutcome::new("skipped", "", "the judge failed"))
                }
                None => None,
            };
            suite.write_plain(&name, outcome.as_ref())?;
        }
        self.close()
    }

    /// Writes a mistake in a problem as a failed test case, and a warning as a passed
    /// one.
    fn mistake(&mut self, record: &MistakeRecord) -> io::Result<()> {
        let name = explain::told(record);
        let details = unless_too_long(explain::details_of_mistake(record), self.room);
        self.room = self.room.saturating_sub(details.len());
        let suite = self.suite(&record.problem, "problem");
        suite.problem = Some(Arc::clone(&record.problem));
        if record.is_error() {
            let kind = record.check.to_string().to_uppercase();
            let outcome = TestCaseOutcome::new("failure", &kind, &record.message)
                .with_text(details);
            suite.write_plain(&name, Some(&outcome))
        } else {
            let text = legal(&format!("warning: {details}"));
            suite.write_case(&name, None, None, &[], &text)
        }
    }

    fn close(&mut self) -> io::Result<()> {
        self.tracker.end();
        let Some(suite) = self.suite.take() else {
            return Ok(());
        };
        let mut head = BytesStart::new("testsuite");
        head.push_attribute(("name", suite.class_name.as_str()));
        suite.counts.write_into(&mut head);
        let skipped = suite.counts.skipped.to_string();
        head.push_attribute(("skipped", skipped.as_str()));
        for (name, value) in [("timestamp", &self.started), ("file", &suite.path)] {
            if !value.is_empty() {
                head.push_attribute((name, value.as_str()));
            }
        }
        self.body.get_mut().write_all(b"\n")?;
        self.body.write_event(Xml::Start(head))?;
        self.write_points(&suite.points)?;
        unroll(suite.cases.into_inner(), self.body.get_mut())?;
        self.body.get_mut().write_all(b"\n</testsuite>")?;
        self.counts.add(suite.counts);
        Ok(())
    }

    /// Writes the points of groups as properties.
    fn write_points(&mut self, points: &[GroupScore]) -> io::Result<()> {
        if points.is_empty() {
            return Ok(());
        }
        self.body
            .create_element("properties")
            .write_inner_content(|body| {
                for group in points {
                    let name = attribute(&format!("points.{}", group.name));
                    let value = match group.of {
                        Some(of) => format!("{} of {of}", group.earned),
                        None => group.earned.to_string(),
                    };
                    body.create_element("property")
                        .with_attributes([("name", &*name), ("value", &*value)])
                        .write_empty()?;
                }
                Ok(())
            })?;
        Ok(())
    }

    /// Writes a suite with a single test case about the judging itself.
    fn remark(
        &mut self,
        problem: &str,
        submission: &str,
        case: &str,
        outcome: &TestCaseOutcome,
    ) -> io::Result<()> {
        self.suite(problem, submission)
            .write_plain(case, Some(outcome))?;
        self.close()
    }

    fn write(&mut self) -> io::Result<()> {
        self.target
            .write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")?;
        let mut head = BytesStart::new("testsuites");
        head.push_attribute(("name", "gridjudge"));
        self.counts.write_into(&mut head);
        Writer::new(&mut self.target).write_event(Xml::Start(head))?;
        let body = std::mem::replace(&mut self.body, Writer::new(spool()));
        unroll(body.into_inner(), &mut self.target)?;
        self.target.write_all(b"\n</testsuites>\n")?;
        self.target.flush()
    }
}

impl<W: Write> Sink for Junit<W> {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        if self.suite.as_ref().is_some_and(|suite| !suite.takes(event)) {
            self.close()?;
        }
        self.tracker.follow(event);
        match event {
            Event::SuiteStarted(start) => {
                // Without a time zone, as the schema of Jenkins requires.
                self.started = attribute(start.started.trim_end_matches('Z'));
                self.is_measured = start.trials <= MOST_MEASURED;
                Ok(())
            }
            Event::MistakeFound(record) => self.mistake(record),
            Event::SubmissionStarted(start) => {
                let suite = self.suite(&start.problem, &start.submission);
                suite.path = attribute(&start.path);
                Ok(())
            }
            Event::TrialFinished(record) => self.trial(record),
            Event::TrialFaulted(failed) => self.fault(failed),
            Event::SubmissionSkipped(skip) => {
                let message = format!("{}: {}", skip.cause, skip.remedy);
                self.remark(
                    &skip.problem,
                    &skip.submission,
                    "made ready",
                    &TestCaseOutcome::new("skipped", "", &message),
                )
            }
            Event::SubmissionFinished(summary) => self.finished(summary),
            Event::SuiteFinished(_) => self.write(),
            Event::SuiteInterrupted(_) => {
                let message = "the judging was interrupted: this report is incomplete";
                self.remark(
                    "gridjudge",
                    "judging",
                    "complete",
                    &TestCaseOutcome::new("error", "INTERRUPTED", message),
                )?;
                self.write()
            }
        }
    }
}

/// The most attempts shown of a flaky case.
const MOST_ATTEMPTS: usize = 20;

/// Stands for a text beyond the most that a report holds.
const LEFT_OUT: &str = "left out: the report holds enough text";

/// The current submission, or the mistakes in a problem.
struct JunitSuite {
    /// The problem, if these are its mistakes.
    problem: Option<Arc<str>>,
    class_name: String,
    /// The file of the submission, if it is known.
    path: String,
    cases: Writer<Spool>,
    counts: JunitCounts,
    /// The points of its groups of cases, once they are known.
    points: Vec<GroupScore>,
}

/// The counts in the head of a suite, and of the report.
#[derive(Clone, Copy, Default)]
struct JunitCounts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    cpu_us: u64,
}

/// The outcome of a test case: the element inside it.
struct TestCaseOutcome {
    element: &'static str,
    kind: String,
    message: String,
    text: String,
}

impl JunitSuite {
    fn new(problem: &str, submission: &str) -> Self {
        Self {
            problem: None,
            class_name: attribute(&format!("{problem}.{submission}")),
            path: String::new(),
            cases: Writer::new(spool()),
            counts: JunitCounts::default(),
            points: Vec::new(),
        }
    }

    /// Whether an event belongs to it. If not, it is over.
    fn takes(&self, event: &Event) -> bool {
        match event {
            Event::MistakeFound(record) => {
                self.problem.as_ref() == Some(&record.problem)
            }
            Event::TrialFinished(_)
            | Event::TrialFaulted(_)
            | Event::SubmissionFinished(_) => self.problem.is_none(),
            _ => false,
        }
    }

    /// Writes a test case that is not a trial.
    fn write_plain(
        &mut self,
        name: &str,
        outcome: Option<&TestCaseOutcome>,
    ) -> io::Result<()> {
        self.write_case(name, None, outcome, &[], "")
    }

    /// Counts a test case, and writes it on a new line.
    fn write_case(
        &mut self,
        name: &str,
        cpu_us: Option<u64>,
        outcome: Option<&TestCaseOutcome>,
        attempts: &[&AttemptRecord],
        output: &str,
    ) -> io::Result<()> {
        let counts = &mut self.counts;
        counts.tests += 1;
        counts.cpu_us = counts.cpu_us.saturating_add(cpu_us.unwrap_or(0));
        match outcome.map(|outcome| outcome.element) {
            Some("failure") => counts.failures += 1,
            Some("error") => counts.errors += 1,
            Some(_) => counts.skipped += 1,
            None => {}
        }
        self.cases.get_mut().write_all(b"\n")?;
        let element = self.cases.create_element("testcase").with_attributes([
            ("classname", &*self.class_name),
            ("name", &attribute(name)),
            ("time", &seconds(cpu_us.unwrap_or(0))),
        ]);
        if output.is_empty() && outcome.is_none() && attempts.is_empty() {
            element.write_empty()?;
            return Ok(());
        }
        element.write_inner_content(|inside| {
            if let Some(outcome) = outcome {
                outcome.write(inside)?;
            }
            // Surefire's elements: a failed case has reruns that failed as well, and a
            // passed case has failures that do not count.
            let kind = if outcome.is_some() {
                "rerunFailure"
            } else {
                "flakyFailure"
            };
            for attempt in attempts {
                write_attempt(inside, kind, attempt)?;
            }
            if !output.is_empty() {
                inside
                    .create_element("system-out")
                    .write_text_content(BytesText::new(output))?;
            }
            Ok(())
        })?;
        Ok(())
    }
}

fn write_attempt(
    inside: &mut Writer<Spool>,
    element: &'static str,
    attempt: &AttemptRecord,
) -> io::Result<()> {
    inside
        .create_element(element)
        .with_attributes([
            ("message", attempt.verdict.meaning()),
            ("type", &kind(attempt.verdict)),
        ])
        .write_inner_content(|inside| {
            let figures = format!("{} s of CPU time", seconds(attempt.cpu_us));
            inside
                .create_element("stackTrace")
                .write_text_content(BytesText::new(&figures))
                .map(|_| ())
        })?;
    Ok(())
}

impl JunitCounts {
    fn add(&mut self, other: Self) {
        self.tests += other.tests;
        self.failures += other.failures;
        self.errors += other.errors;
        self.skipped += other.skipped;
        self.cpu_us = self.cpu_us.saturating_add(other.cpu_us);
    }

    /// Writes the attributes that Jenkins' schema allows for the whole report.
    fn write_into(self, head: &mut BytesStart<'_>) {
        for (name, count) in [
            ("tests", self.tests),
            ("failures", self.failures),
            ("errors", self.errors),
        ] {
            head.push_attribute((name, count.to_string().as_str()));
        }
        head.push_attribute(("time", seconds(self.cpu_us).as_str()));
    }
}

impl TestCaseOutcome {
    fn write(&self, inside: &mut Writer<Spool>) -> io::Result<()> {
        let message = attribute(&self.message);
        let kind = Some(("type", &*self.kind)).filter(|_| !self.kind.is_empty());
        let element = inside
            .create_element(self.element)
            .with_attributes([("message", &*message)].into_iter().chain(kind));
        if self.text.is_empty() {
            element.write_empty()?;
        } else {
            element.write_text_content(BytesText::new(&legal(&self.text)))?;
        }
        Ok(())
    }

    fn new(element: &'static str, kind: &str, message: &str) -> Self {
        Self {
            element,
            kind: kind.to_owned(),
            message: one_line(message),
            text: String::new(),
        }
    }

    /// Adds lines below the message.
    fn with_text(self, text: String) -> Self {
        Self { text, ..self }
    }
}

/// A text, or a note in its place if it does not fit into `room`.
fn unless_too_long(text: String, room: usize) -> String {
    if text.len() <= room {
        text
    } else {
        LEFT_OUT.to_owned()
    }
}

/// The facts about a trial for which Jenkins' schema has no element in a test case, a
/// line each: its peak memory if wanted, and its points and the checker's message if it
/// has them.
fn output(record: &TrialRecord, memory: Option<u64>) -> String {
    let memory = memory.map(|bytes| format!("peak_memory_bytes: {bytes}"));
    let points = record.points.map(|points| format!("points: {points}"));
    let message = record
        .checker_message
        .as_ref()
        .map(|said| format!("checker: {}", attribute(said)));
    [memory, points, message].into_iter().flatten().joined("\n")
}

/// The type of a failure, as `WRONG_ANSWER`.
fn kind(verdict: Verdict) -> String {
    let words = verdict.meaning().split(':').next().unwrap_or_default();
    words.to_uppercase().replace(' ', "_")
}

/// Foreign text fit for an attribute.
fn attribute(text: &str) -> String {
    legal(&one_line(text))
}

/// Text without the two characters beyond control characters that XML cannot hold.
fn legal(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "")
}

/// A time in seconds, in the form of JUnit.
fn seconds(micros: u64) -> String {
    format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

// Stores the body of a report until its head, whose counts are known last, is written.

/// Bytes of a body that are kept in memory before it goes to a file.
const HELD: usize = 1 << 20;

/// Bytes that wait to be written: in memory while they are few, else in a file.
pub(super) type Spool = BufWriter<SpooledTempFile>;

/// Creates an empty spool, which writes large pieces: elements come in many small ones.
fn spool() -> Spool {
    BufWriter::with_capacity(32 << 10, SpooledTempFile::new(HELD))
}

/// Copies the content of a spool to `target`.
fn unroll(spool: Spool, target: &mut impl Write) -> io::Result<()> {
    let mut spooled = spool.into_inner()?;
    spooled.seek(SeekFrom::Start(0))?;
    io::copy(&mut spooled, target).map(|_| ())
}
