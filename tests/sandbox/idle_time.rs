//! Idle time on a busy machine: a run that waits for a processor is not idle; a run
//! whose threads only pretend to wait is.

use std::fs;
use std::hint::spin_loop;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Duration;

use gridjudge::model::{Verdict, verdict_of_breach};
use gridjudge_sandbox::Limits;

use crate::fixture::{Fixture, at_all_levels_at_once, at_every_level, limits};

/// Runs a test at all levels at the same time, while all processors are busy.
fn on_a_busy_machine(test: impl Fn(Fixture) + Sync) {
    let is_over = AtomicBool::new(false);
    let processors = thread::available_parallelism().unwrap().get();
    thread::scope(|scope| {
        for _ in 0..4 * processors {
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    spin_loop();
                }
            });
        }
        /// Stops the threads even if the closure panics.
        struct Stop<'a>(&'a AtomicBool);
        impl Drop for Stop<'_> {
            fn drop(&mut self) {
                self.0.store(true, Relaxed);
            }
        }
        let _stop = Stop(&is_over);
        at_all_levels_at_once(test);
    });
}

/// Many processes are allowed: at level basic dead orphans count until the launcher
/// reaps them, which is late on a busy machine.
fn within(wall_ms: u64) -> Limits {
    Limits {
        wall: Duration::from_millis(wall_ms),
        processes: 1000,
        ..limits()
    }
}

#[test]
fn a_chain_of_short_processes_that_wait_for_a_processor_is_not_idle() {
    on_a_busy_machine(|fixture| {
        for action in ["burn_in_short_children", "burn_in_chain"] {
            let limits = within(400);
            let run = fixture.run_within(&fixture.action(&[action, "150"]), &limits);
            // The wall limit is extended only to ten times its length if the run gets
            // almost no processor time.
            let is_hopeless = run.usage.starved >= limits.wall * 9;
            assert!(
                verdict_of_breach(&run, &limits).is_none() || is_hopeless,
                "{action}: {run:?}"
            );
        }
    });
}

#[test]
fn a_program_that_sleeps_is_idle_on_a_busy_machine_whatever_its_low_priority_threads_do()
 {
    on_a_busy_machine(|fixture| {
        for action in [
            "sleep_forever",
            "wait_beside_idle_threads",
            "wait_beside_nice_threads",
        ] {
            let limits = within(300);
            let run = fixture.expect_verdict(&[action], &limits, Verdict::IdleLimit);
            // The wall limit is extended by nine times its length at most, which
            // unjustified waiting would reach. The time to start depends on the
            // machine.
            assert!(run.usage.starved < limits.wall * 9 / 2, "{action}: {run:?}");
        }
    });
}

/// For how many microseconds some process of the machine has waited for a processor,
/// for a disk or for memory. `None` if the kernel does not say.
fn waited() -> Option<u64> {
    ["cpu", "io", "memory"]
        .map(|what| {
            let text = fs::read_to_string(format!("/proc/pressure/{what}")).ok()?;
            text.lines()
                .next()?
                .rsplit_once("total=")?
                .1
                .parse::<u64>()
                .ok()
        })
        .into_iter()
        .sum()
}

#[test]
fn a_run_has_idled_by_itself_unless_something_on_the_machine_had_to_wait() {
    at_every_level(1, |fixture| {
        let is_explained = || {
            let before = waited();
            let run = fixture.expect_verdict(
                &["sleep_forever"],
                &within(300),
                Verdict::IdleLimit,
            );
            match before.zip(waited()) {
                Some((before, now)) => {
                    run.usage.idled_by_itself || now - before > 3_000
                }
                None => !run.usage.idled_by_itself,
            }
        };
        // A virtual machine that stands still says nothing of it.
        assert!((0..5).any(|_| is_explained()));
    });
}

/// Only the time that other processes had counts as waiting, not the time that the
/// run's own threads had.
#[test]
fn threads_that_compete_with_each_other_do_not_extend_the_wall_limit() {
    at_every_level(1, |fixture| {
        let run = fixture.expect_verdict(
            &["wait_beside_threads_on_one_processor"],
            &within(300),
            Verdict::IdleLimit,
        );
        let explained = run.usage.starved + run.usage.cpu;
        assert!(
            explained <= run.usage.wall + Duration::from_millis(20),
            "{run:?}"
        );
    });
}
