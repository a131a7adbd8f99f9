//! Writes the Test Anything Protocol, version 13: a test point for each trial, followed
//! by a block of YAML if it is not ok. A trial that fails as expected is ok. A mistake
//! in a problem is a point that is not ok.

use std::io;

use serde_json::Value;

use crate::model::{Event, MistakeRecord, SubmissionSummary, Tally, TrialRecord};
use crate::report::{SubmissionTracker, SuiteReport, TrialStatus, explain};
use crate::text::{JoinedTexts, one_line};

/// Events as TAP, point by point.
#[derive(Default)]
pub struct Tap {
    tracker: SubmissionTracker,
    /// Number of test points so far.
    points: usize,
}

impl Tap {
    fn trial(&mut self, record: &TrialRecord) -> String {
        let (status, state) = self.tracker.take_trial(record);
        let name = [
            &*record.problem,
            &*record.submission,
            explain::place(record),
        ];
        match status {
            TrialStatus::NotJudged => {
                let directive = format!(" # SKIP {}", state.why_not_judged(record));
                self.point(true, &name, &directive, &[])
            }
            TrialStatus::Passed => {
                let said = record.checker_message.as_deref().map(one_line);
                let points = record.points.map(|points| points.to_string());
                let details = [("points", points.into()), ("checker", said.into())];
                self.point(true, &name, "", &details)
            }
            TrialStatus::Failed => {
                let details = explain::details_of_trial(record);
                let details = [
                    ("message", state.why(record).into()),
                    ("severity", "fail".into()),
                    ("verdict", record.verdict.code().into()),
                    ("cpu_us", record.cpu_us.into()),
                    ("peak_memory_bytes", record.peak_memory_bytes.into()),
                    ("details", details.lines().collect()),
                ];
                self.point(false, &name, "", &details)
            }
        }
    }

    /// A test point of this name, and a block of YAML if any of its values is known.
    /// The values are JSON, which is valid YAML, so foreign text cannot end the block.
    fn point(
        &mut self,
        ok: bool,
        name: &[&str],
        directive: &str,
        details: &[(&str, Value)],
    ) -> String {
        self.points += 1;
        let not = if ok { "" } else { "not " };
        let name = description(name);
        let point = format!("{not}ok {} - {name}{directive}\n", self.points);
        let block: String = details
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(key, value)| format!("  {key}: {value}\n"))
            .collect();
        if block.is_empty() {
            point
        } else {
            format!("{point}  ---\n{block}  ...\n")
        }
    }

    fn trouble(
        &mut self,
        name: &[&str],
        severity: &str,
        message: &str,
        remedy: Option<&str>,
    ) -> String {
        let details = [
            ("message", one_line(message).into()),
            ("severity", severity.into()),
            ("remedy", remedy.map(one_line).into()),
        ];
        self.point(false, name, "", &details)
    }

    /// A point for a mistake in a problem; a warning is ok.
    fn mistake(&mut self, record: &MistakeRecord) -> String {
        let is_error = record.is_error();
        let is_long = one_line(&record.message) != record.message;
        let lines = is_long.then(|| -> Value {
            explain::details_of_mistake(record).lines().collect()
        });
        let details = [
            ("message", one_line(&record.message).into()),
            ("severity", if is_error { "fail" } else { "warning" }.into()),
            ("check", record.check.to_string().into()),
            ("file", one_line(&record.file).into()),
            ("line", record.line.into()),
            ("remedy", record.remedy.as_deref().map(one_line).into()),
            ("details", lines.into()),
        ];
        let name = [&*record.problem, &explain::told(record)];
        self.point(!is_error, &name, "", &details)
    }

    fn finished(&mut self, summary: &SubmissionSummary) -> String {
        let problem = &summary.problem;
        let submission = &summary.submission;
        let mut text = String::new();
        if let Some(groups) = summary.points_by_group() {
            let name = description(&[problem, submission]);
            text += &format!("# points of {name}: {}\n", one_line(&groups));
        }
        if let Some(why) = self.tracker.end(summary).unexpected_verdict(summary) {
            let name = [&**problem, submission, "as expected"];
            text += &self.trouble(&name, "fail", &why, None);
        }
        text
    }
}

impl SuiteReport for Tap {
    fn take_event(&mut self, event: &Event) -> io::Result<String> {
        use Event::*;

        self.tracker.follow(event);
        Ok(match event {
            SuiteStarted(_) => "TAP version 13\n".to_owned(),
            MistakeFound(record) => self.mistake(record),
            TrialFinished(record) => self.trial(record),
            TrialFaulted(failed) => {
                let fault = &failed.fault;
                let name = [&*failed.problem, &failed.submission, &failed.case];
                self.trouble(
                    &name,
                    "error",
                    &fault.to_string(),
                    fault.remedy.as_deref(),
                )
            }
            SubmissionSkipped(skip) => {
                let cause = one_line(&skip.cause).replace('#', "\\#");
                let directive = format!(" # SKIP {cause}");
                self.point(true, &[&skip.problem, &skip.submission], &directive, &[])
            }
            SubmissionFinished(summary) => self.finished(summary),
            _ => String::new(),
        })
    }

    fn text(&mut self, _: &Tally, is_interrupted: bool) -> String {
        if is_interrupted {
            "Bail out! the judging was interrupted: this report is incomplete\n"
                .to_owned()
        } else {
            format!("1..{}\n", self.points)
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
