//! Wires two runs, and has what they say to each other heard if anybody listens. Knows pipes and who listens; how the runs go on is
//! known elsewhere. Start at [`start`].

use std::thread;
use std::thread::Builder;
use std::time::Instant;

use crate::Fault;
use crate::InteractionRequest;
use crate::Side;
use crate::host::given_files::GivenFiles;
use crate::host::launcher_handle::LauncherHandle;
use crate::host::pair_outcome::PairOutcome;
use crate::host::pair_run;
use crate::host::relay::Relay;
use crate::host::wires::Wires;
use crate::host::wires::wire;

/// Makes two runs, and tells what came of them and whether each launcher is fit for another: the submission's, then the other.
pub(super) fn start(
    [one, other]: [&mut LauncherHandle; 2],
    request: &InteractionRequest,
) -> (PairOutcome, [bool; 2]) {
    let nobody = |fault| (PairOutcome::Failed(fault), [true, true]);
    let Wires { submission, interactor, relays } = match wire(one, other, request.listener.is_some()) {
        Ok(wires) => wires,
        Err(fault) => return nobody(fault),
    };
    let (streams, pipes) = submission;
    let scratch = &request.submission.launch.scratch;
    let given = GivenFiles::of(&scratch.given);
    let submission = match given.and_then(|given| streams.with_scratch(given, scratch)) {
        Ok(streams) => (streams, pipes),
        Err(fault) => return nobody(fault),
    };
    let streams = [submission, interactor];
    let start = Instant::now();
    let (Some(listener), Some([(words, to_interactor), (replies, to_submission)])) =
        (request.listener, relays)
    else {
        return pair_run::run([one, other], request, streams, [None, None], start);
    };
    listener.begin();
    thread::scope(|scope| {
        let (words, replies) = (&words, &replies);
        // Also if the judge panics: else the two threads would be waited for without end.
        let _ended = EndOnDrop([words, replies]);
        let carry = |relay: &'_ Relay, target, by| relay.carry(target, by, start, listener);
        let threads = [
            Builder::new().spawn_scoped(scope, move || carry(words, to_interactor, Side::Submission)),
            Builder::new().spawn_scoped(scope, move || carry(replies, to_submission, Side::Interactor)),
        ];
        match threads.into_iter().find_map(Result::err) {
            Some(error) => nobody(Fault::new("listening to an interaction", error)),
            None => pair_run::run([one, other], request, streams, [Some(words), Some(replies)], start),
        }
    })
}

/// Ends relays when it goes.
struct EndOnDrop<'a>([&'a Relay; 2]);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.iter().for_each(|relay| relay.end());
    }
}
