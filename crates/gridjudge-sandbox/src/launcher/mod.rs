//! The launcher's side of the sandbox: a small separate process that carries out one
//! run after another. Knows the judge by the protocol only. Start at
//! [`serve::become_launcher_if_asked`].

mod assignment;
mod basic_isolation;
mod exec_error;
mod exec_request;
mod namespace_isolation;
mod pid_namespaces;
mod process_memory;
mod run_watch;
pub(super) mod serve;
mod usage_meter;
