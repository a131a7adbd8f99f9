//! Runs one process under limits and says what it saw. It does not judge: it knows nothing of grids,
//! problems or verdicts. Start at [`Sandbox::run`].
//!
//! # Theory of operation
//!
//! ```text
//!  judge (any size, many threads)             launcher (1.6 MB, one thread), one a slot
//!  ------------------------------             -----------------------------------------
//!  copy input to a sealed memory file
//!  make two memory files for output
//!  request + three descriptors  ------------> clone (shared memory, so no page is copied)
//!                                               child: session, streams, limits, user,
//!                                                      Landlock, exec
//!                                             sleep until it ends or a limit may be reached
//!                                             kill its tree, reap it, renew the scratch folder
//!  figures                      <------------ reply
//!  read the output from its start
//! ```
//!
//! **Why a launcher.** A fork copies the page tables of the judge, which takes milliseconds once it is large;
//! `ru_maxrss` of a fresh process starts at the peak of whoever started it; and only a process of its own can
//! be the reaper of a run's orphans, be fenced so that it can kill them in one step, and still be there to
//! do so when the judge is killed. No peak is therefore reported below the launcher's own, 1.4 to 1.8 MB (it
//! drops its code from memory once it is set up): a static C program that does nothing shows that, a dynamic
//! C++ program its own 3.2 MB.
//!
//! **Why memory files.** Standard input has no name, so no neighbour, and is sealed. Output cannot be read
//! back, needs no reader thread while the run lasts, and `RLIMIT_FSIZE` stops it one byte beyond the limit.
//!
//! **Time** is that of all processes: what wait4(2) says of those reaped (which covers whom they waited for),
//! or what was seen of each while it lived, if that is more. Between looks the launcher sleeps for as long
//! as no limit can be broken, so a short run is never looked at. The wall clock is extended by what a run
//! waited for a processor: a busy machine makes nobody idle.
//!
//! **Memory** is resident memory: the peak of the largest process, or of all together at some look.
//!
//! **The end.** A Landlock domain around the launcher lets it signal its own descendants only, so `kill(-1)`
//! ends a whole tree in one step, however it forks. Older kernels kill one by one, in passes. Orphans become
//! the launcher's children; when it has none left, nothing of the run lives.
//!
//! # What level basic defends, and what not
//!
//! | against | by |
//! |---|---|
//! | reading answers, inputs, other submissions | Landlock: the system's folders, the program, the scratch folder |
//! | writing anywhere but the scratch folder | Landlock, and a user of its own if the judge is root |
//! | reaching other processes | Landlock 6 (signals, abstract sockets, ptrace); a user of its own |
//! | TCP | Landlock 4 |
//! | gaining rights | `no_new_privs`, so set-uid programs are none |
//! | fork bombs | `RLIMIT_NPROC`: exact with a user of its own, else with a margin for that user's other work |
//! | endless output, CPU, memory, sleep | limits, above |
//! | leaving things for the next run | the whole tree dies; a touched scratch folder is replaced |
//!
//! Not defended at this level, because it takes namespaces, seccomp or cgroups: UDP and other sockets than TCP;
//! System V and POSIX message queues, semaphores and shared memory, and kernel keyrings, which outlive a run; seeing the command
//! lines of other processes in `/proc`; filling the disk with many files below the size limit; CPU time of
//! children that live and die between two looks and whose parent ignores SIGCHLD (the wall limit bounds it);
//! memory between two looks (at most 20 ms); and where the judge is not root, whatever one process may do to
//! another of its user without a signal (limits, priority, processors). [`Guarantees::notes`] says what the machine at hand lacks beyond that.

mod calls;
mod confine;
mod contained;
mod control;
pub(crate) mod executable;
mod expendable;
mod filter;
mod group;
mod groups;
mod guarantees;
mod launcher;
mod level;
mod linux;
mod message;
mod meter;
mod namespaces;
mod open;
mod order;
mod owner;
mod pool;
mod private;
mod public;
mod refusal;
mod root;
mod roots;
mod scratch;
mod scripted;
mod slot;
mod streams;
mod sys;
mod tree;
mod user;
mod view;
mod watch;

use crate::model::Fault;
use crate::model::Launch;
use crate::model::Limits;
use crate::model::Run;

pub use guarantees::Guarantees;
pub use launcher::serve as serve_launcher;
pub use level::Choice;
pub use level::Level;
pub use linux::Linux;
pub use scripted::Scripted;
pub use slot::LAUNCHER_ARGUMENT;

/// The sub-folder of the private folder that holds compiled programs.
const PROGRAMS: &str = "programs";

/// What the names of scratch folders start with; the number of the slot follows.
const SCRATCH: &str = "scratch-";

/// A place where a hostile program can be run and measured.
///
/// The real one is on Linux; tests use a scripted one. Both may be called from many threads at once.
pub trait Sandbox: Send + Sync {
    /// Runs one process to its end, and everything it started with it.
    ///
    /// # Errors
    /// A [`Fault`] if the judge could not start, watch or clear away the run. Whatever the program itself
    /// does, however badly, is a [`Run`].
    fn run(&self, launch: &Launch, limits: &Limits) -> Result<Run, Fault>;
}
