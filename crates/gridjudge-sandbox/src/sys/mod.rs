//! The system calls that neither the standard library nor `rustix` offers safely, each behind a safe
//! function. Knows processes and descriptors; knows nothing of launches, limits or figures. Start at [`spawn`]
//! and [`Chamber`].
//!
//! Everything here is called by the launcher, which has one thread, or by the judge while it has.
#![allow(unsafe_code, reason = "the one module of this program that may")]

mod bare;
mod chamber;
mod kernel;
mod landlock;
mod memory;
mod own_processes;
mod pass;
mod reap;
mod signals;
mod stack;
mod start;

pub(super) use chamber::Chamber;
pub(super) use chamber::Orphans;
pub(super) use chamber::has_ended;
pub(super) use kernel::enter_new_namespaces;
pub(super) use kernel::go_on_in_a_child;
pub(super) use kernel::install_filter;
pub(super) use kernel::landlock_version;
pub(super) use kernel::mount_attribute;
pub(super) use kernel::schedule_as_usual;
pub(super) use kernel::set_mount;
pub(super) use memory::forget_code;
pub(super) use memory::page_bytes;
pub(super) use pass::change_mode;
pub(super) use pass::change_times;
pub(super) use pass::pass;
pub(super) use reap::Reap;
pub(super) use reap::Reaped;
pub(super) use reap::cpu_time;
pub(super) use reap::reap;
pub(super) use reap::reap_other_than;
pub(super) use reap::tick;
pub(super) use signals::await_child;
pub(super) use signals::block_signals;
pub(super) use signals::hear_signals;
pub(super) use signals::hold_signals;
pub(super) use signals::kill_all_within_fence;
pub(super) use stack::Stack;
pub(super) use start::Child;
pub(super) use start::Failure;
pub(super) use start::Step;
pub(super) use start::spawn;
