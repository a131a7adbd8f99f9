//! Reads facts about this machine: those that decide how well programs can be isolated,
//! and those that make timing noisy. Starts no process, changes nothing, and knows
//! nothing of judging. Each parse is a function of text, so that tests need no second
//! machine. Start at [`facts()`] and
//! [`noise_sources`].

pub(crate) mod cgroup;
mod facts;
mod noise;
pub(crate) mod proc_stat;
pub(crate) mod process_tree;
pub(crate) mod processors;
pub(crate) mod run_look;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

pub use facts::{MachineFact, facts};
pub use noise::{NoiseSource, noise_sources};
pub use processors::{
    host_name, physical_cores, processor_model, processor_summary, processors,
};

/// Reads a file of `/proc`. The kernel does not say how large it is, so the standard
/// library would ask in vain and begin with 32 bytes: up to ten system calls, where
/// this takes four.
pub(crate) fn read_proc(path: impl AsRef<Path>) -> io::Result<String> {
    let mut text = String::with_capacity(4096);
    // What is taken from a file has no size to ask for.
    File::open(path)?.take(u64::MAX).read_to_string(&mut text)?;
    Ok(text)
}
