//! The judge's side of the sandbox: starts launchers, gives them runs and reads their reports.
//! Knows them by the protocol only. Start at [`linux_sandbox::LinuxSandbox`].

mod given_files;
mod last_words;
mod launcher_config;
mod launcher_handle;
mod launcher_pool;
pub(super) mod linux_sandbox;
mod memory_file;
mod output_permissions;
mod pair_outcome;
mod pair_run;
mod pair_slots;
mod pair_start;
mod private_folder;
mod relay;
mod run_of_report;
mod seat;
mod stall_watch;
mod std_streams;
mod survivors;
pub(super) mod tool_query;
mod wires;
