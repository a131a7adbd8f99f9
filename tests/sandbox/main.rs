//! Tests the sandbox with real processes at every level that is available on this
//! machine. The processes perform actions of `actions.c`. Run the tests as root and as
//! an ordinary user, because different levels are available to them.

mod cleanup;
mod confinement;
mod fixture;
mod idle_time;
mod interaction;
mod limits;
mod memory;
#[path = "../judge/processes.rs"]
mod processes;
mod run_environment;
mod scratch_files;
mod tools;
