//! Takes the two launchers of an interaction and repeats the attempt where needed.
//! Knows slots; knows nothing of pipes. Start at [`PairSlots::interact`].

use std::thread;
use std::thread::Builder;
use std::time::Instant;

use crate::fault::MOST_ATTEMPTS;
use crate::host::launcher_config::LauncherConfig;
use crate::host::launcher_handle::LauncherHandle;
use crate::host::launcher_pool::{LauncherPool, interrupted};
use crate::host::relay::{Relay, Wires, wire};
use crate::host::seat::PairOutcome;
use crate::host::std_streams::GivenFiles;
use crate::host::{pair_run, seat};
use crate::{Fault, Interaction, InteractionRequest, Side};

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
    /// Waits for a slot of each kind; `None` once the pools are closed. Both pools must
    /// have the same number of slots: since the submission's is always taken first, an
    /// interactor's slot is then free.
    pub(super) fn take_pair(
        setup: &'a LauncherConfig,
        submissions: &'a LauncherPool,
        interactors: &'a LauncherPool,
    ) -> Option<Self> {
        let submission = PoolSlot::take_slot(submissions)?;
        let interactor = PoolSlot::take_slot(interactors)?;
        Some(Self {
            setup,
            submission,
            interactor,
        })
    }

    /// Attempts the interaction until the interactor has started, [`MOST_ATTEMPTS`]
    /// times at most. It is not repeated after that, because an interactor may have
    /// changed its folder.
    ///
    /// # Errors
    /// Returns the [`Fault`] that kept either run from being made or finished.
    pub(super) fn interact(
        &mut self,
        request: &InteractionRequest,
    ) -> Result<Interaction, Fault> {
        for _ in 0..MOST_ATTEMPTS {
            match self.attempt(request)? {
                PairOutcome::Finished(interaction) => {
                    return seat::whole(request, *interaction);
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
        let (outcome, fit) = start([&mut submission, &mut interactor], request);
        self.submission.launcher = fit[0].then_some(submission);
        self.interactor.launcher = fit[1].then_some(interactor);
        Ok(outcome)
    }
}

impl<'a> PoolSlot<'a> {
    fn take_slot(pool: &'a LauncherPool) -> Option<Self> {
        let (number, launcher) = pool.take_launcher()?;
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

// Wires two runs, and starts the relay threads if there is a listener. Knows pipes and
// listeners; `pair_run` watches the runs themselves. Start at [`start`].

/// Makes two runs; returns their result and whether each launcher can take another run:
/// the submission's, then the interactor's.
pub(super) fn start(
    [one, other]: [&mut LauncherHandle; 2],
    request: &InteractionRequest,
) -> (PairOutcome, [bool; 2]) {
    let failed = |fault| (PairOutcome::Failed(fault), [true, true]);
    let Wires {
        submission,
        interactor,
        relays,
    } = match wire(one, other, request.listener.is_some()) {
        Ok(wires) => wires,
        Err(fault) => return failed(fault),
    };
    let (streams, pipes) = submission;
    let scratch = &request.submission.launch.scratch;
    let given = GivenFiles::open(&scratch.given);
    let submission = match given.and_then(|given| streams.with_scratch(given, scratch))
    {
        Ok(streams) => (streams, pipes),
        Err(fault) => return failed(fault),
    };
    let streams = [submission, interactor];
    let start = Instant::now();
    let Some((listener, [(words, to_interactor), (replies, to_submission)])) =
        request.listener.zip(relays)
    else {
        return pair_run::run_pair([one, other], request, streams, [None, None], start);
    };
    listener.begin();
    thread::scope(|scope| {
        let words = &words;
        let replies = &replies;
        // On a panic, too: otherwise the scope would wait for the two threads for ever.
        let _ended = EndOnDrop([words, replies]);
        let carry =
            |relay: &'_ Relay, target, by| relay.carry(target, by, start, listener);
        let threads = [
            Builder::new().spawn_scoped(scope, move || {
                carry(words, to_interactor, Side::Submission)
            }),
            Builder::new().spawn_scoped(scope, move || {
                carry(replies, to_submission, Side::Interactor)
            }),
        ];
        match threads.into_iter().find_map(Result::err) {
            Some(error) => failed(Fault::new("listening to an interaction", error)),
            None => pair_run::run_pair(
                [one, other],
                request,
                streams,
                [Some(words), Some(replies)],
                start,
            ),
        }
    })
}

/// Ends the relays on drop.
struct EndOnDrop<'a>([&'a Relay; 2]);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        for relay in &self.0 {
            relay.end();
        }
    }
}
