//! The kernel's control files of control groups: their names in both versions, and how to read and
//! write them. Knows files and text; knows nothing of what the figures mean.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsFd;
use std::path::Path;

use crate::path_error::path_error;

/// The file names that differ between the versions.
pub(super) struct ControlFileNames {
    /// A process that writes `0` there joins the group. In version 1 a thread can move only itself,
    /// which avoids a wait of milliseconds until all processors have been notified.
    pub(super) members: &'static str,
    pub(super) now: &'static str,
    pub(super) peak: &'static str,
    pub(super) limit: &'static str,
    pub(super) limit_with_swap: &'static str,
    pub(super) events: &'static str,
}

/// The names in version 1.
pub(super) const V1: ControlFileNames = ControlFileNames {
    members: "tasks",
    now: "memory.usage_in_bytes",
    peak: "memory.max_usage_in_bytes",
    limit: "memory.limit_in_bytes",
    limit_with_swap: "memory.memsw.limit_in_bytes",
    events: "memory.oom_control",
};

/// The names in version 2.
pub(super) const V2: ControlFileNames = ControlFileNames {
    members: "cgroup.procs",
    now: "memory.current",
    peak: "memory.peak",
    limit: "memory.max",
    limit_with_swap: "memory.swap.max",
    events: "memory.events",
};

/// Buffer size for a number, or for a few lines.
pub(super) const SHORT: usize = 512;

/// Buffer size for all memory statistics.
pub(super) const LONG: usize = 8192;

/// Opens a group's file for reading, unless it is only for joining, and for writing if
/// `is_written`.
///
/// # Errors
/// Returns an error with the file's path.
pub(super) fn open(folder: &Path, name: &str, is_written: bool) -> io::Result<File> {
    let path = folder.join(name);
    let is_joined = name == V1.members || name == V2.members;
    let file = OpenOptions::new()
        .read(!is_joined)
        .write(is_written || is_joined)
        .open(&path);
    match file {
        // Before Linux 6.12 the peak of version 2 can only be read, and before 5.19 there is none.
        Err(_) if name == V2.peak => File::open(&path).or_else(|_| File::open(folder.join(V2.now))),
        file => file,
    }
    .map_err(|error| path_error(&path, error))
}

/// Reads a file from its start, at which the kernel generates its content again.
pub(super) fn read<const BYTES: usize>(file: &File) -> String {
    let mut buffer = [0; BYTES];
    let got = rustix::io::pread(file.as_fd(), &mut buffer, 0).unwrap_or(0);
    String::from_utf8_lossy(&buffer[..got]).into_owned()
}

/// Writes a value.
pub(super) fn write(file: &File, text: &str) -> io::Result<()> {
    Ok(rustix::io::pwrite(file, text.as_bytes(), 0).map(drop)?)
}

/// The number that is a file's whole content.
pub(super) fn number(file: &File) -> u64 {
    read::<SHORT>(file).trim().parse().unwrap_or(0)
}

/// The number after a name, in a text whose lines are a name and a number each.
pub(super) fn field(text: &str, name: &str) -> u64 {
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines
        .filter(|(found, _)| *found == name)
        .find_map(|(_, number)| number.trim().parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_the_number_after_its_whole_name() {
        let stat = "cache 4096\nrss 8\nshmem 12\ntotal_cache 99\n";
        assert_eq!(field(stat, "cache"), 4096);
        assert_eq!(field(stat, "shmem"), 12);
        assert_eq!(field(stat, "swap"), 0);
        assert_eq!(
            field("oom_kill_disable 0\nunder_oom 0\noom_kill 3\n", "oom_kill"),
            3
        );
    }
}
