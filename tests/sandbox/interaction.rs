//! Interactions of two runs: which one ended first, whose turn it was, and what each
//! used. Both are shell scripts.

use std::sync::Mutex;
use std::time::Duration;

use gridjudge_sandbox::{
    Exit, Interaction, InteractionListener, InteractionRequest, Launch, Limits,
    Party, Role, Sandbox, Side, Stall, again_if_lost,
};

use crate::fixture::{
    Fixture, at_all_levels_at_once, at_every_level, empty_launch, kill, limits,
    runs_below,
};

/// Whether an interactor with this exit code and message lets the submission finish.
fn lets_finish(code: i32, said: &[u8]) -> bool {
    code == 42 || said == b"go on\n"
}

fn script_launch(script: &str, role: Role) -> Launch {
    Launch {
        command: ["/bin/sh", "-c", script].map(str::to_owned).to_vec(),
        role,
        ..empty_launch()
    }
}

/// A listener that collects everything that each side writes.
#[derive(Default)]
struct CollectingListener(Mutex<[Vec<u8>; 2]>);

impl InteractionListener for CollectingListener {
    fn begin(&self) {
        *self.0.lock().unwrap() = Default::default();
    }

    fn receive(&self, by: Side, _: Duration, bytes: &[u8]) {
        self.0.lock().unwrap()[usize::from(by == Side::Interactor)].extend(bytes);
    }
}

/// Runs a submission and an interactor, both scripts, twice: without and with a
/// listener.
fn interact_twice(
    fixture: &Fixture,
    [submission, interactor]: [&str; 2],
    limits: [&Limits; 2],
    check: impl Fn(Interaction),
) {
    check(interact_within(
        fixture,
        [submission, interactor],
        limits,
        None,
    ));
    check(interact_within(
        fixture,
        [submission, interactor],
        limits,
        Some(&CollectingListener::default()),
    ));
}

fn interact_within(
    fixture: &Fixture,
    [submission, interactor]: [&str; 2],
    [one, other]: [&Limits; 2],
    listener: Option<&dyn InteractionListener>,
) -> Interaction {
    let folder = tempfile::tempdir().unwrap();
    let submission = script_launch(submission, Role::Submission);
    let interactor = script_launch(
        interactor,
        Role::Tool {
            folder: folder.path().to_owned(),
        },
    );
    let one = Party {
        launch: &submission,
        limits: one,
    };
    let other = Party {
        launch: &interactor,
        limits: other,
    };
    let found = again_if_lost(|| {
        let request = InteractionRequest {
            submission: one,
            interactor: other,
            lets_finish: &lets_finish,
            listener,
            stop: None,
        };
        fixture.sandbox.interact(request)
    });
    let found = found.unwrap();
    for launcher in fixture.sandbox.launcher_ids() {
        // An init that is just ending looks like a run for a moment.
        let seen = runs_below(launcher);
        let left: Vec<_> = runs_below(launcher)
            .into_iter()
            .filter(|process| seen.contains(process))
            .collect();
        assert_eq!(left, [0; 0], "a process is left");
    }
    found
}

fn interact(
    fixture: &Fixture,
    submission: &str,
    interactor: &str,
    check: impl Fn(Interaction),
) {
    interact_twice(
        fixture,
        [submission, interactor],
        [&limits(), &limits()],
        check,
    );
}

/// How both ended, the submission first.
fn exits(found: &Interaction) -> [Exit; 2] {
    [found.submission.exit, found.interactor.exit]
}

#[test]
fn each_program_reads_what_the_other_writes() {
    at_every_level(1, |fixture| {
        let submission =
            "while read -r n; do echo $((n * 2)); done; echo of mine >&2";
        let interactor = "for n in 1 2 3; do echo $n; read -r m; [ $m = $((n * 2)) ] || exit 1; done; exit 42";
        for _ in 0..3 {
            interact(&fixture, submission, interactor, |found| {
                assert_eq!(
                    exits(&found),
                    [Exit::Code(0), Exit::Code(42)],
                    "{found:?}"
                );
                assert_eq!(found.stall, None);
                assert_eq!(found.submission.stderr_tail, b"of mine\n");
            });
        }
    });
}

#[test]
fn a_listener_receives_everything_that_both_sides_write() {
    at_every_level(1, |fixture| {
        let listener = CollectingListener::default();
        let parties = [
            "read -r n; echo $((n * 2)); echo last",
            "echo 21; read -r m; exit 42",
        ];
        let found = interact_within(
            &fixture,
            parties,
            [&limits(), &limits()],
            Some(&listener),
        );
        assert_eq!(exits(&found), [Exit::Code(0), Exit::Code(42)], "{found:?}");
        assert_eq!(
            listener.0.into_inner().unwrap(),
            [b"42\nlast\n".to_vec(), b"21\n".to_vec()]
        );
    });
}

#[test]
fn launchers_are_started_on_demand_and_replaced_when_they_die() {
    at_every_level(64, |fixture| {
        fixture.run(&["do_nothing"]);
        assert_eq!(fixture.sandbox.launcher_ids().len(), 1);
        interact(&fixture, "exit 0", "exit 42", |_| {});
        let launchers = fixture.sandbox.launcher_ids();
        assert_eq!(launchers.len(), 2);
        launchers.into_iter().for_each(kill);
        interact(&fixture, "exit 0", "cat; exit 42", |found| {
            assert_eq!(exits(&found), [Exit::Code(0), Exit::Code(42)], "{found:?}");
        });
    });
}

#[test]
fn a_submission_whose_end_closes_its_output_ended_first() {
    at_every_level(1, |fixture| {
        for _ in 0..20 {
            interact(
                &fixture,
                "kill -SEGV $$",
                "read -r word || exit 43; exit 42",
                |found| {
                    assert_eq!(
                        (found.submission.exit, found.first),
                        (Exit::Signal(11), Side::Submission)
                    );
                },
            );
        }
        interact(
            &fixture,
            "exec >&-; sleep 0.1; exit 0",
            "read -r word || exit 43; exit 42",
            |found| {
                assert_eq!(
                    exits(&found),
                    [Exit::Code(0), Exit::Code(43)],
                    "{found:?}"
                );
                assert_eq!(found.first, Side::Submission);
            },
        );
    });
}

#[test]
fn an_interactor_that_rejects_the_last_output_ended_first_even_if_a_crash_followed() {
    at_every_level(1, |fixture| {
        for _ in 0..20 {
            interact(
                &fixture,
                "echo no; kill -SEGV $$",
                "read -r word; exit 43",
                |found| {
                    assert_eq!(
                        (found.interactor.exit, found.first),
                        (Exit::Code(43), Side::Interactor)
                    );
                },
            );
        }
    });
}

#[test]
fn a_rejection_of_the_last_output_may_take_long() {
    at_all_levels_at_once(|fixture| {
        let crash = "echo no; kill -SEGV $$";
        for work in [
            "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done",
            "sleep 0.6",
            "head -c 3000000 /dev/zero",
        ] {
            interact(
                &fixture,
                crash,
                &format!("read -r word; {work}; exit 43"),
                |found| {
                    assert_eq!(
                        (found.interactor.exit, found.first),
                        (Exit::Code(43), Side::Interactor),
                        "{work}"
                    );
                },
            );
            interact(
                &fixture,
                crash,
                &format!("read -r word; {work}; read -r more; exit 43"),
                |found| {
                    assert_eq!(
                        (found.submission.exit, found.first),
                        (Exit::Signal(11), Side::Submission),
                        "{work}"
                    );
                },
            );
        }
    });
}

#[test]
fn an_interactor_that_breaks_a_limit_after_the_submission_has_failed_has_not_ended_first()
 {
    at_all_levels_at_once(|fixture| {
        let short = Limits {
            cpu: Duration::from_millis(100),
            wall: Duration::from_millis(500),
            ..limits()
        };
        for rest in ["while :; do :; done", "sleep 30"] {
            let parties = [
                "echo no; kill -SEGV $$",
                &format!("read -r word; {rest}; exit 43"),
            ];
            interact_twice(&fixture, parties, [&limits(), &short], |found| {
                assert_eq!(
                    (found.submission.exit, found.first),
                    (Exit::Signal(11), Side::Submission),
                    "{rest}"
                );
            });
        }
    });
}

#[test]
fn a_rejecting_interactor_ends_the_submission_at_once() {
    at_every_level(1, |fixture| {
        interact(&fixture, "while :; do :; done", "exit 43", |found| {
            assert_eq!(exits(&found), [Exit::Signal(9), Exit::Code(43)]);
            assert_eq!((found.first, found.stall), (Side::Interactor, None));
            assert!(found.submission.usage.cpu < limits().cpu);
        });
    });
}

#[test]
fn the_message_of_an_interactor_may_let_the_submission_finish() {
    at_every_level(1, |fixture| {
        interact(
            &fixture,
            "read -r word; sleep 0.1; exit 0",
            "echo go on >&2; exit 1",
            |found| {
                assert_eq!(exits(&found), [Exit::Code(0), Exit::Code(1)]);
            },
        );
    });
}

#[test]
fn a_program_whose_output_is_not_read_is_neither_stopped_nor_blocked() {
    at_every_level(1, |fixture| {
        let much = "head -c 3000000 /dev/zero";
        interact(&fixture, &format!("{much} && exit 7"), "exit 42", |found| {
            assert_eq!(exits(&found), [Exit::Code(7), Exit::Code(42)]);
            assert_eq!(found.submission.stdout_bytes, 3_000_000);
        });
        interact(&fixture, "exit 0", &format!("{much} && exit 42"), |found| {
            assert_eq!(exits(&found), [Exit::Code(0), Exit::Code(42)]);
        });
    });
}

#[test]
fn output_after_the_interactors_end_is_bounded() {
    at_every_level(1, |fixture| {
        interact(&fixture, "exec yes", "exit 42", |found| {
            assert!(
                found.submission.stdout_bytes > limits().output_bytes,
                "{found:?}"
            );
            assert!(
                found.submission.stdout_bytes < 2 * limits().output_bytes,
                "{found:?}"
            );
        });
    });
}

#[test]
fn two_programs_that_wait_for_each_other_are_stopped_long_before_the_wall_limit() {
    at_every_level(1, |fixture| {
        interact(
            &fixture,
            "read -r word; read -r more",
            "echo go; read -r word; exit 42",
            |found| {
                assert_eq!(
                    (found.first, found.stall),
                    (Side::Submission, Some(Stall::BothWait)),
                    "{found:?}"
                );
                assert!(found.submission.usage.wall < limits().wall / 4, "{found:?}");
            },
        );
    });
}

#[test]
fn the_stall_at_the_wall_limit_names_the_side_whose_turn_it_was() {
    at_all_levels_at_once(|fixture| {
        let within = |wall_ms| Limits {
            wall: Duration::from_millis(wall_ms),
            ..limits()
        };
        let short = within(300);
        let long = within(10_000);
        interact_twice(
            &fixture,
            ["sleep 30", "read -r word; exit 42"],
            [&short, &long],
            |found| {
                assert_eq!(found.stall, Some(Stall::SubmissionsTurn), "{found:?}");
            },
        );
        interact_twice(
            &fixture,
            ["read -r word", "sleep 30; exit 42"],
            [&short, &short],
            |found| {
                assert_eq!(found.stall, Some(Stall::InteractorsTurn), "{found:?}");
                assert!(!found.submission.usage.idled_by_itself, "{found:?}");
            },
        );
        let slow = "sleep 0.7; echo go; read -r word; exit 42";
        interact_twice(
            &fixture,
            ["read -r word; echo ok", slow],
            [&short, &long],
            |found| {
                assert_eq!(
                    (exits(&found), found.stall),
                    ([Exit::Code(0), Exit::Code(42)], None),
                    "{found:?}"
                );
            },
        );
    });
}

#[test]
fn each_program_has_its_own_limits() {
    at_every_level(1, |fixture| {
        let short = Limits {
            cpu: Duration::from_millis(100),
            ..limits()
        };
        let burn = "while :; do :; done";
        interact_twice(
            &fixture,
            [burn, "read -r word; exit 43"],
            [&short, &limits()],
            |found| {
                assert!(found.submission.usage.cpu > short.cpu, "{found:?}");
                assert_eq!(found.first, Side::Submission);
            },
        );
        interact_twice(
            &fixture,
            ["read -r word; exit 0", burn],
            [&limits(), &short],
            |found| {
                assert!(
                    found.interactor.usage.cpu > short.cpu
                        && found.submission.usage.cpu < short.cpu,
                    "{found:?}"
                );
            },
        );
    });
}
