//! The state that the workers and the consumer of a suite share, and the judges that each of them uses.

use std::sync::Arc;

use crate::model::JudgingPhase;
use crate::run::cached::CacheIndex;
use crate::run::cached::CachedJudge;
use crate::run::confirmer::TrialConfirmer;
use crate::run::exclusive_sandbox::Exclusive;
use crate::run::exclusive_sandbox::ExclusiveSandbox;
use crate::run::judge::Judge;
use crate::run::plain::PlainJudge;
use crate::run::prepared::PreparedSubmission;
use crate::run::prepared_checker;
use crate::run::prepared_checker::PreparedChecker;
use crate::run::schedule::Gate;
use crate::run::suite::Suite;
use gridjudge_sandbox::Sandbox;

/// The state that workers and consumer share while they judge a plan.
pub(super) struct RunContext<'a> {
    pub(super) suite: &'a Suite<'a>,
    pub(super) gate: Gate,
    /// One for each entry of the plan.
    pub(super) prepared: Vec<PreparedSubmission>,
    /// One for each entry; `None` if no program judges outputs.
    checkers: Vec<Option<Arc<PreparedChecker>>>,
    /// One for each entry; `None` if no program judges sources.
    static_validators: Vec<Option<Arc<PreparedChecker>>>,
    /// One for each entry; `None` if no program grades groups.
    pub(super) graders: Vec<Option<Arc<PreparedChecker>>>,
    pub(super) cache_index: Option<CacheIndex<'a>>,
    /// The sandbox for all runs, including those of compilers.
    pub(super) exclusive_sandbox: ExclusiveSandbox<'a>,
}

impl<'a> RunContext<'a> {
    pub(super) fn new(suite: &'a Suite<'a>) -> Self {
        Self {
            suite,
            gate: Gate::default(),
            prepared: suite.plan.entries.iter().map(|_| PreparedSubmission::default()).collect(),
            checkers: prepared_checker::for_entries(&suite.plan.entries, |entry| entry.checker.as_ref()),
            static_validators: prepared_checker::for_entries(&suite.plan.entries, |entry| {
                entry.static_validator.as_ref()
            }),
            graders: prepared_checker::for_entries(&suite.plan.entries, |entry| entry.grader.as_ref()),
            cache_index: suite
                .cache
                .filter(|_| suite.options.recalls)
                .map(|cache| CacheIndex::new(cache, suite)),
            exclusive_sandbox: ExclusiveSandbox::new(suite.sandbox),
        }
    }

    /// The judge of the workers: runs beside others, and only what is not cached.
    pub(super) fn judge_of_workers(&self) -> Box<dyn Judge + '_> {
        let plain = self.plain(&self.exclusive_sandbox, JudgingPhase::Judging);
        match &self.cache_index {
            Some(index) => Box::new(CachedJudge { index, judge: plain }),
            None => Box::new(plain),
        }
    }

    /// The confirmer of the consumer: judges doubtful cases again in `alone`, while nothing else runs.
    pub(super) fn confirmer<'c>(
        &'c self,
        alone: &'c Exclusive<'c>,
    ) -> TrialConfirmer<'c, 'a, PlainJudge<'c>> {
        let alone = self.plain(alone, JudgingPhase::JudgingAlone);
        TrialConfirmer { suite: self.suite, cache_index: self.cache_index.as_ref(), alone }
    }

    fn plain<'c>(&'c self, sandbox: &'c dyn Sandbox, phase: fn(usize) -> JudgingPhase) -> PlainJudge<'c> {
        let Self { suite, prepared, checkers, static_validators, .. } = self;
        PlainJudge { suite, prepared, checkers, static_validators, sandbox, phase }
    }
}
