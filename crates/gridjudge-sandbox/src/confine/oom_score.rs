//! The OOM score: when memory runs out, the kernel is to kill a run, not its launcher. Knows one file of the kernel; knows nothing of cgroups.

use std::fs::File;

/// The launcher's own place in the order in which the kernel kills for memory. Source: proc(5).
const PLACE: &str = "/proc/self/oom_score_adj";

/// The highest score, which is killed first, and the usual one.
const FIRST: &[u8] = b"1000";
const ORDINARY: &[u8] = b"0";

/// Raises the OOM score of the processes that a launcher starts above its own.
pub(crate) enum OomScore {
    /// There is no need to.
    Not,
    /// Each goes there itself, on its way to exec. That takes root, whose files in `/proc` are those of a process that may
    /// not be looked into. It is by far the cheaper way: a launcher whose init lives on its memory shares its place with it,
    /// so for each change the kernel asks all processes of the machine whether they share it, too.
    ByItself,
    /// Each inherits the launcher's, which goes there for that moment.
    Inherited(File),
}

impl OomScore {
    /// For a launcher that is in the group whose memory may run out. Others keep the place that they have.
    pub(crate) fn new(is_in_group: bool) -> Self {
        if !is_in_group {
            Self::Not
        } else if rustix::process::geteuid().is_root() {
            Self::ByItself
        } else {
            File::options().write(true).open(PLACE).map_or(Self::Not, Self::Inherited)
        }
    }

    /// Whether the child has to see to it.
    pub(crate) fn is_set_by_child(&self) -> bool {
        matches!(self, Self::ByItself)
    }

    /// Carries out `start` in such a way that processes that it makes die first: children inherit the place, and whoever
    /// was never behind the others may go back to them without rights. That this fails matters only when memory runs
    /// out, and then a launcher that dies is replaced.
    pub(crate) fn start<T>(&self, start: impl FnOnce() -> T) -> T {
        let Self::Inherited(file) = self else { return start() };
        let _ = rustix::io::pwrite(file, FIRST, 0);
        let started = start();
        let _ = rustix::io::pwrite(file, ORDINARY, 0);
        started
    }
}
