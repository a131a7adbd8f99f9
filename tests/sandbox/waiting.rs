//! The wall clock on a busy machine: whoever wants a processor and has none is not idle, and who only says so is.

use std::hint::spin_loop;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Duration;

use gridjudge::model::Verdict;
use gridjudge::model::verdict_of_breach;
use gridjudge_sandbox::Limits;

use crate::stage::at_every_level;
use crate::stage::limits;

/// Has all processors busy while something is done.
fn on_a_busy_machine(act: impl FnOnce()) {
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
        /// Also when what is done fails.
        struct Stop<'a>(&'a AtomicBool);
        impl Drop for Stop<'_> {
            fn drop(&mut self) {
                self.0.store(true, Relaxed);
            }
        }
        let _stop = Stop(&is_over);
        act();
    });
}

/// At level basic dead orphans count until the launcher looks, which finds no processor here for long.
fn within(wall_ms: u64) -> Limits {
    Limits { wall: Duration::from_millis(wall_ms), processes: 1000, ..limits() }
}

#[test]
fn a_chain_of_short_processes_that_find_no_processor_is_not_idle() {
    at_every_level(1, |stage| {
        on_a_busy_machine(|| {
            for act in ["burn_in_short_children", "burn_in_a_chain"] {
                let limits = within(400);
                let run = stage.run_within(&stage.act(&[act, "150"]), &limits);
                // Patience ends where others leave it next to nothing of the machine.
                let is_hopeless = run.usage.starved >= limits.wall * 9;
                assert!(verdict_of_breach(&run, &limits).is_none() || is_hopeless, "{act}: {run:?}");
            }
        });
    });
}

#[test]
fn a_program_that_waits_is_idle_on_a_busy_machine_whatever_stands_behind_everybody_else() {
    at_every_level(1, |stage| {
        on_a_busy_machine(|| {
            for act in ["nap", "wait_beside_idle_threads", "wait_beside_nice_threads"] {
                let limits = within(300);
                let run = stage.earns(&[act], &limits, Verdict::IdleLimit);
                // Patience has an end at nine times the limit, which claims without a ground reach; how long it takes to start
                // at all is the machine's doing.
                assert!(run.usage.starved < limits.wall * 9 / 2, "{act}: {run:?}");
            }
        });
    });
}

/// What they have had, altogether, is no wait; what others have had is, who may be busy, too.
#[test]
fn threads_that_keep_each_other_from_a_processor_do_not_stretch_the_clock() {
    at_every_level(1, |stage| {
        let run = stage.earns(&["wait_beside_threads_on_one_processor"], &within(300), Verdict::IdleLimit);
        let explained = run.usage.starved + run.usage.cpu;
        assert!(explained <= run.usage.wall + Duration::from_millis(20), "{run:?}");
    });
}
