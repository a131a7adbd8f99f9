//! The system calls that neither the standard library nor `rustix` offers safely, each behind a safe
//! function. Knows processes and descriptors; knows nothing of launches, limits or figures. Start at [`spawn`].
//!
//! Everything here is called by the launcher, which has one thread.
#![allow(unsafe_code, reason = "the one module of this program that may")]

use std::convert::Infallible;
use std::ffi::CStr;
use std::ffi::CString;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::AsRawFd;
use std::os::fd::BorrowedFd;
use std::os::fd::FromRawFd;
use std::os::fd::OwnedFd;
use std::ptr;
use std::sync::atomic::AtomicI32;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use rustix::fs::Mode;
use rustix::io::Errno;
use rustix::mm::MapFlags;
use rustix::mm::MprotectFlags;
use rustix::mm::ProtFlags;
use rustix::process::Pid;
use rustix::process::Resource;
use rustix::process::Rlimit;
use rustix::process::Signal;
use rustix::thread::Gid;
use rustix::thread::Uid;

/// What the child uses of its stack is a few frames and the kernel's copy of none; unoptimised builds
/// need about 3 KiB.
const STACK_BYTES: usize = 64 << 10;

/// A page that faults when the stack runs over. The largest page size of any Linux, so that it is whole
/// pages everywhere.
const GUARD_BYTES: usize = 64 << 10;

/// Where a child runs between clone and exec, while it shares the launcher's memory.
pub(super) struct Stack {
    base: *mut libc::c_void,
}

impl Stack {
    /// Maps a stack with a guard below. It is never unmapped: a launcher keeps its stack for life.
    pub(super) fn new() -> io::Result<Self> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: an anonymous mapping at an address of the kernel's choice replaces nothing.
        let base = unsafe {
            rustix::mm::mmap_anonymous(ptr::null_mut(), GUARD_BYTES + STACK_BYTES, access, MapFlags::PRIVATE)
        }?;
        // SAFETY: these are the first bytes of our own fresh mapping, which nobody has a reference into.
        unsafe { rustix::mm::mprotect(base, GUARD_BYTES, MprotectFlags::empty()) }?;
        Ok(Self { base })
    }

    /// The end of the mapping, where a stack that grows downwards starts; page-aligned.
    fn top(&self) -> *mut libc::c_void {
        // SAFETY: one past the end of the one mapping that `new` made with exactly this length.
        unsafe { self.base.byte_add(GUARD_BYTES + STACK_BYTES) }
    }
}

/// Everything that a child needs between clone and exec, laid out beforehand, because it may not allocate.
pub(super) struct Child<'a> {
    /// The executable's path, then the arguments.
    pub(super) command: &'a [CString],
    /// `NAME=value` each.
    pub(super) environment: &'a [CString],
    /// The working folder.
    pub(super) folder: &'a CStr,
    /// Standard input, output and error. None of them may be 0, 1 or 2.
    pub(super) streams: [BorrowedFd<'a>; 3],
    /// Hard and soft limit alike.
    pub(super) limits: &'a [(Resource, u64)],
    /// The user and group to become, without other groups; `None` stays who the launcher is.
    pub(super) user: Option<u32>,
    /// A Landlock ruleset to be confined by.
    pub(super) ruleset: Option<BorrowedFd<'a>>,
}

/// What the child was at when it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Step {
    Clone,
    Streams,
    Limits,
    Folder,
    User,
    Landlock,
    Exec,
}

impl Step {
    const ALL: [Self; 7] =
        [Self::Clone, Self::Streams, Self::Limits, Self::Folder, Self::User, Self::Landlock, Self::Exec];
}

/// What the child reads and writes of the launcher's memory.
struct Plan<'a> {
    child: &'a Child<'a>,
    arguments: Vec<*const libc::c_char>,
    environment: Vec<*const libc::c_char>,
    launcher: Option<Pid>,
    step: AtomicU8,
    errno: AtomicI32,
}

/// Starts a process and returns once it has exec'd: its id, and a descriptor that polls as readable when
/// it has ended. It leads its own session and dies with the launcher.
///
/// # Errors
/// The step that failed and why. Nothing is left to be reaped then.
pub(super) fn spawn(stack: &Stack, child: &Child) -> Result<(Pid, OwnedFd), (Step, io::Error)> {
    let plan = Plan {
        child,
        arguments: pointers(child.command),
        environment: pointers(child.environment),
        launcher: Some(rustix::process::getpid()),
        step: AtomicU8::new(Step::Clone as u8),
        errno: AtomicI32::new(0),
    };
    let (pid, ended) = clone_into(stack, &plan).map_err(|error| (Step::Clone, error))?;
    match plan.errno.into_inner() {
        0 => Ok((pid, ended)),
        errno => {
            let _ = rustix::process::waitpid(Some(pid), rustix::process::WaitOptions::empty());
            Err((Step::ALL[plan.step.into_inner() as usize], io::Error::from_raw_os_error(errno)))
        }
    }
}

fn pointers(strings: &[CString]) -> Vec<*const libc::c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect()
}

fn clone_into(stack: &Stack, plan: &Plan) -> io::Result<(Pid, OwnedFd)> {
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
    let mut ended: libc::c_int = -1;
    let argument = ptr::from_ref(plan).cast_mut().cast();
    // SAFETY: clone(2) with CLONE_VM wants a stack that nobody else uses: the launcher has one thread, and
    // CLONE_VFORK keeps that one from running until the child has left our memory by exec or exit. So
    // `plan` and `stack` outlive the child's use of them, and it writes nothing of ours but two atomics.
    // Signals are blocked in the launcher for life, so no handler can run in the child on our memory.
    let pid = unsafe { libc::clone(become_the_run, stack.top(), flags, argument, &raw mut ended) };
    let Some(pid) = Pid::from_raw(pid.max(0)) else { return Err(io::Error::last_os_error()) };
    // SAFETY: with CLONE_PIDFD a successful clone has stored a new descriptor here that nobody else owns.
    let ended = unsafe { OwnedFd::from_raw_fd(ended) };
    Ok((pid, ended))
}

/// The child's whole life in our memory. It must not allocate, lock, or panic: an unwinding panic would
/// abort at this `extern "C"` border, and the launcher would see a child that a signal ended.
extern "C" fn become_the_run(argument: *mut libc::c_void) -> libc::c_int {
    // SAFETY: `clone_into` passes a pointer to a `Plan` that it keeps alive and untouched until we are gone.
    let plan = unsafe { &*argument.cast_const().cast::<Plan>() };
    let Err(errno) = prepare_and_exec(plan);
    plan.errno.store(errno.raw_os_error(), Relaxed);
    // SAFETY: _exit(2) runs no destructor and no atexit handler, which would be the launcher's.
    unsafe { libc::_exit(127) }
}

/// Every call here but three goes through `rustix`, whose Linux back end makes the bare system call: no
/// lock, no allocation, no `errno`, and (for the user ids) no signal to other threads as libc would send.
fn prepare_and_exec(plan: &Plan) -> Result<Infallible, Errno> {
    let child = plan.child;
    plan.step.store(Step::Streams as u8, Relaxed);
    rustix::process::setsid()?;
    rustix::stdio::dup2_stdin(child.streams[0])?;
    rustix::stdio::dup2_stdout(child.streams[1])?;
    rustix::stdio::dup2_stderr(child.streams[2])?;
    plan.step.store(Step::Folder as u8, Relaxed);
    rustix::process::chdir(child.folder)?;
    rustix::process::umask(Mode::from_raw_mode(0o022));
    plan.step.store(Step::Limits as u8, Relaxed);
    for (resource, limit) in child.limits {
        let limit = Rlimit { current: Some(*limit), maximum: Some(*limit) };
        rustix::process::setrlimit(*resource, limit)?;
    }
    plan.step.store(Step::User as u8, Relaxed);
    if let Some(user) = child.user {
        become_user(user)?;
    }
    // After the change of user, which clears this.
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    if rustix::process::getppid() != plan.launcher {
        return Err(Errno::SRCH);
    }
    plan.step.store(Step::Landlock as u8, Relaxed);
    if let Some(ruleset) = child.ruleset {
        landlock_restrict_self(ruleset)?;
    }
    plan.step.store(Step::Exec as u8, Relaxed);
    close_all_but_streams();
    unblock_signals();
    Err(exec(plan))
}

fn become_user(user: u32) -> Result<(), Errno> {
    rustix::thread::set_thread_groups(&[])?;
    let group = Gid::from_raw(user);
    rustix::thread::set_thread_res_gid(group, group, group)?;
    let user = Uid::from_raw(user);
    rustix::thread::set_thread_res_uid(user, user, user)
}

/// Confines the calling process, for good. The `landlock` crate builds rulesets, but its own call
/// allocates.
fn landlock_restrict_self(ruleset: BorrowedFd) -> Result<(), Errno> {
    // SAFETY: landlock_restrict_self(2) takes a descriptor and flags, and touches no memory of ours.
    let result = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0) };
    if result == 0 { Ok(()) } else { Err(last_errno()) }
}

/// The version of Landlock that the kernel has; 0 if it has none or it is switched off.
pub(super) fn landlock_version() -> u32 {
    const VERSION: libc::c_int = 1;
    let nothing: *const libc::c_void = ptr::null();
    // SAFETY: with this flag landlock_create_ruleset(2) reads no attributes and only answers a number.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, nothing, 0, VERSION) };
    u32::try_from(version).unwrap_or(0)
}

/// What a descriptor opened without close-on-exec would leak; there is none we know of, so an old kernel
/// without this call loses nothing.
fn close_all_but_streams() {
    // SAFETY: the child's table of descriptors is a copy. It holds `OwnedFd`s of the launcher's, but the
    // child never returns to where they would be used or dropped.
    let _ = unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, 0) };
}

fn exec(plan: &Plan) -> Errno {
    let (arguments, environment) = (plan.arguments.as_ptr(), plan.environment.as_ptr());
    // SAFETY: both arrays end with a null pointer, which `pointers` appended, and point to C strings that
    // `plan.child` borrows. `command` is never empty, or its first pointer is null and execve says so.
    let _ = unsafe { libc::execve(plan.arguments[0], arguments, environment) };
    last_errno()
}

/// The error of the libc call that just failed. `errno` is the launcher's own here, which is suspended
/// and reads it again only after a call of its own.
fn last_errno() -> Errno {
    Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(Errno::IO)
}

/// Gives back the memory of this program's code, all of it resident since the start. What is needed again is
/// read again, from the page cache and a few pages at a time.
pub(super) fn forget_code() {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    for (start, end) in maps.lines().filter_map(code_in) {
        let address = ptr::without_provenance_mut(start);
        // SAFETY: MADV_DONTNEED makes the next use of a private mapping read its file again, which loses
        // what was written there. To a mapping that is not writable nobody has written: the loader
        // relocates data, not code, and whoever patches code (a debugger) expects to meet files replaced.
        let _ = unsafe { rustix::mm::madvise(address, end - start, rustix::mm::Advice::LinuxDontNeed) };
    }
}

/// The range of a line of `/proc/self/maps`, if it maps the code of a file: `1f00-2f00 r-xp 0 8:1 77 /bin/x`.
fn code_in(line: &str) -> Option<(usize, usize)> {
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let is_code = fields.next()? == "r-xp" && fields.nth(3)?.starts_with('/');
    let parse = |number| usize::from_str_radix(number, 16).ok();
    is_code.then_some((parse(start)?, parse(end)?))
}

/// Gives every signal its default effect and then blocks all that can be blocked.
///
/// Rust starts with SIGPIPE ignored, and `nohup` and shells ignore others; a program would inherit that
/// through exec. With no handler anywhere the child has only the mask to undo.
pub(super) fn block_signals() {
    for signal in 1..=64 {
        // SAFETY: the default effect is no function of ours, so nothing can run at a bad moment. The
        // handlers replaced are the Rust runtime's, which only word the message of a stack overflow.
        let _ = unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    set_signal_mask(libc::sigfillset);
}

fn unblock_signals() {
    set_signal_mask(libc::sigemptyset);
}

fn set_signal_mask(fill: unsafe extern "C" fn(*mut libc::sigset_t) -> libc::c_int) {
    let signals = signal_set(fill);
    // SAFETY: `signals` is initialised, and the old mask is not asked for. signal-safety(7) lists
    // sigprocmask, so the child may call it too.
    let _ = unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const signals, ptr::null_mut()) };
}

fn signal_set(fill: unsafe extern "C" fn(*mut libc::sigset_t) -> libc::c_int) -> libc::sigset_t {
    let mut signals = MaybeUninit::uninit();
    // SAFETY: `fill` is sigemptyset or sigfillset, which write the whole set and cannot fail.
    let _ = unsafe { fill(signals.as_mut_ptr()) };
    // SAFETY: just written whole.
    unsafe { signals.assume_init() }
}

/// Sleeps until a child has ended, or for this long. [`block_signals`] must have been called: a blocked
/// signal is kept even where its effect is to be ignored.
pub(super) fn await_child(at_most: Duration) {
    let mut signals = signal_set(libc::sigemptyset);
    // SAFETY: an initialised set and a valid signal number.
    let _ = unsafe { libc::sigaddset(&raw mut signals, libc::SIGCHLD) };
    let nanoseconds = at_most.subsec_nanos().into();
    let time = libc::timespec { tv_sec: at_most.as_secs() as libc::time_t, tv_nsec: nanoseconds };
    // SAFETY: both structures live across the call, and null says that no details are wanted.
    let _ = unsafe { libc::sigtimedwait(&raw const signals, ptr::null_mut(), &raw const time) };
}

/// Kills every process that this one may signal, in one step that no fork slips through.
///
/// The caller must be fenced by Landlock so that it may signal its own descendants only; otherwise this
/// ends everything on the machine. Only [`Fence`](super::confine::Fence), which proved it, calls this.
pub(super) fn kill_all_within_fence() {
    // SAFETY: kill(2) touches no memory. What it may reach is argued above.
    let _ = unsafe { libc::kill(-1, libc::SIGKILL) };
}

/// One child that has ended.
pub(super) struct Reaped {
    /// Who it was.
    pub(super) pid: Pid,
    /// As wait(2) encodes it.
    pub(super) status: libc::c_int,
    /// Its CPU time and that of all children it waited for.
    pub(super) cpu: Duration,
    /// The peak of the largest process among it and all children it waited for.
    pub(super) peak_memory_bytes: u64,
}

/// What there was to reap.
pub(super) enum Reap {
    /// This one.
    One(Reaped),
    /// Children, but all of them alive.
    Later,
    /// No child at all.
    Nobody,
}

/// Reaps one child that has ended, without waiting for it.
pub(super) fn reap() -> Reap {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    let options = libc::WNOHANG | libc::__WALL;
    // SAFETY: both pointers are to memory of ours of the right type that lives across the call.
    let pid = unsafe { libc::wait4(-1, &raw mut status, options, usage.as_mut_ptr()) };
    // SAFETY: zeroes are a valid `rusage`, and the kernel writes only whole ones.
    let usage = unsafe { usage.assume_init() };
    match pid {
        -1 => Reap::Nobody,
        pid => match Pid::from_raw(pid) {
            None => Reap::Later,
            Some(pid) => {
                Reap::One(Reaped { pid, status, cpu: cpu_of(&usage), peak_memory_bytes: peak_of(&usage) })
            }
        },
    }
}

/// User and system time together: the split between them is only sampled, the sum is exact.
fn cpu_of(usage: &libc::rusage) -> Duration {
    let duration = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
    };
    duration(usage.ru_utime) + duration(usage.ru_stime)
}

/// `ru_maxrss` counts KiB on Linux. Source: getrusage(2).
fn peak_of(usage: &libc::rusage) -> u64 {
    usage.ru_maxrss as u64 * 1024
}

/// CPU time of a live process, all its threads together, without its children. `None` once it is reaped.
pub(super) fn cpu_time(pid: i32) -> Option<Duration> {
    let mut clock = 0;
    // SAFETY: `clock` is ours to be written.
    let found = unsafe { libc::clock_getcpuclockid(pid, &raw mut clock) };
    if found != 0 {
        return None;
    }
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is ours to be written; a clock whose process is gone is refused, not undefined.
    let read = unsafe { libc::clock_gettime(clock, &raw mut time) };
    (read == 0).then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_what_a_file_maps_as_executable_and_not_writable() {
        let line = |access, path| format!("1000-3f00 {access} 00001000 fe:00 1234   {path}");
        assert_eq!(code_in(&line("r-xp", "/usr/bin/x y")), Some((0x1000, 0x3f00)));
        assert_eq!(code_in(&line("rwxp", "/usr/bin/x")), None);
        assert_eq!(code_in(&line("r--p", "/usr/bin/x")), None);
        assert_eq!(code_in(&line("r-xp", "[vdso]")), None);
        assert_eq!(code_in(&line("r-xp", "")), None);
    }
}
