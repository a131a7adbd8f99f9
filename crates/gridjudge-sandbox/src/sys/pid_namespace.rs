//! A pid namespace for a run, made before the run arrives, with an init that runs on
//! the launcher's memory.
//!
//! ```text
//! launcher --clone: shared memory, new pid namespace--> init (process 1): sleeps, reaps orphans
//!    | enters the namespace for its future children
//!    | vfork ------------------------------------------------> the run (process 2) --exec-->
//!    |                                                           |
//!    | sleeps on the run's descriptor  <------ it has ended -----+
//!    | none left?  the next run can start here; or leaves the namespace, and later kills and reaps init
//!    | some left?  asks init, which kills them, reaps them, and records what they used
//! ```
//!
//! The run must not be process 1: there abort(3) ends by SIGSEGV and most signals are
//! ignored. It is the launcher's own child, so that no other process has to be woken
//! between its end and the report, and init exists before the run, so that nothing
//! waits for its start. Sharing the memory saves init the copy of the page tables, and
//! lets it record usage without a message.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::Child;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};
use rustix::io::{Errno, retry_on_intr};
use rustix::process::{DumpableBehavior, Pid, PidfdFlags, Signal, WaitOptions};
use rustix::thread::LinkNameSpaceType;
use rustix::time::Timespec;

use crate::sys::syscall::ChildStack;
use crate::sys::{reap, signals, syscall};

/// The signal that wakes init. Any signal would do: init checks the flag.
const WAKE: Signal = Signal::USR1;

/// A pid namespace with its init. Dropping it kills all processes in it.
pub(crate) struct PidNamespace {
    shared: Box<InitShared>,
    stack: ChildStack,
    /// The process id of init, which becomes the parent of orphans.
    pub(crate) init: Pid,
    /// Polls as readable when no process in it lives any more, init included.
    ended: OwnedFd,
}

/// The usage of orphans: processes that a run's first process has left, and that init,
/// or at level basic the launcher, has reaped.
#[derive(Default)]
pub(crate) struct OrphanUsage {
    /// Their CPU time, except that of processes whose parent ignored SIGCHLD.
    pub(crate) cpu: Duration,
    /// The peak of the largest process.
    pub(crate) peak_memory_bytes: u64,
}

impl OrphanUsage {
    /// Adds a process that was reaped.
    pub(crate) fn add(&mut self, child: &reap::ReapedChild) {
        self.cpu += child.cpu;
        self.peak_memory_bytes = self.peak_memory_bytes.max(child.peak_memory_bytes);
    }
}

/// The memory that init and launcher both use.
struct InitShared {
    /// Whether init must end all processes. Written by the launcher.
    is_over: AtomicBool,
    /// Written by init, as is `peak_bytes`.
    cpu_ns: AtomicU64,
    peak_bytes: AtomicU64,
    /// The launcher's own process, which polls as readable when it has ended.
    launcher: OwnedFd,
}

impl PidNamespace {
    /// Makes the first namespace, with an init in it.
    ///
    /// # Errors
    /// Returns an error if the namespace or the process cannot be made.
    pub(crate) fn new() -> io::Result<Self> {
        let me = rustix::process::getpid();
        let launcher = rustix::process::pidfd_open(me, PidfdFlags::empty())?;
        let shared = Box::new(InitShared {
            is_over: AtomicBool::new(false),
            cpu_ns: AtomicU64::new(0),
            peak_bytes: AtomicU64::new(0),
            launcher,
        });
        let stack = ChildStack::new()?;
        let (init, ended) = start_init(&shared, &stack)?;
        Ok(Self {
            shared,
            stack,
            init,
            ended,
        })
    }

    /// Kills everything in the namespace, and makes a new one.
    ///
    /// # Errors
    /// Returns an error if a process cannot be killed within `at_most`, or no new
    /// namespace can be made. The old one is then unusable.
    pub(crate) fn renew(&mut self, at_most: Duration) -> io::Result<()> {
        self.kill();
        if !self.wait(at_most) {
            return Err(io::Error::other("a process could not be killed"));
        }
        self.reap();
        self.shared.is_over.store(false, Relaxed);
        self.shared.cpu_ns.store(0, Relaxed);
        self.shared.peak_bytes.store(0, Relaxed);
        (self.init, self.ended) = start_init(&self.shared, &self.stack)?;
        Ok(())
    }

    /// Makes future children of this process be born in this namespace. The process
    /// itself stays outside.
    ///
    /// # Errors
    /// Returns an error if init has died.
    pub(crate) fn enter(&self) -> io::Result<()> {
        // Only a process that may trace init may enter its namespace. Init shares our
        // memory, so the memory is made dumpable for this moment, in which no run lives
        // here.
        rustix::process::set_dumpable_behavior(DumpableBehavior::Dumpable)?;
        // Since Linux 5.8 a process descriptor can be used to enter its namespaces.
        let entered = rustix::thread::move_into_link_name_space(
            self.ended.as_fd(),
            Some(LinkNameSpaceType::ProcessID),
        );
        rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        Ok(entered?)
    }

    /// Asks init to kill and count the processes that are left.
    pub(crate) fn end(&self) {
        self.shared.is_over.store(true, Release);
        let _ = rustix::process::pidfd_send_signal(&self.ended, WAKE);
    }

    /// Kills init, and with it every process of the namespace, whose usage is then not
    /// counted.
    pub(crate) fn kill(&self) {
        let _ = rustix::process::pidfd_send_signal(&self.ended, Signal::KILL);
    }

    /// Whether no process in it lives any more.
    pub(crate) fn is_over(&self) -> bool {
        self.wait(Duration::ZERO)
    }

    /// Waits until no process in it lives, at most this long; returns whether that is
    /// so.
    pub(crate) fn wait(&self, at_most: Duration) -> bool {
        await_readable(self.ended.as_fd(), at_most)
    }

    /// The usage that init has counted so far.
    pub(crate) fn orphans(&self) -> OrphanUsage {
        OrphanUsage {
            cpu: Duration::from_nanos(self.shared.cpu_ns.load(Relaxed)),
            peak_memory_bytes: self.shared.peak_bytes.load(Relaxed),
        }
    }

    fn reap(&self) {
        let _ = rustix::process::waitpid(Some(self.init), WaitOptions::empty());
    }
}

impl Drop for PidNamespace {
    /// Waits for init, because it uses our memory until it is gone. If it was reaped
    /// before, this does nothing.
    fn drop(&mut self) {
        self.kill();
        self.reap();
    }
}

/// Starts an init on an unused stack. Returns its process id, and a descriptor that
/// polls as readable when it has ended.
fn start_init(shared: &InitShared, stack: &ChildStack) -> io::Result<(Pid, OwnedFd)> {
    let flags = libc::CLONE_FILES | libc::CLONE_NEWPID;
    // SAFETY: stack and argument belong to a `PidNamespace`, one a mapping and one on
    // the heap, which stay where they are; its init is gone before they are used again
    // (`renew`) or freed (`drop`). Init writes only atomics. It runs concurrently with
    // us: it allocates nothing, locks nothing and leaves `errno` alone.
    Ok(unsafe { syscall::clone_on_own_memory(stack, flags, init_main, shared) }?)
}

/// Init's whole life. It must not allocate, lock, or panic.
extern "C" fn init_main(argument: *mut libc::c_void) -> libc::c_int {
    // SAFETY: `start_init` passes a pointer to an `InitShared` that its `PidNamespace`
    // keeps alive until we have been reaped.
    let shared = unsafe { &*argument.cast_const().cast::<InitShared>() };
    reap_as_init(shared);
    // SAFETY: _exit(2) runs no destructor and no atexit handler, which would be the
    // launcher's.
    unsafe { libc::_exit(0) }
}

fn reap_as_init(shared: &InitShared) {
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    // If the launcher died before the signal was requested, the signal would never
    // come.
    if await_readable(shared.launcher.as_fd(), Duration::ZERO) {
        return;
    }
    loop {
        while let Ok(Some(child)) = reap::reap() {
            note_child(shared, &child);
        }
        if shared.is_over.load(Acquire) {
            signals::kill_all_of_namespace();
            while let Ok(Some(child)) = reap::await_one() {
                note_child(shared, &child);
            }
            return;
        }
        // Signals are blocked, so they stay pending for us whenever they are sent.
        signals::await_signals(&[Signal::CHILD, WAKE], None);
    }
}

fn note_child(shared: &InitShared, child: &reap::ReapedChild) {
    let cpu = u64::try_from(child.cpu.as_nanos()).unwrap_or(u64::MAX);
    shared.cpu_ns.fetch_add(cpu, Relaxed);
    shared
        .peak_bytes
        .fetch_max(child.peak_memory_bytes, Relaxed);
}

/// Waits until a file is readable, at most this long; returns whether it is. The
/// descriptor of a process polls as readable when the process has ended.
pub(crate) fn await_readable(file: BorrowedFd, at_most: Duration) -> bool {
    let mut files = [PollFd::from_borrowed_fd(file, PollFlags::IN)];
    retry_on_intr(|| poll(&mut files, at_most)).is_ok_and(|ready| ready > 0)
}

/// Waits until a child, which has not been reaped, has ended, at most this long; returns
/// whether it has, as far as the kernel can tell.
pub(crate) fn await_exit(child: &Child, at_most: Duration) -> bool {
    rustix::process::pidfd_open(Pid::from_child(child), PidfdFlags::empty())
        .is_ok_and(|process| await_readable(process.as_fd(), at_most))
}

/// Waits until one of some files is ready, at most this long. Returns how many are.
///
/// # Errors
/// As for poll(2).
pub(crate) fn poll(files: &mut [PollFd], at_most: Duration) -> Result<usize, Errno> {
    let at_most = Timespec::try_from(at_most).ok();
    rustix::event::poll(files, at_most.as_ref())
}
