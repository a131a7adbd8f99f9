//! The system calls that neither the standard library nor `rustix` offers safely, each
//! behind a safe function. Knows processes and descriptors; knows nothing of launches,
//! limits or figures. Start at [`spawn()`] and [`PidNamespace`].
//!
//! Everything here is called by the launcher, which has one thread, or by the judge
//! while it has only one.

#![allow(
    unsafe_code,
    reason = "the one module of this program that may use unsafe code"
)]

mod kernel;
mod pid_namespace;
mod reap;
mod signals;
mod spawn;
mod syscall;
mod trace;

pub(super) use kernel::{
    continue_in_child, enter_new_namespaces, fix_addresses, install_filter,
    landlock_version, reset_scheduler, set_mount,
};
pub(super) use pid_namespace::{
    OrphanUsage, PidNamespace, await_exit, await_readable, poll,
};
pub(super) use reap::{ReapedChild, cpu_time, reap, reap_other_than, tick};
pub(super) use signals::{
    await_child, block_all_signals, block_signals, kill_all_in_signal_scope,
    unblock_signals_and_wait_for_children,
};
pub(super) use spawn::{ChildSpec, StartFailure, StartStep, StartedChild, spawn};
pub(super) use syscall::{
    ChildStack, change_mode, change_times, forget_code, launcher_token, page_bytes,
};
pub(super) use trace::{next_stop, resume, trace, trace_stopped};
