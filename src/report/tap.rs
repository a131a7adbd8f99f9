//! Writes the Test Anything Protocol, version 14: a test point for each trial, followed
//! by a block of YAML if it is not ok. A trial that fails as expected is ok. A mistake
//! in a problem is a point that is not ok.

use std::io::{self, Write};

use serde_json::Value;

use crate::model::{Event, MistakeRecord, TrialRecord};
use crate::report::{Sink, SubmissionTracker, TrialStatus, explain};
use crate::text::{JoinedTexts, one_line};

/// Writes events as TAP, point by point.
pub struct Tap<W> {
    target: W,
    tracker: SubmissionTracker,
    /// Number of test points written.
    points: usize,
}

impl<W: Write> Tap<W> {
    /// A stream written to `target`.
    pub fn new(target: W) -> Self {
        Self {
            target,
            tracker: SubmissionTracker::default(),
            points: 0,
        }
    }

    fn trial(&mut self, record: &TrialRecord) -> io::Result<()> {
        let (status, state) = self.tracker.take_trial(record);
        let limits = state.start.limits;
        let why_not = explain::why_not_judged(record, state.rejected.first());
        let name =
            description(&[&record.problem, &record.submission, explain::place(record)]);
        match status {
            TrialStatus::NotJudged => {
                self.point(true, &name, &format!(" # SKIP {why_not}"))
            }
            TrialStatus::Passed => {
                self.point(true, &name, "")?;
                let said = record.checker_message.as_deref().map(one_line);
                let points = record.points.map(|points| points.to_string());
                if said.is_some() || points.is_some() {
                    self.block(&[("points", points.into()), ("checker", said.into())])
                } else {
                    Ok(())
                }
            }
            TrialStatus::Failed => {
                let details = explain::details_of_trial(record);
                self.point(false, &name, "")?;
                self.block(&[
                    ("message", explain::why(record, limits).into()),
                    ("severity", "fail".into()),
                    ("verdict", record.verdict.code().into()),
                    ("cpu_us", record.cpu_us.into()),
                    ("peak_memory_bytes", record.peak_memory_bytes.into()),
                    ("details", details.lines().collect()),
                ])
            }
        }
    }

    fn point(&mut self, ok: bool, name: &str, directive: &str) -> io::Result<()> {
        self.points += 1;
        let not = if ok { "" } else { "not " };
        writeln!(self.target, "{not}ok {} - {name}{directive}", self.points)
    }

    /// A block of YAML. Its values are JSON, which is valid YAML, so foreign text
    /// cannot end the block.
    fn block(&mut self, entries: &[(&str, Value)]) -> io::Result<()> {
        writeln!(self.target, "  ---")?;
        for (key, value) in entries.iter().filter(|(_, value)| !value.is_null()) {
            writeln!(self.target, "  {key}: {value}")?;
        }
        writeln!(self.target, "  ...")
    }

    fn trouble(
        &mut self,
        name: &str,
        severity: &str,
        message: &str,
        remedy: Option<&str>,
    ) -> io::Result<()> {
        self.point(false, name, "")?;
        self.block(&[
            ("message", one_line(message).into()),
            ("severity", severity.into()),
            ("remedy", remedy.map(one_line).into()),
        ])
    }

    /// A point for a mistake in a problem; a warning is ok.
    fn mistake(&mut self, record: &MistakeRecord) -> io::Result<()> {
        let is_error = record.is_error();
        let is_long = one_line(&record.message) != record.message;
        let details = is_long.then(|| {
            explain::details_of_mistake(record)
                .lines()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        });
        self.point(
            !is_error,
            &description(&[&record.problem, &explain::told(record)]),
            "",
        )?;
        self.block(&[
            ("message", one_line(&record.message).into()),
            ("severity", if is_error { "fail" } else { "warning" }.into()),
            ("check", record.check.to_string().into()),
            ("file", one_line(&record.file).into()),
            ("line", record.line.into()),
            ("remedy", record.remedy.as_deref().map(one_line).into()),
            ("details", details.into()),
        ])
    }
}

impl<W: Write> Sink for Tap<W> {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        self.tracker.follow(event);
        match event {
            Event::SuiteStarted(_) => writeln!(self.target, "TAP version 14"),
            Event::MistakeFound(record) => self.mistake(record),
            Event::SubmissionStarted(_) => Ok(()),
            Event::TrialFinished(record) => self.trial(record),
            Event::TrialFaulted(failed) => {
                let fault = &failed.fault;
                let name =
                    description(&[&failed.problem, &failed.submission, &failed.case]);
                self.trouble(
                    &name,
                    "error",
                    &fault.to_string(),
                    fault.remedy.as_deref(),
                )
            }
            Event::SubmissionSkipped(skip) => {
                let name = description(&[&skip.problem, &skip.submission]);
                let cause = one_line(&skip.cause).replace('#', "\\#");
                self.point(true, &name, &format!(" # SKIP {cause}"))
            }
            Event::SubmissionFinished(summary) => {
                if let Some(groups) = summary.points_by_group() {
                    let name = description(&[&summary.problem, &summary.submission]);
                    writeln!(self.target, "# points of {name}: {}", one_line(&groups))?;
                }
                let broken = self
                    .tracker
                    .end()
                    .and_then(|state| state.unexpected_verdict(summary));
                let name = description(&[
                    &summary.problem,
                    &summary.submission,
                    "as expected",
                ]);
                broken.map_or(Ok(()), |why| self.trouble(&name, "fail", &why, None))
            }
            Event::SuiteFinished(_) => {
                writeln!(self.target, "1..{}", self.points)?;
                self.target.flush()
            }
            Event::SuiteInterrupted(_) => {
                writeln!(
                    self.target,
                    "Bail out! the judging was interrupted: this report is incomplete"
                )?;
                self.target.flush()
            }
        }
    }
}

/// The description of a test point. A `#` would begin a directive, so it is escaped.
fn description(parts: &[&str]) -> String {
    parts
        .iter()
        .map(|part| one_line(part))
        .joined(" ")
        .replace('\\', "\\\\")
        .replace('#', "\\#")
}
