//! Writes the elements of a JUnit report: test cases with their outcomes, and the counts of a
//! suite.

use std::io;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::sync::Arc;

use quick_xml::Writer;
use quick_xml::events::{BytesStart, BytesText};
use tempfile::SpooledTempFile;

use crate::model::{AttemptRecord, GroupScore, TrialRecord, Verdict};
use crate::report::{SubmissionState, explain};
use crate::text::{JoinedTexts, one_line};

/// The most attempts shown of a flaky case.
const MOST_ATTEMPTS: usize = 20;

/// Stands for a text beyond the most that a report holds.
pub(crate) const LEFT_OUT: &str = "left out: the report holds enough text";

/// The current submission, or the mistakes in a problem.
pub(crate) struct JunitSuite {
    pub(crate) is_of_problem: bool,
    pub(crate) state: SubmissionState,
    pub(crate) class_name: String,
    pub(crate) cases: Writer<Spool>,
    pub(crate) counts: JunitCounts,
    /// The points of its groups of cases, once they are known.
    pub(crate) points: Vec<GroupScore>,
}

/// The counts in the head of a suite, and of the report.
#[derive(Clone, Copy, Default)]
pub(crate) struct JunitCounts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    cpu_us: u64,
}

/// The outcome of a test case: the element inside it.
pub(crate) struct TestCaseOutcome {
    element: &'static str,
    kind: String,
    message: String,
    pub(crate) text: String,
}

impl JunitSuite {
    pub(crate) fn new(state: SubmissionState) -> Self {
        let class_name = attribute(&format!("{}.{}", state.problem, state.submission));
        let cases = Writer::new(spool());
        let counts = JunitCounts::default();
        Self {
            is_of_problem: false,
            state,
            class_name,
            cases,
            counts,
            points: Vec::new(),
        }
    }

    /// A suite of the mistakes in a problem.
    pub(crate) fn of_problem(problem: &Arc<str>) -> Self {
        let state = SubmissionState::named(problem, &"problem".into());
        Self {
            is_of_problem: true,
            ..Self::new(state)
        }
    }

    /// Writes a trial as a test case.
    pub(crate) fn write(
        &mut self,
        record: &TrialRecord,
        memory: Option<u64>,
        outcome: Option<&TestCaseOutcome>,
    ) -> io::Result<()> {
        let flaky: Vec<_> = record
            .attempts
            .iter()
            .filter(|attempt| attempt.verdict != Verdict::Accepted)
            .take_while(|_| record.is_flaky())
            .take(MOST_ATTEMPTS)
            .collect();
        self.write_case(
            explain::place(record),
            record.cpu_us,
            outcome,
            &flaky,
            &output(record, memory),
        )
    }

    /// Writes a test case that is not a trial.
    pub(crate) fn write_plain(
        &mut self,
        name: &str,
        outcome: Option<&TestCaseOutcome>,
    ) -> io::Result<()> {
        self.write_case(name, None, outcome, &[], "")
    }

    /// Writes a test case that passes, with a text.
    pub(crate) fn write_remark(&mut self, name: &str, text: &str) -> io::Result<()> {
        self.write_case(name, None, None, &[], &legal(text))
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
        self.counts.count(outcome, cpu_us);
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
            // Surefire's elements: a failed case has reruns that failed as well, and a passed case
            // has failures that do not count.
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
    fn count(&mut self, outcome: Option<&TestCaseOutcome>, cpu_us: Option<u64>) {
        self.tests += 1;
        self.cpu_us = self.cpu_us.saturating_add(cpu_us.unwrap_or(0));
        match outcome.map(|outcome| outcome.element) {
            Some("failure") => self.failures += 1,
            Some("error") => self.errors += 1,
            Some(_) => self.skipped += 1,
            None => {}
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.tests += other.tests;
        self.failures += other.failures;
        self.errors += other.errors;
        self.skipped += other.skipped;
        self.cpu_us = self.cpu_us.saturating_add(other.cpu_us);
    }

    /// Writes the attributes that Jenkins' schema allows for the whole report.
    pub(crate) fn write_into(self, head: &mut BytesStart<'_>) {
        for (name, count) in [
            ("tests", self.tests),
            ("failures", self.failures),
            ("errors", self.errors),
        ] {
            head.push_attribute((name, count.to_string().as_str()));
        }
        head.push_attribute(("time", seconds(self.cpu_us).as_str()));
    }

    /// Writes the attributes of a suite.
    pub(crate) fn write_into_suite(self, head: &mut BytesStart<'_>) {
        self.write_into(head);
        head.push_attribute(("skipped", self.skipped.to_string().as_str()));
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

    pub(crate) fn new(element: &'static str, kind: &str, message: &str) -> Self {
        Self {
            element,
            kind: kind.to_owned(),
            message: one_line(message),
            text: String::new(),
        }
    }

    /// The outcome of a failed trial, with its details if they fit into `room`.
    pub(crate) fn of(record: &TrialRecord, state: &SubmissionState, room: usize) -> Self {
        let why = explain::why(record, state.limits.as_ref());
        let text = match explain::details(record) {
            text if text.len() <= room => text,
            _ => LEFT_OUT.to_owned(),
        };
        Self::new("failure", &kind(record.verdict), &why).with_text(text)
    }

    /// Adds lines below the message.
    pub(crate) fn with_text(self, text: String) -> Self {
        Self { text, ..self }
    }
}

/// The facts about a trial for which Jenkins' schema has no element in a test case, a line each:
/// its peak memory if wanted, and its points and the checker's message if it has them.
fn output(record: &TrialRecord, memory: Option<u64>) -> String {
    let memory = memory.map(|bytes| format!("peak_memory_bytes: {bytes}"));
    let points = record.points.map(|points| format!("points: {points}"));
    let message = record
        .checker_message
        .as_ref()
        .map(|said| format!("checker: {}", attribute(said)));
    let lines = [memory, points, message].into_iter().flatten();
    lines.joined("\n")
}

/// The type of a failure, as `WRONG_ANSWER`.
fn kind(verdict: Verdict) -> String {
    let words = verdict.meaning().split(':').next().unwrap_or_default();
    words.to_uppercase().replace(' ', "_")
}

/// Foreign text fit for an attribute.
pub(crate) fn attribute(text: &str) -> String {
    legal(&one_line(text))
}

/// Text without the two characters that XML cannot represent although they are no control
/// characters.
fn legal(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "")
}

/// A time in seconds, in the form of JUnit.
fn seconds(micros: u64) -> String {
    format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

// Stores the body of a JUnit report until its head can be written, because the counts in it are
// known last. Knows bytes, but not XML.

/// Bytes of a body that are kept in memory before it goes to a file.
const HELD: usize = 1 << 20;

/// Bytes written to the file at once, because elements come in many small pieces.
const CHUNK: usize = 32 << 10;

/// Bytes that wait to be written: in memory while they are few, else in a file.
pub(super) type Spool = BufWriter<SpooledTempFile>;

/// Creates an empty spool.
pub(super) fn spool() -> Spool {
    BufWriter::with_capacity(CHUNK, SpooledTempFile::new(HELD))
}

/// Copies the content of a spool to `target`.
pub(super) fn unroll(spool: Spool, target: &mut impl Write) -> io::Result<()> {
    let mut spooled = spool.into_inner()?;
    spooled.seek(SeekFrom::Start(0))?;
    io::copy(&mut spooled, target).map(|_| ())
}
