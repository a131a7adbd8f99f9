//! Measures what a run in namespaces uses: by its control group if there is one, else by figures of its
//! processes. Knows figures; knows nothing of how a run is started or stopped. Start at
//! [`UsageMeter::begin`].

use std::io;
use std::os::fd::BorrowedFd;
use std::time::Duration;
use std::time::Instant;

use rustix::process::Pid;
use rustix::time::ClockId;

use crate::Limits;
use crate::cgroup::joined::Cgroup;
use crate::cgroup::joined::error_bytes as cgroup_error_bytes;
use crate::cgroup::memory_peak::MemoryPeak;
use crate::launcher::assignment::Assignment;
use crate::launcher::least_memory;
use crate::launcher::pid_namespaces::PidNamespaces;
use crate::launcher::process_memory::OwnPeak;
use crate::launcher::process_memory::ProcessMemory;
use crate::launcher::run_watch::ObservedUsage;
use crate::machine::process_tree;
use crate::machine::process_tree::ProcessTree;
use crate::machine::process_tree::UsageSample;
use crate::rootfs::build::RootFs;
use crate::sys;
use crate::sys::OrphanUsage;
use crate::sys::ReapedChild;

/// Up to this much more memory than expected is no reason to read the long statistics: the kernel may count
/// some pages for another group than the one that uses them.
const PLAUSIBLE_BYTES: u64 = 1 << 20;

/// The smallest peak that is reported: the kernel counts memory in batches of 64 pages, so that less than one
/// batch cannot be distinguished from nothing.
const LEAST_BYTES: u64 = 256 << 10;

/// How large a program's own file may be before it counts. Some languages produce this much from a short
/// source when linked statically.
const USUAL_FILE_BYTES: u64 = 4 << 20;

/// What the kernel's own memory for a run may be, so that it does not look like memory of another process: for
/// tables of pages, stacks of threads, open files. Less than this is not counted.
fn kernel_bytes(peak_bytes: u64) -> u64 {
    (1 << 20) + peak_bytes / 128
}

/// A run with a limit of at most this is looked at closely from its start, because it may be over soon.
const SMALL_LIMIT_BYTES: u64 = 16 << 20;

/// How often a killed process that is traced is let on.
const BETWEEN_RELEASES: Duration = Duration::from_millis(1);

/// Measures one run after another.
pub(super) struct UsageMeter {
    group: Option<Cgroup>,
    /// Whether processes have the same ids in `/proc` as for this process.
    sees_processes: bool,
}

/// The measurement of one run.
pub(super) struct RunMeasurement<'a> {
    group: Option<&'a mut Cgroup>,
    tree: ProcessTree,
    assignment: &'a Assignment<'a>,
    root: &'a RootFs,
    /// CPU time of this process when the run began.
    own_cpu: Duration,
    /// The peak, as measured by a group.
    peak: MemoryPeak,
    /// The memory of the first process, where a group measures.
    first: Option<ProcessMemory>,
    /// Whether processes have the same ids in `/proc` as for this process.
    sees_processes: bool,
}

/// The usage of a run, except wall time.
pub(super) struct MeasuredUsage {
    pub(super) cpu: Duration,
    pub(super) peak_memory_bytes: u64,
    /// By how much the peak may have been larger.
    pub(super) hidden_memory_bytes: u64,
    /// Whether the kernel killed a process for memory.
    pub(super) out_of_memory: bool,
    /// Whether memory from before the run left the group meanwhile. The peak may then be too small by that
    /// much, which counts as hidden.
    pub(super) disturbed: bool,
}

impl UsageMeter {
    /// Measures by this group, which the calling process is in, or by processes if there is none.
    pub(super) fn new(group: Option<Cgroup>) -> Self {
        Self { group, sees_processes: process_tree::has_own_ids() }
    }

    /// Whether a group counts, and limits, what runs use.
    pub(super) fn has_group(&self) -> bool {
        self.group.is_some()
    }

    /// Whether a run's peak is measured by the group, and not by processes, which start at this process's
    /// peak.
    pub(super) fn has_exact_peak(&self) -> bool {
        self.group.as_ref().is_some_and(Cgroup::has_exact_peak)
    }

    /// Sets the limits of the group, and begins to measure.
    ///
    /// # Errors
    /// Returns an error if the group's limits cannot be set.
    pub(super) fn begin<'a>(
        &'a mut self,
        assignment: &'a Assignment,
        root: &'a RootFs,
    ) -> io::Result<RunMeasurement<'a>> {
        let limits: &Limits = &assignment.request.limits;
        if let Some(group) = &mut self.group {
            // Both streams are files in memory, which the group counts.
            group.begin(limits.memory_bytes, limits.output_bytes.saturating_mul(2), limits.processes)?;
        }
        let group = self.group.as_mut();
        let tree = if group.is_some() { ProcessTree::default() } else { ProcessTree::to_come() };
        Ok(RunMeasurement {
            group,
            tree,
            assignment,
            root,
            own_cpu: own_cpu(),
            peak: MemoryPeak::default(),
            first: None,
            sees_processes: self.sees_processes,
        })
    }
}

impl RunMeasurement<'_> {
    /// Measures the memory of this process too, the first of the run.
    pub(super) fn follow(&mut self, first: Pid) {
        let is_known = self.group.is_some() && self.sees_processes;
        self.first = is_known.then(|| ProcessMemory::new(first));
    }

    /// Waits until the first process, which has ended or was killed, is dead; `false` if it does not die.
    pub(super) fn await_end_of_first(&mut self, ended: BorrowedFd, at_most: Duration) -> bool {
        let start = Instant::now();
        while !sys::has_ended(ended, BETWEEN_RELEASES) {
            if start.elapsed() > at_most {
                return false;
            }
            self.first.iter_mut().for_each(ProcessMemory::release);
        }
        true
    }

    /// Takes the last figures of the first process, which has ended and was not reaped yet.
    pub(super) fn note_end_of_first(&mut self) {
        self.first.iter_mut().for_each(ProcessMemory::note_end);
    }

    /// Samples what the run uses at this moment. `of_reaped` is the CPU time of the processes that init has
    /// reaped.
    pub(super) fn look(&mut self, of_reaped: Duration) -> UsageSample {
        let Some(group) = &self.group else {
            let sample = self.tree.sample(self.assignment.request.limits.cpu, of_reaped);
            return UsageSample { memory_bytes: sample.memory_bytes + self.root.scratch_bytes(), ..sample };
        };
        let output_before = self.assignment.output_bytes();
        let had = group.memory_since_last_look();
        let outputs = [output_before, self.assignment.output_bytes()];
        let found_bytes = self.peak.note(&had, outputs, || group.cache());
        let limits = &self.assignment.request.limits;
        if let Some(first) = &mut self.first {
            let is_near_limit =
                limits.memory_bytes <= SMALL_LIMIT_BYTES || found_bytes >= limits.memory_bytes / 2;
            first.look(limits.frequent_samples && is_near_limit);
        }
        let memory_bytes = found_bytes.saturating_sub(kernel_bytes(found_bytes));
        UsageSample { cpu: group.cpu().saturating_sub(self.launcher_cpu()), memory_bytes }
    }

    /// Whether the run's first process, which has ended and been reaped, has left no process.
    pub(super) fn has_left_no_process(&self, pid_namespaces: &PidNamespaces) -> bool {
        self.group.as_ref().map_or_else(|| pid_namespaces.have_no_process(), |group| group.is_empty())
    }

    /// Returns the total usage. None of the run's processes may live.
    pub(super) fn finish(
        mut self,
        first: &ReapedChild,
        orphans: OrphanUsage,
        seen: &ObservedUsage,
    ) -> MeasuredUsage {
        let reaped_cpu = first.cpu + orphans.cpu;
        let first_peak = first.peak_memory_bytes;
        let reaped_peak = first.peak_memory_bytes.max(orphans.peak_memory_bytes);
        let (launcher_cpu, output_bytes) = (self.launcher_cpu(), self.assignment.output_bytes());
        let Some(group) = &mut self.group else {
            return MeasuredUsage {
                cpu: reaped_cpu.max(seen.cpu),
                peak_memory_bytes: (reaped_peak + self.root.scratch_bytes()).max(seen.peak_bytes),
                hidden_memory_bytes: 0,
                out_of_memory: false,
                disturbed: false,
            };
        };
        let freed_bytes = group.freed_older_bytes();
        let (peak_memory_bytes, hidden_memory_bytes) = match group.has_exact_peak() {
            true => {
                note_end(group, &mut self.peak, output_bytes);
                let own = self.first.as_ref().and_then(|first| {
                    first.own_peak(first_peak, || least_memory::own_peak_bytes().unwrap_or(u64::MAX))
                });
                let (peak, unsure_bytes) = peak_of(self.peak.bytes(), own);
                let own_file_bytes = || self.assignment.own_file_bytes();
                let peak = with_constants(peak.max(LEAST_BYTES), reaped_peak, own_file_bytes);
                let hidden_bytes = self.peak.hidden_bytes() + freed_bytes;
                let possible_bytes = peak.saturating_add(hidden_bytes).saturating_add(unsure_bytes);
                let is_near_limit = possible_bytes > self.assignment.request.limits.memory_bytes;
                (peak, hidden_bytes + if is_near_limit { unsure_bytes } else { 0 })
            }
            false => (reaped_peak.max(seen.peak_bytes), 0),
        };
        MeasuredUsage {
            disturbed: freed_bytes > 0,
            cpu: reaped_cpu.max(group.cpu().saturating_sub(launcher_cpu)),
            peak_memory_bytes,
            hidden_memory_bytes,
            out_of_memory: group.has_killed(),
        }
    }

    fn launcher_cpu(&self) -> Duration {
        own_cpu().saturating_sub(self.own_cpu)
    }
}

/// The peak of a run, from that of its group and that of its first process's own memory; and by how much it may
/// have been larger. The kernel counts the latter exactly, so it decides unless other processes have used
/// memory too.
fn peak_of(group_bytes: u64, own: Option<OwnPeak>) -> (u64, u64) {
    let unsure_bytes = 2 * cgroup_error_bytes();
    let least = group_bytes.saturating_sub(kernel_bytes(group_bytes));
    match own {
        Some(own) if own.bytes >= least => (own.bytes, own.unsure_bytes),
        _ => (group_bytes, unsure_bytes),
    }
}

/// Takes the last reading of a group whose run has ended. Cached disk files stay in the group after the run;
/// if little memory remains, there are none to subtract.
fn note_end(group: &mut Cgroup, peak: &mut MemoryPeak, output_bytes: u64) {
    let had = group.memory_since_last_look();
    let has_cache = had.now_bytes.saturating_sub(output_bytes) > PLAUSIBLE_BYTES;
    peak.note(&had, [output_bytes; 2], || if has_cache { group.cache() } else { 0 });
    if has_cache {
        group.forget_cache();
    }
}

/// Adds to a peak the program's own file, as far as that was in memory and is large. No slot's group counts
/// its pages, because the judge wrote them; but `with_files`, the peak of the largest process, includes all
/// that the process had mapped.
fn with_constants(peak: u64, with_files: u64, own_file_bytes: impl FnOnce() -> u64) -> u64 {
    if with_files <= peak.saturating_add(USUAL_FILE_BYTES) {
        return peak;
    }
    let most = peak.saturating_add(own_file_bytes().saturating_sub(USUAL_FILE_BYTES));
    with_files.clamp(peak, most)
}

/// CPU time of this process.
fn own_cpu() -> Duration {
    let time = rustix::time::clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    #[test]
    fn the_first_processs_own_memory_is_the_peak_unless_others_have_used_some_too() {
        let own = |bytes, unsure_bytes| Some(OwnPeak { bytes: bytes * MIB, unsure_bytes });
        let group_error = 2 * cgroup_error_bytes();
        assert_eq!(peak_of(64 * MIB, own(63, 5)), (63 * MIB, 5));
        assert_eq!(peak_of(64 * MIB, own(70, 0)), (70 * MIB, 0));
        assert_eq!(peak_of(64 * MIB, own(60, 0)), (64 * MIB, group_error));
        assert_eq!(peak_of(64 * MIB, None), (64 * MIB, group_error));
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
            let found = with_constants(peak * MIB, with_files * MIB, || own_file * MIB);
            assert_eq!(found / MIB, expected, "{peak} {with_files} {own_file}");
        }
    }
}
