//! Reads facts about this machine: those that decide how well programs can be isolated,
//! and those that make timing noisy. Starts no process, changes nothing, and knows
//! nothing of judging. Each parse is a function of text, so that tests need no second
//! machine. Start at [`facts()`] and [`noise_sources`].

pub(crate) mod cgroup;
pub(crate) mod facts;
mod noise;
pub(crate) mod process_tree;
pub(crate) mod processors;
pub(crate) mod run_look;

use std::io;
use std::path::Path;

pub use facts::{MachineFact, facts};
pub use noise::{NoiseSource, noise_sources};
pub use processors::{
    host_name, physical_cores, processor_model, processor_summary, processors,
};

// The free space of a disk, and when it counts as full. Knows nothing of what is
// written there.

/// The free space of a disk for ordinary users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskSpace {
    /// How many bytes can be written.
    pub bytes: u64,
    /// How many files can be made.
    pub files: u64,
}

/// With less than this, whatever a program writes may be incomplete.
const NOTHING: DiskSpace = DiskSpace {
    bytes: 1 << 20,
    files: 16,
};

impl DiskSpace {
    /// The free space of the disk of a folder.
    ///
    /// # Errors
    /// Fails if the folder does not exist.
    pub fn measure(folder: &Path) -> io::Result<Self> {
        let disk = rustix::fs::statvfs(folder)?;
        // A total of zero means that there is no limit: as on a `tmpfs` with `size=0`,
        // and on file systems that create inodes on demand.
        let left = |total, left| if total == 0 { u64::MAX } else { left };
        let bytes = left(disk.f_blocks, disk.f_bavail.saturating_mul(disk.f_frsize));
        Ok(Self {
            bytes,
            files: left(disk.f_files, disk.f_favail),
        })
    }

    /// Whether there is less of either.
    pub fn is_less_than(self, other: Self) -> bool {
        self.bytes < other.bytes || self.files < other.files
    }

    /// Whether the disk is full, or so nearly that writing may fail.
    pub fn is_full(self) -> bool {
        self.is_less_than(NOTHING)
    }
}
