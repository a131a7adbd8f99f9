//! One submission while it is being judged: compiled by the first worker that needs it, shared by
//! all, and removed when its last case has been reported. A submission whose results are all cached
//! is never compiled.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::compile::BuildResult;
use crate::run::planned_answers::{AnswersFailure, PlannedAnswers, ReadyAnswers};
use gridjudge_sandbox::Fault;

/// The result of compiling a submission.
pub(super) type SharedBuild = Arc<Result<BuildResult, Fault>>;

/// The answers of a submission, or why there are none.
pub(super) type SharedAnswers = Arc<Result<ReadyAnswers, AnswersFailure>>;

/// One submission while it is being judged.
#[derive(Default)]
pub(super) struct PreparedSubmission {
    build: Mutex<Option<SharedBuild>>,
    /// Its answers, if it consists of answers instead of a program.
    answers: Mutex<Option<SharedAnswers>>,
    /// Cases that need not be run.
    settled: Mutex<Vec<Range<usize>>>,
}

impl PreparedSubmission {
    /// The result of compiling the submission, which the first call does. A second worker waits for
    /// the first.
    pub(super) fn compiled(
        &self,
        compile: impl FnOnce() -> Result<BuildResult, Fault>,
    ) -> SharedBuild {
        let mut build = self.build.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(build.get_or_insert_with(|| Arc::new(compile())))
    }

    /// Prepares the answers on the first call. A second worker waits for the first.
    pub(super) fn answers(&self, planned: &PlannedAnswers) -> SharedAnswers {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(answers.get_or_insert_with(|| Arc::new(planned.make_ready())))
    }

    /// Records that some cases need not be run.
    pub(super) fn settle(&self, cases: Range<usize>) {
        if !cases.is_empty() {
            let mut settled = self.settled.lock().unwrap_or_else(PoisonError::into_inner);
            // Drops ranges inside the new one: a submission is settled many times, mostly from its
            // first case on.
            settled.retain(|known| known.start < cases.start || known.end > cases.end);
            settled.push(cases);
        }
    }

    /// Whether a case need not be run.
    pub(super) fn is_settled(&self, case: usize) -> bool {
        let settled = self.settled.lock().unwrap_or_else(PoisonError::into_inner);
        settled.iter().any(|cases| cases.contains(&case))
    }

    /// Removes the program, its folder and the answers, as soon as no worker uses them.
    pub(super) fn clear(&self) {
        self.settle(0..usize::MAX);
        self.build
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        self.answers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
    }
}
