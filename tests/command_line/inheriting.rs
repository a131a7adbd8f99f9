//! Verdicts do not depend on what the judge inherits from the process that starts it:
//! umask, soft limits, signals, priority, processors, environment, working folder. The
//! list is that of `crates/gridjudge-sandbox/src/confine/inherited.rs`; `scheduling.rs`
//! tests how runs are scheduled. Several of these are changed at once; each alone with
//! `GRIDJUDGE_EXHAUSTIVE=1`.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

use crate::judge::right_programs::RIGHT_PROGRAMS;
use crate::judge::share::{Turn, is_exhaustive};
use crate::judge::{HALF_RIGHT, Judge, RIGHT, needs_cc};

/// Programs that need no compiler, a right one and a wrong one. One in each language is
/// beside them: the languages take turns at the levels, and each is at each with
/// `GRIDJUDGE_EXHAUSTIVE=1`.
const SCRIPTS: [(&str, &str); 2] = [("right.sh", RIGHT), ("half.sh", HALF_RIGHT)];

/// Languages whose compilers take longer than all the others together: they are tested
/// with all commands at once.
const SLOW: [&str; 3] = ["Rust", "Java", "Go"];

/// Commands that start the judge after changing something that a process inherits.
const PREFIXES: [(&str, &[&str]); 14] = [
    ("umask 027", &["sh", "-c", "umask 027; exec \"$0\" \"$@\""]),
    ("umask 777", &["sh", "-c", "umask 777; exec \"$0\" \"$@\""]),
    (
        "soft limits of memory",
        &[
            "prlimit",
            "--as=400000000:",
            "--data=50000000:",
            "--stack=100000:",
            "--memlock=0:",
            "--rss=1000:",
        ],
    ),
    (
        "other soft limits",
        &[
            "prlimit",
            "--fsize=1000:",
            "--nproc=40:",
            "--nofile=24:",
            "--cpu=1:",
            "--sigpending=0:",
        ],
    ),
    (
        "rarely used soft limits",
        &[
            "prlimit",
            "--core=0:",
            "--locks=1:",
            "--msgqueue=0:",
            "--nice=0:",
            "--rtprio=0:",
            "--rttime=1:",
        ],
    ),
    ("blocked signals", &["env", "--block-signal"]),
    ("ignored signals", &["env", "--ignore-signal"]),
    ("priority", &["nice", "-n", "9"]),
    ("one processor", &["taskset", "-c", "0"]),
    ("first to die", &["choom", "-n", "900", "--"]),
    (
        "environment",
        &[
            "env",
            "TMPDIR=",
            "LD_LIBRARY_PATH=/nowhere",
            "CPATH=/nowhere",
            "LIBRARY_PATH=/nowhere",
            "GCC_EXEC_PREFIX=/nowhere/",
            "COMPILER_PATH=/nowhere",
            "PYTHONHOME=/nowhere",
            "PYTHONPATH=/nowhere",
            "NODE_OPTIONS=--no-such-option",
            "NODE_PATH=/nowhere",
            "RUSTFLAGS=--no-such-option",
            "RUSTUP_TOOLCHAIN=no-such-toolchain",
            "GOFLAGS=-no-such-option",
            "GOROOT=/nowhere",
            "GOPATH=/nowhere",
            "GOCACHE=off",
            "GO111MODULE=on",
            "GOOS=plan9",
            "JAVA_HOME=/nowhere",
            "JAVA_TOOL_OPTIONS=-no-such-option",
            "JDK_JAVA_OPTIONS=-no-such-option",
            "CLASSPATH=/nowhere",
            "LC_ALL=tr_TR",
            "LD_BIND_NOW=1",
            "MALLOC_PERTURB_=7",
            "POSIXLY_CORRECT=1",
            "ENV=/nowhere",
            "BASH_ENV=/nowhere",
            "HOME=/nowhere",
        ],
    ),
    (
        "a session and open files",
        &[
            "setsid",
            "--wait",
            "sh",
            "-c",
            "exec 3</dev/null 9>/dev/null; exec \"$0\" \"$@\"",
        ],
    ),
    ("control groups", &["sh", "-c", IN_CONTROL_GROUPS]),
    (
        "working folder",
        &[
            "sh",
            "-c",
            "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" \"$@\"",
        ],
    ),
];

/// Puts the judge into a new control group in every hierarchy that allows it, and
/// removes the groups at the end. The groups get no limits, because limits of a control
/// group are meant to hold for the runs.
const IN_CONTROL_GROUPS: &str = r#"
while IFS=: read -r _ controller place; do
    above=/sys/fs/cgroup/$controller$place
    [ -w "$above/cgroup.procs" ] && mkdir "$above/inherited-$$" || continue
    if (echo $$ >"$above/inherited-$$/cgroup.procs") 2>/dev/null
        then made="$made $above"
        else rmdir "$above/inherited-$$"
    fi
done </proc/self/cgroup
"$0" "$@"
code=$?
for above in $made; do
    echo $$ >"$above/cgroup.procs" && rmdir "$above/inherited-$$" || code=9
done
exit $code"#;

/// The verdicts of these submissions on each case when a command starts the judge, at a
/// level; `None` if the command or the level is not available.
fn verdicts_with_prefix(
    judge: &Judge,
    prefix: &[&str],
    level: &str,
    submissions: &[&str],
) -> Option<BTreeMap<String, String>> {
    let folder = judge.path("");
    let folder = folder.to_str().unwrap();
    let files: Vec<_> = submissions
        .iter()
        .map(|name| judge.path(name).to_str().unwrap().to_owned())
        .collect();
    let mut arguments: Vec<_> = "grade -p mini --no-cache --all -j 2 --log -"
        .split(' ')
        .collect();
    arguments.extend(["-C", folder, "--sandbox", level]);
    arguments.extend(files.iter().map(String::as_str));
    let plain = judge.command(&arguments);
    let mut command = Command::new(prefix[0]);
    // The folders of the plain command are set here, so that the prefix can still
    // change the environment.
    command
        .args(&prefix[1..])
        .arg(plain.get_program())
        .args(plain.get_args());
    command
        .current_dir(folder)
        .env("TMPDIR", judge.path("tmp"))
        .env("GRIDJUDGE_CACHE", judge.path("cache"));
    // The prefix changes HOME, by which rustup would find its toolchains.
    if let Some(rustup) = std::env::home_dir()
        .map(|home| home.join(".rustup"))
        .filter(|it| it.exists())
    {
        command.env(
            "RUSTUP_HOME",
            std::env::var_os("RUSTUP_HOME").unwrap_or(rustup.into()),
        );
    }
    let ran = judge.ran(command.output().ok()?);
    let events = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let finished = events.filter(|event| {
        event["event"] == "trial_finished" || event["event"] == "trial_faulted"
    });
    let earned: BTreeMap<_, _> = finished
        .map(|event| {
            let name = event["submission"]
                .as_str()
                .unwrap()
                .rsplit('/')
                .next()
                .unwrap()
                .to_owned();
            let verdict = event["verdict"]
                .as_str()
                .map_or_else(|| event.to_string(), str::to_owned);
            (format!("{name} {}", event["case"]), verdict)
        })
        .collect();
    assert!(
        !earned.is_empty() || ran.stderr.contains(&format!("level {level}")),
        "{prefix:?} {level}: {ran:?}"
    );
    (!earned.is_empty()).then_some(earned)
}

fn judge() -> Judge {
    needs_cc();
    let judge = Judge::new();
    judge.edit("problems/mini/problem.toml", "64MiB", "512MiB");
    for (name, source) in SCRIPTS
        .into_iter()
        .chain(RIGHT_PROGRAMS.map(|(_, name, source)| (name, source)))
    {
        judge.script(name, source);
    }
    judge
}

/// The right programs that are compiled quickly, and the slow ones.
fn submissions() -> (Vec<&'static str>, Vec<&'static str>) {
    let (slow, quick): (Vec<_>, Vec<_>) = RIGHT_PROGRAMS
        .into_iter()
        .partition(|(language, ..)| SLOW.contains(language));
    let names =
        |programs: &[(_, &'static str, _)]| programs.iter().map(|it| it.1).collect();
    (names(&quick), names(&slow))
}

/// The commands of [`PREFIXES`] that are installed on this machine, with their names.
fn available_prefixes() -> Vec<(&'static str, &'static [&'static str])> {
    PREFIXES
        .into_iter()
        .filter(|(_, prefix)| {
            let found = Command::new(prefix[0]).arg("--version").output();
            found
                .map_err(|_| println!("skipped: there is no `{}`", prefix[0]))
                .is_ok()
        })
        .collect()
}

/// What a command that starts the judge changes, and the command.
type NamedPrefix = (String, Vec<&'static str>);

/// Every second command of these, stacked from the last to the first, because limits
/// would stop the other commands; a command that undoes another one is beside it. With
/// `GRIDJUDGE_EXHAUSTIVE=1`, each alone.
fn stacked(prefixes: &[(&'static str, &'static [&'static str])]) -> Vec<NamedPrefix> {
    let all = prefixes.iter().enumerate().rev();
    let of_each = |stack: usize| {
        let of_stack = all.clone().filter(move |(place, _)| place % 2 == stack);
        let (names, words): (Vec<_>, Vec<_>) =
            of_stack.map(|(_, prefix)| *prefix).unzip();
        (names.join(", "), words.concat())
    };
    if is_exhaustive() {
        prefixes
            .iter()
            .map(|(name, words)| ((*name).to_owned(), words.to_vec()))
            .collect()
    } else {
        vec![of_each(0), of_each(1)]
    }
}

#[test]
fn verdicts_do_not_depend_on_how_the_judge_was_started() {
    let judge = judge();
    let (quick, slow) = submissions();
    for (turn, level) in Turn::of_each(&["full", "user", "basic"]) {
        let quick: Vec<_> = SCRIPTS
            .iter()
            .map(|(name, _)| *name)
            .chain(turn.share(quick.iter().copied()))
            .collect();
        let Some(default) = verdicts_with_prefix(&judge, &["env"], level, &quick)
        else {
            println!("skipped: there is no level {level} here");
            continue;
        };
        let earns = |case: &str| default.get(case).map(String::as_str);
        assert_eq!(
            earns("right.sh \"sample/001-one\""),
            Some("AC"),
            "{level}: {default:?}"
        );
        assert_eq!(
            earns("half.sh \"secret/002-two\""),
            Some("WA"),
            "{level}: {default:?}"
        );
        for (what, prefix) in stacked(&available_prefixes()) {
            let earned = verdicts_with_prefix(&judge, &prefix, level, &quick);
            assert_eq!(earned.as_ref(), Some(&default), "{what} at level {level}");
        }
        let slow: Vec<_> = turn.share(slow.iter().copied()).collect();
        slow_languages_are_right_with_all_prefixes(&judge, level, &slow);
    }
}

fn slow_languages_are_right_with_all_prefixes(
    judge: &Judge,
    level: &str,
    slow: &[&str],
) {
    let everything: Vec<_> = available_prefixes()
        .into_iter()
        .rev()
        .flat_map(|(_, prefix)| prefix)
        .copied()
        .collect();
    // One that every machine can run is with them.
    let submissions = [&["right.sh"], slow].concat();
    let earned = verdicts_with_prefix(judge, &everything, level, &submissions);
    let verdict = |name: &str| {
        earned
            .as_ref()?
            .get(&format!("{name} \"secret/002-two\""))
            .map(String::as_str)
    };
    let others: Vec<_> = submissions
        .iter()
        .filter(|name| verdict(name) != Some("AC"))
        .collect();
    if !others.is_empty() {
        let default = verdicts_with_prefix(judge, &["env"], level, &submissions);
        assert_eq!(earned, default, "all prefixes at level {level}");
        println!("skipped: no compiler for {others:?}");
    }
}

/// Only root may raise such a limit, and not even root everywhere.
#[test]
fn a_hard_limit_that_is_too_low_is_named_at_the_start() {
    let judge = Judge::new();
    judge.script("right.sh", RIGHT);
    let with_limit = |limit: &str| {
        let plain = judge.command(&["grade", "-p", "mini", "right.sh", "--no-cache"]);
        let mut command = Command::new("prlimit");
        command
            .arg(limit)
            .arg(plain.get_program())
            .args(plain.get_args());
        let output = command
            .current_dir(judge.path(""))
            .env("TMPDIR", judge.path("tmp"))
            .env("GRIDJUDGE_CACHE", judge.path("cache"))
            .output();
        output.map(|output| String::from_utf8(output.stderr).unwrap())
    };
    let Ok(default) = with_limit("--core=0") else {
        println!("skipped: there is no `prlimit` (Debian: apt install util-linux)");
        return;
    };
    assert!(
        !default.contains("which the judge cannot raise"),
        "{default}"
    );
    let text = with_limit("--nofile=192").unwrap();
    let sentence = "this user may have 192 open files (`ulimit -H -n`), which the judge cannot raise: programs have no more";
    // There is no message if the judge may raise the limit.
    let is_raised = rustix::process::geteuid().is_root()
        && !text.contains("note: this user may have");
    assert!(text.contains(sentence) || is_raised, "{text}");
}
