//! The judge is killed, or gets a signal, at some moment: what a killed one leaves is
//! removed by the next, and a signal ends every command within a second. With
//! `GRIDJUDGE_EXHAUSTIVE=1` these are 50 and 100 random moments of each command, which
//! takes half an hour; else one moment of one or two of them.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use crate::command_line::interrupting::handles;
use crate::judge::share::is_exhaustive;
use crate::judge::{self, Judge};

/// Commands that write files.
const WRITING: [&[&str]; 8] = [
    &["answers", "mini"],
    &["export", "mini", "--to", "legacy", "out"],
    &["export", "mini", "--to", "domjudge", "out.zip"],
    &["generate"],
    &[
        "grade",
        "-p",
        "mini",
        "right.sh",
        "--log",
        "run.jsonl",
        "--html",
        "report.html",
    ],
    &["verify", "mini", "--markdown", "report.md"],
    &["stress", "-p", "mini", "wrong.sh", "--seed", "1"],
    &["baseline", "log.jsonl", "-o", "baseline"],
];

/// Commands that do not write, or only to standard output.
const OTHERS: [&[&str]; 12] = [
    &["list"],
    &["man"],
    &["man", "-o", "pages"],
    &["cache", "show"],
    &["answers", "--check"],
    &["generate", "--check"],
    &["compare", "log.jsonl", "log.jsonl"],
    &["report", "log.jsonl", "--junit", "report.xml"],
    &["strength", "mini"],
    &["doctor"],
    &[
        "check",
        "-p",
        "mini",
        "cases/mini/secret/0.in",
        "cases/mini/secret/0.ans",
    ],
    &["cache", "clear"],
];

const RECIPE: &str = "\n[[generate]]\ngroup = \"secret\"\nname = \"made\"\ncount = 20\ngrids = 1\nkind = \"minimal\"\nseed = 3\n";

/// A judge's folder in which each of the commands has something to do.
fn judge(command: &[&str]) -> Judge {
    let judge = Judge::new();
    let recipe = if command[0] == "verify" { "" } else { RECIPE };
    judge.put(
        "problems/mini/problem.toml",
        judge::SPEC.to_owned() + recipe,
    );
    for number in 0..20 {
        judge.put(format!("cases/mini/secret/{number}.in"), judge::TWO);
        if command != ["answers", "mini"] {
            judge.put(
                format!("cases/mini/secret/{number}.ans"),
                judge::SOLVED.repeat(2),
            );
        }
    }
    judge
        .script("right.sh", judge::RIGHT)
        .script("wrong.sh", judge::HALF_RIGHT);
    judge.run(&[
        "grade",
        "-p",
        "mini",
        "wrong.sh",
        "--no-cache",
        "--log",
        "log.jsonl",
    ]);
    judge
}

fn start(judge: &Judge, command: &[&str]) -> Child {
    judge
        .command(command)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The names of what is unfinished: in the folders that commands write to, and in that
/// for temporary files.
fn unfinished(judge: &Judge) -> Vec<String> {
    judge
        .names()
        .into_iter()
        .filter(|name| {
            name.contains(".gridjudge-")
                || name.contains(".tmp")
                || name.starts_with("tmp/")
        })
        .collect()
}

fn has_ended(child: &Child) -> bool {
    std::fs::read_to_string(format!("/proc/{}/stat", child.id()))
        .is_ok_and(|stat| stat.contains(") Z "))
}

fn wait_until(holds: impl Fn() -> bool) {
    while !holds() {
        judge::pause();
    }
}

/// Moments of a command, evenly spread over the time that it takes undisturbed.
fn moments(command: &[&str], count: u32) -> Vec<Duration> {
    let judge = judge(command);
    let begun = Instant::now();
    start(&judge, command).wait_with_output().unwrap();
    let time = begun.elapsed();
    // The fractional parts of multiples of the golden section.
    (1..=count)
        .map(|number| time.mul_f64(f64::from(number) * 0.618_033_988_75 % 1.0))
        .collect()
}

/// Kills a judge at a moment, and asserts that nothing unfinished is left after the
/// same command has been run again.
fn kill_and_run_again(command: &[&str], is_now: impl Fn(&Judge) -> bool) {
    let judge = judge(command);
    let mut child = start(&judge, command);
    wait_until(|| is_now(&judge) || has_ended(&child));
    child.kill().unwrap();
    child.wait_with_output().unwrap();
    // An export is not written over another.
    let _ = std::fs::remove_dir_all(judge.path("out"));
    let _ = std::fs::remove_file(judge.path("out.zip"));
    let output = start(&judge, command).wait_with_output().unwrap();
    assert!(
        output.status.code().is_some_and(|code| code < 2),
        "{command:?}: {output:?}"
    );
    // Launchers clean up when they notice that their judge is gone.
    wait_until(|| {
        !unfinished(&judge)
            .iter()
            .any(|name| name.starts_with("tmp/"))
    });
    assert_eq!(unfinished(&judge), [""; 0], "{command:?}");
}

#[test]
fn what_a_killed_judge_leaves_unfinished_is_removed_by_the_next() {
    if !is_exhaustive() {
        return WRITING[..2].iter().for_each(|command| {
            kill_and_run_again(command, |judge| {
                unfinished(judge)
                    .iter()
                    .any(|name| !name.starts_with("tmp/"))
            })
        });
    }
    for command in WRITING {
        for moment in moments(command, 50) {
            let begun = Instant::now();
            kill_and_run_again(command, |_| begun.elapsed() >= moment);
        }
    }
}

#[test]
fn a_signal_at_any_moment_ends_every_command_soon_with_a_sentence() {
    let commands = WRITING.iter().chain(&OTHERS).copied();
    let (commands, count): (Vec<_>, _) = if is_exhaustive() {
        (commands.collect(), 100)
    } else {
        (commands.take(1).collect(), 1)
    };
    for command in commands {
        let signals = [Signal::INT, Signal::TERM].into_iter().cycle();
        for (moment, signal) in moments(command, count).into_iter().zip(signals) {
            signal_at(command, moment, signal);
        }
    }
}

/// Sends a signal to a judge at a moment, and asserts how it ends.
fn signal_at(command: &[&str], moment: Duration, signal: Signal) {
    let what = format!("{command:?}, {signal:?} at {moment:?}");
    let judge = judge(command);
    let begun = Instant::now();
    let child = start(&judge, command);
    wait_until(|| begun.elapsed() >= moment || has_ended(&child));
    let has_handler = handles(&child, signal);
    let begun = Instant::now();
    rustix::process::kill_process(Pid::from_child(&child), signal).unwrap();
    let output = child.wait_with_output().unwrap();
    let time = begun.elapsed();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    let is_interrupted = code == Some(130) && stderr.contains("interrupted");
    let has_finished =
        code.is_some_and(|code| code < 2) && !stderr.contains("interrupted");
    // Until it has a handler, the signal itself ends it.
    let has_not_begun =
        !has_handler && output.status.signal() == Some(signal.as_raw());
    assert!(
        is_interrupted || has_finished || has_not_begun,
        "{what}: {output:?}"
    );
    // Beside other tests it may have to wait for a processor.
    assert!(
        !is_exhaustive() || time < Duration::from_secs(1),
        "{what}: {time:?}"
    );
    assert_eq!(unfinished(&judge), [""; 0], "{what}");
}
