//! Answers that were handed in and no program, made ready when they are judged: an archive of them takes room on the disk only then.
//! Knows neither archives nor folders.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::model::SubmittedAnswers;
use crate::run::planned_refusal::PlannedRefusal;
use gridjudge_sandbox::Fault;

/// Makes answers ready.
type AnswersMaker = dyn Fn() -> Result<ReadyAnswers, AnswersFailure> + Send + Sync;

/// Answers to be made ready.
#[derive(Clone)]
pub struct PlannedAnswers(Arc<AnswersMaker>);

/// Answers that can be judged.
pub struct ReadyAnswers {
    answers: SubmittedAnswers,
    /// What they lie in, if it is to go with them.
    _kept: Box<dyn Send + Sync>,
}

/// Why answers cannot be judged.
#[derive(Debug)]
pub enum AnswersFailure {
    /// Because of what was handed in.
    Refused(PlannedRefusal),
    /// Because of the machine.
    Faulted(Fault),
}

impl PlannedAnswers {
    /// Those that this makes ready, which may be called several times.
    pub fn new(make: impl Fn() -> Result<ReadyAnswers, AnswersFailure> + Send + Sync + 'static) -> Self {
        Self(Arc::new(make))
    }

    pub(super) fn make_ready(&self) -> Result<ReadyAnswers, AnswersFailure> {
        (self.0)()
    }
}

/// None at all.
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
    /// Answers, and what they lie in, which is dropped with them.
    pub fn new(answers: SubmittedAnswers, kept: impl Send + Sync + 'static) -> Self {
        Self { answers, _kept: Box::new(kept) }
    }

    /// The answer to a case.
    pub(super) fn to(&self, case: &str) -> Option<&Path> {
        self.answers.to(case)
    }
}
