//! The state that the workers of a suite share, and the judges that they use: one for
//! first runs, and one that judges doubtful cases again, because the machine may have
//! influenced the first verdict. The schedule decides when a case is judged again, and
//! the model which of its trials counts.

use gridjudge_sandbox::Limits;

use crate::model::{JudgingPhase, PlannedCase, Trial};
use crate::run::{
    CacheIndex, CachedJudge, CaseOutcome, Judge, JudgingPrograms, PlainJudge,
    PreparedProgram, PreparedSubmission, Suite, catch_panic, prepared,
};

/// The state that workers share while they judge a plan.
pub(super) struct RunContext<'a> {
    pub(super) suite: &'a Suite<'a>,
    /// One for each entry of the plan.
    pub(super) prepared: Vec<PreparedSubmission>,
    /// Those of each entry.
    pub(super) programs: Vec<JudgingPrograms<PreparedProgram>>,
    pub(super) cache_index: Option<CacheIndex<'a>>,
}

impl<'a> RunContext<'a> {
    pub(super) fn new(suite: &'a Suite<'a>) -> Self {
        Self {
            suite,
            prepared: suite
                .plan
                .entries
                .iter()
                .map(|_| PreparedSubmission::default())
                .collect(),
            programs: prepared::for_entries(&suite.plan.entries, PreparedProgram::new),
            cache_index: suite
                .cache
                .filter(|_| suite.options.recalls)
                .map(|cache| CacheIndex::new(cache, suite)),
        }
    }

    /// The judge of first runs, beside others, and only of what is not cached.
    pub(super) fn judge_of_workers(&self) -> Box<dyn Judge + '_> {
        let plain = self.plain(Limits::for_first_run, JudgingPhase::Judging);
        match &self.cache_index {
            Some(index) => Box::new(CachedJudge {
                index,
                judge: plain,
            }),
            None => Box::new(plain),
        }
    }

    /// The confirmer of doubtful cases.
    pub(super) fn confirmer(&self) -> TrialConfirmer<'_, 'a> {
        TrialConfirmer {
            suite: self.suite,
            cache_index: self.cache_index.as_ref(),
            alone: self.plain(Limits::for_run_alone, JudgingPhase::JudgingAgain),
        }
    }

    fn plain<'c>(
        &'c self,
        slack: fn(&Limits) -> Limits,
        phase: fn(usize) -> JudgingPhase,
    ) -> PlainJudge<'c> {
        let Self {
            suite,
            prepared,
            programs,
            ..
        } = self;
        PlainJudge {
            suite,
            prepared,
            programs,
            slack,
            phase,
        }
    }
}

/// Confirms the outcomes of doubtful first runs.
pub(super) struct TrialConfirmer<'a, 'c> {
    pub(super) suite: &'a Suite<'a>,
    /// The cache for results, if there is one.
    cache_index: Option<&'a CacheIndex<'c>>,
    /// Judges while nothing else begins.
    alone: PlainJudge<'a>,
}

impl TrialConfirmer<'_, '_> {
    /// Returns the outcome of a case, after judging it again because its `first` trial
    /// is doubtful. An uncertain result, such as slightly too slow in all runs, is
    /// reported but not cached: the next time it may be fast enough.
    pub(super) fn confirm(&self, case: PlannedCase, first: Trial) -> CaseOutcome {
        let limits = self.suite.plan.entries[case.entry].limits();
        let settled =
            first.settled(&limits, || match catch_panic(|| self.alone.judge(case)) {
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
