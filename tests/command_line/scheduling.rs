//! The scheduling of runs does not depend on the scheduling of the judge: nice(1),
//! chrt(1), ionice(1), and a user who may use real-time schedulers.

use std::process::Command;

use crate::judge::Judge;

/// A submission that prints its scheduling, tries to raise its priority, and fails.
const SHOW_SCHEDULING: &str = "#!/bin/sh
echo nice $(nice) >&2
chrt -p $$ >&2
ionice -p $$ >&2
nice -n -1 true 2>/dev/null && [ $(nice -n -1 nice) -lt $(nice) ] && echo raised >&2
chrt -f 10 true 2>/dev/null && echo real time >&2
exit 1
";

/// The scheduling that a run shows at a level if a command starts the judge; `None` if
/// the command or the level is not available.
fn scheduling_with_prefix(prefix: &[&str], level: &str) -> Option<String> {
    let judge = Judge::new();
    // A script, because the tools of the system are visible only to a runtime.
    judge.script("show.sh", SHOW_SCHEDULING);
    let plain = judge.command(&[
        "grade",
        "-p",
        "mini",
        "show.sh",
        "--no-cache",
        "--sandbox",
        level,
    ]);
    let mut command = Command::new(prefix[0]);
    command
        .args(&prefix[1..])
        .arg(plain.get_program())
        .args(plain.get_args());
    command
        .current_dir(judge.path(""))
        .env("TMPDIR", judge.path("tmp"));
    let ran = judge.ran(command.output().ok()?);
    (ran.code == Some(1) && ran.stdout.contains("standard error:"))
        .then_some(ran.stdout)
}

#[test]
fn the_scheduling_of_runs_does_not_depend_on_that_of_the_judge() {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: only root can undo a lower priority");
        return;
    }
    for level in ["full", "user", "basic"] {
        let Some(default) = scheduling_with_prefix(&["env"], level) else {
            println!("skipped: there is no level {level} here");
            continue;
        };
        let lines = |text: &str| -> Vec<String> {
            text.lines()
                .filter(|line| line.starts_with("    | "))
                .map(|line| line.replace(char::is_numeric, ""))
                .collect()
        };
        assert!(default.contains("| nice 0\n"), "{default}");
        for prefix in [
            &["nice", "-n", "7"][..],
            &["nice", "-n", "-5"],
            &["chrt", "--batch", "0"],
            &["nice", "-n", "9", "chrt", "--idle", "0"],
            &["chrt", "--fifo", "3"],
            &["ionice", "-c", "3"],
            &["prlimit", "--nice=40", "--rtprio=99"],
        ] {
            let Some(shown) = scheduling_with_prefix(prefix, level) else {
                println!("skipped: no `{}` at level {level}", prefix.join(" "));
                continue;
            };
            assert!(shown.contains("| nice 0\n"), "{prefix:?} {level}: {shown}");
            assert_eq!(lines(&shown), lines(&default), "{prefix:?} {level}");
            assert!(
                !shown.contains("raised") && !shown.contains("real time"),
                "{prefix:?} {level}: {shown}"
            );
        }
    }
}
