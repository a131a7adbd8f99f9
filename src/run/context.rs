//! The state that the workers of a suite share, and the judges that they use.

use gridjudge_sandbox::{
    Fault, Interaction, InteractionRequest, Launch, Limits, Party, Role, Run, Sandbox,
};

use crate::model::JudgingPhase;
use crate::run::{
    CacheIndex, CachedJudge, Judge, JudgingPrograms, PlainJudge, PreparedProgram,
    PreparedSubmission, Suite, TrialConfirmer, prepared,
};

/// The state that workers share while they judge a plan.
pub(super) struct RunContext<'a> {
    pub(super) suite: &'a Suite<'a>,
    /// One for each entry of the plan.
    pub(super) prepared: Vec<PreparedSubmission>,
    /// Those of each entry.
    pub(super) programs: Vec<JudgingPrograms<PreparedProgram>>,
    pub(super) cache_index: Option<CacheIndex<'a>>,
    /// The sandbox for first runs, and for those of compilers.
    beside_others: SlackSandbox<'a>,
    /// The sandbox for runs of doubtful cases.
    alone: SlackSandbox<'a>,
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
            beside_others: SlackSandbox {
                sandbox: suite.sandbox,
                slack: Limits::for_first_run,
            },
            alone: SlackSandbox {
                sandbox: suite.sandbox,
                slack: Limits::for_run_alone,
            },
        }
    }

    /// The judge of first runs, beside others, and only of what is not cached.
    pub(super) fn judge_of_workers(&self) -> Box<dyn Judge + '_> {
        let plain = self.plain(&self.beside_others, JudgingPhase::Judging);
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
            alone: self.plain(&self.alone, JudgingPhase::JudgingAgain),
        }
    }

    fn plain<'c>(
        &'c self,
        sandbox: &'c dyn Sandbox,
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
            sandbox,
            phase,
        }
    }
}

// A sandbox that stops submissions some time after their time limit. Knows neither what their
// verdict is nor whether others run beside them.

/// A sandbox that extends the limits of submissions, which shows whether one needs slightly or much
/// more time than its limit. Those of tools and of the problem's own programs stay.
struct SlackSandbox<'a> {
    sandbox: &'a dyn Sandbox,
    /// Extends the limits.
    slack: fn(&Limits) -> Limits,
}

impl Sandbox for SlackSandbox<'_> {
    fn run(&self, launch: &Launch, limits: &Limits) -> Result<Run, Fault> {
        if launch.role == Role::Submission {
            self.sandbox.run(launch, &(self.slack)(limits))
        } else {
            self.sandbox.run(launch, limits)
        }
    }

    fn interact(&self, request: InteractionRequest<'_>) -> Result<Interaction, Fault> {
        let limits = (self.slack)(request.submission.limits);
        let submission = Party {
            limits: &limits,
            ..request.submission
        };
        self.sandbox.interact(InteractionRequest {
            submission,
            ..request
        })
    }
}
