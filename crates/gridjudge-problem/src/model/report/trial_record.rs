//! A trial in the form that reports need. Plain data, created once by the suite.

use std::sync::Arc;

use gridjudge_sandbox::Exit;
use serde::{Deserialize, Serialize};

use crate::model::{CheckerImage, Expected, Finding, GridPicture, PointValue, Transcript, Verdict};

/// A trial in the form that reports need.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialRecord {
    /// The problem.
    pub problem: Arc<str>,
    /// The submission.
    pub submission: Arc<str>,
    /// The case.
    pub case: String,
    /// The verdict; of several attempts, the first that is not `AC`.
    pub verdict: Verdict,
    /// The verdict expected on this case, if the package gives one for single cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expected>,
    /// CPU time of the whole tree, in microseconds; of several attempts, the median of those with
    /// the verdict; `None` if the case was not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// Wall time, in microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall_us: Option<u64>,
    /// Peak memory, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
    /// Whether it was run again, alone. The other fields are those of the run that counts.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub rerun: bool,
    /// Whether the result came from the cache. The other fields are those of the original run.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub cached: bool,
    /// Whether the case was not judged because the deadline came first.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub expired: bool,
    /// Each attempt, in order, if the case was run several times to see how steady the program is.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub attempts: Vec<AttemptRecord>,
    /// How the program ended, unless it ended normally.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<Exit>,
    /// The finding that decided the verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding: Option<Finding>,
    /// The other listed findings.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub further_findings: Vec<Finding>,
    /// The number of findings that are not listed.
    #[serde(skip_serializing_if = "crate::model::is_default", default)]
    pub unlisted_findings: u64,
    /// Number of right grids; `None` if the output was not read.
    #[serde(
        rename = "grids_right",
        skip_serializing_if = "Option::is_none",
        default
    )]
    pub parts_right: Option<u64>,
    /// Grids in the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grids: Option<u64>,
    /// Points of the case, if it has its own or the checker gave some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<PointValue>,
    /// What the checker program says of an output that it accepts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checker_message: Option<String>,
    /// The pictures that the checker program has drawn of an output that it rejects.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub checker_images: Vec<CheckerImage>,
    /// The grid of the first finding, for drawing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<GridPicture>,
    /// Expected and found text, if the exact text differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// The interaction with the interactor of its problem, if it was to be recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcript: Option<Transcript>,
    /// The end of standard error, or of the compiler's output; empty if the verdict is `AC`.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub stderr: String,
}

/// One of several runs of a submission on the same case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptRecord {
    /// The verdict of this attempt.
    pub verdict: Verdict,
    /// CPU time of the whole tree, in microseconds.
    pub cpu_us: u64,
    /// Wall time, in microseconds.
    pub wall_us: u64,
    /// Peak memory, in bytes.
    pub peak_memory_bytes: u64,
    /// CPU time, in nanoseconds, of a small fixed piece of work that the judge did just before: a
    /// measure of the machine's speed. `None` in older logs.
    #[serde(rename = "beat_ns", default, skip_serializing_if = "Option::is_none")]
    pub calibration_ns: Option<u64>,
}

impl TrialRecord {
    /// The record of a case that was not run.
    pub fn blank(problem: Arc<str>, submission: Arc<str>, case: String, verdict: Verdict) -> Self {
        Self {
            problem,
            submission,
            case,
            verdict,
            cpu_us: None,
            wall_us: None,
            peak_memory_bytes: None,
            expected: None,
            rerun: false,
            cached: false,
            expired: false,
            attempts: Vec::new(),
            exit: None,
            finding: None,
            further_findings: Vec::new(),
            unlisted_findings: 0,
            parts_right: None,
            grids: None,
            checker_message: None,
            checker_images: Vec::new(),
            picture: None,
            points: None,
            diff: None,
            transcript: None,
            stderr: String::new(),
        }
    }

    /// Whether its attempts got different verdicts.
    pub fn is_flaky(&self) -> bool {
        self.attempts
            .iter()
            .any(|attempt| attempt.verdict != self.verdict)
    }

    /// Removes all measurements, for a case on which nothing of the submission was run.
    #[must_use]
    pub fn without_run(self) -> Self {
        let attempts = self
            .attempts
            .into_iter()
            .map(|attempt| AttemptRecord {
                verdict: attempt.verdict,
                cpu_us: 0,
                wall_us: 0,
                peak_memory_bytes: 0,
                calibration_ns: None,
            })
            .collect();
        Self {
            cpu_us: None,
            wall_us: None,
            peak_memory_bytes: None,
            attempts,
            ..self
        }
    }

    /// Whether it got the verdict expected for this case. True if none is.
    pub fn is_as_expected(&self) -> bool {
        self.expected
            .as_ref()
            .is_none_or(|expected| expected.allows(self.verdict))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Event;

    #[test]
    fn a_finished_trial_is_logged_under_the_names_of_the_design() {
        let record = TrialRecord {
            problem: "poj-2676".into(),
            submission: "wrong/last_cell.cpp".into(),
            case: "secret/017".into(),
            verdict: Verdict::WrongAnswer,
            cpu_us: Some(1830),
            wall_us: Some(2410),
            peak_memory_bytes: Some(3_469_312),
            expected: None,
            rerun: false,
            cached: false,
            expired: false,
            attempts: vec![],
            exit: None,
            finding: None,
            further_findings: vec![],
            unlisted_findings: 0,
            parts_right: None,
            grids: None,
            points: None,
            checker_message: None,
            checker_images: vec![],
            picture: None,
            diff: None,
            transcript: None,
            stderr: String::new(),
        };
        let event = Event::TrialFinished(Box::new(record));
        let line = serde_json::to_string(&event).unwrap();
        assert_eq!(
            line,
            r#"{"event":"trial_finished","problem":"poj-2676","submission":"wrong/last_cell.cpp","case":"secret/017","verdict":"WA","cpu_us":1830,"wall_us":2410,"peak_memory_bytes":3469312}"#
        );
        assert_eq!(serde_json::from_str::<Event>(&line).unwrap(), event);
    }

    #[test]
    fn a_trial_without_a_run_has_no_times_but_may_be_flaky() {
        let line = r#"{"event":"trial_finished","problem":"p","submission":"s","case":"c","verdict":"WA","cpu_us":9,"attempts":[{"verdict":"AC","cpu_us":7,"wall_us":8,"peak_memory_bytes":6},{"verdict":"WA","cpu_us":9,"wall_us":9,"peak_memory_bytes":6}]}"#;
        let Event::TrialFinished(record) = serde_json::from_str(line).unwrap() else {
            panic!("{line}")
        };
        let record = record.without_run();
        assert!(record.is_flaky() && record.cpu_us.is_none());
        assert_eq!(
            record
                .attempts
                .iter()
                .map(|attempt| attempt.cpu_us)
                .sum::<u64>(),
            0
        );
    }
}
