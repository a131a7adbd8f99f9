//! The cache on the command line: what a second run reuses, what a killed judge leaves,
//! and the notes about a broken cache. Verdicts must not depend on any of that.

use std::fs;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, chown};
use std::process::Stdio;

use rustix::process::geteuid;
use serde_json::Value;

use crate::judge::processes::copy_program;
use crate::judge::{self, HALF_RIGHT, Judge, RIGHT, Ran, SOLVED, needs_cc};

/// A C program that is right on every case of `mini`.
const RIGHT_C: &str = r#"#include <stdio.h>
int main(void) {
    int n = 0;
    scanf("%d", &n);
    while (n--) puts("1234\n3412\n2143\n4321");
}
"#;

/// A judge's folder with this many cases, all different.
fn judge_with_cases(count: usize) -> Judge {
    let judge = Judge::with_empty_cache();
    for number in 2..count {
        let case = format!("cases/mini/secret/1{number:05}");
        // Three grids; each set bit of the number blanks one cell of a first row.
        let grids: String = (0..3)
            .map(|grid| grid_with_blanks(number >> (4 * grid)))
            .collect();
        judge
            .put(format!("{case}.in"), format!("3\n{grids}"))
            .put(format!("{case}.ans"), SOLVED.repeat(3));
    }
    judge
}

fn grid_with_blanks(bits: usize) -> String {
    let first = (0..4)
        .zip("1234".chars())
        .map(|(bit, digit)| if bits >> bit & 1 == 1 { '.' } else { digit });
    SOLVED.replacen("1234", &first.collect::<String>(), 1)
}

/// Runs a command and returns its result, and its notes about the cache.
fn notes(judge: &Judge, arguments: &[&str]) -> (Ran, Vec<String>) {
    let output = judge.command(arguments).output().unwrap();
    let stderr = String::from_utf8(output.stderr.clone()).unwrap();
    let notes = stderr
        .lines()
        .filter(|line| line.starts_with("note: ") && line.contains("cache"));
    let notes = notes.map(str::to_owned).collect();
    (judge.ran(output), notes)
}

fn last_line(ran: &Ran) -> &str {
    ran.stdout.lines().last().unwrap()
}

/// The finished trials of a log.
fn trials(log: &str) -> Vec<Value> {
    let events = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect(line));
    events
        .filter(|event| event["event"] == "trial_finished")
        .collect()
}

/// The number of trials in a log that came from the cache.
fn from_cache(log: &str) -> usize {
    trials(log)
        .iter()
        .filter(|trial| trial["cached"] == true)
        .count()
}

/// The events of a log without the fields that depend on the cache and on the time.
fn without_cache_marks(log: &str) -> Vec<Value> {
    let events = log.lines().map(|line| {
        let mut event: Value = serde_json::from_str(line).unwrap();
        event.as_object_mut().unwrap().retain(|key, _| {
            !["cached", "started", "compile_us"].contains(&key.as_str())
        });
        event
    });
    events.collect()
}

#[test]
fn unchanged_work_comes_from_the_cache_and_the_log_differs_only_in_the_cache_marks() {
    needs_cc();
    let judge = judge_with_cases(10);
    judge.put("mini.c", RIGHT_C).script("half", HALF_RIGHT);
    let grade = |arguments: &[&str]| {
        let ran = judge.run(
            &[
                &[
                    "grade", "-p", "mini", "mini.c", "half", "--all", "-j2", "--log",
                    "log",
                ],
                arguments,
            ]
            .concat(),
        );
        (last_line(&ran).to_owned(), judge.read("log"))
    };
    let (message, first) = grade(&[]);
    assert_eq!(message, "2 submissions, 20 trials: 1 accepted, 1 not");
    let (message, again) = grade(&[]);
    assert_eq!(
        message,
        "2 submissions, 20 trials (20 from the cache): 1 accepted, 1 not"
    );
    assert_eq!(without_cache_marks(&again), without_cache_marks(&first));
    let (_, afresh) = grade(&["--no-cache"]);
    assert_eq!(from_cache(&afresh), 0);
    judge.edit(
        "problems/mini/problem.toml",
        "time = \"10s\"",
        "time = \"9s\"",
    );
    assert_eq!(from_cache(&grade(&[]).1), 0);
    judge.put("mini.c", format!("{RIGHT_C}\n"));
    assert_eq!(from_cache(&grade(&[]).1), 10);
}

/// Replaces the text of a file with one of the same length and restores its
/// modification time.
fn replace_unnoticeably(judge: &Judge, name: &str, text: &str) {
    let before = fs::metadata(judge.path(name)).unwrap();
    judge.put(name, text);
    File::options()
        .write(true)
        .open(judge.path(name))
        .unwrap()
        .set_modified(before.modified().unwrap())
        .unwrap();
    let after = fs::metadata(judge.path(name)).unwrap();
    let facts = |found: &fs::Metadata| (found.len(), found.modified().unwrap());
    assert_eq!(facts(&after), facts(&before));
}

#[test]
fn a_changed_header_in_the_toolchain_is_noticed_even_if_its_size_and_time_are_the_same()
 {
    needs_cc();
    let judge = Judge::with_empty_cache();
    judge.put("include/first.h", "#define FIRST \"1234\"\n");
    let include = judge.path("include");
    judge.configure(
        format!(
            "[languages.c]\ncompile = [\"cc\", \"-I{0}\", \"-o\", \"{{program}}\", \"{{source}}\"]\ntoolchain = [\"{0}\"]\n",
            include.display()
        ),
    );
    judge.put(
        "mini.c",
        format!(
            "#include <first.h>\n{}",
            RIGHT_C.replace("\"1234", "FIRST \"")
        ),
    );
    let message = || last_line(&judge.run(&["grade", "mini.c", "--all"])).to_owned();
    assert_eq!(message(), "1 submission, 2 trials: 1 accepted");
    assert_eq!(
        message(),
        "1 submission, 2 trials (2 from the cache): 1 accepted"
    );
    replace_unnoticeably(&judge, "include/first.h", "#define FIRST \"1243\"\n");
    assert_eq!(message(), "1 submission, 2 trials: 0 accepted, 1 not");
}

/// As between two jobs of a CI service: a fresh checkout and a copy of the judge, with
/// new inodes and times, and the cache of the first job.
#[test]
fn results_are_valid_for_a_copy_of_the_judge_its_folder_and_its_cache() {
    needs_cc();
    let first = judge_with_cases(4);
    first.put("mini.c", RIGHT_C).script("half", HALF_RIGHT);
    let arguments = ["grade", "-p", "mini", "mini.c", "half", "--all"];
    assert_eq!(
        last_line(&first.run(&arguments)),
        "2 submissions, 8 trials: 1 accepted, 1 not"
    );
    let second = judge_with_cases(4);
    second.put("mini.c", RIGHT_C).script("half", HALF_RIGHT);
    fs::create_dir(second.path("cache")).unwrap();
    fs::set_permissions(second.path("cache"), fs::Permissions::from_mode(0o700))
        .unwrap();
    for file in fs::read_dir(first.path("cache"))
        .unwrap()
        .map(Result::unwrap)
    {
        fs::copy(file.path(), second.path("cache").join(file.file_name())).unwrap();
    }
    let copy = second.path("copy-of-the-judge");
    copy_program(env!("CARGO_BIN_EXE_gridjudge").as_ref(), &copy);
    let output = second
        .command_of(copy.to_str().unwrap(), &arguments)
        .output()
        .unwrap();
    let ran = second.ran(output);
    assert_eq!(
        last_line(&ran),
        "2 submissions, 8 trials (8 from the cache): 1 accepted, 1 not",
        "{}",
        ran.stderr
    );
}

#[test]
fn each_result_from_the_cache_is_marked_as_such() {
    let judge = Judge::with_empty_cache();
    judge.script("mini.sh", HALF_RIGHT);
    for (round, is_known) in [("first.html", false), ("second.html", true)] {
        let ran = judge.run(&["grade", "--all", "-v", "mini.sh", "--html", round]);
        let output = ran.stdout.contains(
            "\n    from the cache: not run now; judged earlier under the same conditions\n",
        );
        let marked = judge.read(round).matches("<span>cached</span>").count();
        assert_eq!(
            (output, marked),
            (is_known, if is_known { 2 } else { 0 }),
            "{}",
            ran.stdout
        );
    }
}

#[test]
fn no_cache_is_created_if_none_is_to_be_used() {
    let judge = Judge::with_empty_cache();
    judge
        .script("mini", RIGHT)
        .put("judge.toml", "cache = \"0B\"\n");
    assert_eq!(judge.run(&["grade", "mini"]).code, Some(0));
    assert!(!judge.path("cache").exists());
}

#[test]
fn without_the_cache_only_that_a_language_works_is_stored() {
    needs_cc();
    let judge = Judge::with_empty_cache();
    judge.put("mini.c", RIGHT_C);
    let stored = |prefix: &str| {
        let names = fs::read_dir(judge.path("cache"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        names
            .filter(|name| name.to_str().unwrap().starts_with(prefix))
            .count()
    };
    for (arguments, trials, builds) in [
        (&["--no-cache"][..], 1, 0),
        (&["--no-cache"], 1, 0),
        (&[], 2, 1),
    ] {
        assert_eq!(
            judge.run(&[&["grade", "mini.c"], arguments].concat()).code,
            Some(0)
        );
        assert_eq!(
            (stored("trials-"), stored("build-")),
            (trials, builds),
            "{arguments:?}"
        );
    }
}

#[test]
fn a_folder_in_the_path_that_is_nowhere_changes_no_result() {
    needs_cc();
    let judge = judge_with_cases(2);
    judge.put("right.c", RIGHT_C);
    let mut path = std::env::var_os("PATH").unwrap();
    for count in [0, 2] {
        let mut command =
            judge.command(&["grade", "-p", "mini", "right.c", "--log", "log.jsonl"]);
        judge.ran(command.env("PATH", &path).output().unwrap());
        assert_eq!(from_cache(&judge.read("log.jsonl")), count);
        path.push(":/nowhere/bin");
    }
}

#[test]
fn verify_reuses_the_verdicts_of_examples() {
    let judge = Judge::with_empty_cache();
    judge.script("problems/mini/submissions/accepted/right", RIGHT);
    judge.run(&["verify"]);
    assert_eq!(
        last_line(&judge.run(&["verify"])),
        "1 submission, 2 trials (2 from the cache): 1 as expected"
    );
}

#[test]
fn the_cache_is_shown_and_cleared() {
    let judge = Judge::with_empty_cache();
    judge.script("mini", RIGHT);
    let shown = |trials: &str, programs: &str| {
        let place = judge.path("cache");
        format!(
            "{}\n{trials} of at most 1024.0 MiB\n{programs}, 0.0 MiB of these\n",
            place.display()
        )
    };
    let nothing = shown(
        "0 trials of 0 programs, 0.0 MiB",
        "0 compiled or checked programs",
    );
    assert_eq!(judge.run(&["cache"]).stdout, nothing);
    judge.run(&["grade", "mini"]);
    for arguments in [&["cache"][..], &["cache", "show"]] {
        let two = shown(
            "2 trials of 1 program, 0.0 MiB",
            "0 compiled or checked programs",
        );
        assert_eq!(judge.run(arguments).stdout, two);
    }
    // Without the permission to be executed, it is checked and run by its language.
    judge.put("mini.sh", RIGHT);
    judge.run(&["grade", "mini.sh"]);
    assert!(
        judge
            .run(&["cache"])
            .stdout
            .contains("\n1 compiled or checked program, 0.0 MiB of these\n")
    );
    assert_eq!(
        judge.run(&["cache", "clear"]).stdout,
        "removed the trials of 3 programs, 0.0 MiB\n"
    );
    assert_eq!(
        last_line(&judge.run(&["grade", "mini"])),
        "1 submission, 2 trials: 1 accepted"
    );
}

/// The next judge has all that the killed one had reported; it reports all of it again
/// and runs the rest.
#[test]
fn a_killed_judge_leaves_what_it_had_finished() {
    const CASES: usize = 300;
    let judge = judge_with_cases(CASES);
    judge.script("mini", RIGHT);
    let mut finished = 0;
    for after in [1, 50, 150] {
        let mut command = judge.command(&["grade", "mini", "-j2", "--log", "-"]);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap())
            .lines()
            .map(Result::unwrap);
        let mut ran_now = lines.filter(|line| {
            line.contains("trial_finished") && !line.contains("\"cached\"")
        });
        let before_the_kill = ran_now.by_ref().take(after).count();
        child.kill().unwrap();
        // Trials that it reported before the signal reached it count as well.
        finished += before_the_kill + ran_now.count();
        child.wait().unwrap();
    }
    // Launchers clean up when they notice that the judge is gone.
    while fs::read_dir(judge.path("tmp")).unwrap().count() > 0 {
        judge::pause();
    }
    let (ran, cache_notes) = notes(&judge, &["grade", "mini", "-j2", "--log", "log"]);
    assert_eq!((ran.code, cache_notes), (Some(0), vec![]));
    let log = judge.read("log");
    assert_eq!(trials(&log).len(), CASES);
    assert!(
        from_cache(&log) >= finished,
        "{} of {finished}",
        from_cache(&log)
    );
    judge.run(&["grade", "mini", "--log", "log"]);
    assert_eq!(from_cache(&judge.read("log")), CASES);
}

#[test]
fn two_judges_at_once_share_a_cache() {
    const CASES: usize = 60;
    let judge = judge_with_cases(CASES);
    judge.script("mini", RIGHT).script("half", HALF_RIGHT);
    let mut judges = ["log-1", "log-2"].map(|log| {
        let mut command = judge
            .command(&["grade", "-p", "mini", "mini", "half", "--all", "--log", log]);
        command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    });
    for judge in &mut judges {
        assert_eq!(judge.wait().unwrap().code(), Some(1));
    }
    let (ran, message) = notes(
        &judge,
        &[
            "grade", "-p", "mini", "mini", "half", "--all", "--log", "log",
        ],
    );
    assert_eq!((ran.code, message), (Some(1), vec![]));
    assert_eq!(from_cache(&judge.read("log")), 2 * CASES);
    let verdicts = |log: &str| -> Vec<Value> {
        trials(&judge.read(log))
            .into_iter()
            .map(|mut trial| trial["verdict"].take())
            .collect()
    };
    assert!(
        ["log-1", "log-2"]
            .iter()
            .all(|log| verdicts(log) == verdicts("log"))
    );
}

/// Overwriting its damaged part would fill the disk.
#[test]
fn a_huge_sparse_file_of_the_cache_is_discarded() {
    let judge = judge_with_cases(2);
    let grade = ["grade", "-p", "mini", "right"];
    judge.script("right", RIGHT).run(&grade);
    // The cache also holds a file of the notes that were shown, and folders are listed
    // in any order.
    let mut files = fs::read_dir(judge.path("cache"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let file = files
        .find(|path| {
            path.file_name()
                .unwrap()
                .as_encoded_bytes()
                .starts_with(b"trials-")
        })
        .unwrap();
    fs::File::options()
        .write(true)
        .open(&file)
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    assert_eq!(judge.run(&grade).code, Some(0));
    assert!(file.metadata().unwrap().len() < 1 << 20);
    assert!(last_line(&judge.run(&grade)).contains("from the cache"));
}

/// A damaged cache costs time and a note, never a verdict.
#[test]
fn a_broken_cache_leads_to_a_note_and_to_right_verdicts() {
    type Damage = fn(&Judge);
    let damages: [(Damage, &str); 5] = [
        (
            |judge| {
                for entry in fs::read_dir(judge.path("cache"))
                    .unwrap()
                    .map(Result::unwrap)
                {
                    let text = fs::read_to_string(entry.path()).unwrap();
                    fs::write(entry.path(), text.replace("\"AC\"", "\"WA\""))
                        .unwrap();
                }
            },
            " had 2 damaged lines, which were ignored and removed",
        ),
        (
            |judge| {
                for entry in fs::read_dir(judge.path("cache"))
                    .unwrap()
                    .map(Result::unwrap)
                {
                    fs::remove_file(entry.path()).unwrap();
                    fs::create_dir(entry.path()).unwrap();
                }
            },
            " could not store all results: ",
        ),
        (
            |judge| {
                fs::set_permissions(
                    judge.path("cache"),
                    fs::Permissions::from_mode(0o777),
                )
                .unwrap();
            },
            ": other users may write to it; empty it, then `chmod go-w ",
        ),
        (
            |judge| {
                fs::remove_dir_all(judge.path("cache")).unwrap();
                judge.put("cache", "a file");
            },
            "note: the cache is not used: opening the cache at ",
        ),
        (
            |judge| match geteuid().is_root() {
                true => chown(judge.path("cache"), Some(65534), None).unwrap(),
                // Only root can give the folder away; a folder that others may write to
                // is refused as well.
                false => fs::set_permissions(
                    judge.path("cache"),
                    fs::Permissions::from_mode(0o722),
                )
                .unwrap(),
            },
            "note: the cache is not used: opening the cache at ",
        ),
    ];
    for (damage, expected) in damages {
        let judge = Judge::with_empty_cache();
        judge.script("mini", RIGHT);
        judge.run(&["grade", "mini"]);
        damage(&judge);
        let (ran, notes) = notes(&judge, &["grade", "mini"]);
        assert_eq!(
            last_line(&ran),
            "1 submission, 2 trials: 1 accepted",
            "{expected}"
        );
        assert!(
            notes.len() == 1 && notes[0].contains(expected),
            "{notes:?}, and not {expected}"
        );
        let quiet = judge.command(&["grade", "mini", "-q"]).output().unwrap();
        assert_eq!(String::from_utf8(quiet.stderr).unwrap(), "", "{expected}");
    }
}

#[test]
fn a_cache_that_can_only_be_read_is_read() {
    let judge = Judge::with_empty_cache();
    judge.script("mini", RIGHT).script("half", HALF_RIGHT);
    judge.run(&["grade", "mini"]);
    if geteuid().is_root() {
        println!("skipped: root may write everywhere");
        return;
    }
    fs::set_permissions(judge.path("cache"), fs::Permissions::from_mode(0o500))
        .unwrap();
    let (ran, notes) = notes(&judge, &["grade", "-p", "mini", "mini", "half"]);
    fs::set_permissions(judge.path("cache"), fs::Permissions::from_mode(0o700))
        .unwrap();
    assert_eq!(
        last_line(&ran),
        "2 submissions, 4 trials (2 from the cache): 1 accepted, 1 not"
    );
    let why = " could not store all results: Permission denied";
    assert!(notes.len() == 1 && notes[0].contains(why), "{notes:?}");
}

/// A submission neither gets the verdicts of another one nor can write to the place
/// where its own are stored, at any level.
#[test]
fn no_submission_writes_into_the_cache_that_its_judge_uses() {
    for level in ["full", "user", "basic"] {
        let judge = Judge::with_empty_cache();
        // It is right only if it can forge nothing. It tries all files of the cache by
        // name.
        let folder = judge.path("cache").display().to_string();
        let forger = format!(
            "#!/bin/sh\nread n\nfor file in {folder}/trials-* {folder}/trials-new; do\n\
             if echo AC 2>/dev/null >>$file; then exit 7; fi\nif cat $file 2>/dev/null; then exit 8; fi\ndone\n\
             if mkdir {folder}/new 2>/dev/null; then exit 9; fi\n\
             while [ $n -gt 0 ]; do printf '1234\\n3412\\n2143\\n4321\\n'; n=$((n - 1)); done\n"
        );
        judge.script("mini", RIGHT).script("forger", &forger);
        let first = judge.run(&["grade", "mini", "--sandbox", level]);
        if first.code == Some(3) {
            let required = std::env::var("GRIDJUDGE_LEVELS").unwrap_or_default();
            assert!(
                !required.split(',').any(|wanted| wanted == level),
                "{level}: {}",
                first.stderr
            );
            println!("level {level} is not available here");
            continue;
        }
        let (ran, message) = notes(
            &judge,
            &["grade", "-p", "mini", "mini", "forger", "--sandbox", level],
        );
        match judge.path("cache").exists() {
            true => {
                assert_eq!(
                    (ran.code, message),
                    (Some(0), vec![]),
                    "{level}: {}",
                    ran.stdout
                );
                let summary =
                    "2 submissions, 4 trials (2 from the cache): 2 accepted";
                assert_eq!(last_line(&ran), summary, "{level}");
            }
            // Basic, on a kernel without Landlock.
            false => {
                let why = "note: the cache is not used: without Landlock a submission could write verdicts into it";
                assert_eq!((level, message), ("basic", vec![why.to_owned()]));
            }
        }
    }
}
