//! Measures what a run uses: by its control group if there is one, else by figures of
//! its processes. Knows figures; knows nothing of how a run is started or stopped. Start
//! at [`RunMeasurement::begin`]. A run of one process has the same figure of memory either
//! way.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use crate::cgroup::joined::{
    Cgroup, error_bytes as cgroup_error_bytes, most_missing_bytes,
};
use crate::cgroup::memory_peak::MemoryPeak;
use crate::launcher::assignment::Assignment;
use crate::launcher::pid_namespaces::PidNamespaces;
use crate::launcher::process_memory::{OwnPeak, ProcessMemory};
use crate::machine::process_tree::{ProcessTree, UsageSample, proc_bytes, read_proc};
use crate::protocol::RunReport;
use crate::rootfs::build::RootFs;
use crate::sys::{OrphanUsage, ReapedChild};
use crate::{Fault, Limits};

/// Up to this much more memory than expected is no reason to read the long statistics:
/// the kernel may count some pages for another group than the one that uses them.
const PLAUSIBLE_BYTES: u64 = 1 << 20;

/// The smallest peak that is reported: the kernel counts memory in batches of 64 pages,
/// so that less than one batch cannot be distinguished from nothing.
const LEAST_BYTES: u64 = 256 << 10;

/// How large a program's own file may be before it counts. Some languages produce this
/// much from a short source when linked statically.
const DEFAULT_FILE_BYTES: u64 = 4 << 20;

/// What the kernel's own memory for a run may be, so that it does not look like memory
/// of another process: for tables of pages, stacks of threads, open files. Less than
/// this is not counted.
fn kernel_bytes(peak_bytes: u64) -> u64 {
    (1 << 20) + peak_bytes / 128
}

/// The measurement of one run.
pub(super) struct RunMeasurement<'a> {
    group: Option<&'a mut Cgroup>,
    tree: ProcessTree,
    assignment: &'a Assignment<'a>,
    /// The root that it has of its own, with a scratch folder in memory.
    root: Option<&'a RootFs>,
    /// CPU time of this process when the run began.
    own_cpu: Duration,
    /// The peak, as measured by a group.
    peak: MemoryPeak,
}

impl<'a> RunMeasurement<'a> {
    /// Begins to measure: by the group, which the calling process is in and whose limits
    /// are set; by processes if there is no group.
    pub(super) fn begin(
        group: Option<&'a mut Cgroup>,
        assignment: &'a Assignment,
        root: Option<&'a RootFs>,
    ) -> Self {
        // A run without a root has no init, which would be another child of this
        // process.
        let tree = if group.is_none() && root.is_some() {
            ProcessTree::to_come()
        } else {
            ProcessTree::default()
        };
        Self {
            group,
            tree,
            assignment,
            root,
            own_cpu: own_cpu(),
            peak: MemoryPeak::default(),
        }
    }

    /// Samples what the run uses at this moment, and the memory of its first process.
    /// `of_reaped` is the CPU time of the orphans that were reaped.
    pub(super) fn look(
        &mut self,
        first: &mut ProcessMemory,
        of_reaped: Duration,
    ) -> UsageSample {
        let limits = &self.assignment.request.limits;
        let Some(group) = &self.group else {
            let sample = self.tree.sample(limits.cpu, of_reaped);
            let others_bytes = sample.memory_bytes;
            // Without a group, pages of files decide too whether its peak is near the
            // limit.
            let known_bytes = others_bytes + first.peak_bytes();
            let first_bytes = first.look(must_be_traced(limits, known_bytes));
            return UsageSample {
                memory_bytes: others_bytes + first_bytes + self.scratch_bytes(),
                ..sample
            };
        };
        let output_before = self.assignment.output_bytes();
        let had = group.memory_since_last_look();
        let outputs = [output_before, self.assignment.output_bytes()];
        let found_bytes = self.peak.note_reading(&had, outputs, || group.cache());
        first.look(must_be_traced(limits, found_bytes));
        let memory_bytes = found_bytes.saturating_sub(kernel_bytes(found_bytes));
        UsageSample {
            cpu: group.cpu().saturating_sub(self.launcher_cpu()),
            memory_bytes,
        }
    }

    /// Whether the run's first process, which has ended and been reaped, has left no
    /// process.
    pub(super) fn has_left_no_process(&self, pid_namespaces: &PidNamespaces) -> bool {
        self.group.as_ref().map_or_else(
            || pid_namespaces.have_no_process(),
            |group| group.is_empty(),
        )
    }

    /// Completes a report by the total usage. None of the run's processes may live.
    /// `memory` is that of the first, which was `first` when it was reaped, and
    /// `seen_bytes` the most that samples have shown of all.
    pub(super) fn finish(
        mut self,
        mut report: RunReport,
        memory: &ProcessMemory,
        first: &ReapedChild,
        orphans: OrphanUsage,
        seen_bytes: u64,
    ) -> Result<RunReport, Fault> {
        let reaped_peaks = [first.peak_memory_bytes, orphans.peak_memory_bytes];
        let launcher_cpu = self.launcher_cpu();
        let mut cpu = report.usage.cpu;
        let mut has_exact_peak = false;
        let mut freed_bytes = 0;
        if let Some(group) = &mut self.group {
            freed_bytes = group.freed_older_bytes();
            has_exact_peak = group.has_exact_peak;
            if has_exact_peak {
                // Cached disk files stay in the group after the run; if little memory
                // remains, there are none to subtract.
                let output_bytes = self.assignment.output_bytes();
                let had = group.memory_since_last_look();
                let remaining = had.now_bytes.saturating_sub(output_bytes);
                let has_cache = remaining > PLAUSIBLE_BYTES;
                self.peak.note_reading(&had, [output_bytes; 2], || {
                    if has_cache { group.cache() } else { 0 }
                });
                if has_cache {
                    group.forget_cache();
                }
            }
            cpu = group.cpu().saturating_sub(launcher_cpu);
            report.out_of_memory = group.was_killed()?;
            report.disturbed = freed_bytes > 0;
        }
        let peak = if has_exact_peak {
            self.exact_peak(memory, reaped_peaks, freed_bytes)
        } else {
            self.peak_by_processes(memory, reaped_peaks, seen_bytes)
        };
        // Without a group both are lower bounds: the first misses everything since the
        // last sample, the second children whose parent did not wait.
        report.usage.cpu = cpu.max(first.cpu + orphans.cpu);
        (
            report.usage.peak_memory_bytes,
            report.usage.hidden_memory_bytes,
        ) = peak;
        Ok(report)
    }

    /// The peak of the run, as its group has measured it, and how much more it may have
    /// been, as far as that matters.
    fn exact_peak(
        &self,
        memory: &ProcessMemory,
        reaped_peaks: [u64; 2],
        freed_bytes: u64,
    ) -> (u64, u64) {
        let [first_peak, orphan_peak] = reaped_peaks;
        let own =
            memory.own_peak(first_peak, || own_peak_bytes().unwrap_or(u64::MAX));
        let hidden_bytes = self.peak.hidden_bytes() + freed_bytes;
        let (peak, unsure_bytes) = peak_of(self.peak.bytes, hidden_bytes, own);
        let reaped_peak = first_peak.max(orphan_peak);
        let peak = with_constants(peak.max(LEAST_BYTES), reaped_peak, || {
            self.assignment.own_file_bytes()
        });
        let unsure_bytes = hidden_bytes.saturating_add(unsure_bytes);
        let limit_bytes = self.assignment.request.limits.memory_bytes;
        certain_part([peak; 2], unsure_bytes, true, limit_bytes)
    }

    /// The peak of a run that no group measures exactly, and by how much it may have been
    /// larger, as far as that matters. It is that of the first process's own memory, as
    /// with a group, if the run had no other process; if it had, the peak that the kernel
    /// reports for the largest of them, with pages of files, or their sum in a sample.
    /// `reaped_peaks` are the kernel's peaks of the first process and of the largest
    /// orphan.
    fn peak_by_processes(
        &self,
        first: &ProcessMemory,
        reaped_peaks: [u64; 2],
        seen_bytes: u64,
    ) -> (u64, u64) {
        let [first_bytes, orphan_bytes] = reaped_peaks;
        let launcher_bytes = own_peak_bytes().unwrap_or(0);
        let scratch_bytes = self.scratch_bytes();
        let limits = &self.assignment.request.limits;
        let own = if first.is_alone() && orphan_bytes == 0 {
            first.own_peak(first_bytes, || launcher_bytes)
        } else {
            None
        };
        let (bytes, unsure_bytes) = match own {
            // With frequent samples, it cannot unmap files and use as much memory
            // between two of them.
            Some(own) if limits.frequent_samples => (own.bytes, own.unsure_bytes),
            Some(own) => (own.bytes, own.unsure_bytes.max(own.file_bytes)),
            None => (first_bytes.max(orphan_bytes), cgroup_error_bytes()),
        };
        // No process reports less than that, so that a figure below it would depend on
        // whether it was looked at.
        let least_bytes = first
            .seen_bytes
            .saturating_add(scratch_bytes)
            .max(seen_bytes);
        let bytes = bytes
            .max(launcher_bytes)
            .saturating_add(scratch_bytes)
            .max(seen_bytes);
        let peak =
            with_constants(bytes, first_bytes, || self.assignment.own_file_bytes());
        let is_unseen = orphan_bytes == 0 && first.has_ended_unseen();
        let is_followed = limits.frequent_samples && !is_unseen;
        certain_part(
            [least_bytes, peak],
            unsure_bytes,
            is_followed,
            limits.memory_bytes,
        )
    }

    /// Bytes in a scratch folder that only we count: a group does, too.
    fn scratch_bytes(&self) -> u64 {
        match (&self.group, self.root) {
            (None, Some(root)) => root.scratch_bytes(),
            _ => 0,
        }
    }

    fn launcher_cpu(&self) -> Duration {
        own_cpu().saturating_sub(self.own_cpu)
    }
}

/// Whether the first process of a run must be seen when it exits, because it is near
/// its limit.
fn must_be_traced(limits: &Limits, bytes: u64) -> bool {
    limits.frequent_samples && bytes >= limits.memory_bytes / 2
}

/// Of a peak that may have been larger by `unsure_bytes`, what counts, and what remains
/// uncertain, as far as that matters. Which pages belonged to files is not known
/// exactly of a run that is not followed: if these could be why it is over its limit,
/// it counts as at its limit, and the rest is left to a run that is followed.
fn certain_part(
    [least_bytes, peak]: [u64; 2],
    unsure_bytes: u64,
    is_followed: bool,
    limit_bytes: u64,
) -> (u64, u64) {
    let possible_bytes = peak.saturating_add(unsure_bytes);
    if possible_bytes <= limit_bytes {
        return (peak, 0);
    }
    let is_uncertain = peak > limit_bytes && least_bytes <= limit_bytes;
    let counted = if is_uncertain && !is_followed {
        limit_bytes
    } else {
        peak
    };
    (counted, possible_bytes - counted)
}

/// The peak of a run, from that of its group, which may have been larger by
/// `hidden_bytes`, and that of its first process's own memory; and by how much it may
/// have been larger. The kernel counts the latter exactly, so it decides unless other
/// processes have used memory too, or it seems larger than the group's: then it
/// includes files that were mapped after the process was last looked at.
fn peak_of(group_bytes: u64, hidden_bytes: u64, own: Option<OwnPeak>) -> (u64, u64) {
    let least = group_bytes.saturating_sub(kernel_bytes(group_bytes));
    let unsure_bytes = most_missing_bytes();
    let Some(own) = own else {
        return (group_bytes, unsure_bytes);
    };
    let more = if own.saw_exit {
        unsure_bytes.saturating_add(hidden_bytes)
    } else {
        2 * cgroup_error_bytes()
    };
    if (least..=group_bytes.saturating_add(more)).contains(&own.bytes) {
        (own.bytes, own.unsure_bytes)
    } else {
        (group_bytes, unsure_bytes)
    }
}

/// Adds to a peak the program's own file, as far as that was in memory and is large. No
/// slot's group counts its pages, because the judge wrote them; but `with_files`, the
/// peak of the largest process, includes all that the process had mapped.
fn with_constants(
    peak: u64,
    with_files: u64,
    own_file_bytes: impl FnOnce() -> u64,
) -> u64 {
    if with_files <= peak.saturating_add(DEFAULT_FILE_BYTES) {
        return peak;
    }
    let most =
        peak.saturating_add(own_file_bytes().saturating_sub(DEFAULT_FILE_BYTES));
    with_files.clamp(peak, most)
}

/// CPU time of this process.
fn own_cpu() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

// Refuses memory limits that are too low to be measured where memory is measured by
// processes: each process starts at the peak of its launcher, so every run would break
// a limit below that. Knows one figure of the kernel.

/// The kernel counts the memory of a process in batches, some of which may not have
/// been added yet.
const UNSURE_BYTES: u64 = 256 << 10;

/// How much a launcher may grow in its life: a limit that was named as sufficient must
/// stay sufficient.
const GROWTH_BYTES: u64 = 4 << 20;

/// Refuses a run whose limit is below the least memory that can be measured.
///
/// # Errors
/// Returns a [`Fault`] that names a sufficient limit.
pub(super) fn check_measurable(assignment: &Assignment) -> Result<(), Fault> {
    let limit_bytes = assignment.request.limits.memory_bytes;
    let Some(cause) =
        own_peak_bytes().and_then(|peak_bytes| objection(limit_bytes, peak_bytes))
    else {
        return Ok(());
    };
    let remedy = "raise the limit, or judge where a control group counts: `gridjudge doctor` shows \
                  how";
    Err(assignment.refused(cause).with_remedy(remedy))
}

fn objection(limit_bytes: u64, peak_bytes: u64) -> Option<String> {
    if limit_bytes >= peak_bytes.saturating_add(UNSURE_BYTES) {
        return None;
    }
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    let limit = mib(limit_bytes);
    let least = mib(peak_bytes.saturating_add(GROWTH_BYTES));
    Some(format!(
        "its limit is {limit} MiB of memory, and {least} MiB is the least that can be measured \
         here"
    ))
}

/// The peak memory of this process. Source: proc(5).
fn own_peak_bytes() -> Option<u64> {
    proc_bytes(&read_proc("/proc/self/status").ok()?, "VmHWM")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    #[test]
    fn the_first_processs_own_memory_is_the_peak_unless_others_have_used_some_too() {
        let own = |bytes, saw_exit| {
            Some(OwnPeak {
                bytes: bytes * MIB,
                unsure_bytes: 5,
                file_bytes: 0,
                saw_exit,
            })
        };
        let group_error = most_missing_bytes();
        let peak = |own| peak_of(64 * MIB, 20 * MIB, own);
        for (own, expected) in [
            (own(63, true), (63 * MIB, 5)),
            (own(63, false), (63 * MIB, 5)),
            (own(60, true), (64 * MIB, group_error)),
            (None, (64 * MIB, group_error)),
            // Files were mapped, but how many?
            (own(66, false), (64 * MIB, group_error)),
            (own(86, true), (86 * MIB, 5)),
            (own(70, true), (70 * MIB, 5)),
            (own(90, true), (64 * MIB, group_error)),
        ] {
            assert_eq!(peak(own), expected, "{own:?}");
        }
    }

    #[test]
    fn memory_that_may_have_been_files_is_left_to_a_run_that_is_followed() {
        let part = |least, peak, unsure, is_followed| {
            certain_part([least, peak], unsure, is_followed, 64)
        };
        assert_eq!(part(10, 60, 4, false), (60, 0));
        assert_eq!(part(10, 60, 5, false), (60, 5));
        assert_eq!(part(10, 100, 5, false), (64, 41));
        assert_eq!(part(70, 100, 5, false), (100, 5));
        assert_eq!(part(10, 100, 5, true), (100, 5));
    }

    #[test]
    fn a_programs_own_large_file_counts_as_far_as_it_was_in_memory() {
        for (peak, with_files, own_file, expected) in [
            // A short source, statically linked, and a runtime's libraries.
            (10, 12, 4, 10),
            (10, 50, 4, 10),
            (10, 50, 0, 10),
            // Constants that were read: all, some, none.
            (1, 201, 200, 197),
            (1, 60, 200, 60),
            (1, 5, 200, 1),
            (60, 3, 200, 60),
        ] {
            let found =
                with_constants(peak * MIB, with_files * MIB, || own_file * MIB);
            assert_eq!(found / MIB, expected, "{peak} {with_files} {own_file}");
        }
    }
}

#[cfg(test)]
mod least_memory_tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    #[test]
    fn a_limit_below_the_launchers_own_peak_is_refused_and_the_named_one_is_accepted()
    {
        let said = "its limit is 8 MiB of memory, and 14 MiB is the least that can be measured here";
        assert_eq!(objection(8 * MIB, 10 * MIB).as_deref(), Some(said));
        assert!(objection(10 * MIB, 10 * MIB).is_some());
        assert_eq!(objection(11 * MIB, 10 * MIB), None);
        assert_eq!(objection(14 * MIB, 13 * MIB), None);
    }

    #[test]
    fn the_peak_of_a_process_is_read_in_kibibytes() {
        let status = "Name:\tx\nVmPeak:\t    9000 kB\nVmHWM:\t    4711 kB\n";
        assert_eq!(proc_bytes(status, "VmHWM"), Some(4711 << 10));
        assert_eq!(proc_bytes("Name:\tx\n", "VmHWM"), None);
        assert!(own_peak_bytes().is_some_and(|peak| peak > 0));
    }
}
