//! Resets how the kernel's schedulers treat a launcher and all it starts: results must not depend
//! on whether the judge was started by nice(1), chrt(1) or ionice(1). Start at [`reset`].

use std::num::NonZeroU64;

use crate::sys;

/// The default timer slack of a process, in nanoseconds. Source: linux/init_task.h.
const TIMER_SLACK: NonZeroU64 = NonZeroU64::new(50_000).expect("it is not zero");

/// Gives this process the usual scheduler, priority 0, no I/O priority class, and the default timer
/// slack, as far as it may: only root can undo a lowered priority. The processors that it may use
/// stay as they are, because a user who has restricted them meant the runs; so does the share of
/// its control group.
///
/// Must be called while the process still has its privileges.
pub(super) fn reset() {
    // The scheduler is reset twice, before and after the priority: leaving the idle scheduler takes
    // the right to the process's current priority.
    sys::reset_scheduler();
    let _ = rustix::process::setpriority_process(None, 0);
    sys::reset_scheduler();
    let _ = rustix::thread::set_current_timer_slack(Some(TIMER_SLACK));
}
