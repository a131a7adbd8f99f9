//! Judges doubtful cases again, alone, because the machine may have had its share in what the first run earned. Knows when a
//! case is judged again and whether the result is kept; the model says which of the trials counts.
//!
//! The first run is not made here: a worker has made it, beside others and some time ago. The consumer judges again at the
//! moment when a case is to be told, so it happens in the order of the plan, only for submissions that no earlier case has
//! settled, and by one thread, whatever the number of workers.

use crate::model::PlannedCase;
use crate::model::Trial;
use crate::run::cached::CacheIndex;
use crate::run::catch_panic::catch_panic;
use crate::run::judge::Judge;
use crate::run::suite::Suite;
use crate::run::task_outcome::TaskOutcome;

/// Confirms what workers found.
pub(super) struct ConfirmedJudge<'a, 'c, J> {
    pub(super) suite: &'a Suite<'a>,
    /// Where results are kept, if they are.
    pub(super) cache_index: Option<&'a CacheIndex<'c>>,
    /// Judges while nothing else runs.
    pub(super) alone: J,
}

impl<J: Judge> ConfirmedJudge<'_, '_, J> {
    /// What a case came to, after it has been judged again if the `first` trial is doubtful. What is too slow by little in all
    /// runs is told and not kept: the next time it may be quick enough.
    pub(super) fn confirm(&self, case: PlannedCase, first: TaskOutcome) -> TaskOutcome {
        let TaskOutcome::Judged(trial) = &first else { return first };
        if !self.is_judged_again(case, trial) {
            return first;
        }
        let again = || match catch_panic(|| self.alone.judge(case)) {
            TaskOutcome::Judged(again) => Ok(*again),
            other => Err(other),
        };
        match trial.clone().settled(&self.suite.plan.entries[case.entry].limits(), again) {
            Ok((trial, is_certain)) => {
                if let Some(index) = self.cache_index.filter(|_| is_certain) {
                    index.keep(case, &trial);
                }
                TaskOutcome::Judged(Box::new(trial))
            }
            // An earlier case has settled the submission: this one will not be reported.
            Err(TaskOutcome::NotRun) => first,
            Err(other) => other,
        }
    }

    /// Of several attempts only those are judged again that might blame a program for the machine: the figures are to be of
    /// runs that were all made alike, not the smaller of two for some.
    fn is_judged_again(&self, case: PlannedCase, first: &Trial) -> bool {
        (self.suite.repeat == 1 || first.verdict.depends_on_machine())
            && self.suite.plan.entries[case.entry].is_doubtful(first)
    }
}
