//! Judges doubtful cases again, because the machine may have influenced the verdict of the first
//! run. Decides which result is cached; the schedule decides when a case is judged again, and the
//! model which of the trials counts.

use crate::model::{PlannedCase, Trial};
use crate::run::{CacheIndex, CaseOutcome, Judge, PlainJudge, Suite, catch_panic};

/// Confirms the outcomes of doubtful first runs.
pub(super) struct TrialConfirmer<'a, 'c> {
    pub(super) suite: &'a Suite<'a>,
    /// The cache for results, if there is one.
    pub(super) cache_index: Option<&'a CacheIndex<'c>>,
    /// Judges while nothing else begins.
    pub(super) alone: PlainJudge<'a>,
}

impl TrialConfirmer<'_, '_> {
    /// Returns the outcome of a case, after judging it again because its `first` trial is doubtful.
    /// An uncertain result, such as slightly too slow in all runs, is reported but not cached: the
    /// next time it may be fast enough.
    pub(super) fn confirm(&self, case: PlannedCase, first: Trial) -> CaseOutcome {
        let limits = self.suite.plan.entries[case.entry].limits();
        let settled = first.settled(&limits, || match catch_panic(|| self.alone.judge(case)) {
            CaseOutcome::Judged(again) => Ok(*again),
            other => Err(other),
        });
        match settled {
            Ok((trial, is_certain)) => {
                if let Some(index) = self.cache_index.filter(|_| is_certain) {
                    index.store(case, &trial);
                }
                CaseOutcome::Judged(Box::new(trial))
            }
            Err(other) => other,
        }
    }
}
