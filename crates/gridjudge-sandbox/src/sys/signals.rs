//! Blocks, awaits and sends signals, in the launcher and in the processes that it
//! starts.

use std::mem::MaybeUninit;
use std::ptr;
use std::time::Duration;

use rustix::process::{Pid, Signal};

use crate::sys::syscall;

/// Gives every signal its default effect and then blocks all that can be blocked.
///
/// Rust starts with SIGPIPE ignored, and `nohup` and shells ignore other signals; a
/// program would inherit that through exec. With no handlers left, the child has only
/// to reset the mask.
pub(crate) fn block_signals() {
    for signal in 1..=64 {
        // SAFETY: the default effect is no function of ours, so no handler can run at a
        // bad moment. The handlers replaced are the Rust runtime's, which only print
        // the message of a stack overflow.
        let _ = unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    block_all_signals();
}

/// Blocks every signal that can be blocked.
pub(crate) fn block_all_signals() {
    set_signal_mask(libc::sigfillset);
}

/// Unblocks all signals, and resets SIGCHLD so that ended children wait to be reaped:
/// for a process whose parent may have blocked or ignored signals. The calling process
/// must have one thread.
pub(crate) fn unblock_signals_and_wait_for_children() {
    // SAFETY: the default effect is no function of ours, so no handler can run at a bad
    // moment.
    let _ = unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
    unblock_signals();
}

pub(super) fn unblock_signals() {
    set_signal_mask(libc::sigemptyset);
}

fn set_signal_mask(fill: unsafe extern "C" fn(*mut libc::sigset_t) -> libc::c_int) {
    let mut signals = MaybeUninit::uninit();
    // SAFETY: `fill` is sigemptyset or sigfillset, which write the whole set and cannot
    // fail.
    let _ = unsafe { fill(signals.as_mut_ptr()) };
    // SAFETY: `signals` is initialised by `fill`, and the old mask is not asked for.
    // signal-safety(7) lists sigprocmask, so the child may call it too; with these
    // arguments it cannot fail and so leaves `errno` alone.
    let _ = unsafe {
        libc::sigprocmask(libc::SIG_SETMASK, signals.as_ptr(), ptr::null_mut())
    };
}

/// Sleeps until a child has ended, or for this long.
pub(crate) fn await_child(at_most: Duration) {
    await_signals(&[Signal::CHILD], Some(at_most));
}

/// Sleeps until one of these signals has arrived, at most this long. They must be
/// blocked, as by [`block_signals`]: a blocked signal stays pending even if its default
/// effect is to be ignored. Also called by init, which runs on the launcher's memory.
pub(super) fn await_signals(wanted: &[Signal], at_most: Option<Duration>) {
    let set = wanted
        .iter()
        .fold(0_u64, |set, signal| set | 1 << (signal.as_raw() - 1));
    let time = at_most.map(|at_most| libc::timespec {
        tv_sec: at_most.as_secs() as libc::time_t,
        tv_nsec: at_most.subsec_nanos().into(),
    });
    let set_at = (&raw const set).expose_provenance();
    let time_at = time.as_ref().map_or(ptr::null(), ptr::from_ref);
    let arguments = [set_at, 0, time_at.expose_provenance(), size_of::<u64>(), 0];
    // SAFETY: rt_sigtimedwait(2) reads a set of 8 bytes and a time at addresses that are
    // ours; null means that no details, or no timeout, are wanted.
    let _ = unsafe { syscall::call(libc::SYS_rt_sigtimedwait, arguments) };
}

/// Kills every process that this one may signal, in one step that no fork can escape:
/// fork(2) fails in a process with a signal pending.
///
/// The caller must be restricted by Landlock to signalling its own descendants;
/// otherwise this kills every process on the machine that the user may signal. Only
/// `SignalScope` in `confine/landlock.rs` calls this, after it has verified the
/// restriction.
pub(crate) fn kill_all_in_signal_scope() {
    kill_all_in_reach();
}

/// Does the same for the init of a pid namespace, which can reach no process outside of
/// it. Does nothing in a process that is not process 1 of its namespace.
pub(super) fn kill_all_of_namespace() {
    if rustix::process::getpid() == Pid::INIT {
        kill_all_in_reach();
    }
}

fn kill_all_in_reach() {
    let all_processes = -1_isize as usize;
    let signal = Signal::KILL.as_raw() as usize;
    // SAFETY: kill(2) touches no memory. The callers argue which processes it may
    // reach.
    let _ =
        unsafe { syscall::call(libc::SYS_kill, [all_processes, signal, 0, 0, 0]) };
}
