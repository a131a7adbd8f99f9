//! The launcher's side of the sandbox: carries out one run after another. Knows the judge by the protocol only.

pub(crate) mod basic_isolation;
pub(crate) mod exec_error;
pub(crate) mod exec_request;
pub(crate) mod least_memory;
pub(crate) mod namespace_isolation;
pub(crate) mod pid_namespaces;
pub(crate) mod run_watch;
pub(crate) mod serve;
pub(crate) mod starvation;
pub(crate) mod usage_meter;
