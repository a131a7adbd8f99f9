//! Starts a child: everything from clone to exec. The child runs on the launcher's
//! memory, so it may not allocate, lock or panic.

use std::cell::Cell;
use std::convert::Infallible;
use std::ffi::{CStr, CString};
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::ptr;

use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;
use rustix::process::{Pid, Resource, Rlimit, Signal, WaitOptions};
use rustix::thread::{CapabilitySet, CapabilitySets, Gid, LinkNameSpaceType, Uid};

use crate::sys::signals::unblock_signals;
use crate::sys::syscall::{ChildStack, raise_oom_score};
use crate::sys::{kernel, syscall, trace};

/// The process id of a run in its pid namespace, and the id before that, which is
/// init's.
const RUN: i32 = 2;
const LAST_BEFORE_RUN: &[u8] = b"1";

/// Everything that a child needs between clone and exec, because it may not allocate.
pub(crate) struct ChildSpec<'a> {
    /// The path of the executable as the child will see it; `None` for its name.
    pub(crate) program: Option<&'static CStr>,
    /// The executable's name, then the arguments.
    pub(crate) command: Vec<CString>,
    /// Entries of the form `NAME=value`.
    pub(crate) environment: Vec<CString>,
    /// The working folder.
    pub(crate) folder: CString,
    /// Standard input, output and error. None of them may be 0, 1 or 2.
    pub(crate) streams: [BorrowedFd<'a>; 3],
    /// Resources, each with its hard and soft limit, which are the same.
    pub(crate) limits: Vec<(Resource, u64)>,
    /// The user and group to change to, without supplementary groups; `None` keeps the
    /// launcher's.
    pub(crate) user: Option<u32>,
    /// A Landlock ruleset to apply.
    pub(crate) ruleset: Option<BorrowedFd<'a>>,
    /// A filter of system calls in addition to the launcher's own.
    pub(crate) filter: Option<&'a [libc::sock_filter]>,
    /// Whether the ruleset must allow the child to read its own folder in the machine's
    /// `/proc`.
    pub(crate) may_read_own_proc: bool,
    /// The mount namespace to enter; `None` for the launcher's own.
    pub(crate) mounts: Option<BorrowedFd<'a>>,
    /// Whether to mount `/proc` for its processes; `mounts` must have a folder for it.
    pub(crate) mounts_proc: bool,
    /// The file by which it sets back the process ids of its pid namespace. The child
    /// must then be the first process after init, not counting earlier runs that did
    /// the same and made no process.
    pub(crate) numbers: Option<BorrowedFd<'a>>,
    /// Whether it is loaded at the same addresses each time, as this process's children
    /// are unless they change that.
    pub(crate) has_fixed_addresses: bool,
    /// Whether it makes the kernel kill it before the launcher when memory runs out.
    pub(crate) has_highest_oom_score: bool,
    /// Whether it stops once it has exec'd, if it may be traced, until it is.
    pub(crate) stops_after_exec: bool,
}

/// A child that has exec'd. It leads its own session and dies with the launcher, or
/// with the pid namespace that the launcher has entered.
pub(crate) struct StartedChild {
    pub(crate) pid: Pid,
    /// Polls as readable when it has ended.
    pub(crate) ended: OwnedFd,
    /// Whether it stops before its first instruction, until it is traced.
    pub(crate) stops: bool,
}

/// The step that the child had reached when it failed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum StartStep {
    Clone,
    PidNamespace,
    Streams,
    Namespaces,
    Limits,
    Folder,
    User,
    Landlock,
    Filter,
    Exec,
}

/// A failed start: the step, and the error.
pub(crate) type StartFailure = (StartStep, Errno);

/// The part of the launcher's memory that the child reads and writes.
struct StartPlan<'a> {
    child: &'a ChildSpec<'a>,
    arguments: Vec<*const libc::c_char>,
    environment: Vec<*const libc::c_char>,
    /// The parent with which the child must die; `None` where its pid namespace ensures
    /// that.
    launcher: Option<Pid>,
    step: Cell<StartStep>,
    /// Why exec did not happen.
    errno: Cell<Option<Errno>>,
    stops: Cell<bool>,
}

impl<'a> StartPlan<'a> {
    fn new(child: &'a ChildSpec<'a>) -> Self {
        // A child with a mount namespace is also in a pid namespace, and dies with its
        // init.
        let launcher = child.mounts.is_none().then(rustix::process::getpid);
        Self {
            child,
            arguments: pointers(&child.command),
            environment: pointers(&child.environment),
            launcher,
            step: Cell::new(StartStep::Clone),
            errno: Cell::new(None),
            stops: Cell::new(false),
        }
    }
}

fn pointers(strings: &[CString]) -> Vec<*const libc::c_char> {
    strings
        .iter()
        .map(|string| string.as_ptr())
        .chain([ptr::null()])
        .collect()
}

/// Starts a process and returns once it has exec'd.
///
/// # Errors
/// Returns the step that failed and why. The child has then been reaped.
pub(crate) fn spawn(
    stack: &ChildStack,
    child: &ChildSpec,
) -> Result<StartedChild, StartFailure> {
    let plan = StartPlan::new(child);
    // SAFETY: CLONE_VFORK keeps this process from running, and so from using the stack
    // again, until the child has left our memory by exec or exit. So `plan` and `stack`
    // outlive the child's use of them, and of our memory it writes only three cells, like
    // a function that is called: nothing here runs at the same time. Signals stay blocked
    // in the launcher, so no handler can run in the child on our memory.
    let cloned = unsafe {
        syscall::clone_on_own_memory(stack, libc::CLONE_VFORK, child_main, &plan)
    };
    let (pid, ended) = cloned.map_err(|error| (StartStep::Clone, error))?;
    if let Some(errno) = plan.errno.get() {
        let _ = rustix::process::waitpid(Some(pid), WaitOptions::empty());
        return Err((plan.step.get(), errno));
    }
    Ok(StartedChild {
        pid,
        ended,
        stops: plan.stops.get(),
    })
}

/// The child's whole life in our memory. It must not allocate, lock, or panic: an
/// unwinding panic would abort at this `extern "C"` border, and the launcher would see
/// a child that was ended by a signal.
extern "C" fn child_main(argument: *mut libc::c_void) -> libc::c_int {
    // SAFETY: `spawn` passes a pointer to a `StartPlan` that it keeps alive and
    // untouched until we end.
    let plan = unsafe { &*argument.cast_const().cast::<StartPlan>() };
    let Err(errno) = prepare_and_exec(plan);
    plan.errno.set(Some(errno));
    // SAFETY: _exit(2) runs no destructor and no atexit handler, which would be the
    // launcher's.
    unsafe { libc::_exit(127) }
}

/// Every call here is a bare system call, by the Linux back end of `rustix` or our own
/// [`syscall`]: no lock, no allocation, no `errno`, and (for the user ids) no signal to
/// other threads as libc would send.
fn prepare_and_exec(plan: &StartPlan) -> Result<Infallible, Errno> {
    let child = plan.child;
    plan.step.set(StartStep::PidNamespace);
    if let Some(numbers) = child.numbers {
        set_back_process_ids(numbers)?;
    }
    plan.step.set(StartStep::Streams);
    rustix::process::setsid()?;
    rustix::stdio::dup2_stdin(child.streams[0])?;
    rustix::stdio::dup2_stdout(child.streams[1])?;
    rustix::stdio::dup2_stderr(child.streams[2])?;
    if child.has_highest_oom_score {
        raise_oom_score()?;
    }
    if !child.has_fixed_addresses {
        kernel::randomize_addresses()?;
    }
    plan.step.set(StartStep::Namespaces);
    if let Some(mounts) = child.mounts {
        let processes = child.mounts_proc.then(kernel::make_proc).transpose()?;
        rustix::thread::move_into_link_name_space(
            mounts,
            Some(LinkNameSpaceType::Mount),
        )?;
        if let Some(processes) = processes {
            kernel::attach_proc(&processes)?;
        }
    }
    plan.step.set(StartStep::Folder);
    rustix::process::chdir(&*child.folder)?;
    plan.step.set(StartStep::Limits);
    for (resource, limit) in &child.limits {
        let limit = Rlimit {
            current: Some(*limit),
            maximum: Some(*limit),
        };
        rustix::process::setrlimit(*resource, limit)?;
    }
    plan.step.set(StartStep::User);
    drop_privileges(child)?;
    // After the change of user, which clears this.
    if let Some(launcher) = plan.launcher {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        if rustix::process::getppid() != Some(launcher) {
            return Err(Errno::SRCH);
        }
    }
    plan.step.set(StartStep::Landlock);
    if let Some(ruleset) = child.ruleset {
        if child.may_read_own_proc {
            allow_own_proc(ruleset)?;
        }
        restrict_self(ruleset)?;
    }
    if child.stops_after_exec {
        plan.stops.set(trace::stop_after_exec().is_ok());
    }
    plan.step.set(StartStep::Filter);
    if let Some(filter) = child.filter {
        kernel::install_filter(filter)?;
    }
    plan.step.set(StartStep::Exec);
    close_all_but_streams();
    unblock_signals();
    Err(exec(plan))
}

/// Checks that this is process 2 of its namespace, so that only init and runs without
/// further processes were there before, and sets back the last process id so that the
/// next run is process 2 again. If that fails, the next run gets another id, which
/// makes this check fail there.
fn set_back_process_ids(numbers: BorrowedFd) -> Result<(), Errno> {
    if rustix::process::getpid().as_raw_nonzero().get() != RUN {
        return Err(Errno::BUSY);
    }
    let _ = rustix::io::pwrite(numbers, LAST_BEFORE_RUN, 0);
    Ok(())
}

/// Changes the user, and drops all capabilities, even where the user stays root, who
/// still owns its files. Groups stay if the judge is an ordinary user, or root of a
/// namespace that such a user made: the kernel does not let these drop any.
fn drop_privileges(child: &ChildSpec) -> Result<(), Errno> {
    let without_groups = rustix::thread::set_thread_groups(&[]);
    if let Some(user) = child.user {
        without_groups?;
        let group = Gid::from_raw(user);
        rustix::thread::set_thread_res_gid(group, group, group)?;
        let user = Uid::from_raw(user);
        rustix::thread::set_thread_res_uid(user, user, user)?;
    }
    let none = CapabilitySet::empty();
    rustix::thread::set_capabilities(
        None,
        CapabilitySets {
            effective: none,
            permitted: none,
            inheritable: none,
        },
    )
}

/// Closes descriptors without close-on-exec. We know of none, so an old kernel without
/// this call loses nothing.
fn close_all_but_streams() {
    let last = libc::c_uint::MAX as usize;
    // SAFETY: the child's table of descriptors is a copy. It contains descriptors that
    // `OwnedFd`s of the launcher own, but the child never returns to where these would
    // be used or dropped.
    let _ = unsafe { syscall::call(libc::SYS_close_range, [3, last, 0, 0, 0]) };
}

fn exec(plan: &StartPlan) -> Errno {
    let arguments = plan.arguments.as_ptr().expose_provenance();
    let environment = plan.environment.as_ptr().expose_provenance();
    let name = plan.arguments[0];
    let program = plan.child.program.map_or(name, CStr::as_ptr);
    let program = program.expose_provenance();
    // SAFETY: both arrays end with a null pointer, which `pointers` appended, and point
    // to C strings that `plan.child` owns. So does the path, if it is not constant.
    let failed = unsafe {
        syscall::call(libc::SYS_execve, [program, arguments, environment, 0, 0])
    };
    failed.err().unwrap_or(Errno::IO)
}

// Applies Landlock between clone and exec, where nothing may allocate, which the calls
// of the `landlock` crate do. Rulesets are built elsewhere, and beforehand.

/// A Landlock rule as the kernel reads it, `landlock_path_beneath_attr`. Source, also
/// of the constants below: linux/landlock.h.
#[repr(C, packed)]
struct PathBeneath {
    allowed: u64,
    parent: libc::c_int,
}

const RULE_PATH_BENEATH: usize = 1;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;

/// Confines the calling process for the rest of its life. The `landlock` crate builds
/// rulesets, but its own call for this allocates.
fn restrict_self(ruleset: BorrowedFd) -> Result<(), Errno> {
    let ruleset = ruleset.as_raw_fd() as usize;
    // SAFETY: landlock_restrict_self(2) takes a descriptor and flags, and touches no
    // memory of ours.
    unsafe { syscall::call(libc::SYS_landlock_restrict_self, [ruleset, 0, 0, 0, 0]) }
        .map(drop)
}

/// Adds a rule that allows reading the calling process's own folder in `/proc`, if
/// there is one. Its children cannot read there what is about them: each has another
/// folder.
fn allow_own_proc(ruleset: BorrowedFd) -> Result<(), Errno> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(itself) = rustix::fs::openat(CWD, c"/proc/self", flags, Mode::empty())
    else {
        return Ok(());
    };
    let rule = PathBeneath {
        allowed: READ_FILE | READ_DIR,
        parent: itself.as_raw_fd(),
    };
    let rule_at = (&raw const rule).expose_provenance();
    let arguments = [
        ruleset.as_raw_fd() as usize,
        RULE_PATH_BENEATH,
        rule_at,
        0,
        0,
    ];
    // SAFETY: landlock_add_rule(2) reads a `landlock_path_beneath_attr`, which `rule`
    // is, and which lives until it returns.
    unsafe { syscall::call(libc::SYS_landlock_add_rule, arguments) }.map(drop)
}
