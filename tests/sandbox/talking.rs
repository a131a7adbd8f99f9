//! Two runs that talk to each other: who ended first, whose turn it was, and what each used. Shell scripts are both.

use std::sync::Mutex;
use std::time::Duration;

use gridjudge_sandbox::Exit;
use gridjudge_sandbox::Interaction;
use gridjudge_sandbox::InteractionListener;
use gridjudge_sandbox::InteractionRequest;
use gridjudge_sandbox::Launch;
use gridjudge_sandbox::Limits;
use gridjudge_sandbox::Party;
use gridjudge_sandbox::Role;
use gridjudge_sandbox::Sandbox;
use gridjudge_sandbox::Side;
use gridjudge_sandbox::Stall;

use crate::stage::Stage;
use crate::stage::at_every_level;
use crate::stage::kill;
use crate::stage::limits;
use crate::stage::nothing;
use crate::stage::runs_below;

/// The code with which interactors let submissions go on.
const ACCEPTING_CODE: i32 = 42;

fn sh(script: &str, role: Role) -> Launch {
    Launch { command: ["/bin/sh", "-c", script].map(str::to_owned).to_vec(), role, ..nothing() }
}

/// What was heard, each side's words in one piece.
#[derive(Default)]
struct Heard(Mutex<[Vec<u8>; 2]>);

impl InteractionListener for Heard {
    fn begin(&self) {
        *self.0.lock().unwrap() = Default::default();
    }

    fn receive(&self, by: Side, _: Duration, bytes: &[u8]) {
        self.0.lock().unwrap()[usize::from(by == Side::Interactor)].extend(bytes);
    }
}

/// What comes of two scripts, the first of them the submission, whether or not somebody listens.
fn both_ways(
    stage: &Stage,
    [submission, interactor]: [&str; 2],
    limits: [&Limits; 2],
    check: impl Fn(Interaction),
) {
    check(talk_within(stage, [submission, interactor], limits, None));
    check(talk_within(stage, [submission, interactor], limits, Some(&Heard::default())));
}

fn talk_within(
    stage: &Stage,
    [submission, interactor]: [&str; 2],
    [one, other]: [&Limits; 2],
    listener: Option<&dyn InteractionListener>,
) -> Interaction {
    let folder = tempfile::tempdir().unwrap();
    let submission = sh(submission, Role::Submission);
    let interactor = sh(interactor, Role::Tool { folder: folder.path().to_owned() });
    let (one, other) =
        (Party { launch: &submission, limits: one }, Party { launch: &interactor, limits: other });
    let request =
        InteractionRequest { submission: one, interactor: other, accepting_code: ACCEPTING_CODE, listener };
    let found = stage.sandbox.interact(request).unwrap();
    for launcher in stage.sandbox.launcher_ids() {
        // An init that goes at this moment looks like a run for the moment.
        let seen = runs_below(launcher);
        let left: Vec<_> =
            runs_below(launcher).into_iter().filter(|process| seen.contains(process)).collect();
        assert_eq!(left, [0; 0], "something is left");
    }
    found
}

fn talk(stage: &Stage, submission: &str, interactor: &str, check: impl Fn(Interaction)) {
    both_ways(stage, [submission, interactor], [&limits(), &limits()], check);
}

/// How both ended, the submission first.
fn exits(found: &Interaction) -> [Exit; 2] {
    [found.submission.exit, found.interactor.exit]
}

#[test]
fn each_reads_what_the_other_writes() {
    at_every_level(1, |stage| {
        let submission = "while read -r n; do echo $((n * 2)); done; echo of mine >&2";
        let interactor =
            "for n in 1 2 3; do echo $n; read -r m; [ $m = $((n * 2)) ] || exit 1; done; exit 42";
        for _ in 0..3 {
            talk(&stage, submission, interactor, |found| {
                assert_eq!(exits(&found), [Exit::Code(0), Exit::Code(42)], "{found:?}");
                assert_eq!(found.stall, None);
                assert_eq!(found.submission.stderr_tail, b"of mine\n");
            });
        }
    });
}

#[test]
fn who_listens_hears_all_that_either_says_to_the_last_word() {
    at_every_level(1, |stage| {
        let heard = Heard::default();
        let parties = ["read -r n; echo $((n * 2)); echo last", "echo 21; read -r m; exit 42"];
        let found = talk_within(&stage, parties, [&limits(), &limits()], Some(&heard));
        assert_eq!(exits(&found), [Exit::Code(0), Exit::Code(42)], "{found:?}");
        assert_eq!(heard.0.into_inner().unwrap(), [b"42\nlast\n".to_vec(), b"21\n".to_vec()]);
    });
}

#[test]
fn launchers_of_interactors_are_started_when_one_is_needed_and_replaced_when_they_die() {
    at_every_level(2, |stage| {
        assert_eq!(stage.sandbox.launcher_ids().len(), 2);
        talk(&stage, "exit 0", "exit 42", |_| {});
        let launchers = stage.sandbox.launcher_ids();
        assert_eq!(launchers.len(), 3);
        launchers.into_iter().for_each(kill);
        talk(&stage, "exit 0", "cat; exit 42", |found| {
            assert_eq!(exits(&found), [Exit::Code(0), Exit::Code(42)], "{found:?}");
        });
    });
}

#[test]
fn the_end_of_what_a_submission_says_comes_after_its_own() {
    at_every_level(1, |stage| {
        for _ in 0..20 {
            talk(&stage, "kill -SEGV $$", "read -r word || exit 43; exit 42", |found| {
                assert_eq!((found.submission.exit, found.first), (Exit::Signal(11), Side::Submission));
            });
        }
        talk(&stage, "exec >&-; sleep 0.1; exit 0", "read -r word || exit 43; exit 42", |found| {
            assert_eq!(exits(&found), [Exit::Code(0), Exit::Code(43)], "{found:?}");
            assert_eq!(found.first, Side::Submission);
        });
    });
}

#[test]
fn who_decides_on_the_last_words_was_first_though_a_crash_followed_them() {
    at_every_level(1, |stage| {
        for _ in 0..20 {
            talk(&stage, "echo no; kill -SEGV $$", "read -r word; exit 43", |found| {
                assert_eq!((found.interactor.exit, found.first), (Exit::Code(43), Side::Interactor));
            });
        }
    });
}

#[test]
fn an_interactor_that_does_not_let_it_go_on_ends_a_submission_at_once() {
    at_every_level(1, |stage| {
        talk(&stage, "while :; do :; done", "exit 43", |found| {
            assert_eq!(exits(&found), [Exit::Signal(9), Exit::Code(43)]);
            assert_eq!((found.first, found.stall), (Side::Interactor, None));
            assert!(found.submission.usage.cpu < limits().cpu);
        });
    });
}

#[test]
fn nobody_is_ended_or_blocked_for_writing_what_nobody_reads() {
    at_every_level(1, |stage| {
        let much = "head -c 3000000 /dev/zero";
        talk(&stage, &format!("{much} && exit 7"), "exit 42", |found| {
            assert_eq!(exits(&found), [Exit::Code(7), Exit::Code(42)]);
            assert_eq!(found.submission.stdout_bytes, 3_000_000);
        });
        talk(&stage, "exit 0", &format!("{much} && exit 42"), |found| {
            assert_eq!(exits(&found), [Exit::Code(0), Exit::Code(42)]);
        });
    });
}

#[test]
fn output_after_the_interactors_end_is_bounded() {
    at_every_level(1, |stage| {
        talk(&stage, "exec yes", "exit 42", |found| {
            assert!(found.submission.stdout_bytes > limits().output_bytes, "{found:?}");
            assert!(found.submission.stdout_bytes < 2 * limits().output_bytes, "{found:?}");
        });
    });
}

#[test]
fn who_waits_for_each_other_is_stopped_long_before_the_wall_limit() {
    at_every_level(1, |stage| {
        talk(&stage, "read -r word; read -r more", "echo go; read -r word; exit 42", |found| {
            assert_eq!((found.first, found.stall), (Side::Submission, Some(Stall::BothWait)), "{found:?}");
            assert!(found.submission.usage.wall < limits().wall / 4, "{found:?}");
        });
    });
}

#[test]
fn at_the_wall_limit_it_counts_whose_turn_it_was() {
    at_every_level(1, |stage| {
        let within = |wall_ms| Limits { wall: Duration::from_millis(wall_ms), ..limits() };
        let (short, long) = (within(300), within(10_000));
        both_ways(&stage, ["sleep 30", "read -r word; exit 42"], [&short, &long], |found| {
            assert_eq!(found.stall, Some(Stall::SubmissionsTurn), "{found:?}");
        });
        both_ways(&stage, ["read -r word", "sleep 30; exit 42"], [&short, &short], |found| {
            assert_eq!(found.stall, Some(Stall::InteractorsTurn), "{found:?}");
        });
        let slow = "sleep 0.7; echo go; read -r word; exit 42";
        both_ways(&stage, ["read -r word; echo ok", slow], [&short, &long], |found| {
            assert_eq!((exits(&found), found.stall), ([Exit::Code(0), Exit::Code(42)], None), "{found:?}");
        });
    });
}

#[test]
fn each_has_its_own_limits() {
    at_every_level(1, |stage| {
        let short = Limits { cpu: Duration::from_millis(200), ..limits() };
        let burn = "while :; do :; done";
        both_ways(&stage, [burn, "read -r word; exit 43"], [&short, &limits()], |found| {
            assert!(found.submission.usage.cpu > short.cpu, "{found:?}");
            assert_eq!(found.first, Side::Submission);
        });
        both_ways(&stage, ["read -r word; exit 0", burn], [&limits(), &short], |found| {
            assert!(
                found.interactor.usage.cpu > short.cpu && found.submission.usage.cpu < short.cpu,
                "{found:?}"
            );
        });
    });
}
