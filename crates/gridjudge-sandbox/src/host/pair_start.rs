//! Wires two runs, and starts the relay threads if there is a listener. Knows pipes and listeners;
//! `pair_run` watches the runs themselves. Start at [`start`].

use std::thread;
use std::thread::Builder;
use std::time::Instant;

use crate::host::given_files::GivenFiles;
use crate::host::launcher_handle::LauncherHandle;
use crate::host::pair_outcome::PairOutcome;
use crate::host::pair_run;
use crate::host::relay::Relay;
use crate::host::wires::{Wires, wire};
use crate::{Fault, InteractionRequest, Side};

/// Makes two runs; returns their result and whether each launcher can take another run: the
/// submission's, then the interactor's.
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
    let given = GivenFiles::of(&scratch.given);
    let submission = match given.and_then(|given| streams.with_scratch(given, scratch)) {
        Ok(streams) => (streams, pipes),
        Err(fault) => return failed(fault),
    };
    let streams = [submission, interactor];
    let start = Instant::now();
    let Some((listener, [(words, to_interactor), (replies, to_submission)])) =
        request.listener.zip(relays)
    else {
        return pair_run::run([one, other], request, streams, [None, None], start);
    };
    listener.begin();
    thread::scope(|scope| {
        let words = &words;
        let replies = &replies;
        // On a panic, too: otherwise the scope would wait for the two threads for ever.
        let _ended = EndOnDrop([words, replies]);
        let carry = |relay: &'_ Relay, target, by| relay.carry(target, by, start, listener);
        let threads = [
            Builder::new()
                .spawn_scoped(scope, move || carry(words, to_interactor, Side::Submission)),
            Builder::new().spawn_scoped(scope, move || {
                carry(replies, to_submission, Side::Interactor)
            }),
        ];
        match threads.into_iter().find_map(Result::err) {
            Some(error) => failed(Fault::new("listening to an interaction", error)),
            None => pair_run::run(
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
        self.0.iter().for_each(|relay| relay.end());
    }
}
