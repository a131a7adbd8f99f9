//! Trials that are held again, alone, because the machine may have had its share in what the first came to. Knows when, and
//! what is kept of it; leaves to the trials which of them counts. Start at [`Suite::confirm`].

use crate::model::JudgingPhase;
use crate::run::RunContext;
use crate::run::RunTask;
use crate::run::Suite;
use crate::run::TaskOutcome;
use crate::run::catch_panic::catch_panic;
use crate::run::exclusive_sandbox::Exclusive;

impl<'a> Suite<'a> {
    /// What a task came to, after its trial has been held again, alone, if the first is doubtful. What is too slow by little
    /// in all runs is told and not kept: the next time it may be quick enough.
    ///
    /// Of several attempts only those are held again that might blame a program for the machine: the figures are to be of
    /// runs that were all made alike, not the smaller of two for some.
    pub(super) fn confirm(
        &self,
        task: RunTask,
        first: Option<TaskOutcome>,
        context: &RunContext<'a>,
    ) -> Option<TaskOutcome> {
        let Some(TaskOutcome::Judged(trial)) = &first else { return first };
        let may_be_doubtful = self.repeat == 1 || trial.verdict.depends_on_machine();
        if !may_be_doubtful || !self.is_doubtful(task, trial) {
            return first;
        }
        let limits = self.plan.entries[task.entry()].limits();
        let again = || match catch_panic(|| {
            self.perform(task, context, &Exclusive(&context.exclusive_sandbox), JudgingPhase::JudgingAlone)
        }) {
            Some(TaskOutcome::Judged(again)) => Ok(*again),
            other => Err(other),
        };
        match trial.clone().settled(&limits, again) {
            Ok((trial, is_certain)) => {
                let counts = Some(TaskOutcome::Judged(Box::new(trial)));
                if is_certain && let Some(memory) = self.load_cached(task, context) {
                    self.keep(task, counts.as_ref(), &memory);
                }
                counts
            }
            // An earlier case has settled the submission: nobody will hear of this one.
            Err(Some(TaskOutcome::NotRun)) => first,
            Err(other) => other,
        }
    }
}
