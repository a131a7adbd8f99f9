//! Who dies first when memory runs out: a run, not its launcher. Knows one file of the kernel; knows nothing of groups.

use std::fs::File;

/// The launcher's own place in the order in which the kernel kills for memory. Source: proc(5).
const PLACE: &str = "/proc/self/oom_score_adj";

/// First of all, and as everybody else.
const FIRST: &[u8] = b"1000";
const ORDINARY: &[u8] = b"0";

/// Gives the processes that it starts a place before its own.
pub(super) struct Expendable(Option<File>);

impl Expendable {
    /// For a launcher that is in the group whose memory may run out. Others keep the place that they have.
    pub(super) fn new(is_in_group: bool) -> Self {
        Self(is_in_group.then(|| File::options().write(true).open(PLACE).ok()).flatten())
    }

    /// Carries out `start` in such a way that processes that it makes die first: children inherit the place, and whoever
    /// was never behind the others may go back to them without rights. That this fails matters only when memory runs
    /// out, and then a launcher that dies is replaced.
    pub(super) fn start<T>(&self, start: impl FnOnce() -> T) -> T {
        let Some(file) = &self.0 else { return start() };
        let _ = rustix::io::pwrite(file, FIRST, 0);
        let started = start();
        let _ = rustix::io::pwrite(file, ORDINARY, 0);
        started
    }
}
