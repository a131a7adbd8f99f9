//! Writes JUnit XML for Jenkins and GitLab, valid under the schema of Jenkins' xUnit plugin: a
//! suite for each submission, a test case for each of its cases, and for each problem with mistakes
//! a suite with a test case for each of them. A case that fails as expected is no failure. Counts
//! come before the elements they count, so finished suites wait in an unnamed file instead of
//! memory.

mod test_case;

use std::io;
use std::io::Write;

use gridjudge_sandbox::Fault;
use quick_xml::Writer;
use quick_xml::events::{BytesStart, Event as Xml};

use crate::model::{Event, GroupScore, MistakeRecord, SubmissionSummary, TrialRecord};
use crate::report::{Sink, SubmissionState, TrialStatus, explain, mistakes};
use crate::text::one_line;

use test_case::{
    JunitCounts, JunitSuite, LEFT_OUT, Spool, TestCaseOutcome, attribute, spool, unroll,
};

/// The most bytes of text in a report. GitLab accepts files below 30 MB; beyond this, a failure has
/// its message only.
const MOST_TEXT: usize = 12 << 20;

/// With more trials than this, memory figures are left out: GitLab accepts 250,000 objects in a
/// file.
const MOST_MEASURED: usize = 60_000;

/// Writes events as JUnit XML when the suite is over.
pub struct Junit<W> {
    target: W,
    /// The finished suites.
    body: Writer<Spool>,
    suite: Option<JunitSuite>,
    counts: JunitCounts,
    started: String,
    is_measured: bool,
    text: usize,
}

impl<W: Write> Junit<W> {
    /// A report written to `target`.
    pub fn new(target: W) -> Self {
        Self {
            target,
            body: Writer::new(spool()),
            suite: None,
            counts: JunitCounts::default(),
            started: String::new(),
            is_measured: true,
            text: 0,
        }
    }

    /// The suite that an event belongs to. Opens it if necessary.
    fn suite(&mut self, event: &Event) -> io::Result<&mut JunitSuite> {
        let opens = matches!(event, Event::SubmissionStarted { .. });
        if opens && self.suite.is_some() {
            self.close()?;
        }
        match &mut self.suite {
            Some(suite) => Ok(suite),
            empty => Ok(empty
                .insert(JunitSuite::new(SubmissionState::of(event).ok_or_else(
                    || io::Error::other("an event without a submission"),
                )?))),
        }
    }

    fn trial(&mut self, event: &Event, record: &TrialRecord) -> io::Result<()> {
        let is_measured = self.is_measured;
        let text_left = MOST_TEXT.saturating_sub(self.text);
        let suite = self.suite(event)?;
        let status = suite.state.take(record);
        let outcome = match status {
            TrialStatus::Passed => None,
            TrialStatus::NotJudged => {
                let why = explain::why_not_judged(record, suite.state.rejected.first());
                Some(TestCaseOutcome::new("skipped", "", why))
            }
            TrialStatus::Failed => Some(TestCaseOutcome::of(record, &suite.state, text_left)),
        };
        let text = outcome.as_ref().map_or(0, |outcome| outcome.text.len());
        let memory = record.peak_memory_bytes.filter(|_| is_measured);
        suite.write(record, memory, outcome.as_ref())?;
        self.text += text;
        Ok(())
    }

    fn fault(&mut self, event: &Event, case: &str, fault: &Fault) -> io::Result<()> {
        let suite = self.suite(event)?;
        suite.state.take_fault(case, fault);
        let text = fault
            .remedy
            .as_ref()
            .map_or_else(String::new, |remedy| format!("hint: {}", one_line(remedy)));
        let outcome =
            TestCaseOutcome::new("error", "JUDGE_FAILED", &fault.to_string()).with_text(text);
        suite.write_plain(case, Some(&outcome))
    }

    /// Adds a test case for the submission's expectation if it is expected to be rejected, or if no
    /// single case shows that the expectation was not met, as for a wrong program that is accepted.
    fn finished(&mut self, event: &Event, summary: &SubmissionSummary) -> io::Result<()> {
        let suite = self.suite(event)?;
        let groups = summary.score.iter().flat_map(|score| &score.groups);
        suite.points = groups.cloned().collect();
        let broken = suite.state.unexpected_verdict(summary);
        if suite.state.is_expected_to_fail() || broken.is_some() {
            let name = format!("earns {}", summary.expected.clone().unwrap_or_default());
            let outcome = match broken {
                Some(message) => Some(TestCaseOutcome::new("failure", "BROKEN_PROMISE", &message)),
                None if summary.faults > 0 => {
                    Some(TestCaseOutcome::new("skipped", "", "the judge failed"))
                }
                None => None,
            };
            suite.write_plain(&name, outcome.as_ref())?;
        }
        self.close()
    }

    /// Writes a mistake in a problem as a failed test case, and a warning as a passed one.
    fn mistake(&mut self, record: &MistakeRecord) -> io::Result<()> {
        let mut suite = match self.suite.take() {
            Some(suite) if suite.is_of_problem && suite.state.problem == record.problem => suite,
            other => {
                self.suite = other;
                self.close()?;
                JunitSuite::of_problem(&record.problem)
            }
        };
        let room = MOST_TEXT.saturating_sub(self.text);
        let name = mistakes::told(record);
        let details = mistakes::details(record);
        let details = if details.len() <= room {
            details
        } else {
            LEFT_OUT.to_owned()
        };
        self.text += details.len();
        if record.is_error() {
            let kind = record.check.name().to_uppercase();
            let outcome =
                TestCaseOutcome::new("failure", &kind, &record.message).with_text(details);
            suite.write_plain(&name, Some(&outcome))?;
        } else {
            suite.write_remark(&name, &format!("warning: {details}"))?
        }
        self.suite = Some(suite);
        Ok(())
    }

    fn close(&mut self) -> io::Result<()> {
        let Some(suite) = self.suite.take() else {
            return Ok(());
        };
        let JunitSuite {
            state,
            class_name,
            cases,
            counts,
            points,
            ..
        } = suite;
        let mut head = BytesStart::new("testsuite");
        head.push_attribute(("name", class_name.as_str()));
        counts.write_into_suite(&mut head);
        if !self.started.is_empty() {
            head.push_attribute(("timestamp", self.started.as_str()));
        }
        if !state.path.is_empty() {
            head.push_attribute(("file", attribute(&state.path).as_str()));
        }
        self.body.get_mut().write_all(b"\n")?;
        self.body.write_event(Xml::Start(head))?;
        self.write_points(&points)?;
        unroll(cases.into_inner(), self.body.get_mut())?;
        self.body.get_mut().write_all(b"\n</testsuite>")?;
        self.counts.add(counts);
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
                        .with_attribute(("name", &*name))
                        .with_attribute(("value", &*value))
                        .write_empty()?;
                }
                Ok(())
            })?;
        Ok(())
    }

    /// Writes a suite with a single test case about the judging itself.
    fn remark(
        &mut self,
        state: SubmissionState,
        case: &str,
        outcome: &TestCaseOutcome,
    ) -> io::Result<()> {
        self.close()?;
        let mut suite = JunitSuite::new(state);
        suite.write_plain(case, Some(outcome))?;
        self.suite = Some(suite);
        self.close()
    }

    fn write(&mut self) -> io::Result<()> {
        self.close()?;
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
    fn take(&mut self, event: &Event) -> io::Result<()> {
        if self.suite.as_ref().is_some_and(|suite| suite.is_of_problem)
            && !matches!(event, Event::MistakeFound(_))
        {
            self.close()?;
        }
        match event {
            Event::SuiteStarted {
                started, trials, ..
            } => {
                // Without a time zone, as the schema of Jenkins requires.
                self.started = attribute(started.trim_end_matches('Z'));
                self.is_measured = *trials <= MOST_MEASURED;
                Ok(())
            }
            Event::MistakeFound(record) => self.mistake(record),
            Event::SubmissionStarted { .. } => self.suite(event).map(|_| ()),
            Event::TrialFinished(record) => self.trial(event, record),
            Event::TrialFaulted { case, fault, .. } => self.fault(event, case, fault),
            Event::SubmissionSkipped {
                problem,
                submission,
                cause,
                remedy,
                ..
            } => {
                let state = SubmissionState::named(problem, submission);
                let message = format!("{cause}: {remedy}");
                self.remark(
                    state,
                    "made ready",
                    &TestCaseOutcome::new("skipped", "", &message),
                )
            }
            Event::SubmissionFinished(summary) => self.finished(event, summary),
            Event::SuiteFinished(_) => self.write(),
            Event::SuiteInterrupted(_) => {
                let state = SubmissionState::named(&"gridjudge".into(), &"judging".into());
                let message = "the judging was interrupted: this report is incomplete";
                self.remark(
                    state,
                    "complete",
                    &TestCaseOutcome::new("error", "INTERRUPTED", message),
                )?;
                self.write()
            }
        }
    }
}
