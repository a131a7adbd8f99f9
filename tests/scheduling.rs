//! Runs are scheduled alike however the judge is: behind nice(1), chrt(1), ionice(1), and where its user may have real-time
//! schedulers.

mod judge;

use std::process::Command;

use judge::Judge;

/// Says how it is scheduled, tries for more, and fails.
const TELLS: &str = "#!/bin/sh
echo nice $(nice) >&2
chrt -p $$ >&2
ionice -p $$ >&2
nice -n -1 true 2>/dev/null && [ $(nice -n -1 nice) -lt $(nice) ] && echo rose >&2
chrt -f 10 true 2>/dev/null && echo real time >&2
exit 1
";

/// What it says behind a command, at a level; none where the command or the level is not to be had.
fn told_behind(prefix: &[&str], level: &str) -> Option<String> {
    let judge = Judge::new();
    // A file of a runtime, so that the tools of the system are in sight.
    judge.script("tells.sh", TELLS);
    let plain = judge.command(&["grade", "-p", "mini", "tells.sh", "--no-cache", "--sandbox", level]);
    let mut command = Command::new(prefix[0]);
    command.args(&prefix[1..]).arg(plain.get_program()).args(plain.get_args());
    command.current_dir(judge.path("")).env("TMPDIR", judge.path("tmp"));
    let ran = judge.ran(command.output().ok()?);
    (ran.code == Some(1) && ran.stdout.contains("standard error:")).then_some(ran.stdout)
}

#[test]
fn how_the_judge_is_scheduled_is_nothing_to_its_runs() {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: only root takes back what makes a process stand behind others");
        return;
    }
    for level in ["full", "user", "basic"] {
        let Some(usual) = told_behind(&["env"], level) else {
            println!("skipped: there is no level {level} here");
            continue;
        };
        let lines = |text: &str| -> Vec<String> {
            text.lines()
                .filter(|line| line.starts_with("    | "))
                .map(|line| line.replace(char::is_numeric, ""))
                .collect()
        };
        assert!(usual.contains("| nice 0\n"), "{usual}");
        for prefix in [
            &["nice", "-n", "7"][..],
            &["nice", "-n", "-5"],
            &["chrt", "--batch", "0"],
            &["nice", "-n", "9", "chrt", "--idle", "0"],
            &["chrt", "--fifo", "3"],
            &["ionice", "-c", "3"],
            &["prlimit", "--nice=40", "--rtprio=99"],
        ] {
            let Some(told) = told_behind(prefix, level) else {
                println!("skipped: no `{}` at level {level}", prefix.join(" "));
                continue;
            };
            assert!(told.contains("| nice 0\n"), "{prefix:?} {level}: {told}");
            assert_eq!(lines(&told), lines(&usual), "{prefix:?} {level}");
            assert!(!told.contains("rose") && !told.contains("real time"), "{prefix:?} {level}: {told}");
        }
    }
}
