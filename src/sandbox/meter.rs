//! What a run in namespaces uses: by its control group where there is one, else by what its processes tell. Knows
//! figures; knows nothing of how a run is started or stopped. Start at [`Meter::begin`].

use std::io;
use std::time::Duration;

use rustix::time::ClockId;

use crate::model::Limits;
use crate::sandbox::group::Group;
use crate::sandbox::launcher::Assignment;
use crate::sandbox::root::Root;
use crate::sandbox::sys::Orphans;
use crate::sandbox::sys::Reaped;
use crate::sandbox::tree;
use crate::sandbox::tree::Sample;
use crate::sandbox::tree::Tree;
use crate::sandbox::watch::Seen;

/// Pages that the kernel may count for others than those who use them are no reason to read long statistics.
const PLAUSIBLE_BYTES: u64 = 1 << 20;

/// The kernel counts memory in batches of 64 pages, so that less than one cannot be told from nothing.
const LEAST_BYTES: u64 = 256 << 10;

/// Measures one run after another.
pub(super) struct Meter {
    group: Option<Group>,
}

/// The measuring of one run.
pub(super) struct Reading<'a> {
    group: Option<&'a mut Group>,
    tree: Tree,
    assignment: &'a Assignment<'a>,
    root: &'a Root,
    /// CPU time of this process when the run began.
    own_cpu: Duration,
}

/// What a run used, beside its time on the clock.
pub(super) struct Figures {
    pub(super) cpu: Duration,
    pub(super) peak_memory_bytes: u64,
    /// Whether the kernel killed for memory.
    pub(super) out_of_memory: bool,
    /// Whether memory of others went from the group meanwhile. The peak is then rather too large than too small.
    pub(super) disturbed: bool,
}

impl Meter {
    /// By this group, which the calling process is in, or without one.
    pub(super) fn new(group: Option<Group>) -> Self {
        Self { group }
    }

    /// Sets the limits of the group, and begins to measure.
    ///
    /// # Errors
    /// If the group's limits cannot be set.
    pub(super) fn begin<'a>(
        &'a mut self,
        assignment: &'a Assignment,
        root: &'a Root,
    ) -> io::Result<Reading<'a>> {
        let limits: &Limits = &assignment.request.limits;
        if let Some(group) = &mut self.group {
            // Both streams are files in memory, which the group counts.
            group.begin(limits.memory_bytes, limits.output_bytes.saturating_mul(2), limits.processes)?;
        }
        let group = self.group.as_mut();
        let tree = if group.is_some() { Tree::default() } else { Tree::to_come() };
        Ok(Reading { group, tree, assignment, root, own_cpu: own_cpu() })
    }
}

impl Reading<'_> {
    /// What the run uses at this moment.
    pub(super) fn look(&mut self) -> Sample {
        let Some(group) = &self.group else {
            let sample = self.tree.sample(self.assignment.request.limits.cpu);
            return Sample { memory_bytes: sample.memory_bytes + self.root.scratch_bytes(), ..sample };
        };
        let mut memory_bytes = group.memory().saturating_sub(self.assignment.output_bytes());
        if memory_bytes > self.assignment.request.limits.memory_bytes {
            memory_bytes = memory_bytes.saturating_sub(group.cache());
        }
        Sample { cpu: group.cpu().saturating_sub(self.launcher_cpu()), memory_bytes }
    }

    /// Whether the run's first process, which has ended and been reaped, has left nobody.
    pub(super) fn has_left_nobody(&self) -> bool {
        self.group.as_ref().map_or_else(tree::has_no_grandchild, |group| group.is_empty())
    }

    /// What it used altogether; nothing of it may live.
    pub(super) fn finish(mut self, first: &Reaped, orphans: Orphans, seen: &Seen) -> Figures {
        let reaped_cpu = first.cpu + orphans.cpu;
        let reaped_peak = first.peak_memory_bytes.max(orphans.peak_memory_bytes);
        let (launcher_cpu, output_bytes) = (self.launcher_cpu(), self.assignment.output_bytes());
        let Some(group) = &mut self.group else {
            return Figures {
                cpu: reaped_cpu.max(seen.cpu),
                peak_memory_bytes: (reaped_peak + self.root.scratch_bytes()).max(seen.peak_bytes),
                out_of_memory: false,
                disturbed: false,
            };
        };
        let disturbed = group.has_lost_memory_of_others();
        Figures {
            disturbed,
            cpu: reaped_cpu.max(group.cpu().saturating_sub(launcher_cpu)),
            peak_memory_bytes: match group.knows_peaks() {
                true => peak_of(group, output_bytes),
                false => reaped_peak.max(seen.peak_bytes),
            },
            out_of_memory: group.has_killed(),
        }
    }

    fn launcher_cpu(&self) -> Duration {
        own_cpu().saturating_sub(self.own_cpu)
    }
}

/// The peak of a group without the run's output, and without files of the disk that it was the first to read or map: a
/// runtime's libraries are not a run's memory. Such files stay when the run is gone; where little stays, there is nothing
/// to take off.
fn peak_of(group: &mut Group, output_bytes: u64) -> u64 {
    let peak = group.peak().saturating_sub(output_bytes).max(LEAST_BYTES);
    if group.memory().saturating_sub(output_bytes) <= PLAUSIBLE_BYTES {
        return peak;
    }
    let peak = peak.saturating_sub(group.cache());
    group.forget_cache();
    peak.max(LEAST_BYTES)
}

/// CPU time of this process.
fn own_cpu() -> Duration {
    let time = rustix::time::clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
