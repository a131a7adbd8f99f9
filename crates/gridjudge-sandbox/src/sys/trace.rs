//! Follows a child until it is about to exit, by ptrace(2), so that its memory can
//! still be looked at then. The filter refuses this call to runs; the launcher's
//! carries its token.

use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions};

use crate::sys::syscall::{self, launcher_token};

/// Follows this child from now on. It runs on, and stops only when a signal arrives or
/// it is about to exit.
///
/// # Errors
/// Returns an error if this process may not, or the child has ended.
pub(crate) fn trace(child: Pid) -> Result<(), Errno> {
    request(libc::PTRACE_SEIZE, child, libc::PTRACE_O_TRACEEXIT as usize)
}

/// Makes the calling child stop as soon as it has exec'd, until its parent calls
/// [`trace_stopped`].
pub(super) fn stop_after_exec() -> Result<(), Errno> {
    // The kernel ignores the process.
    request(libc::PTRACE_TRACEME, rustix::process::getpid(), 0)
}

/// Follows a child that stops once it has exec'd from there on, and lets it run on.
///
/// # Errors
/// As for [`trace`].
pub(crate) fn trace_stopped(child: Pid) -> Result<(), Errno> {
    let options =
        WaitIdOptions::STOPPED | WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    rustix::process::waitid(WaitId::Pid(child), options)?;
    // Its own request does not let us tell its stops apart as `next_stop` does, so it
    // is released and followed anew. It runs unseen between these two calls.
    request(libc::PTRACE_DETACH, child, 0)?;
    trace(child)
}

/// Lets a traced child that has stopped run on, untraced if this is the last time.
/// Returns whether it is about to exit: then it stays stopped until [`resume`]. `None`
/// if it has not stopped.
pub(crate) fn next_stop(child: Pid, is_last: bool) -> Option<bool> {
    const STOP_SIGNALS: [i32; 4] =
        [libc::SIGSTOP, libc::SIGTSTP, libc::SIGTTIN, libc::SIGTTOU];
    let options = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG;
    let found = rustix::process::waitid(WaitId::Pid(child), options).ok()??;
    // A stop of a traced process is always a trap.
    let status = found.trapping_signal()?;
    let signal = status & 0xff;
    let event = status >> 8;
    let go_on = if is_last {
        libc::PTRACE_DETACH
    } else {
        libc::PTRACE_CONT
    };
    // It may have been killed meanwhile, and is then gone.
    let _ = match event {
        libc::PTRACE_EVENT_EXIT => return Some(true),
        libc::PTRACE_EVENT_STOP if STOP_SIGNALS.contains(&signal) => {
            request(libc::PTRACE_LISTEN, child, 0)
        }
        0 => request(go_on, child, signal as usize),
        _ => request(go_on, child, 0),
    };
    Some(false)
}

/// Lets a traced child that is about to exit do so.
pub(crate) fn resume(child: Pid) {
    let _ = request(libc::PTRACE_CONT, child, 0);
}

fn request(what: libc::c_uint, child: Pid, data: usize) -> Result<(), Errno> {
    let child = child.as_raw_pid() as usize;
    // SAFETY: none of the requests that are made here reads or writes memory of ours:
    // `data` is a number. The call has four arguments and reads no more.
    unsafe {
        syscall::call(
            libc::SYS_ptrace,
            [what as usize, child, 0, data, launcher_token() as usize],
        )
    }
    .map(drop)
}
