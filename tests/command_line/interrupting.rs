//! A signal ends the judge with exit code 130 at any time, even before it has set up a
//! handler, and nothing is left behind: no process, no folder, no control group.

use std::fs;
use std::process::{Child, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal};

use crate::command_line::package_table::tried::packed;
use crate::judge::processes::{children, command_line};
use crate::judge::share::Turn;
use crate::judge::{self, Judge};

const SIGNALS: [Signal; 4] = [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT];

/// Whether the judge has reached a certain state, as seen from outside.
type Moment = fn(&Judge, &Child) -> bool;

const MOMENTS: [(&str, Moment); 3] = [
    ("it handles signals", |_, child| handles(child, Signal::INT)),
    ("it has a folder", |judge, _| {
        fs::read_dir(judge.path("tmp")).unwrap().next().is_some()
    }),
    ("it has a child", |_, child| {
        !children(child.id()).is_empty()
    }),
];

/// Whether a process has a handler for a signal. (The standard library has handlers for
/// others before `main`.) Source: proc_pid_status(5).
pub(crate) fn handles(child: &Child, signal: Signal) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id()))
        .unwrap_or_default();
    let caught = status
        .lines()
        .find_map(|line| line.strip_prefix("SigCgt:"))
        .map(str::trim);
    caught.is_some_and(|set| {
        u64::from_str_radix(set, 16).unwrap() & 1 << (signal.as_raw() - 1) != 0
    })
}

/// Starts a judge with these options of env(1) about signals. SIGHUP and SIGQUIT have
/// their defaults, even if the test itself was started with them ignored.
fn start(judge: &Judge, signals: &[&str], arguments: &[&str]) -> Child {
    let command = [
        &["--default-signal=HUP,QUIT"],
        signals,
        &[env!("CARGO_BIN_EXE_gridjudge")],
        arguments,
    ]
    .concat();
    judge
        .command_of("env", &command)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until a condition holds, and fails if this judge ends before.
fn wait_until(child: &Child, holds: impl Fn() -> bool) {
    while !holds() {
        let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
        assert!(!stat.contains(") Z "), "it has ended too early");
        judge::pause();
    }
}

/// The control groups of the judge with this process number.
fn groups_of(process: u32) -> Vec<String> {
    let name = format!("gridjudge-{process}-");
    let found = walkdir::WalkDir::new("/sys/fs/cgroup")
        .into_iter()
        .flatten();
    let found =
        found.filter(|entry| entry.file_name().to_string_lossy().starts_with(&name));
    found
        .map(|entry| entry.path().display().to_string())
        .collect()
}

/// Ends a judge by a signal, and asserts its exit code and that it leaves nothing
/// behind.
fn ends_cleanly(judge: &Judge, child: Child, signal: Signal, what: &str) {
    let process = child.id();
    let launchers = children(child.id());
    rustix::process::kill_process(Pid::from_child(&child), signal).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{what}: {output:?}");
    judge.ran(output);
    assert_eq!(groups_of(process), [""; 0], "{what}");
    // A process that is killed may need a processor to end, which a busy machine does
    // not give it at once.
    for _ in 0..1000 {
        if !launchers
            .iter()
            .any(|launcher| command_line(*launcher).starts_with("/proc/self/exe"))
        {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("a launcher is left: {what}");
}

fn judge_with_a_sleeper() -> Judge {
    let judge = Judge::new();
    judge.edit(
        "problems/mini/problem.toml",
        "time = \"10s\"",
        "time = \"600s\"",
    );
    judge.script("mini.sh", "#!/bin/sh\nexec sleep 600\n");
    judge
}

#[test]
fn every_signal_that_ends_programs_ends_the_judge_at_every_moment_and_leaves_nothing()
{
    for arguments in [
        &["grade", "mini.sh", "-j3"][..],
        &["doctor"],
        &["stress", "-p", "mini", "mini.sh"],
    ] {
        for (moment, is_now) in MOMENTS {
            for signal in SIGNALS {
                let judge = judge_with_a_sleeper();
                let child = start(&judge, &[], arguments);
                wait_until(&child, || is_now(&judge, &child));
                ends_cleanly(
                    &judge,
                    child,
                    signal,
                    &format!("{arguments:?}, {signal:?} when {moment}"),
                );
            }
        }
    }
}

/// A shell script that sends itself the signal named by its first argument, and then
/// executes the rest. With the signal blocked, the executed program gets it as soon as
/// it unblocks it.
const SIGNALLED: &str = "kill -s \"$0\" $$; exec \"$@\"";

#[test]
fn a_signal_from_before_the_judge_could_handle_it_ends_it_and_leaves_nothing() {
    for arguments in [
        &["grade", "mini.sh", "-j3"][..],
        &["doctor"],
        &["stress", "-p", "mini", "mini.sh"],
    ] {
        for (name, signal) in ["INT", "TERM", "HUP", "QUIT"].into_iter().zip(SIGNALS)
        {
            let judge = judge_with_a_sleeper();
            let blocked = [
                "--default-signal=HUP,INT,QUIT,TERM",
                "--block-signal",
                "sh",
                "-c",
                SIGNALLED,
                name,
            ];
            let command =
                [&blocked[..], &[env!("CARGO_BIN_EXE_gridjudge")], arguments]
                    .concat();
            let child = judge
                .command_of("env", &command)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn();
            let child = child.unwrap();
            let process = child.id();
            let output = child.wait_with_output().unwrap();
            assert_eq!(
                output.status.code(),
                Some(130),
                "{arguments:?}, {signal:?}: {output:?}"
            );
            judge.ran(output);
            assert_eq!(groups_of(process), [""; 0], "{arguments:?}, {signal:?}");
        }
    }
}

#[test]
fn a_judge_handles_signals_that_its_parent_blocked_or_ignored() {
    let judge = judge_with_a_sleeper();
    let signals = [
        "--block-signal",
        "--ignore-signal=INT",
        "--ignore-signal=TERM",
        "--ignore-signal=CHLD",
    ];
    let child = start(&judge, &signals, &["grade", "mini.sh"]);
    wait_until(&child, || !children(child.id()).is_empty());
    ends_cleanly(&judge, child, Signal::TERM, "blocked and ignored");
}

#[test]
fn with_nohup_the_judge_ignores_the_end_of_the_terminal() {
    let judge = judge_with_a_sleeper();
    let child = start(&judge, &["--ignore-signal=HUP"], &["grade", "mini.sh"]);
    wait_until(&child, || !children(child.id()).is_empty());
    assert!(!handles(&child, Signal::HUP) && handles(&child, Signal::QUIT));
    ends_cleanly(&judge, child, Signal::INT, "with nohup");
}

/// A recipe that takes a while.
const LONG_RECIPE: &str = "\n[[generate]]\ngroup = \"secret\"\nname = \"made\"\ncount = 10000\ngrids = 1\nkind = \"minimal\"\nseed = 3\n";

#[test]
fn commands_that_print_nothing_until_they_are_done_say_that_they_were_interrupted() {
    let judge = Judge::new();
    judge.put(
        "problems/mini/problem.toml",
        judge::SPEC.to_owned() + LONG_RECIPE,
    );
    for number in 0..3000 {
        judge.put(format!("cases/mini/secret/{number}.in"), judge::TWO);
        judge.put(
            format!("cases/mini/secret/{number}.ans"),
            judge::SOLVED.repeat(2),
        );
    }
    for arguments in [&["generate"][..], &["generate", "--check"], &["strength"]] {
        let child = start(&judge, &[], arguments);
        wait_until(&child, || {
            handles(&child, Signal::INT) && threads(&child) > 2
        });
        // As timeout(1) does: the second is the same signal, to the process group.
        rustix::process::kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        rustix::process::kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            (output.status.code(), &*stderr),
            (Some(130), "note: interrupted\n"),
            "{arguments:?}"
        );
    }
}

/// The number of threads of a process: more than two once it has begun its work.
fn threads(child: &Child) -> usize {
    fs::read_dir(format!("/proc/{}/task", child.id())).map_or(0, Iterator::count)
}

#[test]
fn a_package_that_is_being_unpacked_leaves_nothing() {
    let judge = Judge::new();
    judge.put("pack/problem.yaml", "name: Many\n");
    for number in 0..1500 {
        judge.put(format!("pack/data/secret/{number}.in"), judge::ONE);
        judge.put(format!("pack/data/secret/{number}.ans"), judge::SOLVED);
    }
    judge.put("pack.zip", packed(&judge.path("pack")));
    fs::remove_dir_all(judge.path("pack")).unwrap();
    for (row, unpacked) in [0, 1, 400, 1600].into_iter().enumerate() {
        for (_, signal) in Turn::of_each(&[Signal::INT, Signal::TERM])
            .filter(|(turn, _)| turn.has(row))
        {
            let child = start(&judge, &[], &["doctor", "./pack.zip"]);
            wait_until(&child, || {
                let entries = walkdir::WalkDir::new(judge.path("tmp")).into_iter();
                handles(&child, Signal::INT) && entries.count() > unpacked
            });
            ends_cleanly(&judge, child, *signal, &format!("{unpacked}, {signal:?}"));
        }
    }
}

/// Every command that writes files or may take a while, with what it needs.
const COMMANDS: [&[&str]; 18] = [
    &["list"],
    &["verify", "--markdown", "report.md"],
    &[
        "grade",
        "mini.sh",
        "--log",
        "run.jsonl",
        "--html",
        "report.html",
    ],
    &["answers", "--check"],
    &["generate"],
    &["export", "mini", "--to", "legacy", "out"],
    &["export", "mini", "--to", "domjudge", "out.zip"],
    &[
        "report",
        "log.jsonl",
        "--html",
        "report.html",
        "--junit",
        "report.xml",
    ],
    &["baseline", "log.jsonl", "-o", "baseline"],
    &[
        "compare",
        "log.jsonl",
        "log.jsonl",
        "--json",
        "compared.json",
    ],
    &["strength"],
    &["stress", "-p", "mini", "mini.sh"],
    &["doctor"],
    &["init", "fresh"],
    &["new", "fresh", "--yes"],
    &["man"],
    &["man", "-o", "pages"],
    &["cache", "show"],
];

/// The names below a folder that a command gives to what is unfinished.
fn unfinished(judge: &Judge) -> Vec<String> {
    judge
        .names()
        .into_iter()
        .filter(|name| name.contains(".gridjudge-") || name.contains(".tmp"))
        .collect()
}

#[test]
fn every_command_says_that_it_was_interrupted_and_leaves_nothing_unfinished() {
    for (number, command) in COMMANDS.into_iter().enumerate() {
        // As many threads as a command has at some moment of its work; a command that
        // never has so many has ended.
        for moment in [2, 3] {
            let judge = judge_with_a_sleeper();
            judge.put("log.jsonl", "");
            judge.put(
                "problems/mini/problem.toml",
                judge.read("problems/mini/problem.toml") + LONG_RECIPE,
            );
            let child = start(&judge, &[], command);
            let has_ended = || {
                fs::read_to_string(format!("/proc/{}/stat", child.id()))
                    .unwrap()
                    .contains(") Z ")
            };
            while !(has_ended()
                || handles(&child, Signal::INT) && threads(&child) >= moment)
            {
                judge::pause();
            }
            let signal = SIGNALS[number % 2];
            let was_running = !has_ended();
            rustix::process::kill_process(Pid::from_child(&child), signal).unwrap();
            let output = child.wait_with_output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            let is_interrupted = output.status.code() == Some(130)
                && stderr.contains("note: interrupted\n");
            let has_finished = output.status.code().is_some_and(|code| code < 3)
                && !stderr.contains("interrupted");
            assert!(
                is_interrupted || has_finished,
                "{command:?} at {moment}, {was_running}: {output:?}"
            );
            assert_eq!(unfinished(&judge), [""; 0], "{command:?} at {moment}");
        }
    }
}
