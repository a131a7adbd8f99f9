//! Judges doubtful cases again, alone, because the machine may have influenced the verdict of the first run.
//! Decides when a case is judged again and whether the result is cached; the model decides which of the
//! trials counts.
//!
//! The first run is a worker's, beside others and some time ago. The consumer judges again just before it
//! reports a case, so this happens in the order of the plan, only for submissions that no earlier case has
//! settled, and on one thread, whatever the number of workers.

use crate::model::PlannedCase;
use crate::model::Trial;
use crate::run::cached::CacheIndex;
use crate::run::case_outcome::CaseOutcome;
use crate::run::catch_panic::catch_panic;
use crate::run::judge::Judge;
use crate::run::suite::Suite;

/// Confirms the outcomes of workers.
pub(super) struct TrialConfirmer<'a, 'c, J> {
    pub(super) suite: &'a Suite<'a>,
    /// The cache for results, if there is one.
    pub(super) cache_index: Option<&'a CacheIndex<'c>>,
    /// Judges while nothing else runs.
    pub(super) alone: J,
}

impl<J: Judge> TrialConfirmer<'_, '_, J> {
    /// Returns the outcome of a case, after judging it again if the `first` trial is doubtful. An uncertain
    /// result, such as slightly too slow in all runs, is reported but not cached: the next time it may be
    /// fast enough.
    pub(super) fn confirm(&self, case: PlannedCase, first: CaseOutcome) -> CaseOutcome {
        let CaseOutcome::Judged(trial) = &first else { return first };
        if !self.is_judged_again(case, trial) {
            return first;
        }
        let again = || match catch_panic(|| self.alone.judge(case)) {
            CaseOutcome::Judged(again) => Ok(*again),
            other => Err(other),
        };
        match trial.clone().settled(&self.suite.plan.entries[case.entry].limits(), again) {
            Ok((trial, is_certain)) => {
                if let Some(index) = self.cache_index.filter(|_| is_certain) {
                    index.store(case, &trial);
                }
                CaseOutcome::Judged(Box::new(trial))
            }
            // An earlier case has settled the submission: this one will not be reported.
            Err(CaseOutcome::NotRun) => first,
            Err(other) => other,
        }
    }

    /// Whether a case is judged again. With several attempts, only if the machine may have caused a bad
    /// verdict, or more memory may have been used than was seen: all reported times should come from runs under
    /// the same conditions, not from the better of two runs for some.
    fn is_judged_again(&self, case: PlannedCase, first: &Trial) -> bool {
        let entry = &self.suite.plan.entries[case.entry];
        let is_alone = self.suite.options.repeat == 1;
        (is_alone || first.verdict.depends_on_machine() || first.may_hide_too_much(&entry.limits()))
            && entry.is_doubtful(first)
    }
}
