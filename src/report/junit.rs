//! Writes JUnit XML for Jenkins and GitLab, valid under the schema of Jenkins' xUnit
//! plugin: a suite for each submission, a test case for each of its cases, and for each
//! problem with mistakes a suite with a test case for each of them. A case that fails
//! as expected is no failure. Counts come before the elements they count, so finished
//! suites wait in an unnamed file instead of memory.

use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::sync::Arc;

use quick_xml::escape::escape;
use tempfile::SpooledTempFile;

use crate::model::{
    AttemptRecord, Event, MistakeRecord, SubmissionSummary, TrialRecord, Verdict,
};
use crate::report::{Repository, Sink, SubmissionTracker, TrialStatus, explain};
use crate::text::{JoinedTexts, one_line, text_or_none};

/// The most bytes of text in a report. GitLab accepts files below 30 MB; beyond this, a
/// failure has its message only.
const MOST_TEXT: usize = 12 << 20;

/// With more trials, memory figures are left out: GitLab accepts 250,000 objects.
const MOST_MEASURED: usize = 60_000;

/// Writes events as JUnit XML when the suite is over.
pub struct Junit<W> {
    target: W,
    repository: Repository,
    tracker: SubmissionTracker,
    /// The finished suites.
    body: Spool,
    suite: Option<JunitSuite>,
    counts: JunitCounts,
    started: String,
    is_measured: bool,
    /// The bytes of text that there is room for.
    room: usize,
}

impl<W: Write> Junit<W> {
    /// A report written to `target`. It names files relative to the root of this
    /// repository.
    pub fn new(target: W, repository: Repository) -> Self {
        Self {
            target,
            repository,
            tracker: SubmissionTracker::default(),
            body: spool(),
            suite: None,
            counts: JunitCounts::default(),
            started: String::new(),
            is_measured: true,
            room: MOST_TEXT,
        }
    }

    /// The suite of a submission. Opens it if necessary.
    fn suite(&mut self, problem: &str, submission: &str) -> &mut JunitSuite {
        self.suite.get_or_insert_with(|| JunitSuite {
            problem: None,
            class_name: attribute(&format!("{problem}.{submission}")),
            path: String::new(),
            cases: spool(),
            counts: JunitCounts::default(),
            properties: String::new(),
        })
    }

    fn trial(&mut self, record: &TrialRecord) -> io::Result<()> {
        let (status, state) = self.tracker.take_trial(record);
        let outcome = match status {
            TrialStatus::Passed => None,
            TrialStatus::NotJudged => {
                let why = state.why_not_judged(record);
                Some(TestCaseOutcome::new("skipped", "", why, ""))
            }
            TrialStatus::Failed => {
                let why = state.why(record);
                let kind = kind(record.verdict);
                let text =
                    take_room(&mut self.room, explain::details_of_trial(record));
                Some(TestCaseOutcome::new("failure", &kind, &why, &text))
            }
        };
        // The facts for which Jenkins' schema has no element in a test case, a line each.
        let memory = record
            .peak_memory_bytes
            .filter(|_| self.is_measured)
            .map(|bytes| format!("peak_memory_bytes: {bytes}"));
        let points = record.points.map(|points| format!("points: {points}"));
        let said = record
            .checker_message
            .as_deref()
            .map(|said| format!("checker: {}", one_line(said)));
        let output = [memory, points, said].into_iter().flatten().joined("\n");
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
            outcome,
            &flaky,
            &output,
        )
    }

    /// Adds a test case for the submission's expectation if it is expected to be
    /// rejected, or if no single case shows that the expectation was not met, as for a
    /// wrong program that is accepted.
    fn finished(&mut self, summary: &SubmissionSummary) -> io::Result<()> {
        let state = self.tracker.end(summary);
        let suite = self.suite(&summary.problem, &summary.submission);
        // The points of groups, if there are any.
        let points: String = summary
            .score
            .iter()
            .flat_map(|score| &score.groups)
            .map(|group| {
                let name = attribute(&format!("points.{}", group.name));
                let value = match group.of {
                    Some(of) => format!("{} of {of}", group.earned),
                    None => group.earned.to_string(),
                };
                format!(r#"<property name="{name}" value="{value}"/>"#)
            })
            .collect();
        if !points.is_empty() {
            suite.properties = format!("<properties>{points}</properties>");
        }
        let broken = state.unexpected_verdict(summary);
        let expects_more = !state.start.expects(Verdict::Accepted);
        if expects_more && !summary.is_unjudged() || broken.is_some() {
            let name =
                format!("earns {}", summary.expected.clone().unwrap_or_default());
            let outcome = match broken {
                Some(why) => {
                    Some(TestCaseOutcome::new("failure", "BROKEN_PROMISE", &why, ""))
                }
                None if summary.faults > 0 => {
                    Some(TestCaseOutcome::new("skipped", "", "the judge failed", ""))
                }
                None => None,
            };
            suite.write_plain(&name, outcome)?;
        }
        self.close()
    }

    /// Writes a mistake in a problem as a failed test case, and a warning as a passed
    /// one.
    fn mistake(&mut self, record: &MistakeRecord) -> io::Result<()> {
        let name = explain::told(record);
        let details = take_room(&mut self.room, explain::details_of_mistake(record));
        let suite = self.suite(&record.problem, "problem");
        suite.problem = Some(Arc::clone(&record.problem));
        if record.is_error() {
            let kind = record.check.to_string().to_uppercase();
            let outcome =
                TestCaseOutcome::new("failure", &kind, &record.message, &details);
            suite.write_plain(&name, Some(outcome))
        } else {
            let text = format!("warning: {details}");
            suite.write_case(&name, None, None, &[], &text)
        }
    }

    fn close(&mut self) -> io::Result<()> {
        self.tracker = SubmissionTracker::default();
        let Some(suite) = self.suite.take() else {
            return Ok(());
        };
        let optional: String = [("timestamp", &self.started), ("file", &suite.path)]
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| format!(r#" {name}="{value}""#))
            .collect();
        write!(
            self.body,
            "\n<testsuite name=\"{}\"{} skipped=\"{}\"{optional}>{}",
            suite.class_name,
            suite.counts.attributes(),
            suite.counts.skipped,
            suite.properties
        )?;
        unroll(suite.cases, &mut self.body)?;
        self.body.write_all(b"\n</testsuite>")?;
        let counts = &mut self.counts;
        counts.tests += suite.counts.tests;
        counts.failures += suite.counts.failures;
        counts.errors += suite.counts.errors;
        counts.skipped += suite.counts.skipped;
        counts.cpu_us = counts.cpu_us.saturating_add(suite.counts.cpu_us);
        Ok(())
    }

    /// Writes a suite with a single test case about the judging itself.
    fn remark(
        &mut self,
        problem: &str,
        submission: &str,
        case: &str,
        outcome: TestCaseOutcome,
    ) -> io::Result<()> {
        self.suite(problem, submission)
            .write_plain(case, Some(outcome))?;
        self.close()
    }

    fn write(&mut self) -> io::Result<()> {
        writeln!(self.target, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
        let counts = self.counts.attributes();
        write!(self.target, r#"<testsuites name="gridjudge"{counts}>"#)?;
        unroll(std::mem::replace(&mut self.body, spool()), &mut self.target)?;
        self.target.write_all(b"\n</testsuites>\n")?;
        self.target.flush()
    }
}

impl<W: Write> Sink for Junit<W> {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        use Event::*;

        if self.suite.as_ref().is_some_and(|suite| !suite.takes(event)) {
            self.close()?;
        }
        self.tracker.follow(event);
        match event {
            SuiteStarted(start) => {
                // Without a time zone, as the schema of Jenkins requires.
                self.started = attribute(start.started.trim_end_matches('Z'));
                self.is_measured = start.trials <= MOST_MEASURED;
                Ok(())
            }
            MistakeFound(record) => self.mistake(record),
            SubmissionStarted(start) => {
                let path = Some(&*start.path).filter(|path| !path.is_empty());
                let path = path.map(|path| attribute(&self.repository.seen(path)));
                let suite = self.suite(&start.problem, &start.submission);
                suite.path = path.unwrap_or_default();
                Ok(())
            }
            TrialFinished(record) => self.trial(record),
            TrialFaulted(failed) => {
                let fault = &failed.fault;
                let remedy = fault.remedy.as_deref();
                let text = remedy.map(|remedy| format!("hint: {}", one_line(remedy)));
                let outcome = TestCaseOutcome::new(
                    "error",
                    "JUDGE_FAILED",
                    &fault.to_string(),
                    &text_or_none(text),
                );
                self.suite(&failed.problem, &failed.submission)
                    .write_plain(&failed.case, Some(outcome))
            }
            SubmissionSkipped(skip) => {
                let message = format!("{}: {}", skip.cause, skip.remedy);
                self.remark(
                    &skip.problem,
                    &skip.submission,
                    "made ready",
                    TestCaseOutcome::new("skipped", "", &message, ""),
                )
            }
            SubmissionFinished(summary) => self.finished(summary),
            SuiteFinished(_) => self.write(),
            SuiteInterrupted(_) => {
                let message =
                    "the judging was interrupted: this report is incomplete";
                self.remark(
                    "gridjudge",
                    "judging",
                    "complete",
                    TestCaseOutcome::new("error", "INTERRUPTED", message, ""),
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
    cases: Spool,
    counts: JunitCounts,
    /// The element with the points of its groups of cases, once they are known.
    properties: String,
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
    xml: String,
}

impl JunitSuite {
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
        outcome: Option<TestCaseOutcome>,
    ) -> io::Result<()> {
        self.write_case(name, None, outcome, &[], "")
    }

    /// Counts a test case, and writes it on a new line.
    fn write_case(
        &mut self,
        name: &str,
        cpu_us: Option<u64>,
        outcome: Option<TestCaseOutcome>,
        attempts: &[&AttemptRecord],
        output: &str,
    ) -> io::Result<()> {
        let cpu_us = cpu_us.unwrap_or(0);
        let counts = &mut self.counts;
        counts.tests += 1;
        counts.cpu_us = counts.cpu_us.saturating_add(cpu_us);
        // Surefire's elements: a failed case has reruns that failed as well, and a
        // passed case has failures that do not count.
        let mut element = "flakyFailure";
        let mut inside = String::new();
        if let Some(outcome) = outcome {
            match outcome.element {
                "failure" => counts.failures += 1,
                "error" => counts.errors += 1,
                _ => counts.skipped += 1,
            }
            element = "rerunFailure";
            inside = outcome.xml;
        }
        for attempt in attempts {
            let message = escape(attempt.verdict.meaning());
            let kind = kind(attempt.verdict);
            let time = seconds(attempt.cpu_us);
            inside += &format!(
                r#"<{element} message="{message}" type="{kind}"><stackTrace>{time} s of CPU time</stackTrace></{element}>"#
            );
        }
        if !output.is_empty() {
            inside += &format!("<system-out>{}</system-out>", escape(legal(output)));
        }
        let rest = if inside.is_empty() {
            "/>".to_owned()
        } else {
            format!(">{inside}</testcase>")
        };
        write!(
            self.cases,
            "\n<testcase classname=\"{}\" name=\"{}\" time=\"{}\"{rest}",
            self.class_name,
            attribute(name),
            seconds(cpu_us)
        )
    }
}

impl JunitCounts {
    /// The attributes that Jenkins' schema allows for the whole report, each after a
    /// space.
    fn attributes(self) -> String {
        let Self {
            tests,
            failures,
            errors,
            cpu_us,
            ..
        } = self;
        let time = seconds(cpu_us);
        format!(
            r#" tests="{tests}" failures="{failures}" errors="{errors}" time="{time}""#
        )
    }
}

impl TestCaseOutcome {
    /// An element with a type, if one is given, a message, and a text with lines below
    /// it.
    fn new(element: &'static str, kind: &str, message: &str, text: &str) -> Self {
        let message = attribute(&one_line(message));
        let kind = match kind {
            "" => String::new(),
            kind => format!(r#" type="{kind}""#),
        };
        let start = format!(r#"<{element} message="{message}"{kind}"#);
        let xml = if text.is_empty() {
            start + "/>"
        } else {
            format!("{start}>{}</{element}>", escape(legal(text)))
        };
        Self { element, xml }
    }
}

/// A text, or a note in its place if it does not fit into `room`, which is smaller then.
fn take_room(room: &mut usize, text: String) -> String {
    let text = if text.len() <= *room {
        text
    } else {
        LEFT_OUT.to_owned()
    };
    *room = room.saturating_sub(text.len());
    text
}

/// The type of a failure, as `WRONG_ANSWER`.
fn kind(verdict: Verdict) -> String {
    let words = verdict.meaning().split(':').next().unwrap_or_default();
    words.to_uppercase().replace(' ', "_")
}

/// Foreign text as the value of an attribute.
fn attribute(text: &str) -> String {
    escape(legal(&one_line(text))).into_owned()
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
type Spool = BufWriter<SpooledTempFile>;

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
