//! Keeps the rejected trials of a submission until its end, when it is known which of them explains
//! the verdict.

use crate::model::{SubmissionSummary, TrialRecord};

/// The most trials kept with all texts that programs wrote, so that a submission cannot fill the
/// memory.
const MOST_WHOLE: usize = 100;

/// The rejected trials: the first, or all of them if the groups of cases decide the verdict.
#[derive(Clone, Debug, Default)]
pub(crate) struct RejectedTrials {
    decided_by_groups: bool,
    kept: Vec<TrialRecord>,
}

impl RejectedTrials {
    /// No trials yet, of a submission whose verdict is decided in this way.
    pub(crate) fn new(decided_by_groups: bool) -> Self {
        Self {
            decided_by_groups,
            kept: Vec::new(),
        }
    }

    /// Whether the groups of cases decide the verdict.
    pub(crate) fn decided_by_groups(&self) -> bool {
        self.decided_by_groups
    }

    /// Adds a rejected trial.
    pub(crate) fn add(&mut self, record: &TrialRecord) {
        if self.kept.is_empty() || self.decided_by_groups {
            let is_whole = self.kept.len() < MOST_WHOLE;
            self.kept.push(if is_whole {
                record.clone()
            } else {
                without_texts(record)
            });
        }
    }

    /// The first rejected trial.
    pub(crate) fn first(&self) -> Option<&TrialRecord> {
        self.kept.first()
    }

    /// The trial whose verdict is that of the submission; `None` if no single one decided it.
    pub(crate) fn decisive(&self, summary: &SubmissionSummary) -> Option<&TrialRecord> {
        let found = self.kept.iter().find(|record| {
            !self.decided_by_groups || summary.worst_case.as_deref() == Some(&*record.case)
        });
        found.filter(|record| summary.verdict == Some(record.verdict))
    }
}

fn without_texts(record: &TrialRecord) -> TrialRecord {
    TrialRecord {
        further_findings: Vec::new(),
        checker_images: Vec::new(),
        picture: None,
        diff: None,
        transcript: None,
        stderr: String::new(),
        ..record.clone()
    }
}
