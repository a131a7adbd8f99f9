//! Measures what a run in namespaces uses: by its control group if there is one, else by figures of its
//! processes. Knows figures; knows nothing of how a run is started or stopped. Start at
//! [`UsageMeter::begin`].

use std::io;
use std::time::Duration;

use rustix::time::ClockId;

use crate::Limits;
use crate::cgroup::joined::Cgroup;
use crate::cgroup::memory_peak::MemoryPeak;
use crate::launcher::assignment::Assignment;
use crate::launcher::pid_namespaces::PidNamespaces;
use crate::launcher::run_watch::ObservedUsage;
use crate::machine::process_tree::ProcessTree;
use crate::machine::process_tree::UsageSample;
use crate::rootfs::build::RootFs;
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

/// Measures one run after another.
pub(super) struct UsageMeter {
    group: Option<Cgroup>,
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
        Self { group }
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
        Ok(RunMeasurement { group, tree, assignment, root, own_cpu: own_cpu(), peak: MemoryPeak::default() })
    }
}

impl RunMeasurement<'_> {
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
        let memory_bytes = self.peak.note(&had, outputs, || group.cache());
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
                let peak = self.peak.bytes().max(LEAST_BYTES);
                let own_file_bytes = || self.assignment.own_file_bytes();
                (with_constants(peak, reaped_peak, own_file_bytes), self.peak.hidden_bytes() + freed_bytes)
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
