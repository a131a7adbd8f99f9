//! A submission, as far as its trials have come: what is expected of it, the case that decides, and which of its cases are
//! failures. The one place that tells a failure from a verdict that was expected.

use std::sync::Arc;

use crate::model::Event;
use crate::model::Expected;
use crate::model::LoggedLimits;
use crate::model::SubmissionSummary;
use crate::model::TrialRecord;
use crate::model::Verdict;
use gridjudge_sandbox::Fault;

/// What a trial is to a report that knows passed and failed only.
///
/// An example that is expected to be wrong fails on purpose. So a case fails if it is not accepted and its submission is
/// a surprise by then; a case with a promise of its own fails if that is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TrialStatus {
    Passed,
    Failed,
    NotJudged,
}

/// The submission whose trials are being told.
#[derive(Clone, Debug, Default)]
pub(crate) struct SubmissionState {
    pub(crate) problem: Arc<str>,
    pub(crate) submission: Arc<str>,
    /// Its file; empty where the log does not say.
    pub(crate) path: String,
    pub(crate) language: String,
    pub(crate) expected: Option<Expected>,
    pub(crate) limits: Option<LoggedLimits>,
    /// The first record that was not accepted, while nothing was a fault.
    pub(crate) decisive: Option<Box<TrialRecord>>,
    /// Trials that failed, and those that the judge failed at.
    pub(crate) failed: usize,
    pub(crate) faults: usize,
    /// The first of those: the case, and what failed.
    pub(crate) first_fault: Option<(String, String)>,
}

/// The turns of a log, one after the other: what every report follows that tells submissions apart.
#[derive(Default)]
pub(crate) struct SubmissionTracker {
    current: Option<SubmissionState>,
}

impl SubmissionTracker {
    /// Begins the submission that an event begins, and takes a failure of the judge if it tells one.
    pub(crate) fn follow(&mut self, event: &Event) {
        match event {
            Event::SubmissionStarted { .. } => self.current = SubmissionState::of(event),
            Event::TrialFaulted { problem, submission, case, fault } => {
                let state = self.current.get_or_insert_with(|| SubmissionState::named(problem, submission));
                state.take_fault(case, fault);
            }
            _ => {}
        }
    }

    /// Takes a trial; what it is, and the submission that it belongs to.
    pub(crate) fn take(&mut self, record: &TrialRecord) -> (TrialStatus, &SubmissionState) {
        let state =
            self.current.get_or_insert_with(|| SubmissionState::named(&record.problem, &record.submission));
        (state.take(record), state)
    }

    /// Ends the submission.
    pub(crate) fn end(&mut self) -> Option<SubmissionState> {
        self.current.take()
    }
}

impl SubmissionState {
    /// A submission of which nothing is known but its name.
    pub(crate) fn named(problem: &Arc<str>, submission: &Arc<str>) -> Self {
        Self { problem: Arc::clone(problem), submission: Arc::clone(submission), ..Self::default() }
    }

    /// The submission that such an event begins; none for other events. A trial without an opening, in a log that somebody cut,
    /// belongs to a submission of which nothing is expected.
    pub(crate) fn of(event: &Event) -> Option<Self> {
        match event {
            Event::SubmissionStarted { problem, submission, path, language, expected, limits, .. } => {
                Some(Self {
                    path: path.clone(),
                    language: language.clone(),
                    expected: expected.clone(),
                    limits: Some(*limits),
                    ..Self::named(problem, submission)
                })
            }
            Event::TrialFinished(record) => Some(Self::named(&record.problem, &record.submission)),
            Event::TrialFaulted { problem, submission, .. } => Some(Self::named(problem, submission)),
            Event::SubmissionFinished(summary) => Some(Self::named(&summary.problem, &summary.submission)),
            _ => None,
        }
    }

    /// Whether this submission is expected to fail.
    pub(crate) fn is_expected_to_fail(&self) -> bool {
        self.expected.as_ref().is_some_and(|expected| !expected.allows(Verdict::Accepted))
    }

    /// Takes a trial of this submission.
    pub(crate) fn take(&mut self, record: &TrialRecord) -> TrialStatus {
        if record.verdict == Verdict::Skipped {
            return TrialStatus::NotJudged;
        }
        let accepted = record.verdict == Verdict::Accepted;
        if !accepted && self.decisive.is_none() && self.faults == 0 {
            self.decisive = Some(Box::new(record.clone()));
        }
        let fails = match &record.expected {
            Some(_) => !record.is_as_expected(),
            None => !accepted && self.is_surprise(record.verdict),
        };
        self.failed += usize::from(fails);
        if fails { TrialStatus::Failed } else { TrialStatus::Passed }
    }

    /// Takes a failure of the judge.
    pub(crate) fn take_fault(&mut self, case: &str, fault: &Fault) {
        self.faults += 1;
        self.first_fault.get_or_insert_with(|| (case.to_owned(), fault.to_string()));
    }

    /// Whether the case that decides has broken the promise; where a fault left none, this one.
    fn is_surprise(&self, verdict: Verdict) -> bool {
        let verdict = self.decisive.as_ref().map_or(verdict, |record| record.verdict);
        match &self.expected {
            Some(expected) => !expected.allows(verdict),
            None => verdict != Verdict::Accepted,
        }
    }

    /// What was promised and what was earned, where no single case shows the surprise.
    pub(crate) fn unexpected_verdict(&self, summary: &SubmissionSummary) -> Option<String> {
        let is_told = self.failed > 0 || summary.faults > 0;
        if is_told || summary.is_as_expected() {
            return None;
        }
        let earned = summary.earned();
        let expected = self.expected.as_ref().map_or("AC".to_owned(), Expected::to_string);
        Some(format!("expected {expected}, earned {earned}{}", summary.unmet_in_words()))
    }
}
