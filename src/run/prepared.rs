//! One submission while it is being judged: compiled by the first worker that needs it, shared by all, and
//! removed when its last case has been reported. A submission whose results are all cached is never compiled.

use std::ops::Range;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;

use crate::compile::BuildFolder;
use crate::compile::BuildResult;
use crate::model::Program;
use crate::run::planned_answers::AnswersFailure;
use crate::run::planned_answers::PlannedAnswers;
use crate::run::planned_answers::ReadyAnswers;
use crate::run::task_outcome::TaskOutcome;
use gridjudge_sandbox::Fault;

/// The result of compiling a submission.
type SharedBuild = Arc<Result<BuildResult, Fault>>;

/// The answers of a submission, or why there are none.
type SharedAnswers = Arc<Result<ReadyAnswers, AnswersFailure>>;

/// One submission while it is being judged.
#[derive(Default)]
pub(super) struct PreparedSubmission {
    product: Mutex<Option<SharedBuild>>,
    /// Its answers, if it consists of answers instead of a program.
    answers: Mutex<Option<SharedAnswers>>,
    /// Cases that need not be run.
    settled: Mutex<Vec<Range<usize>>>,
}

impl PreparedSubmission {
    /// Compiles the submission on the first call. A second worker waits for the first.
    pub(super) fn make_ready(&self, make: impl FnOnce() -> Result<BuildResult, Fault>) -> SharedBuild {
        let mut product = self.product.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(product.get_or_insert_with(|| Arc::new(make())))
    }

    /// Judges one case with the compiled submission, unless the case is settled.
    pub(super) fn judge(
        &self,
        case: usize,
        make: impl FnOnce() -> Result<BuildResult, Fault>,
        judge: impl FnOnce(&Program, &BuildFolder) -> TaskOutcome,
    ) -> TaskOutcome {
        if self.is_settled(case) {
            return TaskOutcome::NotRun;
        }
        match &*self.make_ready(make) {
            Ok(BuildResult::Ready { program, folder }) => judge(program, folder),
            Ok(BuildResult::Refused { reason, output }) => {
                TaskOutcome::Refused { reason: reason.as_str().into(), output: output.as_str().into() }
            }
            Ok(BuildResult::Unavailable { cause, remedy }) => {
                TaskOutcome::Unavailable { cause: cause.as_str().into(), remedy: remedy.as_str().into() }
            }
            Err(fault) => TaskOutcome::Faulted(fault.clone()),
        }
    }

    /// Prepares the answers on the first call. A second worker waits for the first.
    pub(super) fn answers(&self, planned: &PlannedAnswers) -> SharedAnswers {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(answers.get_or_insert_with(|| Arc::new(planned.make_ready())))
    }

    /// Removes the answers, as soon as no worker uses them.
    pub(super) fn clear_answers(&self) {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Records that some cases need not be run.
    pub(super) fn settle(&self, cases: Range<usize>) {
        if !cases.is_empty() {
            let mut settled = self.settled.lock().unwrap_or_else(PoisonError::into_inner);
            // Drops ranges inside the new one: a submission is settled many times, mostly from its first case
            // on.
            settled.retain(|known| known.start < cases.start || known.end > cases.end);
            settled.push(cases);
        }
    }

    /// Whether a case need not be run.
    pub(super) fn is_settled(&self, case: usize) -> bool {
        let settled = self.settled.lock().unwrap_or_else(PoisonError::into_inner);
        settled.iter().any(|cases| cases.contains(&case))
    }

    /// Removes the program and its folder, as soon as no worker uses them.
    pub(super) fn clear(&self) {
        self.settle(0..usize::MAX);
        self.product.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.clear_answers();
    }
}
