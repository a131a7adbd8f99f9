//! Takes the two launchers of an interaction and repeats the attempt where needed. Knows slots;
//! knows nothing of pipes. Start at [`PairSlots::interact`].

use crate::fault::MOST_ATTEMPTS;
use crate::host::launcher_config::LauncherConfig;
use crate::host::launcher_handle::LauncherHandle;
use crate::host::launcher_pool::{LauncherPool, interrupted};
use crate::host::pair_outcome::PairOutcome;
use crate::host::{pair_outcome, pair_start};
use crate::{Fault, Interaction, InteractionRequest};

/// A slot for a submission and one for an interactor.
pub(super) struct PairSlots<'a> {
    setup: &'a LauncherConfig,
    submission: PoolSlot<'a>,
    interactor: PoolSlot<'a>,
}

/// A slot taken from a pool, given back on drop.
struct PoolSlot<'a> {
    pool: &'a LauncherPool,
    number: usize,
    launcher: Option<LauncherHandle>,
}

impl<'a> PairSlots<'a> {
    /// Waits for a slot of each kind; `None` once the pools are closed. Both pools must have the
    /// same number of slots: since the submission's is always taken first, an interactor's slot is
    /// then free.
    pub(super) fn take(
        setup: &'a LauncherConfig,
        submissions: &'a LauncherPool,
        interactors: &'a LauncherPool,
    ) -> Option<Self> {
        let submission = PoolSlot::take(submissions)?;
        let interactor = PoolSlot::take(interactors)?;
        Some(Self {
            setup,
            submission,
            interactor,
        })
    }

    /// Attempts the interaction until the interactor has started, [`MOST_ATTEMPTS`] times at most.
    /// It is not repeated after that, because an interactor may have changed its folder.
    ///
    /// # Errors
    /// Returns the [`Fault`] that kept either run from being made or finished.
    pub(super) fn interact(&mut self, request: &InteractionRequest) -> Result<Interaction, Fault> {
        for _ in 0..MOST_ATTEMPTS {
            match self.attempt(request)? {
                PairOutcome::Finished(interaction) => {
                    return pair_outcome::whole(request, *interaction);
                }
                PairOutcome::Failed(fault) => return Err(fault),
                PairOutcome::Lost(fault) => return Err(fault.of_lost_run()),
                PairOutcome::NotRun => {}
            }
            if self.submission.pool.is_closed() {
                return Err(interrupted());
            }
        }
        Err(Fault::because(
            "starting a run",
            "launchers die as soon as they have started",
        ))
    }

    /// Attempts it once, each run on its slot's launcher or on a fresh one.
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
        Some(Self {
            pool,
            number,
            launcher,
        })
    }

    /// Takes out its launcher, or starts a fresh one.
    fn launcher(&mut self, setup: &LauncherConfig) -> Result<LauncherHandle, Fault> {
        self.launcher
            .take()
            .map_or_else(|| self.pool.replace(setup, self.number), Ok)
    }
}

impl Drop for PoolSlot<'_> {
    fn drop(&mut self) {
        self.pool.give_back(self.number, self.launcher.take());
    }
}
