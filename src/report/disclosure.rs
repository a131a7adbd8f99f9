//! What of a submission's events its author may know. This is the only place that decides what is
//! secret: reports for teams, students and autograders see events that have passed through here.
//!
//! Samples are known. Of any other case, only the verdict, the figures and the points are: the
//! input, the answer, what a checker says, and what the program wrote, which may be either, are
//! left out.

use std::sync::Arc;

use crate::model::{Event, SubmissionSummary, TrialRecord, Verdict};

/// The group of cases that everybody may know.
const SAMPLE: &str = "sample";

/// Takes what is secret out of events, which come in order.
pub(crate) struct Disclosure {
    /// Whether nothing is secret.
    reveals: bool,
}

impl Disclosure {
    /// With what is secret only if `reveals`.
    pub(crate) fn new(reveals: bool) -> Self {
        Self { reveals }
    }

    /// Whether the contents of a case, or of a group of cases, may be known.
    fn is_open(&self, case: &str) -> bool {
        self.reveals || is_sample(case)
    }

    /// The event without what is secret; `None` if nothing is left of it.
    pub(crate) fn opened(&self, event: &Event) -> Option<Event> {
        let mut event = event.clone();
        match &mut event {
            Event::SubmissionStarted { path, .. } => {
                // It may name folders of the judge.
                path.clear();
            }
            Event::TrialFinished(record) => self.open_trial(record),
            Event::SubmissionFinished(summary) => self.open_summary(summary),
            // A fault may quote what the judge was doing, and mistakes are for the jury.
            Event::TrialFaulted { case, .. } if !self.is_open(case) => return None,
            Event::MistakeFound(_) => return None,
            _ => {}
        }
        Some(event)
    }

    fn open_trial(&self, record: &mut TrialRecord) {
        if self.is_open(&record.case) {
            return;
        }
        let secret = std::mem::replace(record, without_secrets(record));
        if record.verdict == Verdict::CompileError {
            // What a compiler says is about the program alone.
            record.exit = secret.exit;
            record.stderr = secret.stderr;
        }
    }

    /// Leaves out a reason in words, unless it is about the program alone, an open case, or a
    /// figure.
    fn open_summary(&self, summary: &mut SubmissionSummary) {
        use Verdict as V;
        let is_figure = match summary.verdict {
            Some(V::TimeLimit | V::IdleLimit | V::MemoryLimit | V::OutputLimit) => {
                summary.faults == 0
            }
            Some(V::CompileError) => true,
            _ => false,
        };
        let case = summary.worst_case.as_deref();
        if !is_figure && !case.is_some_and(|case| self.is_open(case)) {
            summary.reason.clear();
        }
    }
}

/// Whether a case, or a group of cases, is a sample.
pub(crate) fn is_sample(case: &str) -> bool {
    case.split('/').next() == Some(SAMPLE)
}

/// The trial with what any program could be told of itself: verdict, figures and points. Not how it
/// ended: it may have chosen the code by what is in the input.
fn without_secrets(record: &TrialRecord) -> TrialRecord {
    let blank = TrialRecord::blank(
        Arc::clone(&record.problem),
        Arc::clone(&record.submission),
        record.case.clone(),
        record.verdict,
    );
    TrialRecord {
        expected: record.expected.clone(),
        cpu_us: record.cpu_us,
        wall_us: record.wall_us,
        peak_memory_bytes: record.peak_memory_bytes,
        rerun: record.rerun,
        cached: record.cached,
        expired: record.expired,
        attempts: record.attempts.clone(),
        points: record.points,
        ..blank
    }
}
