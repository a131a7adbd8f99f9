//! Submitted answers, prepared only when they are judged: until then an archive of them need not be
//! unpacked. Knows neither archives nor folders.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::model::SubmittedAnswers;
use crate::run::planned_refusal::PlannedRefusal;
use gridjudge_sandbox::Fault;

/// Prepares answers.
type AnswersMaker = dyn Fn() -> Result<ReadyAnswers, AnswersFailure> + Send + Sync;

/// Answers that have not been prepared yet.
#[derive(Clone)]
pub struct PlannedAnswers(Arc<AnswersMaker>);

/// Answers that can be judged.
pub struct ReadyAnswers {
    answers: SubmittedAnswers,
    /// The owner of their files, such as a temporary folder, dropped with them.
    _kept: Box<dyn Send + Sync>,
}

/// Why answers cannot be judged.
#[derive(Debug)]
pub enum AnswersFailure {
    /// The submitted answers are invalid.
    Refused(PlannedRefusal),
    /// The judge failed.
    Faulted(Fault),
}

impl PlannedAnswers {
    /// Answers that `make` prepares. It may be called several times.
    pub fn new(
        make: impl Fn() -> Result<ReadyAnswers, AnswersFailure> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(make))
    }

    pub(super) fn make_ready(&self) -> Result<ReadyAnswers, AnswersFailure> {
        (self.0)()
    }
}

/// No answers at all.
impl Default for PlannedAnswers {
    fn default() -> Self {
        Self::new(|| Ok(ReadyAnswers::new(SubmittedAnswers::default(), ())))
    }
}

impl fmt::Debug for PlannedAnswers {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("PlannedAnswers")
    }
}

impl ReadyAnswers {
    /// Answers, and the owner of their files, which is dropped with them.
    pub fn new(answers: SubmittedAnswers, kept: impl Send + Sync + 'static) -> Self {
        Self {
            answers,
            _kept: Box::new(kept),
        }
    }

    /// The answer to a case.
    pub(super) fn to(&self, case: &str) -> Option<&Path> {
        self.answers.to(case)
    }
}
