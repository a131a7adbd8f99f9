//! Follows a submission through its trials: its expectation, the case that decides, and
//! which of its cases are failures. This is the only place that separates failures from
//! expected rejections.

use std::sync::Arc;

use crate::model::{Event, SubmissionStart, SubmissionSummary, TrialRecord, Verdict};
use crate::report::explain;

/// The status of a trial for reports that only know passed and failed.
///
/// An example that is expected to be wrong fails on purpose. So a rejected case is a
/// failure only if the deciding case so far does not match the submission's
/// expectation; a case with its own expectation is a failure if that is not met.
#[derive(PartialEq)]
pub(crate) enum TrialStatus {
    Passed,
    Failed,
    NotJudged,
}

/// The current submission.
#[derive(Default)]
pub(crate) struct SubmissionState {
    pub(crate) start: SubmissionStart,
    /// The trials that were not accepted, unless a fault came before them.
    pub(crate) rejected: RejectedTrials,
    /// Whether a trial has failed.
    has_failed: bool,
    /// The first fault: the case, and what failed.
    pub(crate) first_fault: Option<(String, String)>,
}

/// Follows the events of a log and keeps the state of the submission they belong to.
/// Used by every report that groups by submission.
#[derive(Default)]
pub(crate) struct SubmissionTracker {
    current: Option<SubmissionState>,
}

impl SubmissionTracker {
    /// Starts the next submission at its first event, and records faults.
    pub(crate) fn follow(&mut self, event: &Event) {
        match event {
            Event::SubmissionStarted(start) => {
                self.current = Some(SubmissionState {
                    rejected: RejectedTrials::new(start.decided_by_groups),
                    start: (**start).clone(),
                    ..SubmissionState::default()
                });
            }
            Event::TrialFaulted(failed) => {
                self.state(&failed.problem, &failed.submission)
                    .first_fault
                    .get_or_insert_with(|| {
                        (failed.case.clone(), failed.fault.to_string())
                    });
            }
            _ => {}
        }
    }

    /// Records a trial. Returns its status, and the submission it belongs to.
    pub(crate) fn take_trial(
        &mut self,
        record: &TrialRecord,
    ) -> (TrialStatus, &SubmissionState) {
        let state = self.state(&record.problem, &record.submission);
        if record.verdict == Verdict::Skipped {
            return (TrialStatus::NotJudged, state);
        }
        let accepted = record.verdict == Verdict::Accepted;
        if !accepted && state.first_fault.is_none() {
            state.rejected.add(record);
        }
        let fails = match &record.expected {
            Some(_) => !record.is_as_expected(),
            // A single rejected case is no failure where the groups decide.
            None => {
                // If a fault keeps the deciding case from being known, this one stands
                // for it.
                let decisive = state.rejected.first().unwrap_or(record);
                !accepted
                    && !state.rejected.decided_by_groups
                    && !state.start.expects(decisive.verdict)
            }
        };
        state.has_failed |= fails;
        let status = if fails {
            TrialStatus::Failed
        } else {
            TrialStatus::Passed
        };
        (status, state)
    }

    /// The current submission, of which only the name is known if the log lacks its
    /// start.
    fn state(
        &mut self,
        problem: &Arc<str>,
        submission: &Arc<str>,
    ) -> &mut SubmissionState {
        self.current.get_or_insert_with(|| SubmissionState {
            start: SubmissionStart::named(problem, submission),
            ..SubmissionState::default()
        })
    }

    /// Ends the submission of this summary.
    pub(crate) fn end(&mut self, summary: &SubmissionSummary) -> SubmissionState {
        self.state(&summary.problem, &summary.submission);
        self.current.take().unwrap_or_default()
    }
}

impl SubmissionState {
    /// The reason for the verdict of one of its trials, in one line.
    pub(crate) fn why(&self, record: &TrialRecord) -> String {
        explain::why(record, self.start.limits)
    }

    /// The reason why one of its cases was not judged.
    pub(crate) fn why_not_judged(&self, record: &TrialRecord) -> &'static str {
        match self.rejected.first() {
            _ if record.expired => "the deadline came first",
            Some(first) if first.verdict == Verdict::CompileError => {
                "it does not compile"
            }
            None if self.first_fault.is_some() => {
                "the judge failed on an earlier case"
            }
            _ => "an earlier case had settled it",
        }
    }

    /// The expected and the actual result, if they differ and no single case shows it.
    pub(crate) fn unexpected_verdict(
        &self,
        summary: &SubmissionSummary,
    ) -> Option<String> {
        let is_shown = self.has_failed || summary.faults > 0;
        if is_shown || !summary.is_surprising() {
            return None;
        }
        let earned = summary.earned_in_groups();
        let expected = summary.expected.clone().unwrap_or_default();
        Some(format!(
            "expected {expected}, earned {earned}{}",
            summary.unmet_in_words()
        ))
    }
}

// The words for what a suite expects of its submissions.

/// What a suite expects of its submissions.
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) enum ExpectationMode {
    /// The verdict that is given for each, or for some.
    Expected,
    /// To be accepted, because no verdicts are given: of submissions named on the
    /// command line, in a contest.
    #[default]
    Accepted,
}

impl ExpectationMode {
    /// Follows the events of a suite, of which each may bring the first expected
    /// verdict.
    pub(crate) fn take_event(&mut self, event: &Event) {
        let expected = match event {
            Event::SubmissionStarted(start) => &start.expected,
            Event::SubmissionFinished(summary) => &summary.expected,
            Event::TrialFinished(record) => &record.expected,
            _ => &None,
        };
        if expected.is_some() {
            *self = Self::Expected;
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Expected => "as expected",
            Self::Accepted => "accepted",
        }
    }
}

// Keeps the rejected trials of a submission until its end, when it is known which of
// them explains the verdict.

/// The most trials kept with all texts that programs wrote, so that a submission cannot
/// fill the memory.
const MOST_WHOLE: usize = 100;

/// The rejected trials: the first, or all of them if the groups of cases decide the
/// verdict.
#[derive(Default)]
pub(crate) struct RejectedTrials {
    /// Whether the groups of cases decide the verdict.
    pub(crate) decided_by_groups: bool,
    kept: Vec<TrialRecord>,
}

impl RejectedTrials {
    /// No trials yet, of a submission whose verdict is decided in this way.
    pub(crate) fn new(decided_by_groups: bool) -> Self {
        Self {
            decided_by_groups,
            kept: vec![],
        }
    }

    /// Adds a rejected trial.
    pub(crate) fn add(&mut self, record: &TrialRecord) {
        if !self.kept.is_empty() && !self.decided_by_groups {
            return;
        }
        let mut kept = record.clone();
        if self.kept.len() >= MOST_WHOLE {
            kept = TrialRecord {
                further_findings: vec![],
                checker_images: vec![],
                picture: None,
                diff: None,
                transcript: None,
                stderr: String::new(),
                ..kept
            };
        }
        self.kept.push(kept);
    }

    /// The first rejected trial.
    pub(crate) fn first(&self) -> Option<&TrialRecord> {
        self.kept.first()
    }

    /// The trial whose verdict is that of the submission; `None` if no single one
    /// decided it.
    pub(crate) fn decisive(
        &self,
        summary: &SubmissionSummary,
    ) -> Option<&TrialRecord> {
        self.kept
            .iter()
            .find(|record| {
                !self.decided_by_groups
                    || summary.worst_case.as_deref() == Some(&*record.case)
            })
            .filter(|record| summary.verdict == Some(record.verdict))
    }
}
