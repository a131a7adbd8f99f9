//! The system calls that neither the standard library nor `rustix` offers safely, each behind a safe
//! function. Knows processes and descriptors; knows nothing of launches, limits or figures. Start at
//! [`spawn()`] and [`PidNamespace`].
//!
//! Everything here is called by the launcher, which has one thread, or by the judge while it has only one.
#![allow(unsafe_code, reason = "the one module of this program that may use unsafe code")]

mod child_stack;
mod kernel;
mod landlock;
mod launcher_token;
mod memory;
mod pid_namespace;
mod proc_mount;
mod reap;
mod signals;
mod spawn;
mod syscall;
mod trace;

pub(super) use child_stack::ChildStack;
pub(super) use kernel::continue_in_child;
pub(super) use kernel::enter_new_namespaces;
pub(super) use kernel::fix_addresses;
pub(super) use kernel::install_filter;
pub(super) use kernel::landlock_version;
pub(super) use kernel::mount_attribute;
pub(super) use kernel::reset_scheduler;
pub(super) use kernel::set_mount;
pub(super) use launcher_token::change_mode;
pub(super) use launcher_token::change_times;
pub(super) use launcher_token::launcher_token;
pub(super) use memory::forget_code;
pub(super) use memory::page_bytes;
pub(super) use pid_namespace::OrphanUsage;
pub(super) use pid_namespace::PidNamespace;
pub(super) use pid_namespace::has_ended;
pub(super) use reap::ReapResult;
pub(super) use reap::ReapedChild;
pub(super) use reap::cpu_time;
pub(super) use reap::reap;
pub(super) use reap::reap_other_than;
pub(super) use reap::tick;
pub(super) use signals::await_child;
pub(super) use signals::block_all_signals;
pub(super) use signals::block_signals;
pub(super) use signals::kill_all_in_signal_scope;
pub(super) use signals::unblock_signals_and_wait_for_children;
pub(super) use spawn::ChildSpec;
pub(super) use spawn::StartFailure;
pub(super) use spawn::StartStep;
pub(super) use spawn::spawn;
pub(super) use trace::next_stop;
pub(super) use trace::resume;
pub(super) use trace::trace;
