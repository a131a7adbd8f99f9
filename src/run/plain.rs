//! Judges a case by running it: makes the submission ready if nobody has, and holds the trial. Knows neither what was known
//! before nor whether the result is doubtful.

use crate::compile::BuildResult;
use crate::model::JudgingPhase;
use crate::model::Program;
use crate::run::judge::Judge;
use crate::run::judge::PlannedCase;
use crate::run::language_check;
use crate::run::prepared::PreparedSubmission;
use crate::run::suite::Suite;
use crate::run::task_outcome::TaskOutcome;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Sandbox;

/// Judges by running.
pub(super) struct PlainJudge<'a> {
    pub(super) suite: &'a Suite<'a>,
    /// One for each entry of the plan.
    pub(super) prepared: &'a [PreparedSubmission],
    /// Where runs are made, those of compilers too.
    pub(super) sandbox: &'a dyn Sandbox,
    /// What displays of progress are told while a case is judged.
    pub(super) phase: fn(usize) -> JudgingPhase,
}

impl PlainJudge<'_> {
    fn make(&self, entry: usize) -> Result<BuildResult, Fault> {
        let Suite { plan, compiler, language_cache, activity, .. } = self.suite;
        let _busy = activity.begin(entry, JudgingPhase::Compiling);
        language_check::make(&plan.entries[entry], compiler, *language_cache, self.sandbox)
    }
}

impl Judge for PlainJudge<'_> {
    fn prepare(&self, entry: usize) {
        self.prepared[entry].make_ready(|| self.make(entry));
    }

    fn judge(&self, PlannedCase { entry, case }: PlannedCase) -> TaskOutcome {
        let planned = &self.suite.plan.entries[entry];
        // Begins only when the submission is ready: until then the worker compiles, or waits for another that does.
        let mut busy = None;
        let job = |program: &Program| {
            busy = Some(self.suite.activity.begin(entry, (self.phase)(case)));
            planned.job(&planned.cases[case], program)
        };
        let outcome = self.prepared[entry].judge(case, || self.make(entry), job, self.sandbox);
        drop(busy);
        outcome
    }
}
