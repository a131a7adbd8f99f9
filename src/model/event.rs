//! What happened, in order: the one vocabulary of every report. An event owns all it says and decides
//! nothing about how it is shown.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde::Serialize;

use crate::model::Exit;
use crate::model::Fault;
use crate::model::Finding;
use crate::model::Limits;
use crate::model::Verdict;

/// The version of the log that these events make, raised when a field changes its meaning.
pub const LOG_VERSION: u32 = 1;

/// One thing that happened.
///
/// The order is: `suite_started`; for each submission `submission_started`, its trials, and
/// `submission_finished`, or `submission_skipped` alone; then `suite_finished` or `suite_interrupted`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The first event of a log.
    SuiteStarted {
        /// [`LOG_VERSION`].
        log_version: u32,
        /// Version of the judge.
        gridjudge: String,
        /// Level of the sandbox.
        sandbox: String,
        /// What this machine does not give, in sentences.
        notes: Vec<String>,
        /// Runs at once.
        jobs: usize,
        /// Submissions to come.
        submissions: usize,
        /// Trials to come, at most.
        trials: usize,
    },
    /// A submission's turn has come.
    SubmissionStarted {
        /// Its problem.
        problem: Arc<str>,
        /// Its name.
        submission: Arc<str>,
        /// Its language's name.
        language: String,
        /// The verdict its folder promises.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        expected: Option<Verdict>,
        /// What each of its runs may use.
        limits: Bounds,
    },
    /// A trial came to its verdict.
    TrialFinished(Box<TrialRecord>),
    /// The judge failed at a trial, or at making its submission ready.
    TrialFaulted {
        /// The problem.
        problem: Arc<str>,
        /// The submission.
        submission: Arc<str>,
        /// The case whose turn it was.
        case: String,
        /// What failed.
        #[serde(flatten)]
        fault: Fault,
    },
    /// A submission cannot be judged on this machine.
    SubmissionSkipped {
        /// Its problem.
        problem: Arc<str>,
        /// Its name.
        submission: Arc<str>,
        /// Its language's name.
        language: String,
        /// Why.
        cause: String,
        /// What would change that.
        remedy: String,
    },
    /// All trials of a submission are through.
    SubmissionFinished(Box<SubmissionSummary>),
    /// The last event of a complete log.
    SuiteFinished(Tally),
    /// The last event of a log whose judge was told to stop.
    SuiteInterrupted(Tally),
}

/// Limits as the log writes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// CPU time of the whole tree, in microseconds.
    pub cpu_us: u64,
    /// Time on the clock, in microseconds.
    pub wall_us: u64,
    /// Peak memory, in bytes.
    pub memory_bytes: u64,
    /// Bytes on standard output, and separately on standard error.
    pub output_bytes: u64,
    /// Processes and threads at once.
    pub processes: u32,
}

impl From<&Limits> for Bounds {
    fn from(limits: &Limits) -> Self {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        Self {
            cpu_us: micros(limits.cpu),
            wall_us: micros(limits.wall),
            memory_bytes: limits.memory_bytes,
            output_bytes: limits.output_bytes,
            processes: limits.processes,
        }
    }
}

/// One trial, as reports need it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialRecord {
    /// The problem.
    pub problem: Arc<str>,
    /// The submission.
    pub submission: Arc<str>,
    /// The case.
    pub case: String,
    /// What the submission earned.
    pub verdict: Verdict,
    /// CPU time of the whole tree, in microseconds; none for a case that was not run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cpu_us: Option<u64>,
    /// Time on the clock, in microseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub wall_us: Option<u64>,
    /// Peak memory, in bytes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub peak_memory_bytes: Option<u64>,
    /// Whether it was run twice, the second time alone, and these are the facts of the run that counts.
    #[serde(skip_serializing_if = "is_false", default)]
    pub rerun: bool,
    /// How the program ended, unless it ended well.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub exit: Option<Exit>,
    /// The finding that decided.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub finding: Option<Finding>,
    /// The findings after it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub further_findings: Vec<Finding>,
    /// Findings that are not listed.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub unlisted_findings: u64,
    /// Grids that are right, and grids in the input; none where the output was not read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub grids_right: Option<u64>,
    /// Grids in the input.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub grids: Option<u64>,
    /// Expected and found text, where the exact text is at fault.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub diff: Option<String>,
    /// The end of standard error or of the compiler's output, unless the verdict is `AC`.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub stderr: String,
}

/// What a submission earned altogether.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmissionSummary {
    /// Its problem.
    pub problem: Arc<str>,
    /// Its name.
    pub submission: Arc<str>,
    /// Its language's name.
    pub language: String,
    /// The verdict its folder promises.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expected: Option<Verdict>,
    /// The verdict of its first case that is not accepted; none if the judge failed before it knew.
    pub verdict: Option<Verdict>,
    /// The case that decided; for an accepted submission, the one that took the most CPU time.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub worst_case: Option<String>,
    /// Why, in a few words: the first finding, the exit, ...; empty for an accepted submission.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub reason: String,
    /// Cases accepted.
    pub passed: usize,
    /// Cases in all.
    pub cases: usize,
    /// Cases the judge failed at.
    pub faults: usize,
    /// The longest CPU time of a case, in microseconds.
    pub slowest_cpu_us: u64,
    /// The highest peak of memory of a case, in bytes.
    pub peak_memory_bytes: u64,
}

impl SubmissionSummary {
    /// Whether it earned what its folder promises, or what everybody hopes for where nothing is promised.
    pub fn is_as_expected(&self) -> bool {
        self.faults == 0 && self.verdict == Some(self.expected.unwrap_or(Verdict::Accepted))
    }
}

/// How a suite went, counted in submissions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Submissions that earned what was expected of them.
    pub as_expected: usize,
    /// Submissions that did not.
    pub surprising: usize,
    /// Submissions that could not be judged here.
    pub skipped: usize,
    /// Times the judge itself failed.
    pub faults: usize,
    /// Trials judged.
    pub trials: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

#[cfg(test)]
mod tests {
    use super::*;

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
            rerun: false,
            exit: None,
            finding: None,
            further_findings: vec![],
            unlisted_findings: 0,
            grids_right: None,
            grids: None,
            diff: None,
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
    fn a_fault_is_logged_with_what_was_done_and_why_it_failed() {
        let event = Event::TrialFaulted {
            problem: "p".into(),
            submission: "s".into(),
            case: "c".into(),
            fault: Fault::because("starting it", "no such file"),
        };
        let line = serde_json::to_string(&event).unwrap();
        assert_eq!(
            line,
            r#"{"event":"trial_faulted","problem":"p","submission":"s","case":"c","doing":"starting it","cause":"no such file"}"#
        );
        assert_eq!(serde_json::from_str::<Event>(&line).unwrap(), event);
    }
}
