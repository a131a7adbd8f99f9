//! Remembers which trials failed in the last round of watching, as a sink, and puts their cases
//! first in the next plan. Knows nothing of files and signals.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::model::{Event, Verdict};
use crate::report::Sink;
use crate::run::Plan;

/// The trials that were not accepted when they were last judged.
#[derive(Clone, Debug, Default)]
pub(crate) struct FailureHistory(Arc<Mutex<BTreeSet<FailedTrial>>>);

/// Problem, submission and case.
type FailedTrial = (String, String, String);

impl FailureHistory {
    /// Moves the cases on which a submission failed last to the front.
    pub(crate) fn put_first(&self, plan: &mut Plan) {
        let failed = self.lock();
        plan.put_first(|entry, case| {
            failed.contains(&(
                entry.problem.id.clone(),
                entry.submission.name.clone(),
                case.name.clone(),
            ))
        });
    }

    /// The sink that keeps the history up to date, with its name.
    pub(crate) fn sink(&self) -> (String, Box<dyn Sink>) {
        ("the history of failures".to_owned(), Box::new(self.clone()))
    }

    fn note(&self, problem: &str, submission: &str, case: &str, is_failure: bool) {
        let trial = (problem.to_owned(), submission.to_owned(), case.to_owned());
        if is_failure {
            self.lock().insert(trial)
        } else {
            self.lock().remove(&trial)
        };
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<FailedTrial>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sink for FailureHistory {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        match event {
            // A skipped trial leaves the history as it was, and so does a compile error, which says
            // nothing about the case.
            Event::TrialFinished(record)
                if [Verdict::Skipped, Verdict::CompileError].contains(&record.verdict) => {}
            Event::TrialFinished(record) => {
                let is_failure = record.verdict != Verdict::Accepted;
                self.note(
                    &record.problem,
                    &record.submission,
                    &record.case,
                    is_failure,
                );
            }
            Event::TrialFaulted {
                problem,
                submission,
                case,
                ..
            } => {
                self.note(problem, submission, case, true);
            }
            _ => {}
        }
        Ok(())
    }
}
