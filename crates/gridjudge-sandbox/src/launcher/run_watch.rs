//! Watches a run: decides when to sample it, and when to stop it. Knows limits and
//! figures; knows nothing of how samples are taken, nor of how a run is stopped. Start
//! at [`RunWatch::await_event`].

use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};

use crate::launcher::assignment::Assignment;
use crate::machine::process_tree::{ProcStat, UsageSample, read_proc};
use crate::machine::{process_tree, processors};
use crate::protocol::{JudgeMessage, RunReport};
use crate::{Exit, Limits, Usage, protocol, sys};

/// Faster than any program fills fresh pages, so that between two samples it cannot
/// exceed the limit by much.
const FILLING_BYTES_PER_MS: u64 = 4_000_000;

/// The shortest time between two samples of memory, so that sampling stays cheap...
const SHORTEST_MEMORY_NAP: Duration = Duration::from_millis(2);

/// ...and the longest, to protect machines with little memory to spare.
const LONGEST_NAP: Duration = Duration::from_millis(20);

/// The time between samples of a run for which close looks are requested.
const CLOSE_NAP: Duration = Duration::from_micros(500);

/// The shortest nap near the wall limit. A sample costs much less than this.
const LEAST_NAP: Duration = Duration::from_millis(1);

/// How long a thread that wants a processor may wait for it on a machine that is merely
/// busy: some tens of other threads, each with a slice of a few milliseconds.
const LONGEST_WAIT: Duration = Duration::from_millis(100);

/// The part of its wall limit that a run may have been kept waiting without a doubt
/// that it has idled by itself: one in this many.
const NOTICEABLE: u32 = 50;

/// The CPU time by which a whole tree may exceed its limit between two samples.
const CPU_SLACK: Duration = Duration::from_millis(2);

/// The most wall time that a run gets in all if it finds no processor, in wall limits.
const MOST_PATIENCE: u32 = 10;

/// Buffer size for a message that arrives during a run.
const SHORT_MESSAGE: usize = 64;

/// A run in progress.
pub(super) struct RunWatch<'a> {
    pub(super) assignment: &'a Assignment<'a>,
    /// Polls as readable when the first process, or the whole run, has ended.
    pub(super) ended: BorrowedFd<'a>,
    /// Taken just before the process was made.
    pub(super) start: Instant,
}

/// Why watching ended.
#[derive(Default, PartialEq, Eq)]
pub(super) enum WatchEvent {
    #[default]
    Ended,
    /// A limit is broken, or the judge asked for the run to end.
    Stopped,
    JudgeGone,
}

/// Figures that grow while the run lasts, and why watching ended.
#[derive(Default)]
pub(super) struct ObservedUsage {
    pub(super) event: WatchEvent,
    /// CPU time at the last sample.
    pub(super) cpu: Duration,
    pub(super) peak_bytes: u64,
    starved: Duration,
    /// Whether it was stopped at its wall limit, and nothing has kept it waiting since
    /// the first sample.
    idled_by_itself: bool,
}

impl RunWatch<'_> {
    /// The limits of the run.
    pub(super) fn limits(&self) -> &Limits {
        &self.assignment.request.limits
    }

    /// Sleeps until the run ends, and samples it whenever a limit could have been
    /// reached. A run that ends before the first of these moments is never sampled.
    pub(super) fn await_event(
        &self,
        mut look: impl FnMut() -> UsageSample,
    ) -> ObservedUsage {
        let limits = self.limits();
        let mut seen = ObservedUsage::default();
        let mut waits = CpuWaitSampler::default();
        let mut nap = self.nap(Duration::ZERO, 0, Duration::ZERO);
        let mut disk_waits = None;
        seen.event = loop {
            if let Some(event) = self.sleep(nap) {
                break event;
            }
            let sample = look();
            let earlier_disk_waits =
                *disk_waits.get_or_insert_with(processors::disk_waits);
            seen.cpu = seen.cpu.max(sample.cpu);
            seen.peak_bytes = seen.peak_bytes.max(sample.memory_bytes);
            if sample.cpu > limits.cpu || sample.memory_bytes > limits.memory_bytes {
                break WatchEvent::Stopped;
            }
            let processors = self.assignment.slot.processors;
            waits.look(self.start.elapsed(), nap, seen.cpu, processors);
            if self.is_late(&mut seen, &waits) {
                // It has hardly waited for a processor, nor, by these figures of the
                // machine, for a disk.
                let little = limits.wall / NOTICEABLE;
                seen.idled_by_itself = seen.starved + waits.late <= little
                    && processors::disk_waits()
                        .zip(earlier_disk_waits)
                        .is_some_and(|(now, then)| {
                            now.saturating_sub(then) <= little
                        });
                break WatchEvent::Stopped;
            }
            nap = self.nap(sample.cpu, sample.memory_bytes, seen.starved);
        };
        seen
    }

    /// The report on a run of this wall time whose first process has this wait status,
    /// as far as watching shows it. The timer was set to the deadline: if the run ended
    /// later than that, this launcher itself lacked a processor, so all time beyond the
    /// wall limit counts as starved.
    pub(super) fn report(
        &self,
        seen: &ObservedUsage,
        wall: Duration,
        status: libc::c_int,
    ) -> RunReport {
        let beyond = wall.saturating_sub(self.limits().wall);
        let starved = match seen.event {
            WatchEvent::Ended => seen.starved.max(beyond),
            _ => seen.starved,
        };
        let usage = Usage {
            cpu: seen.cpu,
            wall,
            starved,
            idled_by_itself: seen.idled_by_itself,
            ..Usage::default()
        };
        RunReport::of_usage(exit_of(status), usage)
    }

    /// Finds out why the socket is readable: the judge sent a message, or has hung up.
    fn judge_event(&self) -> WatchEvent {
        let judge = &self.assignment.slot.judge;
        match protocol::receive::<JudgeMessage>(judge, &mut [0; SHORT_MESSAGE]) {
            Ok(Some((JudgeMessage::Stop, _))) => WatchEvent::Stopped,
            _ => WatchEvent::JudgeGone,
        }
    }

    /// Whether the wall limit has passed, extended by all the time in which the run may
    /// have lacked a processor.
    fn is_late(&self, seen: &mut ObservedUsage, waits: &CpuWaitSampler) -> bool {
        let wall = self.limits().wall;
        let deadline = |starved| wall.saturating_add(starved);
        if self.start.elapsed() <= deadline(seen.starved) {
            return false;
        }
        let claims = claims(seen.cpu);
        let most = wall.saturating_mul(MOST_PATIENCE - 1);
        seen.starved = seen.starved.max(claims.delay.max(waits.sum()).min(most));
        // On such a busy machine, a wait that is not over yet may be as long as earlier
        // ones were.
        let doubt = if claims.pending {
            LONGEST_WAIT + seen.starved / 4
        } else {
            Duration::ZERO
        };
        self.start.elapsed() > deadline(seen.starved.saturating_add(doubt).min(most))
    }

    /// How long no limit can be broken. With several processors a tree uses its CPU
    /// time several times as fast.
    fn nap(&self, cpu: Duration, resident_bytes: u64, starved: Duration) -> Duration {
        let limits = self.limits();
        let processors = self.assignment.slot.processors;
        let processors = processors.min(limits.processes).max(1);
        let cpu_left = limits.cpu.saturating_sub(cpu).max(CPU_SLACK) / processors;
        let headroom = limits.memory_bytes.saturating_sub(resident_bytes);
        let fill = Duration::from_millis(headroom / FILLING_BYTES_PER_MS);
        let wall = limits.wall.saturating_add(starved);
        let now = self.start.elapsed();
        let nap = if limits.frequent_samples {
            CLOSE_NAP
        } else {
            fill.clamp(SHORTEST_MEMORY_NAP, LONGEST_NAP)
        };
        let nap = nap.min(cpu_left);
        shortened(nap, now).min(wall.saturating_sub(now).max(LEAST_NAP))
    }

    /// Sleeps until the first process has ended, or the judge has sent a message or is
    /// gone; returns `None` if there was no such event in this time.
    fn sleep(&self, nap: Duration) -> Option<WatchEvent> {
        let mut files = [
            PollFd::from_borrowed_fd(self.ended, PollFlags::IN),
            PollFd::new(&self.assignment.slot.judge, PollFlags::IN),
        ];
        // A signal cannot interrupt it: all are blocked.
        let _ = sys::poll(&mut files, nap);
        let [has_ended, has_message] = files.map(|file| !file.revents().is_empty());
        if has_ended {
            return Some(WatchEvent::Ended);
        }
        has_message.then(|| self.judge_event())
    }
}

/// Shortens a nap by up to a quarter, by the clock's last digits, so that no program
/// can predict the next sample.
fn shortened(nap: Duration, now: Duration) -> Duration {
    nap - nap / 4 * (now.subsec_nanos() % 256) / 256
}

/// Decodes a wait status. Source: the macros of wait(2).
fn exit_of(status: libc::c_int) -> Exit {
    match status & 0x7f {
        0 => Exit::Code(status >> 8 & 0xff),
        signal => Exit::Signal(signal),
    }
}

// Measures for how long a run wanted a processor and had none. Knows threads by
// `/proc`; knows nothing of limits. Start at [`CpuWaitSampler::look`].
//
// There are two ways to find out. The kernel records for each thread how long it has
// waited; that is exact, and lost when the thread ends. The wait of a chain of short
// processes is known only by samples: at each sample some thread wants a processor, or
// none does; the wait is the time in which one did, less the CPU time that was used in
// it.
//
// Not every wait counts. For a thread that has lowered its own priority, by its
// scheduler or its nice value, none does. Time in which a thread may have waited for
// other threads of its own run is subtracted. And samples count only while threads
// outside the run keep all processors busy, or kept this process itself from one.

/// A process that is woken this much later than requested has found no processor.
const LATE: Duration = Duration::from_millis(10);

/// How often the threads are read at most if one ends meanwhile: a thread that waited
/// for it may have been read before that.
const PASSES: usize = 3;

/// How long a run has waited for processors, by samples of it.
#[derive(Default)]
struct CpuWaitSampler {
    /// When the last sample was taken, since the run began, and the CPU time used until
    /// then.
    last: Duration,
    last_cpu: Duration,
    /// How long some thread wanted a processor, or had one, while all processors were
    /// busy.
    wanted: Duration,
    /// CPU time that was used while all processors were busy.
    used: Duration,
    /// How long this process itself was kept from a processor, if only by a machine
    /// that stood still.
    late: Duration,
}

impl CpuWaitSampler {
    /// Samples a run at this time since it began, after a nap that was meant to be of
    /// this length. `cpu` is the CPU time it has used.
    fn look(&mut self, now: Duration, nap: Duration, cpu: Duration, processors: u32) {
        let processors = processors.into();
        let late = now.saturating_sub(self.last).saturating_sub(nap);
        let is_late = late > LATE;
        if is_late {
            self.late += late;
        }
        // This process is itself runnable, but not for long.
        let runnable = runnable_on_machine().saturating_sub(1);
        let own = if is_late || runnable >= processors {
            running_threads(runnable)
        } else {
            0
        };
        self.note_sample(
            now,
            cpu,
            is_late || runnable.saturating_sub(own) >= processors,
            own > 0,
        );
    }

    fn note_sample(
        &mut self,
        now: Duration,
        cpu: Duration,
        all_are_busy: bool,
        is_wanted: bool,
    ) {
        if all_are_busy {
            if is_wanted {
                self.wanted += now.saturating_sub(self.last);
            }
            self.used += cpu.saturating_sub(self.last_cpu);
        }
        self.last = now;
        self.last_cpu = cpu;
    }

    /// How long some thread of the run wanted a processor and none had one.
    fn sum(&self) -> Duration {
        self.wanted.saturating_sub(self.used)
    }
}

/// How many threads of the whole machine want a processor or have one; `u64::MAX` if
/// that cannot be determined.
fn runnable_on_machine() -> u64 {
    runnable_in(&read_proc("/proc/loadavg").unwrap_or_default()).unwrap_or(u64::MAX)
}

/// The number of runnable threads in `/proc/loadavg`. Source: proc_loadavg(5).
fn runnable_in(loadavg: &str) -> Option<u64> {
    loadavg
        .split_ascii_whitespace()
        .nth(3)?
        .split_once('/')?
        .0
        .parse()
        .ok()
}

/// How many threads of the descendants of this process want a processor or have one,
/// counted up to `enough`.
fn running_threads(enough: u64) -> u64 {
    let Some(own) = ProcStat::read_from("/proc/self") else {
        return 0;
    };
    for _ in 0..PASSES {
        let mut running = 0;
        let mut has_lost_one = false;
        for folder in threads_of_descendants() {
            let stat = ProcStat::read_from(&folder);
            has_lost_one |= stat.as_ref().is_none_or(ProcStat::has_ended);
            running += u64::from(stat.is_some_and(|stat| {
                stat.is_running() && !stat.has_lower_priority_than(&own)
            }));
            if running > enough {
                break;
            }
        }
        if running > 0 || !has_lost_one {
            return running;
        }
    }
    0
}

/// The `/proc` folder of every thread of the descendants of this process; of a process
/// without threads any more, a folder that does not exist.
fn threads_of_descendants() -> impl Iterator<Item = String> {
    process_tree::descendants().flat_map(|pid| {
        let mut threads = process_tree::threads_of(pid).peekable();
        let none = threads.peek().is_none();
        threads.chain(none.then(|| format!("/proc/{pid}/task/0")))
    })
}

/// The waits for a processor of the run's living threads.
#[derive(Default)]
struct StarvationClaims {
    /// The longest time that one thread wanted a processor while no other thread of the
    /// run had one. Of threads that wait at the same time only one may be counted,
    /// because the wall clock runs once for all of them.
    delay: Duration,
    /// Whether some thread wants a processor now, or has one, or waits for a disk, or
    /// has just ended, so that a thread that waits for it may be about to wake. If it
    /// waits, its current wait is not in `delay` yet: the kernel adds that when the
    /// wait is over.
    pending: bool,
}

/// The claims of the descendants of this process, which have used `cpu` together.
fn claims(cpu: Duration) -> StarvationClaims {
    let mut found = StarvationClaims::default();
    let Some(own) = ProcStat::read_from("/proc/self") else {
        return found;
    };
    for folder in threads_of_descendants() {
        let stat = ProcStat::read_from(&folder);
        let times = read_proc(format!("{folder}/schedstat"));
        if stat
            .as_ref()
            .is_some_and(|stat| stat.has_lower_priority_than(&own))
        {
            continue;
        }
        found.delay = found
            .delay
            .max(delay_in(&times.unwrap_or_default(), cpu).unwrap_or_default());
        found.pending |= !stat.is_some_and(|stat| stat.is_idle());
    }
    found
}

/// How long a thread has waited, less the CPU time that other threads of its run may
/// have used meanwhile; `cpu` is that of the whole run. The fields are nanoseconds on a
/// processor and nanoseconds of waiting for one. Source:
/// Documentation/scheduler/sched-stats.rst.
fn delay_in(schedstat: &str, cpu: Duration) -> Option<Duration> {
    let mut fields = schedstat
        .split_ascii_whitespace()
        .map(|field| field.parse().map(Duration::from_nanos));
    let had = fields.next()?.ok()?;
    let waited = fields.next()?.ok()?;
    Some(waited.saturating_sub(cpu.saturating_sub(had)))
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

#[cfg(test)]
mod starvation_tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Samples every 20 ms: CPU time used since the last in ms, whether all processors
    /// are busy, whether one is wanted.
    fn waits(looks: &[(u64, bool, bool)]) -> Duration {
        let mut waits = CpuWaitSampler::default();
        let mut now = Duration::ZERO;
        let mut cpu = Duration::ZERO;
        for (used, all_are_busy, is_wanted) in looks {
            now += ms(20);
            cpu += ms(*used);
            waits.note_sample(now, cpu, *all_are_busy, *is_wanted);
        }
        waits.sum()
    }

    #[test]
    fn a_run_that_always_wants_a_processor_has_waited_except_for_its_cpu_time() {
        assert_eq!(waits(&[(5, true, true); 10]), ms(150));
        assert_eq!(waits(&[(20, true, true); 10]), ms(0));
        // Several threads may use more than the clock shows.
        assert_eq!(waits(&[(40, true, true); 10]), ms(0));
    }

    #[test]
    fn a_run_that_sleeps_or_finds_free_processors_has_not_waited() {
        assert_eq!(waits(&[(0, true, false); 10]), ms(0));
        assert_eq!(waits(&[(1, false, true); 10]), ms(0));
    }

    #[test]
    fn a_run_that_works_half_of_the_time_and_sleeps_the_other_half_has_not_waited() {
        assert_eq!(
            waits(&[(10, true, true), (10, true, false)].repeat(5)),
            ms(0)
        );
    }

    #[test]
    fn cpu_time_used_while_processors_were_free_is_not_subtracted() {
        assert_eq!(
            waits(&[
                (20, false, true),
                (20, false, true),
                (4, true, true),
                (4, true, true)
            ]),
            ms(32)
        );
    }

    #[test]
    fn a_wait_for_other_threads_of_the_same_run_does_not_count() {
        let schedstat = format!("{} {} 12\n", 100_000_000, 900_000_000);
        assert_eq!(delay_in(&schedstat, ms(100)), Some(ms(900)), "alone");
        assert_eq!(
            delay_in(&schedstat, ms(1000)),
            Some(ms(0)),
            "beside 900 ms of others"
        );
        assert_eq!(delay_in(&schedstat, ms(400)), Some(ms(600)));
        assert_eq!(delay_in("", ms(1)), None);
    }

    #[test]
    fn the_number_of_runnable_threads_is_read_from_loadavg() {
        assert_eq!(runnable_in("1.73 1.17 1.00 3/150 4711\n"), Some(3));
        assert_eq!(runnable_in("1.73 1.17"), None);
        assert!(runnable_on_machine() >= 1);
    }
}
