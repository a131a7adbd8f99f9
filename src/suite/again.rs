//! Trials that are held again, alone, because the machine may have had its share in what the first came to. Knows when, and
//! what is kept of it; leaves to the trials which of them counts. Start at [`Suite::confirm`].

use crate::model::Phase;
use crate::suite::Outcome;
use crate::suite::Shop;
use crate::suite::Suite;
use crate::suite::Task;
use crate::suite::bug::caught;
use crate::suite::floor::Alone;

impl<'a> Suite<'a> {
    /// What a task came to, after its trial has been held again, alone, if the first is doubtful. What is too slow by little
    /// in all runs is told and not kept: the next time it may be quick enough.
    ///
    /// Of several attempts only those are held again that might blame a program for the machine: the figures are to be of
    /// runs that were all made alike, not the smaller of two for some.
    pub(super) fn confirm(&self, task: Task, first: Option<Outcome>, shop: &Shop<'a>) -> Option<Outcome> {
        let Some(Outcome::Judged(trial)) = &first else { return first };
        let may_be_doubtful = self.repeat == 1 || trial.verdict.depends_on_machine();
        if !may_be_doubtful || !self.is_doubtful(task, trial) {
            return first;
        }
        let limits = self.plan.entries[task.entry()].limits();
        let again = || match caught(|| self.carry_out(task, shop, &Alone(&shop.floor), Phase::JudgingAlone)) {
            Some(Outcome::Judged(again)) => Ok(*again),
            other => Err(other),
        };
        match trial.clone().settled(&limits, again) {
            Ok((trial, is_certain)) => {
                let counts = Some(Outcome::Judged(Box::new(trial)));
                if is_certain && let Some(memory) = self.recall(task, shop) {
                    self.keep(task, counts.as_ref(), &memory);
                }
                counts
            }
            // An earlier case has settled the submission: nobody will hear of this one.
            Err(Some(Outcome::NotRun)) => first,
            Err(other) => other,
        }
    }
}
