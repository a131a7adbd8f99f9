//! The judge's side of the sandbox: starts launchers, gives them runs and reads what they report. Knows them by the protocol only.

pub(crate) mod launcher_handle;
pub(crate) mod launcher_pool;
pub(crate) mod linux_sandbox;
pub(crate) mod output_permissions;
pub(crate) mod private_folder;
pub(crate) mod std_streams;
pub(crate) mod tool_query;
