//! The judge's side of the sandbox: starts launchers, gives them runs and reads their
//! reports. Knows them by the protocol only. Start at [`linux_sandbox::LinuxSandbox`].

mod launcher_config;
mod launcher_handle;
mod launcher_pool;
pub(super) mod linux_sandbox;
mod output_permissions;
mod pair_attempt;
mod pair_run;
mod relay;
mod seat;
mod stall_watch;
mod std_streams;
pub(super) mod tool_query;
