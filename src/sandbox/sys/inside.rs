//! A child in a pid namespace of its own, under an init that lives on the launcher's memory.
//!
//! ```text
//! launcher --clone: shared memory and descriptors, new pid namespace--> init (process 1)
//!    |                                                                    | vfork
//!    | sleeps on init's descriptor                                        v
//!    |                                                                  the run (process 2) --exec-->
//!    |                                                                    |
//!    | reads the record when init is gone  <---- record ---- init: reaps, kills the rest, reaps, ends
//! ```
//!
//! The run must not be process 1: there abort(3) ends by SIGSEGV and most signals are ignored. Sharing the memory saves
//! init the copy of the page tables, and lets it leave its record without a message.

use std::io;
use std::os::fd::AsFd;
use std::os::fd::AsRawFd;
use std::os::fd::BorrowedFd;
use std::os::fd::FromRawFd;
use std::os::fd::OwnedFd;
use std::ptr;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicI32;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Acquire;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::Ordering::Release;
use std::time::Duration;

use rustix::event::PollFd;
use rustix::event::PollFlags;
use rustix::process::Pid;
use rustix::process::Signal;
use rustix::time::ClockId;
use rustix::time::Timespec;

use crate::sandbox::sys::reap;
use crate::sandbox::sys::reap::Reap;
use crate::sandbox::sys::reap::Reaped;
use crate::sandbox::sys::signals::kill_all_of_namespace;
use crate::sandbox::sys::stack::Stack;
use crate::sandbox::sys::start;
use crate::sandbox::sys::start::Child;
use crate::sandbox::sys::start::Failure;
use crate::sandbox::sys::start::Plan;
use crate::sandbox::sys::start::Step;

/// No descriptor.
const NONE: i32 = -1;

/// A run under way in a namespace of its own. Dropping it kills everything in it.
pub(in crate::sandbox) struct Inside<'a> {
    shared: Box<Shared<'a>>,
    init: Pid,
    ended: OwnedFd,
    is_reaped: bool,
}

/// What became of a run.
pub(in crate::sandbox) struct Outcome {
    /// What init left; `None` if it was killed before it could.
    pub(in crate::sandbox) record: Option<Record>,
    /// CPU time of init and of all that it reaped.
    pub(in crate::sandbox) cpu: Duration,
}

/// What init left.
#[derive(Clone, Copy)]
pub(in crate::sandbox) struct Record {
    /// As wait(2) encodes the end of the first process.
    pub(in crate::sandbox) status: libc::c_int,
    /// CPU time of all processes of the run that were reaped, which leaves out only those whose parent ignored SIGCHLD.
    pub(in crate::sandbox) cpu: Duration,
    /// The peak of the largest of them.
    pub(in crate::sandbox) peak_memory_bytes: u64,
    /// From exec to the end of the first process.
    pub(in crate::sandbox) wall: Duration,
}

/// What init and launcher both see. Init alone writes, the launcher reads when init has ended; but for `main`.
struct Shared<'a> {
    plan: Plan<'a>,
    stack: &'a Stack,
    /// A descriptor of the launcher's own process.
    launcher: BorrowedFd<'a>,
    /// The first process: a descriptor in the table that init and launcher share.
    main: AtomicI32,
    clone_errno: AtomicI32,
    status: AtomicI32,
    cpu_ns: AtomicU64,
    peak_bytes: AtomicU64,
    wall_ns: AtomicU64,
    is_complete: AtomicBool,
}

/// The stacks of an init and of its first child.
pub(in crate::sandbox) struct Stacks {
    init: Stack,
    main: Stack,
}

impl Stacks {
    /// Maps both.
    pub(in crate::sandbox) fn new() -> io::Result<Self> {
        Ok(Self { init: Stack::new()?, main: Stack::new()? })
    }
}

impl<'a> Inside<'a> {
    /// Starts a child as process 2 of a new pid namespace. `launcher` is a descriptor of the calling process.
    ///
    /// # Errors
    /// If there can be no namespace or no process. What fails later, [`finish`](Self::finish) tells.
    pub(in crate::sandbox) fn start(
        stacks: &'a Stacks,
        child: &'a Child<'a>,
        launcher: BorrowedFd<'a>,
    ) -> Result<Self, Failure> {
        let shared = Box::new(Shared {
            plan: Plan::new(child, None),
            stack: &stacks.main,
            launcher,
            main: AtomicI32::new(NONE),
            clone_errno: AtomicI32::new(0),
            status: AtomicI32::new(0),
            cpu_ns: AtomicU64::new(0),
            peak_bytes: AtomicU64::new(0),
            wall_ns: AtomicU64::new(0),
            is_complete: AtomicBool::new(false),
        });
        let flags =
            libc::CLONE_VM | libc::CLONE_FILES | libc::CLONE_NEWPID | libc::CLONE_PIDFD | libc::SIGCHLD;
        let mut ended: libc::c_int = NONE;
        let argument = ptr::from_ref(&*shared).cast_mut().cast();
        // SAFETY: clone(2) with CLONE_VM wants a stack that nobody else uses until the child is gone. `stacks` is
        // borrowed for as long as the `Inside` lives, which is dropped only after init has been reaped; so is what
        // `shared` points to, and its box stays where it is. Init writes only atomics of it. It runs beside us: it
        // allocates nothing, locks nothing and, on its way to success, leaves `errno` alone.
        let init = unsafe { libc::clone(live_as_init, stacks.init.top(), flags, argument, &raw mut ended) };
        let Some(init) = Pid::from_raw(init.max(0)) else {
            return Err((Step::Clone, io::Error::last_os_error()));
        };
        // SAFETY: with CLONE_PIDFD a successful clone has stored a new descriptor here that nobody else owns.
        let ended = unsafe { OwnedFd::from_raw_fd(ended) };
        Ok(Self { shared, init, ended, is_reaped: false })
    }

    /// Polls as readable when nothing of the run lives any more.
    pub(in crate::sandbox) fn ended(&self) -> BorrowedFd<'_> {
        self.ended.as_fd()
    }

    /// Kills the first process, upon which init kills the others and leaves its record.
    pub(in crate::sandbox) fn kill_first(&self) {
        match self.shared.main.load(Acquire) {
            NONE => self.kill_all(),
            main => {
                // SAFETY: init stored a descriptor of the table that we share, and only `reaped` closes it.
                let main = unsafe { BorrowedFd::borrow_raw(main) };
                let _ = rustix::process::pidfd_send_signal(main, Signal::KILL);
            }
        }
    }

    /// Kills init, and with it everything; there will be no record.
    pub(in crate::sandbox) fn kill_all(&self) {
        let _ = rustix::process::pidfd_send_signal(&self.ended, Signal::KILL);
    }

    /// Waits for this long until nothing lives; whether it came to that.
    pub(in crate::sandbox) fn wait(&self, at_most: Duration) -> bool {
        let mut files = [PollFd::new(&self.ended, PollFlags::IN)];
        let at_most = Timespec { tv_sec: at_most.as_secs() as i64, tv_nsec: at_most.subsec_nanos().into() };
        matches!(rustix::event::poll(&mut files, Some(&at_most)), Ok(1))
    }

    /// Reaps init, which must have ended, and reads what it left.
    ///
    /// # Errors
    /// If the run was never started.
    pub(in crate::sandbox) fn finish(mut self) -> Result<Outcome, Failure> {
        let cpu = self.reap();
        let shared = &self.shared;
        match shared.clone_errno.load(Relaxed) {
            0 => {}
            errno => return Err((Step::Clone, io::Error::from_raw_os_error(errno))),
        }
        if let Some(failure) = shared.plan.failure() {
            return Err(failure);
        }
        let record = shared.is_complete.load(Acquire).then(|| Record {
            status: shared.status.load(Relaxed),
            cpu: Duration::from_nanos(shared.cpu_ns.load(Relaxed)),
            peak_memory_bytes: shared.peak_bytes.load(Relaxed),
            wall: Duration::from_nanos(shared.wall_ns.load(Relaxed)),
        });
        Ok(Outcome { record, cpu })
    }

    /// Reaps init; its CPU time with that of all it reaped.
    fn reap(&mut self) -> Duration {
        let mut cpu = Duration::ZERO;
        while let Reap::One(child) = reap::await_one() {
            if child.pid == self.init {
                cpu = child.cpu;
                break;
            }
        }
        self.is_reaped = true;
        let main = self.shared.main.swap(NONE, Acquire);
        if main != NONE {
            // SAFETY: init, which is gone, stored a descriptor of the table that we shared, for us to close.
            drop(unsafe { OwnedFd::from_raw_fd(main) });
        }
        cpu
    }
}

impl Drop for Inside<'_> {
    /// Init uses our memory until it is gone.
    fn drop(&mut self) {
        if !self.is_reaped {
            self.kill_all();
            let _ = self.reap();
        }
    }
}

/// Init's whole life. It must not allocate, lock, or panic.
extern "C" fn live_as_init(argument: *mut libc::c_void) -> libc::c_int {
    // SAFETY: `start` passes a pointer to a `Shared` that its `Inside` keeps alive until we have been reaped.
    let shared = unsafe { &*argument.cast_const().cast::<Shared>() };
    serve_as_init(shared);
    // SAFETY: _exit(2) runs no destructor and no atexit handler, which would be the launcher's.
    unsafe { libc::_exit(0) }
}

fn serve_as_init(shared: &Shared) {
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    if has_ended(shared.launcher) {
        return;
    }
    let main = match start::clone_into(shared.stack, &shared.plan) {
        Ok((pid, main)) => {
            shared.main.store(main, Release);
            pid
        }
        Err(error) => {
            return shared.clone_errno.store(error.raw_os_error().unwrap_or(libc::EAGAIN), Relaxed);
        }
    };
    let start = now_ns();
    let mut first = None;
    while let Reap::One(child) = reap::await_one() {
        note(shared, &child);
        if child.pid == main {
            shared.wall_ns.store(now_ns().saturating_sub(start), Relaxed);
            shared.status.store(child.status, Relaxed);
            first = Some(());
            kill_all_of_namespace();
        }
    }
    shared.is_complete.store(first.is_some(), Release);
}

fn note(shared: &Shared, child: &Reaped) {
    let cpu = u64::try_from(child.cpu.as_nanos()).unwrap_or(u64::MAX);
    shared.cpu_ns.fetch_add(cpu, Relaxed);
    shared.peak_bytes.fetch_max(child.peak_memory_bytes, Relaxed);
}

/// If the launcher had died before the death signal was asked for, that would never come.
fn has_ended(process: BorrowedFd) -> bool {
    let mut files = [PollFd::from_borrowed_fd(process, PollFlags::IN)];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    matches!(rustix::event::poll(&mut files, Some(&now)), Ok(1))
}

fn now_ns() -> u64 {
    let now = rustix::time::clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// A descriptor of this process, which polls as readable when it has ended.
///
/// # Errors
/// If the kernel has no such descriptors (Linux 5.3) or the process no room for one.
pub(in crate::sandbox) fn descriptor_of_this_process() -> io::Result<OwnedFd> {
    let me = rustix::process::getpid();
    let file = rustix::process::pidfd_open(me, rustix::process::PidfdFlags::empty())?;
    debug_assert!(file.as_raw_fd() > 2, "0, 1 and 2 are in use");
    Ok(file)
}
