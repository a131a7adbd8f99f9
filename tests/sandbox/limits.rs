//! Limits on time, output and processes.

use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::{Duration, Instant};

use gridjudge::model::{Verdict, verdict_of_breach};
use gridjudge_sandbox::{Exit, Limits};

use crate::fixture;
use crate::fixture::{Fixture, at_every_level, limits};

#[test]
fn a_run_is_stopped_soon_after_its_cpu_limit_whichever_process_uses_the_time() {
    at_every_level(1, |fixture| {
        let actions = [
            "burn",
            "burn_in_child",
            "burn_in_ignored_child",
            "burn_in_orphan",
            "burn_in_threads",
            "burn_in_children",
            "burn_in_short_children",
            "burn_in_chain",
        ];
        for action in actions {
            let mut limits = limits();
            limits.cpu = Duration::from_millis(100);
            // At level basic dead orphans count as processes until the launcher reaps
            // them, which may be late.
            limits.processes = 1000;
            let run = fixture.expect_verdict(
                &[action, "10000"],
                &limits,
                Verdict::TimeLimit,
            );
            // On a machine with idle processors it is about 10 ms.
            assert!(
                run.usage.cpu < Duration::from_millis(150),
                "{action}: {run:?}"
            );
        }
    });
}

#[test]
fn cpu_time_counts_for_all_threads_children_and_orphans() {
    at_every_level(1, |fixture| {
        let actions = [
            ("burn", 1),
            ("burn_in_child", 1),
            ("burn_in_orphan", 1),
            ("burn_in_ignored_child", 1),
            ("burn_in_threads", 4),
            ("burn_in_children", 4),
            ("burn_in_short_children", 1),
            ("burn_in_chain", 1),
        ];
        for (action, times) in actions {
            let run = fixture.run(&[action, "40"]);
            assert_eq!(run.exit, Exit::Code(0), "{action}");
            let least = Duration::from_millis(40) * times;
            // Without a control group, children that the kernel reaps itself count only
            // as far as samples have seen them.
            if action != "burn_in_ignored_child" || fixture.has_control_group() {
                assert!(run.usage.cpu >= least, "{action}: {run:?}");
            }
            assert!(
                run.usage.cpu < least + Duration::from_millis(40),
                "{action}: {run:?}"
            );
            assert_eq!(verdict_of_breach(&run, &limits()), None);
        }
    });
}

#[test]
fn a_program_that_waits_is_idle() {
    at_every_level(1, |fixture| {
        for action in [
            "sleep_forever",
            "stop_itself",
            "ignore_signals",
            "close_streams_and_hang",
        ] {
            let mut limits = limits();
            limits.wall = Duration::from_millis(100);
            let run = fixture.expect_verdict(&[action], &limits, Verdict::IdleLimit);
            assert!(run.usage.wall >= limits.wall);
        }
    });
}

#[test]
fn a_run_that_waits_for_a_processor_is_not_idle() {
    let processors = std::thread::available_parallelism().unwrap().get();
    at_every_level(4 * processors, |fixture| {
        let mut limits = limits();
        limits.wall = Duration::from_millis(200);
        std::thread::scope(|scope| {
            for _ in 0..4 * processors {
                scope.spawn(|| {
                    let run =
                        fixture.run_within(&fixture.action(&["burn", "80"]), &limits);
                    // The wall limit is extended only to ten times its length if the
                    // run gets almost no processor time.
                    let is_hopeless = run.usage.starved >= limits.wall * 9;
                    assert!(
                        verdict_of_breach(&run, &limits).is_none() || is_hopeless,
                        "{run:?}"
                    );
                });
            }
        });
    });
}

#[test]
fn output_exactly_at_the_limit_passes_and_one_byte_more_is_a_breach() {
    at_every_level(1, |fixture| {
        let mut limits = limits();
        limits.output_bytes = 100_000;
        let exact =
            fixture.run_within(&fixture.action(&["write_bytes", "100000"]), &limits);
        assert_eq!(
            (exact.stdout_bytes, verdict_of_breach(&exact, &limits)),
            (100_000, None)
        );
        let over = fixture.expect_verdict(
            &["write_bytes", "100001"],
            &limits,
            Verdict::OutputLimit,
        );
        assert_eq!(over.stdout_bytes, 100_001);
    });
}

#[test]
fn endless_output_stops_at_the_limit() {
    at_every_level(1, |fixture| {
        let actions: [&[&str]; 4] = [
            &["flood", "1"],
            &["flood", "2"],
            &["flood_ignoring_the_signal"],
            &["extend_output"],
        ];
        for action in actions {
            let mut limits = limits();
            limits.output_bytes = 100_000;
            let stretches = action == ["extend_output"];
            let verdict = if stretches {
                Verdict::RuntimeError
            } else {
                Verdict::OutputLimit
            };
            let run = fixture.expect_verdict(action, &limits, verdict);
            assert!(
                run.stdout_bytes.max(run.stderr_bytes) <= 100_001,
                "{action:?}: {run:?}"
            );
        }
    });
}

#[test]
fn processes_are_limited() {
    at_every_level(1, |fixture| {
        let mut limits = limits();
        limits.processes = 8;
        let born = fixture.output_within(&fixture.action(&["count_forks"]), &limits);
        // Without a control group, the limit has a margin for other processes of the
        // same user.
        if fixture.sandbox.guarantees().own_user || fixture.has_control_group() {
            assert_eq!(born.trim(), "7", "there are 8 processes with the first one");
        }
    });
}

/// Judges in two containers may give their runs the same user.
#[test]
fn processes_of_others_with_the_same_user_do_not_count_where_a_control_group_counts()
{
    at_every_level(1, |fixture| {
        if !fixture.has_control_group() || !fixture.sandbox.guarantees().own_user {
            return;
        }
        let user: u32 = fixture
            .output_within(&fixture.action(&["show_user"]), &limits())
            .trim()
            .parse()
            .unwrap();
        let mut others: Vec<_> = std::iter::repeat_with(|| {
            Command::new("sleep").arg("60").uid(user).spawn().unwrap()
        })
        .take(12)
        .collect();
        let tight = Limits {
            processes: 8,
            ..limits()
        };
        let born = fixture.output_within(&fixture.action(&["count_forks"]), &tight);
        for other in &mut others {
            other.kill().unwrap();
            other.wait().unwrap();
        }
        assert_eq!(born.trim(), "7");
    });
}

#[test]
fn two_sandboxes_of_one_process_have_different_control_groups() {
    at_every_level(1, |fixture| {
        let other = Fixture::with_landlock(fixture.sandbox.level(), u32::MAX);
        let groups =
            |fixture: &Fixture| fixture::groups_of(fixture.sandbox.launcher_ids()[0]);
        let ours = groups(&fixture);
        let theirs = groups(&other);
        assert_eq!(
            (ours.is_empty(), theirs.is_empty()),
            (!fixture.has_control_group(), !fixture.has_control_group())
        );
        assert!(ours.iter().all(|group| !theirs.contains(group)), "{ours:?}");
        drop(other);
        assert_eq!(fixture.run(&["do_nothing"]).exit, Exit::Code(0));
    });
}

#[test]
fn a_fork_bomb_and_chains_of_forks_are_stopped() {
    at_every_level(1, |fixture| {
        for action in ["fork_bomb", "fork_chains"] {
            let mut limits = limits();
            limits.processes = 20;
            limits.cpu = Duration::from_millis(300);
            let start = Instant::now();
            fixture.run_within(&fixture.action(&[action]), &limits);
            assert!(
                start.elapsed() < Duration::from_secs(5),
                "{action}: {:?}",
                start.elapsed()
            );
            fixture.assert_no_process_is_left();
        }
    });
}

#[test]
fn orphans_are_killed_as_soon_as_the_run_ends() {
    at_every_level(1, |fixture| {
        for action in ["leave_orphan", "leave_busy_orphan"] {
            let run = fixture.run(&[action]);
            assert_eq!(run.exit, Exit::Code(0), "{action}: {run:?}");
            assert_eq!(
                verdict_of_breach(&run, &limits()),
                None,
                "{action}: {run:?}"
            );
            assert!(run.usage.wall < limits().wall / 4, "{action}: {run:?}");
            fixture.assert_no_process_is_left();
        }
    });
}
