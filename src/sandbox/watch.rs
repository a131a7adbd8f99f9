//! One run from its first instruction to the last process it left: when to look, when to stop it, what it
//! used. Knows limits and processes; knows nothing of files or messages. Start at [`Watch::to_the_end`].

use std::os::fd::OwnedFd;
use std::time::Duration;
use std::time::Instant;

use rustix::event::PollFd;
use rustix::event::PollFlags;
use rustix::process::Pid;
use rustix::time::Timespec;

use crate::model::Exit;
use crate::model::Limits;
use crate::model::Usage;
use crate::sandbox::confine::Fence;
use crate::sandbox::message::Report;
use crate::sandbox::sys;
use crate::sandbox::sys::Reap;
use crate::sandbox::tree;
use crate::sandbox::tree::Tree;

/// Faster than any program fills fresh pages, so that between two looks it cannot run far over the limit.
const FILLING_BYTES_PER_MS: u64 = 4_000_000;

/// Memory is looked at no more often than this, so that looking stays cheap...
const SHORTEST_MEMORY_NAP: Duration = Duration::from_millis(2);

/// ...and no more rarely than this, for the sake of machines with little to spare.
const LONGEST_NAP: Duration = Duration::from_millis(20);

/// What a look costs is well below this.
const LEAST_NAP: Duration = Duration::from_millis(1);

/// How long a thread that wants a processor may wait for it on a machine that is merely busy: some tens of
/// others, a slice of a few milliseconds each.
const LONGEST_WAIT: Duration = Duration::from_millis(100);

/// CPU time that a whole tree may run over its limit for want of a look.
const CPU_SLACK: Duration = Duration::from_millis(2);

/// A tree that still lives after being killed for this long is more than a launcher can handle.
const KILLING_TAKES_AT_MOST: Duration = Duration::from_secs(5);

/// How far the wall clock may be extended for a run that found no processor, in wall limits.
const MOST_PATIENCE: u32 = 10;

/// A run in progress.
pub(super) struct Watch<'a> {
    pub(super) main: Pid,
    /// Polls as readable when the first process has ended.
    pub(super) ended: &'a OwnedFd,
    /// Polls as readable when the judge is gone.
    pub(super) judge: &'a OwnedFd,
    pub(super) limits: &'a Limits,
    /// From just before the process was made.
    pub(super) start: Instant,
    pub(super) fence: Option<&'a Fence>,
    /// How many processors the run may use at once.
    pub(super) processors: u32,
}

/// How a watch ended. In all cases but the last nothing of the run lives.
pub(super) enum End {
    Reported(Report),
    /// The judge is gone, or wants the run to be over.
    Abandoned,
    /// Something could not be killed.
    Unkillable,
}

/// What made somebody look up.
enum Event {
    Ended,
    LimitBroken,
    JudgeGone,
}

/// Figures that grow while the run lasts.
#[derive(Default)]
struct Seen {
    tree: Tree,
    peak_bytes: u64,
    starved: Duration,
}

/// Sums over all processes reaped.
#[derive(Default)]
struct Reaped {
    main: Option<libc::c_int>,
    cpu: Duration,
    peak_bytes: u64,
}

impl Watch<'_> {
    /// Watches the run, stops it at a limit or when its first process ends, and reaps all of it.
    pub(super) fn to_the_end(&self) -> End {
        let mut seen = Seen::default();
        let event = self.await_event(&mut seen);
        let mut wall = self.start.elapsed();
        if let Event::LimitBroken | Event::JudgeGone = event {
            self.kill();
        }
        let Some(reaped) = self.reap_all() else { return End::Unkillable };
        match event {
            Event::JudgeGone => return End::Abandoned,
            Event::LimitBroken => wall = self.start.elapsed(),
            // The timer was set to the deadline, so a later look is this launcher's want of a processor,
            // and up to the deadline is what the run was granted.
            Event::Ended => seen.starved = seen.starved.max(wall.saturating_sub(self.limits.wall)),
        }
        let usage = Usage {
            // Each is a lower bound: the first misses children whose parent did not wait, the second
            // whatever happened since the last look.
            cpu: reaped.cpu.max(seen.tree.cpu()),
            wall,
            starved: seen.starved,
            peak_memory_bytes: reaped.peak_bytes.max(seen.peak_bytes),
        };
        let Some(status) = reaped.main else { return End::Unkillable };
        End::Reported(Report { exit: exit_of(status), usage })
    }

    /// Sleeps until the first process ends, looking up whenever a limit could have been reached. A run
    /// that ends before the first of these moments costs no look.
    fn await_event(&self, seen: &mut Seen) -> Event {
        let mut nap = self.nap(Duration::ZERO, 0, Duration::ZERO);
        loop {
            match self.sleep(nap) {
                (true, _) => return Event::Ended,
                (_, true) => return Event::JudgeGone,
                _ => {}
            }
            let sample = seen.tree.sample();
            seen.peak_bytes = seen.peak_bytes.max(sample.resident_bytes);
            if sample.cpu > self.limits.cpu || sample.resident_bytes > self.limits.memory_bytes {
                return Event::LimitBroken;
            }
            if self.is_late(seen) {
                return Event::LimitBroken;
            }
            nap = self.nap(sample.cpu, sample.resident_bytes, seen.starved);
        }
    }

    /// Whether the wall clock has run out, with all that the run can claim for want of a processor.
    fn is_late(&self, seen: &mut Seen) -> bool {
        let deadline = |starved| self.limits.wall.saturating_add(starved);
        if self.start.elapsed() <= deadline(seen.starved) {
            return false;
        }
        let starvation = tree::starvation();
        let most = self.limits.wall.saturating_mul(MOST_PATIENCE - 1);
        seen.starved = seen.starved.max(starvation.delay.min(most));
        // On a machine so busy, the wait that is not over yet is as long as others were.
        let doubt = if starvation.pending { LONGEST_WAIT + seen.starved / 4 } else { Duration::ZERO };
        self.start.elapsed() > deadline(seen.starved.saturating_add(doubt).min(most))
    }

    /// How long no limit can be broken. With several processors a tree uses up its CPU time several times
    /// as fast.
    fn nap(&self, cpu: Duration, resident_bytes: u64, starved: Duration) -> Duration {
        let processors = self.processors.min(self.limits.processes).max(1);
        let cpu_left = self.limits.cpu.saturating_sub(cpu).max(CPU_SLACK) / processors;
        let headroom = self.limits.memory_bytes.saturating_sub(resident_bytes);
        let fill = Duration::from_millis(headroom / FILLING_BYTES_PER_MS);
        let wall = self.limits.wall.saturating_add(starved);
        let wall_left = wall.saturating_sub(self.start.elapsed());
        fill.clamp(SHORTEST_MEMORY_NAP, LONGEST_NAP).min(cpu_left).min(wall_left.max(LEAST_NAP))
    }

    /// Sleeps; whether the first process has ended, and whether the judge is gone.
    fn sleep(&self, nap: Duration) -> (bool, bool) {
        let mut files = [PollFd::new(self.ended, PollFlags::IN), PollFd::new(self.judge, PollFlags::IN)];
        let nap = Timespec { tv_sec: nap.as_secs() as i64, tv_nsec: nap.subsec_nanos().into() };
        // A signal cannot interrupt it: all are blocked.
        let _ = rustix::event::poll(&mut files, Some(&nap));
        (!files[0].revents().is_empty(), !files[1].revents().is_empty())
    }

    fn kill(&self) {
        match self.fence {
            Some(fence) => fence.kill_descendants(),
            None => kill_one_by_one(self.main),
        }
    }

    /// Reaps the first process and all that it left, killing what lives. `None` if something does not die.
    fn reap_all(&self) -> Option<Reaped> {
        let start = Instant::now();
        let mut all = Reaped::default();
        loop {
            match sys::reap() {
                Reap::One(child) => {
                    all.cpu += child.cpu;
                    all.peak_bytes = all.peak_bytes.max(child.peak_memory_bytes);
                    if child.pid == self.main {
                        all.main = Some(child.status);
                    }
                }
                Reap::Nobody => return Some(all),
                Reap::Later if start.elapsed() > KILLING_TAKES_AT_MOST => return None,
                Reap::Later => {
                    self.kill();
                    sys::await_child(SHORTEST_MEMORY_NAP);
                }
            }
        }
    }
}

/// Without a fence: what is found is killed, and whoever was born meanwhile is found by the next pass. A
/// chain of processes that fork and exit faster than a pass loses in the end, because a process with a
/// signal pending cannot fork.
fn kill_one_by_one(main: Pid) {
    let _ = rustix::process::kill_process_group(main, rustix::process::Signal::KILL);
    for pid in tree::descendants().into_iter().filter_map(Pid::from_raw) {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
}

/// Source: the macros of wait(2).
fn exit_of(status: libc::c_int) -> Exit {
    match status & 0x7f {
        0 => Exit::Code(status >> 8 & 0xff),
        signal => Exit::Signal(signal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_a_code_or_a_signal_with_or_without_a_core() {
        assert_eq!(exit_of(0), Exit::Code(0));
        assert_eq!(exit_of(3 << 8), Exit::Code(3));
        assert_eq!(exit_of(255 << 8), Exit::Code(255));
        assert_eq!(exit_of(9), Exit::Signal(9));
        assert_eq!(exit_of(11 | 0x80), Exit::Signal(11));
    }
}
