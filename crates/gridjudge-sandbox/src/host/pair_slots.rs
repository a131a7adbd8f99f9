//! The two launchers that two runs which talk to each other take, and how often they are tried. Knows slots; knows nothing of pipes.
//! Start at [`PairSlots::interact`].

use crate::Fault;
use crate::Interaction;
use crate::InteractionRequest;
use crate::host::launcher_config::LauncherConfig;
use crate::host::launcher_handle::LauncherHandle;
use crate::host::launcher_pool::LauncherPool;
use crate::host::launcher_pool::MOST_ATTEMPTS;
use crate::host::launcher_pool::interrupted;
use crate::host::pair_outcome;
use crate::host::pair_outcome::PairOutcome;
use crate::host::pair_start;

/// A slot for a submission and one for an interactor.
pub(super) struct PairSlots<'a> {
    setup: &'a LauncherConfig,
    submission: PoolSlot<'a>,
    interactor: PoolSlot<'a>,
}

/// A slot that a run has taken, which goes back to its pool with its value.
struct PoolSlot<'a> {
    pool: &'a LauncherPool,
    number: usize,
    launcher: Option<LauncherHandle>,
}

impl<'a> PairSlots<'a> {
    /// Waits for a slot of either kind; `None` once the pools are closed. There must be as many of one as of the other: since
    /// the submission's is always taken first, nobody waits for the second.
    pub(super) fn take(
        setup: &'a LauncherConfig,
        submissions: &'a LauncherPool,
        interactors: &'a LauncherPool,
    ) -> Option<Self> {
        let (submission, interactor) = (PoolSlot::take(submissions)?, PoolSlot::take(interactors)?);
        Some(Self { setup, submission, interactor })
    }

    /// Tries two runs until something comes of them.
    ///
    /// # Errors
    /// Whatever keeps either from being made.
    pub(super) fn interact(&mut self, request: &InteractionRequest) -> Result<Interaction, Fault> {
        let mut outcome = Err(Fault::because("starting a run", "launchers die as soon as they have started"));
        for _ in 0..MOST_ATTEMPTS {
            match self.attempt(request)? {
                PairOutcome::Finished(interaction) => return pair_outcome::whole(request, *interaction),
                PairOutcome::Doubtful(interaction) => outcome = pair_outcome::whole(request, *interaction),
                PairOutcome::Failed(fault) => return Err(fault),
                PairOutcome::Lost(fault) => outcome = Err(fault),
                PairOutcome::NotRun => {}
            }
            if self.submission.pool.is_closed() {
                return Err(interrupted());
            }
        }
        outcome
    }

    /// Tries them once, each on its slot's launcher or on a fresh one.
    fn attempt(&mut self, request: &InteractionRequest) -> Result<PairOutcome, Fault> {
        let mut submission = self.submission.launcher(self.setup)?;
        let mut interactor = self.interactor.launcher(self.setup)?;
        let (outcome, fit) = pair_start::start([&mut submission, &mut interactor], request);
        self.submission.launcher = fit[0].then_some(submission);
        self.interactor.launcher = fit[1].then_some(interactor);
        Ok(outcome)
    }
}

impl<'a> PoolSlot<'a> {
    fn take(pool: &'a LauncherPool) -> Option<Self> {
        let (number, launcher) = pool.take()?;
        Some(Self { pool, number, launcher })
    }

    /// Its launcher, or a fresh one.
    fn launcher(&mut self, setup: &LauncherConfig) -> Result<LauncherHandle, Fault> {
        self.launcher.take().map_or_else(|| self.pool.replace(setup, self.number), Ok)
    }
}

impl Drop for PoolSlot<'_> {
    fn drop(&mut self) {
        self.pool.give_back(self.number, self.launcher.take());
    }
}
