//! A judge in a plain container: docs/sandbox.md says what its sandbox gives there. The
//! container is imitated by `tests/container.c`.

use std::process::Command;

use crate::judge::{HALF_RIGHT, Judge, RIGHT, Ran, needs_cc};

/// Runs the judge as in a container.
fn run_contained(judge: &Judge, arguments: &[&str]) -> Ran {
    let plain = judge.command(&[]);
    let container = judge.path("container").display().to_string();
    let mut command = judge.command_of(&container, &[]);
    command.arg(plain.get_program()).args(arguments);
    judge.ran(command.output().unwrap())
}

#[test]
fn in_a_plain_container_the_level_is_basic_and_verdicts_are_right() {
    needs_cc();
    let judge = Judge::new().with_few_languages(&[]);
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/container.c");
    let compiled = Command::new("cc")
        .arg("-o")
        .args([&*judge.path("container"), source.as_ref()])
        .status();
    assert!(compiled.unwrap().success());
    let doctor = run_contained(&judge, &["doctor", "-q"]);
    assert_eq!(doctor.stdout, "Judging works here, at level basic.\n");

    judge
        .script("right.sh", RIGHT)
        .script("half.sh", HALF_RIGHT);
    let grade =
        run_contained(&judge, &["grade", "-p", "mini", "right.sh", "half.sh"]);
    assert_eq!(grade.code, Some(1), "{}", grade.stderr);
    for row in ["right.sh    executable  AC ", "half.sh     executable  WA "] {
        assert!(grade.stdout.contains(row), "{row}: {}", grade.stdout);
    }

    let refused = run_contained(
        &judge,
        &["grade", "-p", "mini", "right.sh", "--sandbox", "user"],
    );
    assert_eq!(refused.code, Some(3));
    assert!(
        refused.stderr.contains("`--privileged`"),
        "{}",
        refused.stderr
    );
}
