//! Reaps children that have ended, and reads the CPU clocks of live processes.

use std::mem::MaybeUninit;
use std::ptr;
use std::time::Duration;

use rustix::io::{Errno, retry_on_intr};
use rustix::process::Pid;

use crate::sys::syscall;

/// One child that has ended.
pub(crate) struct ReapedChild {
    /// Its process id.
    pub(crate) pid: Pid,
    /// The exit status as wait(2) encodes it.
    pub(crate) status: libc::c_int,
    /// Its CPU time and that of all children it waited for.
    pub(crate) cpu: Duration,
    /// The peak of the largest process among it and all children it waited for.
    pub(crate) peak_memory_bytes: u64,
}

/// Every child, for wait4(2).
const ANY_CHILD: usize = -1_isize as usize;

/// Reaps one child that has ended, without waiting for it: `None` if all of them live.
///
/// # Errors
/// Returns an error if there are no children.
pub(crate) fn reap() -> Result<Option<ReapedChild>, Errno> {
    wait_for(ANY_CHILD, libc::WNOHANG | libc::__WALL)
}

/// Reaps one child that has ended, unless it is this one.
pub(crate) fn reap_other_than(child: Pid) -> Option<ReapedChild> {
    let other = ended().filter(|other| *other != child)?;
    wait_for(other.as_raw_pid() as usize, libc::WNOHANG | libc::__WALL).ok()?
}

/// Finds a child that has ended, without reaping it.
fn ended() -> Option<Pid> {
    let mut found = MaybeUninit::<libc::siginfo_t>::zeroed();
    let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT | libc::__WALL;
    // SAFETY: waitid(2) writes a whole structure of ours, which lives across the call.
    let result = unsafe { libc::waitid(libc::P_ALL, 0, found.as_mut_ptr(), options) };
    // SAFETY: zeroes are a valid structure, and the kernel writes only whole ones.
    let found = unsafe { found.assume_init() };
    // SAFETY: the structure contains the process id of an ended child, or zero if there
    // is none.
    let pid = unsafe { found.si_pid() };
    Pid::from_raw(pid).filter(|_| result == 0)
}

/// Waits for the next child to end. Called by init, which runs on the launcher's
/// memory.
pub(super) fn await_one() -> Result<Option<ReapedChild>, Errno> {
    wait_for(ANY_CHILD, libc::__WALL)
}

fn wait_for(
    which: usize,
    options: libc::c_int,
) -> Result<Option<ReapedChild>, Errno> {
    let mut status: libc::c_int = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    let status_at = (&raw mut status).addr();
    let usage_at = usage.as_mut_ptr().expose_provenance();
    (&raw mut status).expose_provenance();
    let arguments = [which, status_at, options as usize, usage_at, 0];
    // SAFETY: both addresses are of memory of ours of the right type that lives across
    // the call, and their provenance is exposed.
    let pid = retry_on_intr(|| unsafe { syscall::call(libc::SYS_wait4, arguments) })?;
    // SAFETY: `status` is ours; the kernel may have written to it by its exposed
    // address.
    let status = unsafe { ptr::read_volatile(&raw const status) };
    // SAFETY: zeroes are a valid `rusage`, and the kernel writes only whole ones.
    let usage = unsafe { usage.assume_init() };
    Ok(Pid::from_raw(pid as i32).map(|pid| ReapedChild {
        pid,
        status,
        cpu: cpu_of(&usage),
        // `ru_maxrss` counts KiB on Linux. Source: getrusage(2).
        peak_memory_bytes: usage.ru_maxrss as u64 * 1024,
    }))
}

/// User and system time together: the split between them is only sampled, the sum is
/// exact.
fn cpu_of(usage: &libc::rusage) -> Duration {
    let duration = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec as u64)
            + Duration::from_micros(time.tv_usec as u64)
    };
    duration(usage.ru_utime) + duration(usage.ru_stime)
}

/// CPU time of a live process, all its threads together, without its children. `None`
/// once it is reaped.
pub(crate) fn cpu_time(pid: i32) -> Option<Duration> {
    let mut clock = 0;
    // SAFETY: `clock` is ours and may be written.
    let found = unsafe { libc::clock_getcpuclockid(pid, &raw mut clock) };
    if found != 0 {
        return None;
    }
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is ours and may be written; a clock whose process is gone gives an
    // error, not undefined behaviour.
    let read = unsafe { libc::clock_gettime(clock, &raw mut time) };
    (read == 0).then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

/// The unit of times in `/proc`. Source: proc_pid_stat(5).
pub(crate) fn tick() -> Duration {
    // SAFETY: sysconf(3) takes a number and touches no memory of ours.
    let ticks = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    Duration::from_secs(1)
        / u32::try_from(ticks)
            .ok()
            .filter(|ticks| *ticks > 0)
            .unwrap_or(100)
}
