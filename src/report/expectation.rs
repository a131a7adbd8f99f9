//! The words for what a suite expects of its submissions.

use crate::model::Event;

/// What a suite expects of its submissions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ExpectationMode {
    /// The verdict that is given for each, or for some.
    Expected,
    /// To be accepted, because no verdicts are given: of submissions named on the command line, in
    /// a contest.
    #[default]
    Accepted,
}

impl ExpectationMode {
    /// Follows the events of a suite, of which each may bring the first expected verdict.
    pub(crate) fn take(&mut self, event: &Event) {
        let expected = match event {
            Event::SubmissionStarted { expected, .. } => expected,
            Event::SubmissionFinished(summary) => &summary.expected,
            Event::TrialFinished(record) => &record.expected,
            Event::SuiteStarted { .. }
            | Event::MistakeFound(_)
            | Event::TrialFaulted { .. }
            | Event::SubmissionSkipped { .. }
            | Event::SuiteFinished(_)
            | Event::SuiteInterrupted(_) => &None,
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
