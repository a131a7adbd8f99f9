//! Makes one attempt at an interaction: wires two runs, and starts the relay threads if
//! there is a listener. Knows pipes and listeners; `pair_run` watches the runs
//! themselves. Start at [`attempt`].

use std::thread::{self, Builder};
use std::time::Instant;

use crate::host::launcher_config::LauncherConfig;
use crate::host::launcher_handle::Attempt;
use crate::host::launcher_pool::PoolSlot;
use crate::host::pair_run;
use crate::host::relay::{Relay, Wire};
use crate::host::std_streams::{GivenFiles, StdStreams};
use crate::{Fault, Interaction, InteractionRequest, Side};

/// Makes two runs, each on its slot's launcher or on a fresh one: the submission's, then
/// the interactor's.
///
/// # Errors
/// Returns the [`Fault`] that kept either run from being made or finished.
pub(super) fn attempt(
    [one, other]: [&mut PoolSlot; 2],
    setup: &LauncherConfig,
    request: &InteractionRequest,
) -> Result<Attempt<Interaction>, Fault> {
    let launchers = [one.launcher(setup)?, other.launcher(setup)?];
    let has_listener = request.listener.is_some();
    let words = Wire::new(has_listener)?;
    let replies = Wire::new(has_listener)?;
    let submission = request.submission.launch;
    let given = GivenFiles::open(&submission.scratch.given)?;
    let streams = [
        StdStreams::new(
            submission,
            replies.reader,
            Some(words.writer),
            given,
            launchers[0].outputs(),
        )?,
        StdStreams::new(
            request.interactor.launch,
            words.reader,
            Some(replies.writer),
            None,
            launchers[1].outputs(),
        )?,
    ];
    let relays = words.relay.zip(replies.relay);
    let start = Instant::now();
    let run = |relays| pair_run::run_pair(launchers, request, streams, relays, start);
    let Some((listener, ((words, to_interactor), (replies, to_submission)))) =
        request.listener.zip(relays)
    else {
        return run([None, None]);
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
            Some(error) => Err(Fault::new("listening to an interaction", error)),
            None => run([Some(words), Some(replies)]),
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
