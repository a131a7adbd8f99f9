//! The events of judging, in order: the common vocabulary of all reports. An event owns all its
//! data and does not decide how it is shown.

use std::sync::Arc;
use std::time::Duration;

use gridjudge_sandbox::{Fault, Limits};
use serde::{Deserialize, Serialize};

use crate::model::{
    Contest, Entrant, Expected, MistakeRecord, ShardRecord, SubmissionSummary, Tally, TrialRecord,
    Verdict,
};

/// The version of the log format, raised when a field changes its meaning.
pub const LOG_VERSION: u32 = 2;

/// One event.
///
/// The order is: `suite_started`; `mistake_found` for each mistake in a problem; for each
/// submission `submission_started`, its trials, and `submission_finished`, or `submission_skipped`
/// alone; `mistake_found` for each mistake that only the trials show; then `suite_finished` or
/// `suite_interrupted`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The first event of a log.
    SuiteStarted {
        /// [`LOG_VERSION`].
        log_version: u32,
        /// Version of the judge.
        gridjudge: String,
        /// Level of the sandbox; empty if nothing can be judged because of mistakes in problems.
        sandbox: String,
        /// Sentences about protections that this machine lacks.
        notes: Vec<String>,
        /// Processor, cores and kernel, in words; empty in a log of version 1.
        #[serde(skip_serializing_if = "String::is_empty", default)]
        machine: String,
        /// When judging started, as `2026-11-21T20:30:00Z`; empty in a log of version 1.
        #[serde(skip_serializing_if = "String::is_empty", default)]
        started: String,
        /// Number of runs at the same time.
        jobs: usize,
        /// Number of submissions to come.
        submissions: usize,
        /// Number of trials to come, at most.
        trials: usize,
        /// Whether the command selected only some of the problems' cases. The results of the others
        /// are unknown.
        #[serde(skip_serializing_if = "std::ops::Not::not", default)]
        part: bool,
        /// The contest, if the suite is one.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        contest: Option<Contest>,
        /// The shard, if the suite is one.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        shard: Option<Box<ShardRecord>>,
    },
    /// A problem that is verified has a mistake, or something in it is hardly intended.
    MistakeFound(Box<MistakeRecord>),
    /// A submission is about to be judged.
    SubmissionStarted {
        /// Its problem.
        problem: Arc<str>,
        /// Its name.
        submission: Arc<str>,
        /// Its file, relative to the folder of `judge.toml` if it is in there; empty in a log of
        /// version 1.
        #[serde(skip_serializing_if = "String::is_empty", default)]
        path: String,
        /// Its language's name.
        language: String,
        /// The verdict expected of it.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        expected: Option<Expected>,
        /// The limits of each of its runs.
        limits: LoggedLimits,
        /// Whether its groups of cases decide its verdict, so that no single case does.
        #[serde(skip_serializing_if = "std::ops::Not::not", default)]
        decided_by_groups: bool,
        /// The team that submitted it, and when, in a contest.
        #[serde(flatten)]
        entrant: Option<Entrant>,
    },
    /// A trial got its verdict.
    TrialFinished(Box<TrialRecord>),
    /// The judge failed at a trial, or at preparing its submission.
    TrialFaulted {
        /// The problem.
        problem: Arc<str>,
        /// The submission.
        submission: Arc<str>,
        /// The case that was to be judged.
        case: String,
        /// The failure.
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
        /// The reason.
        cause: String,
        /// How to change that.
        remedy: String,
        /// The packages of Debian that bring what is missing, in the words of a command line.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        package: Option<String>,
        /// The team that submitted it, and when, in a contest.
        #[serde(flatten)]
        entrant: Option<Entrant>,
    },
    /// All trials of a submission are finished.
    SubmissionFinished(Box<SubmissionSummary>),
    /// The last event of a complete log.
    SuiteFinished(Tally),
    /// The last event of a log whose judge was interrupted.
    SuiteInterrupted(Tally),
}

impl Event {
    /// Counts this event in a tally. This is the only place that decides what is counted as what.
    pub fn count_in(&self, tally: &mut Tally) {
        match self {
            Self::TrialFinished(record) => {
                let is_judged = !matches!(record.verdict, Verdict::CompileError | Verdict::Skipped);
                tally.trials += usize::from(is_judged);
                tally.flaky += usize::from(record.is_flaky());
                tally.cached += usize::from(record.cached);
            }
            Self::TrialFaulted { .. } => tally.faults += 1,
            Self::SubmissionSkipped { .. } => tally.skipped += 1,
            Self::SubmissionFinished(summary) if summary.is_unjudged() => tally.skipped += 1,
            Self::SubmissionFinished(summary) if summary.is_as_expected() => tally.as_expected += 1,
            Self::SubmissionFinished(_) => tally.surprising += 1,
            Self::SuiteStarted { .. }
            | Self::MistakeFound(_)
            | Self::SubmissionStarted { .. }
            | Self::SuiteFinished(_)
            | Self::SuiteInterrupted(_) => {}
        }
    }
}

/// A time in microseconds, the unit of all times in logs.
pub fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Limits in the form of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedLimits {
    /// CPU time of the whole tree, in microseconds.
    pub cpu_us: u64,
    /// Wall time, in microseconds.
    pub wall_us: u64,
    /// Peak memory, in bytes.
    pub memory_bytes: u64,
    /// Bytes on standard output, and separately on standard error.
    pub output_bytes: u64,
    /// Processes and threads at once.
    pub processes: u32,
}

impl From<&Limits> for LoggedLimits {
    fn from(limits: &Limits) -> Self {
        Self {
            cpu_us: micros(limits.cpu),
            wall_us: micros(limits.wall),
            memory_bytes: limits.memory_bytes,
            output_bytes: limits.output_bytes,
            processes: limits.processes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_logged_with_the_action_that_failed_and_the_cause() {
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
