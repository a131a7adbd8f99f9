//! Measures for how long a run wanted a processor and had none. Knows threads by `/proc`; knows
//! nothing of limits. Start at [`CpuWaitSampler::look`].
//!
//! There are two ways to find out. The kernel records for each thread how long it has waited; that
//! is exact, and lost when the thread ends. The wait of a chain of short processes is known only by
//! samples: at each sample some thread wants a processor, or none does; the wait is the time in
//! which one did, less the CPU time that was used in it.
//!
//! Not every wait counts. For a thread that has lowered its own priority, by its scheduler or its
//! nice value, none does. Time in which a thread may have waited for other threads of its own run
//! is subtracted. And samples count only while threads outside the run keep all processors busy, or
//! kept this process itself from one.

use std::fs;
use std::ops::ControlFlow;
use std::time::Duration;

use crate::machine::proc_stat::ProcStat;
use crate::machine::process_tree;

/// A process that is woken this much later than requested has found no processor.
const LATE: Duration = Duration::from_millis(10);

/// How often the threads are read at most if one ends meanwhile: a thread that waited for it may
/// have been read before that.
const PASSES: usize = 3;

/// How long a run has waited for processors, by samples of it.
#[derive(Default)]
pub(super) struct CpuWaitSampler {
    /// When the last sample was taken, since the run began, and the CPU time used until then.
    last: Duration,
    last_cpu: Duration,
    /// How long some thread wanted a processor, or had one, while all processors were busy.
    wanted: Duration,
    /// CPU time that was used while all processors were busy.
    used: Duration,
}

impl CpuWaitSampler {
    /// Samples a run at this time since it began, after a nap that was meant to be of this length.
    /// `cpu` is the CPU time it has used.
    pub(super) fn look(&mut self, now: Duration, nap: Duration, cpu: Duration, processors: u32) {
        let processors = processors.into();
        let is_late = now.saturating_sub(self.last) > nap + LATE;
        // This process is itself runnable, but not for long.
        let runnable = runnable_on_machine().saturating_sub(1);
        let own = if is_late || runnable >= processors {
            running_threads(runnable)
        } else {
            0
        };
        self.note(
            now,
            cpu,
            is_late || runnable.saturating_sub(own) >= processors,
            own > 0,
        );
    }

    fn note(&mut self, now: Duration, cpu: Duration, all_are_busy: bool, is_wanted: bool) {
        if all_are_busy {
            self.wanted += if is_wanted {
                now.saturating_sub(self.last)
            } else {
                Duration::ZERO
            };
            self.used += cpu.saturating_sub(self.last_cpu);
        }
        self.last = now;
        self.last_cpu = cpu;
    }

    /// How long some thread of the run wanted a processor and none had one.
    pub(super) fn sum(&self) -> Duration {
        self.wanted.saturating_sub(self.used)
    }
}

/// How many threads of the whole machine want a processor or have one; `u64::MAX` if that cannot be
/// determined.
fn runnable_on_machine() -> u64 {
    runnable_in(&fs::read_to_string("/proc/loadavg").unwrap_or_default()).unwrap_or(u64::MAX)
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

/// How many threads of the descendants of this process want a processor or have one, counted up to
/// `enough`.
fn running_threads(enough: u64) -> u64 {
    let Some(own) = ProcStat::of("/proc/self") else {
        return 0;
    };
    for _ in 0..PASSES {
        let mut running = 0;
        let mut has_lost_one = false;
        for_each_thread(|folder| {
            let stat = ProcStat::of(folder);
            has_lost_one |= stat.as_ref().is_none_or(ProcStat::has_ended);
            running += u64::from(
                stat.is_some_and(|stat| stat.is_running() && !stat.has_lower_priority_than(&own)),
            );
            if running > enough {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if running > 0 || !has_lost_one {
            return running;
        }
    }
    0
}

/// Calls `visit` with the `/proc` folder of every thread of the descendants of this process; for a
/// process without threads any more, with a folder that does not exist.
fn for_each_thread(mut visit: impl FnMut(&str) -> ControlFlow<()>) {
    process_tree::for_each_descendant(|pid| {
        let mut threads = process_tree::numbered(&format!("/proc/{pid}/task")).peekable();
        if threads.peek().is_none() {
            return visit(&format!("/proc/{pid}/task/0"));
        }
        threads.try_for_each(|thread| visit(&format!("/proc/{pid}/task/{thread}")))
    });
}

/// The waits for a processor of the run's living threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StarvationClaims {
    /// The longest time that one thread wanted a processor while no other thread of the run had
    /// one. Of threads that wait at the same time only one may be counted, because the wall clock
    /// runs once for all of them.
    pub(super) delay: Duration,
    /// Whether some thread wants a processor now, or has one, or waits for a disk, or has just
    /// ended, so that a thread that waits for it may be about to wake. If it waits, its current
    /// wait is not in `delay` yet: the kernel adds that when the wait is over.
    pub(super) pending: bool,
}

/// The claims of the descendants of this process, which have used `cpu` together.
pub(super) fn claims(cpu: Duration) -> StarvationClaims {
    let mut found = StarvationClaims::default();
    let Some(own) = ProcStat::of("/proc/self") else {
        return found;
    };
    for_each_thread(|folder| {
        let stat = ProcStat::of(folder);
        let times = fs::read_to_string(format!("{folder}/schedstat"));
        if stat
            .as_ref()
            .is_some_and(|stat| stat.has_lower_priority_than(&own))
        {
            return ControlFlow::Continue(());
        }
        found.delay = found
            .delay
            .max(delay_in(&times.unwrap_or_default(), cpu).unwrap_or_default());
        found.pending |= !stat.is_some_and(|stat| stat.is_idle());
        ControlFlow::Continue(())
    });
    found
}

/// How long a thread has waited, less the CPU time that other threads of its run may have used
/// meanwhile; `cpu` is that of the whole run. The fields are nanoseconds on a processor and
/// nanoseconds of waiting for one. Source: Documentation/scheduler/sched-stats.rst.
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

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Samples every 20 ms: CPU time used since the last in ms, whether all processors are busy,
    /// whether one is wanted.
    fn waits(looks: &[(u64, bool, bool)]) -> Duration {
        let mut waits = CpuWaitSampler::default();
        let mut now = Duration::ZERO;
        let mut cpu = Duration::ZERO;
        for (used, all_are_busy, is_wanted) in looks {
            now += ms(20);
            cpu += ms(*used);
            waits.note(now, cpu, *all_are_busy, *is_wanted);
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
