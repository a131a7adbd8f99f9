//! The OOM score: when memory runs out, the kernel is to kill a run, not its launcher. Knows one file of the kernel; knows nothing of cgroups.

use std::fs::File;

/// The launcher's own place in the order in which the kernel kills for memory. Source: proc(5).
const PLACE: &str = "/proc/self/oom_score_adj";

/// The highest score, which is killed first, and the usual one.
const FIRST: &[u8] = b"1000";
const ORDINARY: &[u8] = b"0";

/// Raises the OOM score of the processes that a launcher starts above its own.
pub(crate) enum OomScore {
    /// There is no need to: the launcher's own is the highest.
    Not,
    /// Each sets its own, on its way to exec. Only root can, because the `/proc` files of a process that is not dumpable are
    /// root's. It is by far the cheaper way: a launcher and its init share memory and so the score, and for each change of such
    /// a score the kernel looks through all processes of the machine for others that share it.
    ByItself,
    /// Each inherits the launcher's, which is raised for that moment.
    Inherited(File),
}

impl OomScore {
    /// `is_in_group` says whether the launcher is in a control group, whose memory may run out. Without one it keeps its score.
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

    /// Carries out `start` in such a way that the kernel kills the processes that it makes first: children inherit the score,
    /// and a process may lower its own again without privileges, down to where it began. That this fails matters only when
    /// memory runs out, and then a launcher that dies is replaced.
    pub(crate) fn start<T>(&self, start: impl FnOnce() -> T) -> T {
        let Self::Inherited(file) = self else { return start() };
        let _ = rustix::io::pwrite(file, FIRST, 0);
        let started = start();
        let _ = rustix::io::pwrite(file, ORDINARY, 0);
        started
    }
}
