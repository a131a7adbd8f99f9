//! How a run fares in the competition for processors: for how long it wanted one and had none. Knows threads by `/proc`;
//! knows nothing of limits. Start at [`CpuWaitSampler::look`].
//!
//! There are two ways to know. The kernel keeps for each thread how long it has waited; that is exact, and goes with the
//! thread. What a chain of short processes waits is known by samples only: at each look some thread wants a processor, or
//! none does; the wait is the time in which one did, less the CPU time that was used in it.
//!
//! Not every wait is granted. A thread that has put itself behind all others, by its scheduler or its nice value, is granted none. What a
//! thread may have waited for other threads of its own run is taken off. And samples count only while others than the run
//! keep all processors busy, or kept this process itself from one.

use std::fs;
use std::ops::ControlFlow;
use std::time::Duration;

use crate::machine::proc_stat::ProcStat;
use crate::machine::process_tree;

/// A process that is woken so much later than it wanted to be has found no processor.
const LATE: Duration = Duration::from_millis(10);

/// How often the threads are read at most, if one ends meanwhile: the one that waits for it may have been read before that.
const PASSES: usize = 3;

/// What a run has waited for processors, by looks at it.
#[derive(Default)]
pub(super) struct CpuWaitSampler {
    /// When the last look was, since the run began, and the CPU time used until then.
    last: Duration,
    last_cpu: Duration,
    /// For how long some thread wanted a processor, or had one, while all were busy.
    wanted: Duration,
    /// CPU time that was used while all were busy.
    used: Duration,
}

impl CpuWaitSampler {
    /// Looks at a run at this time since it began, after a nap that was to be of this length. `cpu` is what it has used.
    pub(super) fn look(&mut self, now: Duration, nap: Duration, cpu: Duration, processors: u32) {
        let processors = processors.into();
        let is_late = now.saturating_sub(self.last) > nap + LATE;
        // This process runs as well, but not for long.
        let runnable = runnable_on_machine().saturating_sub(1);
        let own = if is_late || runnable >= processors { running_threads(runnable) } else { 0 };
        self.note(now, cpu, is_late || runnable.saturating_sub(own) >= processors, own > 0);
    }

    fn note(&mut self, now: Duration, cpu: Duration, all_are_busy: bool, is_wanted: bool) {
        if all_are_busy {
            self.wanted += if is_wanted { now.saturating_sub(self.last) } else { Duration::ZERO };
            self.used += cpu.saturating_sub(self.last_cpu);
        }
        (self.last, self.last_cpu) = (now, cpu);
    }

    /// For how long some thread of the run wanted a processor and none had one.
    pub(super) fn sum(&self) -> Duration {
        self.wanted.saturating_sub(self.used)
    }
}

/// How many threads of the whole machine want a processor or have one; no end of them where that cannot be told.
fn runnable_on_machine() -> u64 {
    runnable_in(&fs::read_to_string("/proc/loadavg").unwrap_or_default()).unwrap_or(u64::MAX)
}

/// Source: proc_loadavg(5).
fn runnable_in(loadavg: &str) -> Option<u64> {
    loadavg.split_ascii_whitespace().nth(3)?.split_once('/')?.0.parse().ok()
}

/// How many threads of the descendants of this process want a processor or have one, counted up to `enough`.
fn running_threads(enough: u64) -> u64 {
    let Some(own) = ProcStat::of("/proc/self") else { return 0 };
    for _ in 0..PASSES {
        let (mut running, mut has_lost_one) = (0, false);
        for_each_thread(|folder| {
            let stat = ProcStat::of(folder);
            has_lost_one |= stat.as_ref().is_none_or(ProcStat::has_ended);
            running +=
                u64::from(stat.is_some_and(|stat| stat.is_running() && !stat.has_lower_priority_than(&own)));
            if running > enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if running > 0 || !has_lost_one {
            return running;
        }
    }
    0
}

/// Meets all threads of the descendants of this process, by their folders in `/proc`; of a process that has none any more,
/// a folder that is not there.
fn for_each_thread(mut meet: impl FnMut(&str) -> ControlFlow<()>) {
    process_tree::for_each_descendant(|pid| {
        let mut threads = process_tree::numbered(&format!("/proc/{pid}/task")).peekable();
        if threads.peek().is_none() {
            return meet(&format!("/proc/{pid}/task/0"));
        }
        threads.try_for_each(|thread| meet(&format!("/proc/{pid}/task/{thread}")))
    });
}

/// How long living threads of the run have waited for a processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StarvationClaims {
    /// For how long the unluckiest wanted a processor that no other thread of the run had. Of threads that wait at the same
    /// time only one may be counted, because the wall clock runs once for all of them.
    pub(super) delay: Duration,
    /// Whether some thread wants a processor now, or has one, or waits for a disk, or has just ended, of which others
    /// may not have heard yet. If it waits, how long it has been waiting is not in `delay` yet: the kernel adds that
    /// when the wait is over.
    pub(super) pending: bool,
}

/// The claims of the descendants of this process, which have used so much CPU time together.
pub(super) fn claims(cpu: Duration) -> StarvationClaims {
    let mut found = StarvationClaims::default();
    let Some(own) = ProcStat::of("/proc/self") else { return found };
    for_each_thread(|folder| {
        let (stat, times) = (ProcStat::of(folder), fs::read_to_string(format!("{folder}/schedstat")));
        if stat.as_ref().is_some_and(|stat| stat.has_lower_priority_than(&own)) {
            return ControlFlow::Continue(());
        }
        found.delay = found.delay.max(delay_in(&times.unwrap_or_default(), cpu).unwrap_or_default());
        found.pending |= !stat.is_some_and(|stat| stat.is_idle());
        ControlFlow::Continue(())
    });
    found
}

/// How long a thread has waited, less what others of its run, which have used so much CPU time with it, may have had
/// meanwhile. The fields are nanoseconds on a processor and nanoseconds of waiting for one. Source:
/// Documentation/scheduler/sched-stats.rst.
fn delay_in(schedstat: &str, cpu: Duration) -> Option<Duration> {
    let mut fields = schedstat.split_ascii_whitespace().map(|field| field.parse().map(Duration::from_nanos));
    let (had, waited) = (fields.next()?.ok()?, fields.next()?.ok()?);
    Some(waited.saturating_sub(cpu.saturating_sub(had)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Looks every 20 ms: CPU time used since the last in ms, whether all processors are busy, whether one is wanted.
    fn waits(looks: &[(u64, bool, bool)]) -> Duration {
        let (mut waits, mut now, mut cpu) = (CpuWaitSampler::default(), Duration::ZERO, Duration::ZERO);
        for (used, all_are_busy, is_wanted) in looks {
            now += ms(20);
            cpu += ms(*used);
            waits.note(now, cpu, *all_are_busy, *is_wanted);
        }
        waits.sum()
    }

    #[test]
    fn who_always_wants_a_processor_has_waited_for_all_but_what_it_had() {
        assert_eq!(waits(&[(5, true, true); 10]), ms(150));
        assert_eq!(waits(&[(20, true, true); 10]), ms(0));
        // Several threads may use more than the clock shows.
        assert_eq!(waits(&[(40, true, true); 10]), ms(0));
    }

    #[test]
    fn who_sleeps_or_has_processors_to_himself_has_waited_for_none() {
        assert_eq!(waits(&[(0, true, false); 10]), ms(0));
        assert_eq!(waits(&[(1, false, true); 10]), ms(0));
    }

    #[test]
    fn who_works_half_of_the_time_and_sleeps_the_other_has_not_waited() {
        assert_eq!(waits(&[(10, true, true), (10, true, false)].repeat(5)), ms(0));
    }

    #[test]
    fn what_was_used_while_processors_were_free_is_not_taken_off() {
        assert_eq!(waits(&[(20, false, true), (20, false, true), (4, true, true), (4, true, true)]), ms(32));
    }

    #[test]
    fn a_wait_for_ones_own_other_threads_is_no_claim() {
        let schedstat = format!("{} {} 12\n", 100_000_000, 900_000_000);
        assert_eq!(delay_in(&schedstat, ms(100)), Some(ms(900)), "alone");
        assert_eq!(delay_in(&schedstat, ms(1000)), Some(ms(0)), "beside 900 ms of others");
        assert_eq!(delay_in(&schedstat, ms(400)), Some(ms(600)));
        assert_eq!(delay_in("", ms(1)), None);
    }

    #[test]
    fn the_machine_tells_how_many_threads_are_runnable() {
        assert_eq!(runnable_in("1.73 1.17 1.00 3/150 4711\n"), Some(3));
        assert_eq!(runnable_in("1.73 1.17"), None);
        assert!(runnable_on_machine() >= 1);
    }
}
