//! Waits for the interactor's reaction to the last output of a submission that did not end well. Knows the
//! interactor's side of a pair and how long to wait for it; knows nothing of what its decision means. Start
//! at [`decide`].

use std::time::Duration;
use std::time::Instant;

use rustix::event::PollFd;
use rustix::event::PollFlags;
use rustix::time::Timespec;

use crate::host::seat::Seat;
use crate::machine::run_look::WaitingFor;

/// How long the interactor may take, if it sleeps, and if it works or waits for a processor.
const PATIENCE: Duration = Duration::from_millis(200);
const PATIENCE_AT_WORK: Duration = Duration::from_millis(400);

/// How often to check whether it has ended: every millisecond.
const BETWEEN_LOOKS: Timespec = Timespec { tv_sec: 0, tv_nsec: 1_000_000 };

/// Whether the interactor ends without having seen the end of its input. Waits until it has ended, or has
/// read everything and waits for more, or its time is up.
pub(super) fn decide(interactor: &Seat) -> bool {
    let start = Instant::now();
    loop {
        // Checked before the sample: if the interactor is asleep after this check, it has certainly read
        // everything.
        let has_read_all = interactor.unread() == 0;
        let Some(look) = interactor.look() else { return true };
        let mut files = [PollFd::new(interactor.handle.socket(), PollFlags::IN)];
        let answered = rustix::event::poll(&mut files, Some(&BETWEEN_LOOKS));
        if answered.is_ok_and(|ready| ready > 0) {
            return true;
        }
        // Without a thread it is about to start, or has ended and is about to be reported.
        let sleeps = look.threads > 0 && look.is_asleep;
        let wants_more = !matches!(look.waits, WaitingFor::SomethingElse | WaitingFor::Room);
        let patience = match sleeps {
            true if wants_more && has_read_all => return false,
            true => PATIENCE,
            false => PATIENCE_AT_WORK,
        };
        if start.elapsed() > patience {
            return false;
        }
    }
}
