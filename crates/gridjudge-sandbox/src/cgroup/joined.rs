//! The control group of one slot: it counts the CPU time and memory of everything in
//! it, however a run forks, and limits memory and processes. Knows control files; knows
//! nothing of how runs are made. Start at [`Cgroup::join`].
//!
//! The launcher itself is in the group and its runs are born there, since moving a
//! process between groups can cost milliseconds. The memory that the group has before a
//! run is the launcher's, and is subtracted.

use std::fs::{File, OpenOptions};
use std::os::fd::AsFd;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{io, thread};

use crate::cgroup::memory_peak::MemoryReading;
use crate::cgroup::{BETWEEN_LOOKS, CgroupPath};
use crate::run::error_at;
use crate::{Fault, sys};

/// Slack of the group's limit, for the kernel's own memory for a run's processes, and
/// for the batches in which it counts.
const SLACK_BYTES: u64 = 8 << 20;

/// The error of counting in batches: 64 pages for each of a few processors.
const BATCHES_BYTES: u64 = 1 << 20;

/// How many pages the kernel may have counted without giving them to a process: a batch
/// of 64 less one, on the processor where a run is and on the one where it was before.
/// These are not the run's memory.
const REMAINDER_PAGES: u64 = 2 * 63;

/// How much too large or too small a group's peak may be on two processors.
pub(crate) fn error_bytes() -> u64 {
    REMAINDER_PAGES * sys::page_bytes()
}

/// How much too small a group's peak may be: dead processes may still have held a batch
/// of pages, and as much again that earlier ones left, when the run began; a run's own
/// pages that take the place of theirs do not seem to be new.
pub(crate) fn most_missing_bytes() -> u64 {
    error_bytes() + 2 * BATCHES_BYTES
}

/// How long to wait until the memory of dead processes is freed. What is left after
/// that is considered permanent.
const DYING_TIMEOUT: Duration = Duration::from_secs(2);

/// The statistics of the kernel's own memory in version 2; since Linux 5.18 there is
/// also their sum.
const KERNEL: [&str; 5] = ["slab", "kernel_stack", "pagetables", "percpu", "sock"];

/// A joined group.
pub(crate) struct Cgroup {
    is_v2: bool,
    cpu: File,
    now: File,
    peak: File,
    /// Whether the peak of a run is known exactly, and not only from samples, because
    /// it can be reset between runs: always in version 1, since Linux 6.12 in version
    /// 2.
    pub(crate) has_exact_peak: bool,
    limit: File,
    limit_with_swap: Option<File>,
    processes: File,
    processes_now: File,
    stat: File,
    /// The kernel's own memory in version 1; version 2 has it among the statistics.
    kernel: Option<File>,
    events: File,
    /// How often the group was at its limits in version 1, without swap and with it;
    /// version 2 has it among the events.
    failures: Vec<File>,
    limits: Option<(u64, u64)>,
    before: UsageBeforeRun,
    /// The least memory that the group has had before any run.
    floor_bytes: u64,
    /// The memory of the group when no dead process held any of it.
    clear_bytes: u64,
    /// The least memory that processes have held before any run: the launcher's part.
    held_bytes: u64,
    /// How long to wait for the memory of dead processes.
    dying_timeout: Duration,
}

/// The fault that a process was killed for memory that its own limit allows.
pub(crate) fn killed_below_limit() -> Fault {
    Fault::because(
        "running a program",
        "the kernel killed a process for memory, below the program's own limit",
    )
    .with_remedy(
        "give the judge's container more memory, or run fewer at a time: `-j`",
    )
}

/// The group's counters when the run began.
#[derive(Default)]
struct UsageBeforeRun {
    cpu: Duration,
    processes: u64,
    memory_bytes: u64,
    cache_bytes: u64,
    /// All memory when `cache_bytes` was found.
    with_cache_bytes: u64,
    kills: u64,
    failures: u64,
}

impl Cgroup {
    /// Moves this process, which has one thread, into an existing group.
    ///
    /// # Errors
    /// Returns an error that names the file that could not be opened or written.
    pub(crate) fn join(place: &CgroupPath) -> io::Result<Self> {
        let CgroupPath { memory, pids, .. } = place;
        let names = if place.is_v2 { &V2 } else { &V1 };
        for folder in place.folders() {
            write_group_file(&open_group_file(folder, names.members, false)?, "0")
                .map_err(error_at(folder))?;
        }
        let peak = open_group_file(memory, names.peak, true)?;
        let mut group = Self {
            is_v2: place.is_v2,
            cpu: open_group_file(&place.cpu, names.cpu, false)?,
            now: open_group_file(memory, names.now, false)?,
            has_exact_peak: write_group_file(&peak, "0").is_ok(),
            peak,
            limit: open_group_file(memory, names.limit, true)?,
            limit_with_swap: open_group_file(memory, names.limit_with_swap, true)
                .ok(),
            processes: open_group_file(pids, "pids.max", true)?,
            processes_now: open_group_file(pids, "pids.current", false)?,
            stat: open_group_file(memory, "memory.stat", false)?,
            kernel: open_group_file(memory, "memory.kmem.usage_in_bytes", false).ok(),
            events: open_group_file(memory, names.events, false)?,
            failures: ["memory.failcnt", "memory.memsw.failcnt"]
                .into_iter()
                .filter_map(|name| open_group_file(memory, name, false).ok())
                .collect(),
            limits: None,
            before: UsageBeforeRun::default(),
            floor_bytes: u64::MAX,
            clear_bytes: 0,
            held_bytes: u64::MAX,
            dying_timeout: DYING_TIMEOUT,
        };
        let _ = group.was_killed();
        Ok(group)
    }

    /// Prepares for a run that may use this much. `output_bytes` is what may be written
    /// to files in memory, which are not the run's memory but count as such here.
    pub(crate) fn begin(
        &mut self,
        memory_bytes: u64,
        output_bytes: u64,
        processes: u32,
    ) -> io::Result<()> {
        let now = self.memory_once_dead_are_gone();
        if self.has_exact_peak {
            write_group_file(&self.peak, "0")?;
        }
        if now.abs_diff(self.before.with_cache_bytes) > BATCHES_BYTES {
            // Since then files were read bit by bit, which is not this run's doing, or
            // were deleted or evicted from memory, and this run may read them again.
            self.forget_cache();
        }
        // Without the error of batches: the kernel counts pages in batches, and reserves
        // the rest of a batch for the next process that needs pages on that processor.
        // Pages that a run takes from such a batch must not look as if they had been in
        // use before.
        self.floor_bytes = self.floor_bytes.min(now);
        self.before.memory_bytes = if now - self.floor_bytes <= BATCHES_BYTES {
            self.floor_bytes
        } else {
            now
        };
        self.before.cpu = self.cpu_now();
        self.before.processes = read_group_number(&self.processes_now);
        let wanted = memory_bytes
            .saturating_add(output_bytes)
            .saturating_add(SLACK_BYTES);
        let processes = self.before.processes + u64::from(processes);
        // In steps, so that small changes of the launcher's memory do not cause a new
        // limit for each run.
        let own = self.before.memory_bytes.next_multiple_of(SLACK_BYTES);
        let limits = (
            wanted.saturating_add(own).min(i64::MAX as u64) & !4095,
            processes,
        );
        if self.limits != Some(limits) {
            self.limit_memory(limits.0)?;
            write_group_file(&self.processes, &processes.to_string())?;
            self.limits = Some(limits);
        }
        Ok(())
    }

    /// Returns the group's memory. Waits first for memory of dead processes, which they
    /// keep as long as a reader of `/proc` holds it. If it were there before a run,
    /// that much of the run's own memory would not be counted.
    fn memory_once_dead_are_gone(&mut self) -> u64 {
        if self.held_bytes == u64::MAX {
            self.held_bytes = self.held_of(self.memory_now());
        }
        let mut now = self.memory_now();
        let mut start = None;
        while now > self.clear_bytes.saturating_add(BATCHES_BYTES) {
            // From the same reading: memory freed between two readings would seem to be
            // held by no process, and still be counted.
            let held = self.held_of(now);
            self.held_bytes = self.held_bytes.min(held);
            let is_late = start.get_or_insert_with(Instant::now).elapsed()
                >= self.dying_timeout;
            if is_late {
                self.held_bytes = held;
            }
            if is_late || held - self.held_bytes <= BATCHES_BYTES {
                self.clear_bytes = now;
            } else {
                thread::sleep(BETWEEN_LOOKS);
                now = self.memory_now();
            }
        }
        self.clear_bytes = self.clear_bytes.min(now);
        now
    }

    fn limit_memory(&self, bytes: u64) -> io::Result<()> {
        let bytes = bytes.to_string();
        // If the file does not exist, there is no swap to refuse.
        let limit_with_swap = |text: &str| {
            let file = self.limit_with_swap.as_ref();
            let _ = file.map(|file| write_group_file(file, text));
        };
        // In version 1, the limit of memory with swap must never be below that of memory
        // alone, not even between two writes.
        limit_with_swap(if self.is_v2 { "0" } else { "-1" });
        write_group_file(&self.limit, &bytes)?;
        if !self.is_v2 {
            limit_with_swap(&bytes);
        }
        Ok(())
    }

    /// Whether all processes that the run started have left the group.
    pub(crate) fn is_empty(&self) -> bool {
        read_group_number(&self.processes_now) <= self.before.processes
    }

    /// CPU time since the run began, including that of the launcher.
    pub(crate) fn cpu(&self) -> Duration {
        self.cpu_now().saturating_sub(self.before.cpu)
    }

    /// By how much the group has less memory now, after the run, than it had before it:
    /// memory that was considered permanent was freed meanwhile, and the run may have
    /// used that much more than it seems. 0 if the difference may be the error of
    /// batches.
    pub(crate) fn freed_older_bytes(&self) -> u64 {
        let freed_bytes = self.before.memory_bytes.saturating_sub(self.memory_now());
        if freed_bytes > BATCHES_BYTES {
            freed_bytes
        } else {
            0
        }
    }

    /// Reads the run's memory since the last sample, including its output; rather too
    /// little than too much. The peak is the memory now if the kernel's peak cannot be
    /// reset; if the memory has not shrunk since, the peak may be from before the last
    /// sample.
    pub(crate) fn memory_since_last_look(&self) -> MemoryReading {
        // In this order: the other way round, memory that grows between the readings
        // looks as if it had been released.
        let mut peak = if self.has_exact_peak {
            read_group_number(&self.peak)
        } else {
            0
        };
        let now = self.memory_now();
        if peak > now.saturating_add(BATCHES_BYTES) {
            // Restarts the peak from the current memory. Only where necessary: memory
            // that comes and goes between these two is not seen. It has not fallen since
            // it was read first, and may have risen.
            peak = read_group_number(&self.peak);
            let _ = write_group_file(&self.peak, "0");
        }
        let none = self.before.memory_bytes + error_bytes();
        let of_run = |bytes: u64| bytes.saturating_sub(none);
        MemoryReading {
            most_bytes: of_run(peak.max(now)),
            now_bytes: of_run(now),
        }
    }

    /// Disk files that the kernel has cached in memory because of this run. Costs more
    /// than the other figures.
    pub(crate) fn cache(&self) -> u64 {
        self.cache_now().saturating_sub(self.before.cache_bytes)
    }

    /// Whether the kernel killed a process for memory since the last call, at a limit of
    /// the group.
    ///
    /// # Errors
    /// Returns a [`Fault`] if it did so at none: a group around this one had no more
    /// memory, or the machine.
    pub(crate) fn was_killed(&mut self) -> Result<bool, Fault> {
        let events = read_group_file(&self.events);
        let kills = field(&events, "oom_kill");
        let failures = field(&events, "oom")
            + self.failures.iter().map(read_group_number).sum::<u64>();
        let had_kills = std::mem::replace(&mut self.before.kills, kills);
        let had_failures = std::mem::replace(&mut self.before.failures, failures);
        if kills > had_kills && failures == had_failures {
            return Err(killed_below_limit());
        }
        Ok(kills > had_kills)
    }

    /// Records the current cache, so that it does not count for later runs.
    pub(crate) fn forget_cache(&mut self) {
        self.before.cache_bytes = self.cache_now();
        self.before.with_cache_bytes = self.memory_now();
    }

    fn cpu_now(&self) -> Duration {
        if self.is_v2 {
            let stat = read_group_file(&self.cpu);
            Duration::from_micros(field(&stat, "usage_usec"))
        } else {
            Duration::from_nanos(read_group_number(&self.cpu))
        }
    }

    fn memory_now(&self) -> u64 {
        read_group_number(&self.now)
    }

    fn cache_now(&self) -> u64 {
        let stat = read_group_file(&self.stat);
        // Files in memory count as files, but the kernel cannot drop them.
        let files = field(&stat, if self.is_v2 { "file" } else { "cache" });
        files.saturating_sub(field(&stat, "shmem"))
    }

    /// How much of this memory processes hold, alive or dead: all except the kernel's
    /// own memory and unmapped files.
    fn held_of(&self, now: u64) -> u64 {
        let stat = read_group_file(&self.stat);
        let (files, mapped, kernel) = match &self.kernel {
            Some(kernel) => ("cache", "mapped_file", read_group_number(kernel)),
            None => (
                "file",
                "file_mapped",
                KERNEL
                    .iter()
                    .map(|name| field(&stat, name))
                    .sum::<u64>()
                    .max(field(&stat, "kernel") + field(&stat, "sock")),
            ),
        };
        now.saturating_sub(field(&stat, files))
            .saturating_sub(kernel)
            + field(&stat, mapped)
    }
}

// The kernel's control files of control groups: their names in both versions, and how
// to read and write them. Knows files and text; knows nothing of what the figures mean.

/// The file names that differ between the versions.
struct ControlFileNames {
    /// A process that writes `0` there joins the group. In version 1 a thread can move
    /// only itself, which avoids a wait of milliseconds until all processors have been
    /// notified.
    members: &'static str,
    cpu: &'static str,
    now: &'static str,
    peak: &'static str,
    limit: &'static str,
    limit_with_swap: &'static str,
    events: &'static str,
}

/// The names in version 1.
const V1: ControlFileNames = ControlFileNames {
    members: "tasks",
    cpu: "cpuacct.usage",
    now: "memory.usage_in_bytes",
    peak: "memory.max_usage_in_bytes",
    limit: "memory.limit_in_bytes",
    limit_with_swap: "memory.memsw.limit_in_bytes",
    events: "memory.oom_control",
};

/// The names in version 2.
const V2: ControlFileNames = ControlFileNames {
    members: "cgroup.procs",
    cpu: "cpu.stat",
    now: "memory.current",
    peak: "memory.peak",
    limit: "memory.max",
    limit_with_swap: "memory.swap.max",
    events: "memory.events",
};

/// Buffer size for all memory statistics, the longest file.
const LONGEST: usize = 8192;

/// Opens a group's file for reading, unless it is only for joining, and for writing if
/// `is_written`.
///
/// # Errors
/// Returns an error with the file's path.
fn open_group_file(folder: &Path, name: &str, is_written: bool) -> io::Result<File> {
    let path = folder.join(name);
    let is_joined = name == V1.members || name == V2.members;
    let file = OpenOptions::new()
        .read(!is_joined)
        .write(is_written || is_joined)
        .open(&path);
    match file {
        // Before Linux 6.12 the peak of version 2 can only be read, and before 5.19
        // there is none.
        Err(_) if name == V2.peak => {
            File::open(&path).or_else(|_| File::open(folder.join(V2.now)))
        }
        file => file,
    }
    .map_err(error_at(&path))
}

/// Reads a file from its start, at which the kernel generates its content again.
pub(super) fn read_group_file(file: &File) -> String {
    let mut buffer = [0; LONGEST];
    let got = rustix::io::pread(file.as_fd(), &mut buffer, 0).unwrap_or(0);
    String::from_utf8_lossy(&buffer[..got]).into_owned()
}

/// Writes a value.
fn write_group_file(file: &File, text: &str) -> io::Result<()> {
    Ok(rustix::io::pwrite(file, text.as_bytes(), 0).map(drop)?)
}

/// The number that is a file's whole content.
fn read_group_number(file: &File) -> u64 {
    read_group_file(file).trim().parse().unwrap_or(0)
}

/// The number after a name, in a text whose lines are a name and a number each.
pub(super) fn field(text: &str, name: &str) -> u64 {
    text.lines()
        .filter_map(|line| line.split_once(' '))
        .filter(|(found, _)| *found == name)
        .find_map(|(_, number)| number.trim().parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Writes the files of a group of version 2, with memory `now`, of which `files` is
    /// in files.
    fn set_memory(folder: &Path, now: u64, files: u64) {
        // Overwrites each file in place, as the kernel does: a reader never finds a
        // file missing or empty.
        let write = |name: &str, text: &str| {
            let file = File::options()
                .write(true)
                .create(true)
                .truncate(false)
                .open(folder.join(name));
            write_group_file(&file.unwrap(), text).unwrap();
        };
        write(
            "memory.stat",
            &format!("anon {:012}\nfile {files:012}\n", now - files),
        );
        write("memory.current", &format!("{now:012}"));
    }

    fn group(folder: &Path) -> Cgroup {
        for (name, text) in [
            ("cgroup.procs", ""),
            ("cpu.stat", "usage_usec 5\n"),
            ("memory.peak", "0"),
            ("memory.max", "max"),
            ("memory.events", "oom_kill 0\n"),
            ("pids.max", "max"),
            ("pids.current", "1"),
        ] {
            fs::write(folder.join(name), text).unwrap();
        }
        set_memory(folder, 3 << 20, 0);
        Cgroup::join(&CgroupPath::v2(folder.to_owned())).unwrap()
    }

    #[test]
    fn begin_waits_until_the_memory_of_dead_processes_is_freed() {
        let folder = tempfile::tempdir().unwrap();
        let mut group = group(folder.path());
        group.begin(1 << 20, 0, 1).unwrap();
        set_memory(folder.path(), 60 << 20, 0);
        thread::scope(|scope| {
            let begun = scope.spawn(|| group.begin(1 << 20, 0, 1));
            set_memory(folder.path(), 3 << 20, 0);
            begun.join().unwrap().unwrap();
        });
        assert_eq!(group.before.memory_bytes, 3 << 20);
    }

    #[test]
    fn older_memory_that_is_freed_during_a_run_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let mut group = Cgroup {
            dying_timeout: Duration::ZERO,
            ..group(folder.path())
        };
        set_memory(folder.path(), 60 << 20, 0);
        group.begin(1 << 20, 0, 1).unwrap();
        assert_eq!(group.freed_older_bytes(), 0);
        set_memory(folder.path(), 3 << 20, 0);
        assert_eq!(group.freed_older_bytes(), 57 << 20);
    }

    #[test]
    fn pages_that_the_kernel_has_counted_in_advance_are_not_charged() {
        let folder = tempfile::tempdir().unwrap();
        let mut group = group(folder.path());
        group.begin(1 << 20, 0, 1).unwrap();
        let remainder = REMAINDER_PAGES * sys::page_bytes();
        set_memory(folder.path(), (3 << 20) + remainder, 0);
        fs::write(
            folder.path().join("memory.peak"),
            format!("{}", (9 << 20) + remainder),
        )
        .unwrap();
        let MemoryReading {
            most_bytes,
            now_bytes,
        } = group.memory_since_last_look();
        assert_eq!((most_bytes, now_bytes), (6 << 20, 0));
        set_memory(folder.path(), 3 << 20, 0);
        assert_eq!(group.memory_since_last_look().now_bytes, 0);
    }

    #[test]
    fn begin_does_not_wait_for_files_that_stay_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let mut group = group(folder.path());
        group.begin(1 << 20, 0, 1).unwrap();
        set_memory(folder.path(), 60 << 20, 57 << 20);
        group.begin(1 << 20, 0, 1).unwrap();
        assert_eq!(
            (group.before.memory_bytes, group.held_bytes),
            (60 << 20, 3 << 20)
        );
    }

    #[test]
    fn memory_that_is_not_freed_in_time_counts_as_permanent() {
        let folder = tempfile::tempdir().unwrap();
        let mut group = Cgroup {
            dying_timeout: Duration::ZERO,
            ..group(folder.path())
        };
        group.begin(1 << 20, 0, 1).unwrap();
        set_memory(folder.path(), 60 << 20, 0);
        group.begin(1 << 20, 0, 1).unwrap();
        assert_eq!(
            (group.before.memory_bytes, group.held_bytes),
            (60 << 20, 60 << 20)
        );
    }
}

#[cfg(test)]
mod control_files_tests {
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
