//! Watches a run: decides when to sample it, and when to stop it. Knows limits and figures; knows
//! nothing of how samples are taken, nor of how a run is stopped. Start at
//! [`RunWatch::await_event`].

use std::os::fd::{BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::time::Timespec;

use crate::launcher::starvation;
use crate::launcher::starvation::CpuWaitSampler;
use crate::machine::process_tree::UsageSample;
use crate::protocol::JudgeMessage;
use crate::{Exit, Limits, protocol};

/// Faster than any program fills fresh pages, so that between two samples it cannot exceed the
/// limit by much.
const FILLING_BYTES_PER_MS: u64 = 4_000_000;

/// The shortest time between two samples of memory, so that sampling stays cheap...
const SHORTEST_MEMORY_NAP: Duration = Duration::from_millis(2);

/// ...and the longest, to protect machines with little memory to spare.
const LONGEST_NAP: Duration = Duration::from_millis(20);

/// The time between samples of a run for which close looks are requested.
const CLOSE_NAP: Duration = Duration::from_micros(500);

/// The shortest nap near the wall limit. A sample costs much less than this.
const LEAST_NAP: Duration = Duration::from_millis(1);

/// How long a thread that wants a processor may wait for it on a machine that is merely busy: some
/// tens of other threads, each with a slice of a few milliseconds.
const LONGEST_WAIT: Duration = Duration::from_millis(100);

/// The CPU time by which a whole tree may exceed its limit between two samples.
const CPU_SLACK: Duration = Duration::from_millis(2);

/// The most wall time that a run gets in all if it finds no processor, in wall limits.
const MOST_PATIENCE: u32 = 10;

/// Buffer size for a message that arrives during a run.
const SHORT_MESSAGE: usize = 64;

/// A run in progress.
pub(super) struct RunWatch<'a> {
    /// Polls as readable when the first process, or the whole run, has ended.
    pub(super) ended: BorrowedFd<'a>,
    /// Polls as readable when the judge is gone, or asks for the run to end.
    pub(super) judge: &'a OwnedFd,
    pub(super) limits: &'a Limits,
    /// Taken just before the process was made.
    pub(super) start: Instant,
    /// How many processors the run may use at once.
    pub(super) processors: u32,
}

/// Why watching ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WatchEvent {
    Ended,
    LimitBroken,
    /// The judge asked for the run to end.
    Stopped,
    JudgeGone,
}

/// Figures that grow while the run lasts.
#[derive(Clone, Copy, Default)]
pub(super) struct ObservedUsage {
    /// CPU time at the last sample.
    pub(super) cpu: Duration,
    pub(super) peak_bytes: u64,
    pub(super) starved: Duration,
}

impl ObservedUsage {
    /// How long a run of this wall time was kept from processors, as far as that matters. The timer
    /// was set to the deadline: if the run ended later than that, this launcher itself lacked a
    /// processor, so all time beyond the wall limit counts as starved.
    pub(super) fn starved(&self, event: WatchEvent, wall: Duration, limits: &Limits) -> Duration {
        match event {
            WatchEvent::Ended => self.starved.max(wall.saturating_sub(limits.wall)),
            _ => self.starved,
        }
    }
}

impl RunWatch<'_> {
    /// Sleeps until the run ends, and samples it whenever a limit could have been reached. A run
    /// that ends before the first of these moments is never sampled.
    pub(super) fn await_event(
        &self,
        mut look: impl FnMut() -> UsageSample,
    ) -> (WatchEvent, ObservedUsage) {
        let mut seen = ObservedUsage::default();
        let mut waits = CpuWaitSampler::default();
        let mut nap = self.nap(Duration::ZERO, 0, Duration::ZERO);
        loop {
            match self.sleep(nap) {
                (true, _) => return (WatchEvent::Ended, seen),
                (_, true) => return (self.judge_event(), seen),
                _ => {}
            }
            let sample = look();
            seen.cpu = seen.cpu.max(sample.cpu);
            seen.peak_bytes = seen.peak_bytes.max(sample.memory_bytes);
            if sample.cpu > self.limits.cpu || sample.memory_bytes > self.limits.memory_bytes {
                return (WatchEvent::LimitBroken, seen);
            }
            waits.look(self.start.elapsed(), nap, seen.cpu, self.processors);
            if self.is_late(&mut seen, &waits) {
                return (WatchEvent::LimitBroken, seen);
            }
            nap = self.nap(sample.cpu, sample.memory_bytes, seen.starved);
        }
    }

    /// Finds out why the socket is readable: the judge sent a message, or has hung up.
    fn judge_event(&self) -> WatchEvent {
        match protocol::receive::<JudgeMessage>(self.judge, &mut [0; SHORT_MESSAGE]) {
            Ok(Some((JudgeMessage::Stop, _))) => WatchEvent::Stopped,
            _ => WatchEvent::JudgeGone,
        }
    }

    /// Whether the wall limit has passed, extended by all the time in which the run may have lacked
    /// a processor.
    fn is_late(&self, seen: &mut ObservedUsage, waits: &CpuWaitSampler) -> bool {
        let deadline = |starved| self.limits.wall.saturating_add(starved);
        if self.start.elapsed() <= deadline(seen.starved) {
            return false;
        }
        let claims = starvation::claims(seen.cpu);
        let most = self.limits.wall.saturating_mul(MOST_PATIENCE - 1);
        seen.starved = seen.starved.max(claims.delay.max(waits.sum()).min(most));
        // On such a busy machine, a wait that is not over yet may be as long as earlier ones were.
        let doubt = if claims.pending {
            LONGEST_WAIT + seen.starved / 4
        } else {
            Duration::ZERO
        };
        self.start.elapsed() > deadline(seen.starved.saturating_add(doubt).min(most))
    }

    /// How long no limit can be broken. With several processors a tree uses its CPU time several
    /// times as fast.
    fn nap(&self, cpu: Duration, resident_bytes: u64, starved: Duration) -> Duration {
        let processors = self.processors.min(self.limits.processes).max(1);
        let cpu_left = self.limits.cpu.saturating_sub(cpu).max(CPU_SLACK) / processors;
        let headroom = self.limits.memory_bytes.saturating_sub(resident_bytes);
        let fill = Duration::from_millis(headroom / FILLING_BYTES_PER_MS);
        let wall = self.limits.wall.saturating_add(starved);
        let now = self.start.elapsed();
        let nap = if self.limits.frequent_samples {
            CLOSE_NAP
        } else {
            fill.clamp(SHORTEST_MEMORY_NAP, LONGEST_NAP)
        };
        let nap = nap.min(cpu_left);
        shortened(nap, now).min(wall.saturating_sub(now).max(LEAST_NAP))
    }

    /// Sleeps; returns whether the first process has ended, and whether the judge has sent a
    /// message or is gone.
    fn sleep(&self, nap: Duration) -> (bool, bool) {
        let mut files = [
            PollFd::from_borrowed_fd(self.ended, PollFlags::IN),
            PollFd::new(self.judge, PollFlags::IN),
        ];
        let nap = Timespec {
            tv_sec: nap.as_secs() as i64,
            tv_nsec: nap.subsec_nanos().into(),
        };
        // A signal cannot interrupt it: all are blocked.
        let _ = rustix::event::poll(&mut files, Some(&nap));
        (
            !files[0].revents().is_empty(),
            !files[1].revents().is_empty(),
        )
    }
}

/// Shortens a nap by up to a quarter, by the clock's last digits, so that no program can predict
/// the next sample.
fn shortened(nap: Duration, now: Duration) -> Duration {
    nap - nap / 4 * (now.subsec_nanos() % 256) / 256
}

/// Decodes a wait status. Source: the macros of wait(2).
pub(super) fn exit_of(status: libc::c_int) -> Exit {
    match status & 0x7f {
        0 => Exit::Code(status >> 8 & 0xff),
        signal => Exit::Signal(signal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nap_is_shortened_by_a_quarter_at_most() {
        let nap = Duration::from_millis(20);
        let naps: Vec<_> = (0..1000)
            .map(|now| shortened(nap, Duration::from_nanos(now)))
            .collect();
        assert!(
            naps.iter()
                .all(|short| nap * 3 / 4 <= *short && *short <= nap)
        );
        assert_eq!(naps.iter().max(), Some(&nap));
        assert!(naps.iter().min() < Some(&(nap * 4 / 5)));
    }

    #[test]
    fn a_status_is_a_code_or_a_signal_with_or_without_a_core() {
        assert_eq!(exit_of(0), Exit::Code(0));
        assert_eq!(exit_of(3 << 8), Exit::Code(3));
        assert_eq!(exit_of(255 << 8), Exit::Code(255));
        assert_eq!(exit_of(9), Exit::Signal(9));
        assert_eq!(exit_of(11 | 0x80), Exit::Signal(11));
    }
}
