//! Reads facts about this machine: those that decide how well programs can be isolated, and those
//! that make timing noisy. Starts no process, changes nothing, and knows nothing of judging. Each
//! parse is a function of text, so that tests need no second machine. Start at [`facts()`] and
//! [`noise_sources`].

pub(crate) mod cgroup;
mod facts;
mod noise;
pub(crate) mod proc_stat;
pub(crate) mod process_tree;
pub(crate) mod processors;
pub(crate) mod run_look;

pub use facts::{MachineFact, facts};
pub use noise::{NoiseSource, noise_sources};
pub use processors::{host_name, physical_cores, processor_model, processors, summary};
