//! What a run in namespaces uses: by its control group where there is one, else by what its processes tell. Knows
//! figures; knows nothing of how a run is started or stopped. Start at [`Meter::begin`].

use std::io;
use std::time::Duration;

use rustix::time::ClockId;

use crate::Limits;
use crate::chambers::Chambers;
use crate::group::Group;
use crate::launcher::Assignment;
use crate::peak::Peak;
use crate::root::Root;
use crate::sys::Orphans;
use crate::sys::Reaped;
use crate::tree::Sample;
use crate::tree::Tree;
use crate::watch::Seen;

/// Pages that the kernel may count for others than those who use them are no reason to read long statistics.
const PLAUSIBLE_BYTES: u64 = 1 << 20;

/// The kernel counts memory in batches of 64 pages, so that less than one cannot be told from nothing.
const LEAST_BYTES: u64 = 256 << 10;

/// How large a program's own file may be before it counts. Statically linked, some languages make this of a short source.
const USUAL_FILE_BYTES: u64 = 4 << 20;

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
    /// Of a group.
    peak: Peak,
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

    /// Whether a run's peak is that of the group, and not of processes that this one starts.
    pub(super) fn knows_peaks(&self) -> bool {
        self.group.as_ref().is_some_and(Group::knows_peaks)
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
        Ok(Reading { group, tree, assignment, root, own_cpu: own_cpu(), peak: Peak::default() })
    }
}

impl Reading<'_> {
    /// What the run uses at this moment, of which init has reaped processes that used so much CPU time.
    pub(super) fn look(&mut self, of_reaped: Duration) -> Sample {
        let Some(group) = &self.group else {
            let sample = self.tree.sample(self.assignment.request.limits.cpu, of_reaped);
            return Sample { memory_bytes: sample.memory_bytes + self.root.scratch_bytes(), ..sample };
        };
        let had = group.had();
        let memory_bytes = self.peak.note(&had, self.assignment.output_bytes(), || group.cache());
        Sample { cpu: group.cpu().saturating_sub(self.launcher_cpu()), memory_bytes }
    }

    /// Whether the run's first process, which has ended and been reaped, has left nobody.
    pub(super) fn has_left_nobody(&self, chambers: &Chambers) -> bool {
        self.group.as_ref().map_or_else(|| chambers.have_nobody(), |group| group.is_empty())
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
                true => {
                    let peak = peak_of(group, self.peak, output_bytes);
                    with_constants(peak, reaped_peak, || self.assignment.own_file_bytes())
                }
                false => reaped_peak.max(seen.peak_bytes),
            },
            out_of_memory: group.has_killed(),
        }
    }

    fn launcher_cpu(&self) -> Duration {
        own_cpu().saturating_sub(self.own_cpu)
    }
}

/// The peak of a group, of whose run nothing lives, without output and files of the disk. Such files stay when the run is
/// gone; where little stays, there is nothing to take off.
fn peak_of(group: &mut Group, mut peak: Peak, output_bytes: u64) -> u64 {
    let had = group.had();
    let has_cache = had.now_bytes.saturating_sub(output_bytes) > PLAUSIBLE_BYTES;
    peak.note(&had, output_bytes, || if has_cache { group.cache() } else { 0 });
    if has_cache {
        group.forget_cache();
    }
    peak.bytes().max(LEAST_BYTES)
}

/// A peak with the program's own file, as far as that was in memory and is large. No group counts its pages, for it was
/// the judge who wrote them; but `with_files`, the peak of the largest process, holds whatever that had mapped.
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
    fn a_large_file_of_a_programs_own_counts_as_far_as_it_was_in_memory() {
        for (peak, with_files, own_file, expected) in [
            // A short source, statically linked, and a runtime's libraries.
            (10, 12, 4, 10),
            (10, 50, 4, 10),
            (10, 50, 0, 10),
            // Constants that were read, some of them, none of them.
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
