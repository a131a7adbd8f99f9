//! Limits on time, output and processes, and what runs at them.

use std::time::Duration;
use std::time::Instant;

use gridjudge::model::Verdict;
use gridjudge::model::verdict_of_breach;
use gridjudge_sandbox::Exit;

use crate::stage;
use crate::stage::Stage;
use crate::stage::at_every_level;
use crate::stage::limits;

#[test]
fn cpu_time_over_the_limit_ends_the_run_soon_whoever_burns_it() {
    at_every_level(1, |stage| {
        let burners = [
            "burn",
            "burn_in_child",
            "burn_in_disowned_child",
            "burn_in_orphan",
            "burn_in_threads",
            "burn_in_children",
            "burn_in_short_children",
            "burn_in_a_chain",
        ];
        for act in burners {
            let mut limits = limits();
            limits.cpu = Duration::from_millis(100);
            // At level basic dead orphans count until the launcher looks, and that may be busy elsewhere.
            limits.processes = 1000;
            let run = stage.earns(&[act, "10000"], &limits, Verdict::TimeLimit);
            // It is some 10 ms on a machine with processors to spare.
            assert!(run.usage.cpu < Duration::from_millis(150), "{act}: {run:?}");
        }
    });
}

#[test]
fn cpu_time_counts_for_all_threads_children_and_orphans() {
    at_every_level(1, |stage| {
        let acts = [
            ("burn", 1),
            ("burn_in_child", 1),
            ("burn_in_orphan", 1),
            ("burn_in_disowned_child", 1),
            ("burn_in_threads", 4),
            ("burn_in_children", 4),
            ("burn_in_short_children", 1),
            ("burn_in_a_chain", 1),
        ];
        for (act, times) in acts {
            let run = stage.run(&[act, "40"]);
            assert_eq!(run.exit, Exit::Code(0), "{act}");
            let least = Duration::from_millis(40) * times;
            // Whom the kernel reaps itself only a group counts to the end; else it is what a look has seen.
            if act != "burn_in_disowned_child" || stage.counts_trees() {
                assert!(run.usage.cpu >= least, "{act}: {run:?}");
            }
            assert!(run.usage.cpu < least + Duration::from_millis(40), "{act}: {run:?}");
            assert_eq!(verdict_of_breach(&run, &limits()), None);
        }
    });
}

#[test]
fn a_program_that_waits_is_idle() {
    at_every_level(1, |stage| {
        for act in ["nap", "stop_itself", "ignore_signals", "close_streams_and_hang"] {
            let mut limits = limits();
            limits.wall = Duration::from_millis(100);
            let run = stage.earns(&[act], &limits, Verdict::IdleLimit);
            assert!(run.usage.wall >= limits.wall);
        }
    });
}

#[test]
fn a_run_that_finds_no_processor_is_not_idle() {
    let processors = std::thread::available_parallelism().unwrap().get();
    at_every_level(4 * processors, |stage| {
        let mut limits = limits();
        limits.wall = Duration::from_millis(400);
        std::thread::scope(|scope| {
            for _ in 0..4 * processors {
                scope.spawn(|| {
                    let run = stage.run_within(&stage.act(&["burn", "150"]), &limits);
                    // Patience ends where others leave it next to nothing of the machine.
                    let is_hopeless = run.usage.starved >= limits.wall * 9;
                    assert!(verdict_of_breach(&run, &limits).is_none() || is_hopeless, "{run:?}");
                });
            }
        });
    });
}

#[test]
fn output_exactly_at_the_limit_passes_and_one_byte_more_is_a_breach() {
    at_every_level(1, |stage| {
        let mut limits = limits();
        limits.output_bytes = 100_000;
        let exact = stage.run_within(&stage.act(&["write_bytes", "100000"]), &limits);
        assert_eq!((exact.stdout_bytes, verdict_of_breach(&exact, &limits)), (100_000, None));
        let over = stage.earns(&["write_bytes", "100001"], &limits, Verdict::OutputLimit);
        assert_eq!(over.stdout_bytes, 100_001);
    });
}

#[test]
fn endless_output_stops_at_the_limit() {
    at_every_level(1, |stage| {
        let acts: [&[&str]; 4] =
            [&["flood", "1"], &["flood", "2"], &["flood_ignoring_the_signal"], &["stretch_output"]];
        for act in acts {
            let mut limits = limits();
            limits.output_bytes = 100_000;
            let stretches = act == ["stretch_output"];
            let verdict = if stretches { Verdict::RuntimeError } else { Verdict::OutputLimit };
            let run = stage.earns(act, &limits, verdict);
            assert!(run.stdout_bytes.max(run.stderr_bytes) <= 100_001, "{act:?}: {run:?}");
        }
    });
}

#[test]
fn processes_are_limited() {
    at_every_level(1, |stage| {
        let mut limits = limits();
        limits.processes = 8;
        let born = stage.output_within(&stage.act(&["count_forks"]), &limits);
        // Without a group, and as a user who has other processes, there is a margin for these.
        if stage.sandbox.guarantees().own_user || stage.counts_trees() {
            assert_eq!(born.trim(), "7", "with the first there are 8");
        }
    });
}

#[test]
fn two_sandboxes_of_one_process_have_groups_of_their_own() {
    at_every_level(1, |stage| {
        let other = Stage::with_landlock(stage.sandbox.level(), u32::MAX);
        let groups = |stage: &Stage| stage::groups_of(stage.sandbox.launcher_ids()[0]);
        let (ours, theirs) = (groups(&stage), groups(&other));
        assert_eq!((ours.is_empty(), theirs.is_empty()), (!stage.counts_trees(), !stage.counts_trees()));
        assert!(ours.iter().all(|group| !theirs.contains(group)), "{ours:?}");
        drop(other);
        assert_eq!(stage.run(&["nothing"]).exit, Exit::Code(0));
    });
}

#[test]
fn a_fork_bomb_and_a_runaway_chain_of_forks_lose() {
    at_every_level(1, |stage| {
        for act in ["bomb", "run_away"] {
            let mut limits = limits();
            limits.processes = 20;
            limits.cpu = Duration::from_millis(300);
            let start = Instant::now();
            stage.run_within(&stage.act(&[act]), &limits);
            assert!(start.elapsed() < Duration::from_secs(5), "{act}: {:?}", start.elapsed());
            stage.nothing_is_left();
        }
    });
}

#[test]
fn orphans_end_with_the_run_at_once() {
    at_every_level(1, |stage| {
        for act in ["leave_orphan", "leave_burning_orphan"] {
            let run = stage.run(&[act]);
            assert_eq!(run.exit, Exit::Code(0), "{act}: {run:?}");
            assert_eq!(verdict_of_breach(&run, &limits()), None, "{act}: {run:?}");
            assert!(run.usage.wall < limits().wall / 4, "{act}: {run:?}");
            stage.nothing_is_left();
        }
    });
}
