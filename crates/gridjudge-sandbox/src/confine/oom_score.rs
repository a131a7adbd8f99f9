//! Sets OOM scores so that the kernel kills a run, not its launcher, when memory runs out. Knows
//! one file of the kernel; knows nothing of cgroups.

use std::fs::File;

/// The file of the launcher's own OOM score. Source: proc(5).
const PLACE: &str = "/proc/self/oom_score_adj";

/// The highest score, whose process is killed first, and the usual one.
const FIRST: &[u8] = b"1000";
const ORDINARY: &[u8] = b"0";

/// The way to raise the OOM score of a launcher's children above its own.
pub(crate) enum OomScore {
    /// Not at all: the launcher's own score is the highest, or cannot be changed.
    Not,
    /// Each child sets its own on its way to exec. Only root can do this, because the `/proc` files
    /// of a process that is not dumpable belong to root. This is by far the cheaper way: a launcher
    /// and its init share memory and so the score, and for each change of such a score the kernel
    /// searches all processes of the machine for others that share it.
    ByItself,
    /// Each child inherits the launcher's score, which is raised for that moment.
    Inherited(File),
}

impl OomScore {
    /// Chooses the way. `is_in_group` says whether the launcher is in a control group, whose memory
    /// may run out. Without a group it keeps its score.
    pub(crate) fn new(is_in_group: bool) -> Self {
        if !is_in_group {
            Self::Not
        } else if rustix::process::geteuid().is_root() {
            Self::ByItself
        } else {
            File::options()
                .write(true)
                .open(PLACE)
                .map_or(Self::Not, Self::Inherited)
        }
    }

    /// Whether the child has to raise its own score.
    pub(crate) fn is_set_by_child(&self) -> bool {
        matches!(self, Self::ByItself)
    }

    /// Calls `start` so that the kernel kills the processes that it makes before the launcher:
    /// children inherit the score, and a process may lower its own again without privileges, down
    /// to its initial value. A failure matters only when memory runs out; a launcher that then dies
    /// is replaced.
    pub(crate) fn start<T>(&self, start: impl FnOnce() -> T) -> T {
        let Self::Inherited(file) = self else {
            return start();
        };
        let _ = rustix::io::pwrite(file, FIRST, 0);
        let started = start();
        let _ = rustix::io::pwrite(file, ORDINARY, 0);
        started
    }
}
