//! Signals of the launcher and of what it starts.

use std::mem::MaybeUninit;
use std::ptr;
use std::time::Duration;

use rustix::process::Pid;
use rustix::process::Signal;

use crate::sys::syscall;

/// Gives every signal its default effect and then blocks all that can be blocked.
///
/// Rust starts with SIGPIPE ignored, and `nohup` and shells ignore others; a program would inherit that
/// through exec. With no handler anywhere the child has only the mask to undo.
pub(crate) fn block_signals() {
    for signal in 1..=64 {
        // SAFETY: the default effect is no function of ours, so nothing can run at a bad moment. The
        // handlers replaced are the Rust runtime's, which only word the message of a stack overflow.
        let _ = unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    block_all_signals();
}

/// Blocks all signals that can be blocked.
pub(crate) fn block_all_signals() {
    set_signal_mask(libc::sigfillset);
}

/// Blocks no signal, and has children that end wait to be reaped: for a process whose parent blocked and ignored what it
/// liked. The calling process must have one thread.
pub(crate) fn unblock_signals_and_wait_for_children() {
    // SAFETY: the default effect is no function of ours, so nothing can run at a bad moment.
    let _ = unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
    unblock_signals();
}

pub(super) fn unblock_signals() {
    set_signal_mask(libc::sigemptyset);
}

fn set_signal_mask(fill: unsafe extern "C" fn(*mut libc::sigset_t) -> libc::c_int) {
    let signals = signal_set(fill);
    // SAFETY: `signals` is initialised, and the old mask is not asked for. signal-safety(7) lists
    // sigprocmask, so the child may call it too; with these arguments it cannot fail and so leaves `errno` alone.
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
pub(crate) fn await_child(at_most: Duration) {
    let mut signals = signal_set(libc::sigemptyset);
    // SAFETY: an initialised set and a valid signal number.
    let _ = unsafe { libc::sigaddset(&raw mut signals, libc::SIGCHLD) };
    let nanoseconds = at_most.subsec_nanos().into();
    let time = libc::timespec { tv_sec: at_most.as_secs() as libc::time_t, tv_nsec: nanoseconds };
    // SAFETY: both structures live across the call, and null says that no details are wanted.
    let _ = unsafe { libc::sigtimedwait(&raw const signals, ptr::null_mut(), &raw const time) };
}

/// Sleeps until one of these signals has come, which must be blocked. For an init, on the launcher's memory.
pub(super) fn await_signals(wanted: &[Signal]) {
    let set = wanted.iter().fold(0_u64, |set, signal| set | 1 << (signal.as_raw() - 1));
    let at = (&raw const set).expose_provenance();
    // SAFETY: rt_sigtimedwait(2) reads a set of 8 bytes at an address that is ours; null says that neither details nor
    // an end are wanted.
    let _ = unsafe { syscall::call(libc::SYS_rt_sigtimedwait, [at, 0, 0, size_of::<u64>(), 0]) };
}

/// Kills every process that this one may signal, in one step that no fork slips through: fork(2) fails in a process
/// with a signal pending.
///
/// The caller must be fenced by Landlock so that it may signal its own descendants only; otherwise this
/// ends everything on the machine. Only a `SignalScope` of `confine/landlock.rs`, which proved it, calls this.
pub(crate) fn kill_all_in_signal_scope() {
    kill_all_in_reach();
}

/// The same for the init of a pid namespace, which can reach nobody outside of it. Refuses to do anything in a process
/// that is not process 1 of its namespace.
pub(super) fn kill_all_of_namespace() {
    if rustix::process::getpid() == Pid::INIT {
        kill_all_in_reach();
    }
}

fn kill_all_in_reach() {
    let everybody = -1_isize as usize;
    let signal = Signal::KILL.as_raw() as usize;
    // SAFETY: kill(2) touches no memory. Whom it may reach is the callers' argument.
    let _ = unsafe { syscall::call(libc::SYS_kill, [everybody, signal, 0, 0, 0]) };
}
