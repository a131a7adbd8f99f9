//! The judge's side of the sandbox: starts launchers, gives them runs and reads what they report. Knows them by the protocol
//! only. Start at [`linux_sandbox::LinuxSandbox`].

mod launcher_config;
mod launcher_handle;
mod launcher_pool;
pub(super) mod linux_sandbox;
mod output_permissions;
mod private_folder;
mod std_streams;
pub(super) mod tool_query;
