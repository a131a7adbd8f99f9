//! `grade` on the command line: the matrix, the reasons, exit codes, and the log.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use gridjudge_sandbox::{IsolationLevel, LevelChoice, LinuxSandbox};
use rustix::process::{Pid, Signal};
use serde_json::Value;

use crate::judge::processes::children;
use crate::judge::{self, HALF_RIGHT, Judge, RIGHT, Ran, command_lines, needs_cc};

/// A C program that is right on every case of `mini`.
const RIGHT_C: &str = r#"#include <stdio.h>
int main(void) {
    int n = 0;
    scanf("%d", &n);
    while (n--) puts("1234\n3412\n2143\n4321");
}
"#;

/// The result of `grade` on one submission that is named after its problem.
fn graded(name: &str, text: &str, arguments: &[&str]) -> Ran {
    let judge = Judge::new();
    judge.script(name, text);
    judge.run(&[&["grade", name], arguments].concat())
}

/// The lines of standard output before the matrix.
fn reasons(ran: &Ran) -> Vec<&str> {
    ran.stdout
        .lines()
        .take_while(|line| !line.starts_with("problem "))
        .collect()
}

/// The rows of the matrix, their cells joined with ` | `, without the times and the
/// memory, which differ from run to run.
fn rows(ran: &Ran) -> Vec<String> {
    let rows = ran
        .stdout
        .lines()
        .skip_while(|line| !line.starts_with("problem "))
        .skip(1);
    let rows = rows.take_while(|line| !line.is_empty());
    let cells = rows.map(|row| {
        row.split("  ")
            .map(str::trim)
            .filter(|cell| !cell.is_empty())
            .filter(|cell| {
                !cell.ends_with("iB")
                    && !cell.ends_with(" ms")
                    && !cell.ends_with(" us")
            })
            .collect()
    });
    cells.map(|cells: Vec<_>| cells.join(" | ")).collect()
}

/// The events of a log, without the fields that differ from run to run.
fn events(log: &str) -> Vec<Value> {
    let mut events: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    for event in events.iter_mut().filter_map(Value::as_object_mut) {
        for key in [
            "cpu_us",
            "wall_us",
            "peak_memory_bytes",
            "slowest_cpu_us",
            "jobs",
            "started",
        ] {
            event.remove(key);
        }
        // The worst case of an accepted submission is its slowest one.
        if event["event"] == "submission_finished" && event["verdict"] == "AC" {
            event.remove("worst_case");
        }
    }
    events
}

fn names(events: &[Value]) -> Vec<&str> {
    events
        .iter()
        .map(|event| event["event"].as_str().unwrap())
        .collect()
}

#[test]
fn the_matrix_has_a_row_for_each_submission_and_the_exit_code_follows_it() {
    needs_cc();
    let judge = Judge::new();
    judge
        .put("mini.c", RIGHT_C)
        .script("mini", RIGHT)
        .script("half.sh", HALF_RIGHT);
    let right = judge.run(&["grade", "mini.c", "mini"]);
    let starts = [
        "mini | mini.c | C | AC | 2/2 | ",
        "mini | mini | executable | AC | 2/2 | ",
    ];
    assert!(
        rows(&right)
            .iter()
            .zip(starts)
            .all(|(row, start)| row.starts_with(start)),
        "{}",
        right.stdout
    );
    assert_eq!((right.code, right.stderr.as_str()), (Some(0), ""));
    let mixed = judge.run(&["grade", "-p", "mini", "mini.c", "half.sh"]);
    // Unexpected results come first.
    assert_eq!(
        rows(&mixed)[0],
        "mini | half.sh | executable | WA | 1/2 | 10 s | secret/002-two"
    );
    assert!(
        mixed.stdout.ends_with(
            "\n2 submissions, 4 trials (2 from the cache): 1 accepted, 1 not\n"
        ),
        "{}",
        mixed.stdout
    );
    assert_eq!(mixed.code, Some(1));
}

#[test]
fn the_reason_of_a_failure_is_shown_above_the_matrix() {
    for (script, expected) in [
        (
            HALF_RIGHT,
            vec![
                "mini mini.sh: WA (wrong answer) on secret/002-two",
                "    x line 5: the output ends after 1 of 2 grids",
                "    1 of 2 grids right",
            ],
        ),
        (
            "#!/bin/sh\necho oops >&2\nexit 3\n",
            vec![
                "mini mini.sh: RE (runtime error) on sample/001-one",
                "    ended with exit code 3",
                "    standard error:",
                "    | oops",
            ],
        ),
        (
            "#!/bin/sh\nkill -SEGV $$\n",
            vec![
                "mini mini.sh: RE (runtime error) on sample/001-one",
                "    ended with SIGSEGV",
            ],
        ),
    ] {
        let ran = graded("mini.sh", script, &[]);
        assert_eq!(reasons(&ran), [expected, vec![""]].concat());
        assert_eq!(ran.code, Some(1));
    }
}

#[test]
fn messages_of_the_compiler_are_shown() {
    needs_cc();
    let judge = Judge::new();
    judge.put("mini.c", "int main(void) { return x; }\n");
    let ran = judge.run(&["grade", "mini.c"]);
    let lines = reasons(&ran);
    assert_eq!(
        lines[..3],
        [
            "mini mini.c: CE (compile error)",
            "    the compiler ended with exit code 1: line 1: error: ‘x’ undeclared (first use in this function)",
            "    compiler:"
        ]
    );
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("    | mini.c:1:25: error: ")),
        "{lines:?}"
    );
    assert_eq!(rows(&ran), ["mini | mini.c | C | CE | 0/2"]);
    assert_eq!(ran.code, Some(1));
}

#[test]
fn a_missing_compiler_is_a_counted_skip_that_names_the_package() {
    let judge = Judge::new();
    judge.put(
        "judge.toml",
        "[languages.foo]\nextensions = [\"foo\"]\ncompile = [\"no-such-foo\", \"{source}\"]\nrun = [\"{program}\"]\n\
         package = \"foo-compiler\"\n",
    );
    judge.put("problems/mini/submissions/accepted/one.foo", "");
    judge.put("problems/mini/submissions/wrong/two.foo", "");
    judge.script("problems/mini/submissions/accepted/right.sh", RIGHT);
    let ran = judge.run(&["grade"]);
    let expected = "\nskipped:\n  2 submissions in foo: `no-such-foo` is not installed\n\
                    install what is missing, on Debian: `apt-get install foo-compiler`\n\n\
                    3 submissions, 2 trials: 1 as expected, 2 skipped\n";
    assert!(ran.stdout.ends_with(expected), "{}", ran.stdout);
    assert_eq!(ran.code, Some(0));
    // A program that was named on the command line must not be skipped.
    assert_eq!(
        judge
            .run(&["grade", "problems/mini/submissions/accepted/one.foo"])
            .code,
        Some(3)
    );
}

#[test]
fn the_first_failure_ends_a_submission_unless_all_cases_are_requested() {
    let wrong = "#!/bin/sh\necho 1234\n";
    for (argument, verdicts) in
        [("--first-failure", ["WA", "SK"]), ("--all", ["WA", "WA"])]
    {
        let judge = Judge::new();
        judge.script("mini.sh", wrong);
        judge.run(&["grade", "mini.sh", argument, "-q", "--log", "log"]);
        let events = events(&judge.read("log"));
        let trials = events
            .iter()
            .filter(|event| event["event"] == "trial_finished");
        assert!(
            trials.map(|event| &event["verdict"]).eq(verdicts),
            "{events:?}"
        );
    }
}

#[test]
fn a_log_has_one_event_per_line_in_the_order_of_the_plan_at_any_number_of_jobs() {
    let judge = Judge::new();
    for number in 3..20 {
        let case = format!("cases/mini/secret/{number:03}");
        judge
            .put(format!("{case}.in"), judge::TWO)
            .put(format!("{case}.ans"), judge::SOLVED.repeat(2));
    }
    judge.script("a", HALF_RIGHT).script("b", RIGHT);
    let log = |jobs| {
        judge.run(&[
            "grade",
            "-p",
            "mini",
            "a",
            "b",
            "--all",
            "--no-cache",
            "-j",
            jobs,
            "--log",
            "log",
        ]);
        judge.read("log")
    };
    let first = log("1");
    let events_of_first = events(&first);
    let trials = vec!["trial_finished"; 19];
    let submission = [
        vec!["submission_started"],
        trials,
        vec!["submission_finished"],
    ]
    .concat();
    let all = [
        vec!["suite_started"],
        submission.clone(),
        submission,
        vec!["suite_finished"],
    ]
    .concat();
    assert_eq!(names(&events_of_first), all);
    assert_eq!(events_of_first[0]["log_version"], 2);
    assert_eq!(events_of_first, events(&log("4")));
}

/// Uses 120 ms of CPU time.
const SLIGHTLY_TOO_SLOW: &str = "#include <time.h>
int main(void) { while (clock() < CLOCKS_PER_SEC * 12 / 100); }
";

#[test]
fn a_run_is_judged_again_if_it_is_slightly_too_slow_as_the_log_and_the_verbose_reasons_say()
 {
    let note = "    run again, alone; this is the run that counts";
    for (submission, text, verdict, rerun) in [
        (
            "mini.c",
            "int main(void) { for (volatile int i = 0;; i++); }\n",
            "TLE",
            Some(false),
        ),
        ("mini.c", SLIGHTLY_TOO_SLOW, "TLE", Some(true)),
        // Depends on whether a process of this machine waited for a disk.
        ("mini.sh", "#!/bin/sh\nsleep 1000\n", "ILE", None),
        ("mini.sh", "#!/bin/sh\necho 1234\n", "WA", Some(false)),
    ] {
        let judge = Judge::new();
        judge
            .edit(
                "problems/mini/problem.toml",
                "time = \"10s\"",
                "time = \"100ms\"",
            )
            .put(submission, text);
        let ran = judge.run(&["grade", submission, "-v", "-j2", "--log", "log"]);
        let events = events(&judge.read("log"));
        let first = events
            .iter()
            .find(|event| event["event"] == "trial_finished")
            .unwrap();
        assert_eq!(first["verdict"], verdict, "{first}");
        let was_rerun = first["rerun"] == true;
        assert_eq!(was_rerun, rerun.unwrap_or(was_rerun), "{first}");
        assert_eq!(reasons(&ran).contains(&note), was_rerun, "{verdict}");
    }
}

#[test]
fn a_log_on_standard_output_moves_results_to_standard_error() {
    let ran = graded("mini.sh", HALF_RIGHT, &["--log", "-"]);
    assert_eq!(names(&events(&ran.stdout)).last(), Some(&"suite_finished"));
    assert!(
        ran.stderr
            .ends_with("\n1 submission, 2 trials: 0 accepted, 1 not\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_quiet_run_shows_only_unexpected_results_and_a_verbose_one_every_failure() {
    let judge = Judge::new();
    judge.script("problems/mini/submissions/accepted/right", RIGHT);
    judge.script("problems/mini/submissions/wrong/half", HALF_RIGHT);
    let quiet = judge.run(&["grade", "-q"]);
    assert_eq!(quiet.stdout, "2 submissions, 4 trials: 2 as expected\n");
    assert_eq!(reasons(&judge.run(&["grade"])), [""; 0]);
    let verbose = judge.run(&["grade", "-v"]);
    assert_eq!(
        reasons(&verbose)[0],
        "mini wrong/half: WA (wrong answer) on secret/002-two"
    );
    let rows_of_examples = [
        "mini | accepted/right | executable | AC | yes | 2/2",
        "mini | wrong/half | executable | WA | yes | 1/2",
    ];
    assert!(
        rows(&verbose)
            .iter()
            .zip(rows_of_examples)
            .all(|(row, start)| row.starts_with(start)),
        "{}",
        verbose.stdout
    );
}

#[test]
fn colours_are_only_for_terminals_unless_requested() {
    let judge = Judge::new();
    judge.script("mini.sh", HALF_RIGHT);
    for (arguments, no_color, coloured) in [
        (vec!["grade", "mini.sh"], false, false),
        (vec!["grade", "mini.sh", "--color", "always"], false, true),
        (vec!["grade", "mini.sh", "--color", "always"], true, true),
        (vec!["grade", "mini.sh", "--color", "never"], false, false),
        (vec!["grade", "none", "--color", "always"], false, true),
        (vec!["grade", "none", "--color", "never"], false, false),
    ] {
        let mut command = judge.command(&arguments);
        if no_color {
            command.env("NO_COLOR", "1");
        }
        let ran = judge.ran(command.output().unwrap());
        assert_eq!(
            (ran.stdout + &ran.stderr).contains('\u{1b}'),
            coloured,
            "{arguments:?} {no_color}"
        );
    }
}

#[test]
fn the_judges_folder_is_found_from_a_subfolder_and_by_its_name() {
    let judge = Judge::new();
    judge
        .script("problems/mini/submissions/accepted/right", RIGHT)
        .script("elsewhere/mini.sh", RIGHT);
    for (folder, arguments) in [
        ("problems/mini/submissions/accepted", vec!["grade", "right"]),
        ("problems/mini/submissions", vec!["verify", "mini"]),
        ("cases", vec!["grade", "../elsewhere/mini.sh"]),
        ("/", vec!["grade", "-C", judge.path("").to_str().unwrap()]),
    ] {
        let ran = judge.ran(
            judge
                .command(&arguments)
                .current_dir(judge.path(folder))
                .output()
                .unwrap(),
        );
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{folder}");
    }
    let mut command = judge.command(&["grade", "-p", "mino"]);
    let ran = judge.ran(
        command
            .current_dir(judge.path("cases/mini"))
            .output()
            .unwrap(),
    );
    assert_eq!(
        ran.stderr,
        "error: ../../problems: there is no problem `mino` in this folder\nhint: did you mean `mini`?\n"
    );
}

#[test]
fn an_interrupted_judge_ends_its_log_and_every_process() {
    let judge = Judge::new();
    // The duration of its sleep distinguishes it from every other process of this
    // machine.
    let long = format!("{}.5", 600 + u64::from(std::process::id()));
    let script = format!(
        "#!/bin/sh\nread n\n[ $n = 1 ] || exec sleep {long}\nprintf '{}'\n",
        judge::SOLVED.replace('\n', "\\n")
    );
    judge
        .edit(
            "problems/mini/problem.toml",
            "time = \"10s\"",
            "time = \"600s\"",
        )
        .script("mini.sh", &script);
    let mut command = judge.command(&["grade", "mini.sh", "-j1", "--log", "-"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut log = String::new();
    let mut events_to_come = BufReader::new(child.stdout.take().unwrap());
    while !log.contains("trial_finished") {
        assert!(events_to_come.read_line(&mut log).unwrap() > 0, "{log}");
    }
    let launchers = children(child.id());
    assert_eq!(launchers.len(), 1);
    rustix::process::kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    for line in events_to_come.lines() {
        log += &(line.unwrap() + "\n");
    }
    let ran = judge.ran(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(130));
    let events = events(&log);
    assert_eq!(
        (names(&events)[0], *names(&events).last().unwrap()),
        ("suite_started", "suite_interrupted")
    );
    assert!(ran.stderr.ends_with("; interrupted\n"), "{}", ran.stderr);
    assert!(
        !command_lines().any(|line| line.contains(&long)),
        "the submission is still running"
    );
    assert!(
        !Path::new(&format!("/proc/{}", launchers[0])).exists(),
        "a launcher is still running"
    );
}

#[test]
fn a_judge_that_is_killed_leaves_no_process_and_no_folder_and_the_next_removes_its_groups()
 {
    for level in IsolationLevel::ALL {
        let launcher = Path::new(env!("CARGO_BIN_EXE_gridjudge"));
        if LinuxSandbox::start(launcher, 1, LevelChoice::Only(level)).is_ok() {
            a_killed_judge_leaves_nothing(level.name());
        }
    }
}

fn a_killed_judge_leaves_nothing(level: &str) {
    let judge = Judge::new().with_few_languages(&[]);
    // The duration of their sleep distinguishes them from every other process of this
    // machine. There is also a child in a session of its own.
    let long = format!("{}.25", 600 + u64::from(std::process::id()));
    let script = format!("#!/bin/sh\nsetsid sleep {long} &\nexec sleep {long}\n");
    judge
        .edit(
            "problems/mini/problem.toml",
            "time = \"10s\"",
            "time = \"600s\"",
        )
        .script("mini.sh", &script);
    let mut command = judge.command(&["grade", "mini.sh", "-j2", "--sandbox", level]);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let sleepers = || command_lines().filter(|line| line.contains(&long)).count();
    wait_until(|| sleepers() == 4);
    let launchers = children(child.id());
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until(|| {
        below(&judge.path("tmp")).count() == 0
            && sleepers() == 0
            && launchers.iter().all(|process| {
                fs::read(format!("/proc/{process}/cmdline"))
                    .unwrap_or_default()
                    .is_empty()
            })
    });
    let ran = judge.run(&["doctor", "--sandbox", level]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let groups = walkdir::WalkDir::new("/sys/fs/cgroup")
        .into_iter()
        .flatten();
    let name = format!("gridjudge-{}-", child.id());
    let left: Vec<_> = groups
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(&name))
        .collect();
    assert!(left.is_empty(), "{level}: {left:?}");
}

/// The entries of a folder; none if it does not exist.
fn below(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
}

/// Waits until a condition holds; if it never does, the test hangs.
fn wait_until(holds: impl Fn() -> bool) {
    while !holds() {
        judge::pause();
    }
}

/// A group for memory in the group of this process, with a limit that is less than what
/// a problem allows; removed on drop.
struct MemoryGroup(PathBuf);

impl MemoryGroup {
    /// `None` if this user cannot make one here.
    fn of_100_mib() -> Option<Self> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let own = groups
            .lines()
            .find_map(|line| line.split_once(":memory:"))?
            .1;
        let name = format!("test-{}", std::process::id());
        let place = Path::new("/sys/fs/cgroup/memory")
            .join(&own[1..])
            .join(name);
        fs::create_dir(&place).ok()?;
        let group = Self(place);
        fs::write(group.0.join("memory.limit_in_bytes"), "104857600").ok()?;
        Some(group)
    }
}

impl Drop for MemoryGroup {
    fn drop(&mut self) {
        fs::remove_dir(&self.0).unwrap();
    }
}

#[test]
fn a_memory_limit_around_the_judge_is_never_charged_to_a_submission() {
    let Some(group) = MemoryGroup::of_100_mib() else {
        println!("skipped: no group for memory can be made here");
        return;
    };
    let judge = Judge::new();
    judge
        .edit("problems/mini/problem.toml", "64MiB", "256MiB")
        .put("mini.pl", "my $count = <STDIN>; my $much = 'a' x (($count + 149) << 20); print 1;\n");
    for level in ["full", "user", "basic"] {
        let join =
            format!("echo $$ >{}/cgroup.procs; exec \"$@\"", group.0.display());
        let program = env!("CARGO_BIN_EXE_gridjudge");
        let grade = [
            "grade",
            "mini.pl",
            "--no-cache",
            "--case",
            "sample/*",
            "--sandbox",
            level,
        ];
        let arguments = [&["-c", &join, "sh", program], &grade[..]].concat();
        let ran = judge.ran(judge.command_of("sh", &arguments).output().unwrap());
        if ran.stdout.is_empty() {
            println!("level {level} is not available here: {}", ran.stderr);
            continue;
        }
        let reason =
            "the kernel killed a process for memory, below the program's own limit";
        assert_eq!(ran.code, Some(3), "{level}: {ran:?}");
        assert!(ran.stdout.contains(reason), "{level}: {ran:?}");
        // Without the limit it is only wrong.
        let ran = judge.run(&grade);
        assert!(ran.stdout.contains("WA"), "{level}: {ran:?}");
    }
}
