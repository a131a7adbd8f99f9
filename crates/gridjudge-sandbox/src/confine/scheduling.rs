//! How the kernel's schedulers treat a launcher and all it starts, however the judge was started: a result is not to
//! depend on whether the judge runs behind nice(1), chrt(1) or ionice(1). Start at [`reset`].

use std::num::NonZeroU64;

use crate::sys;

/// The timer slack of a process for which no other was set. Source: linux/init_task.h.
const TIMER_SLACK: NonZeroU64 = NonZeroU64::new(50_000).expect("it is not zero");

/// Gives this process the usual scheduler, priority 0, no wish for the disk, and the usual patience of timers, as far as it
/// may: only root takes back what makes a process stand behind others. On which processors it runs stays as it is, for
/// a user who has chosen some meant the runs; so does the share of its control group.
///
/// To be called while it still has rights.
pub(super) fn reset() {
    // The scheduler first: to leave the one for idle time takes the right to the priority that one has.
    sys::reset_scheduler();
    let _ = rustix::process::setpriority_process(None, 0);
    sys::reset_scheduler();
    let _ = rustix::thread::set_current_timer_slack(Some(TIMER_SLACK));
}
