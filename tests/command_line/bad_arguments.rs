//! Bad arguments: submissions, problems and folders that cannot be used, and logs that
//! cannot be written.

use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use rustix::fs::inotify;
use rustix::fs::inotify::{CreateFlags, WatchFlags};

use crate::judge::{HALF_RIGHT, Judge, RIGHT, SPEC};

/// Asserts that arguments are refused with a message, in a folder with some files that
/// are no submissions.
#[track_caller]
fn refused(arguments: &[&str], message: &str) {
    let judge = Judge::new();
    judge
        .put("folder/note", "")
        .put("mini.xyz", "")
        .put("other.c", "");
    judge.refuses(arguments, message);
}

#[test]
fn a_submission_that_cannot_be_judged_gets_a_message_with_the_reason() {
    const KNOWN: &str = "known endings: .adb .ada .bash .c .cpp .cc .cxx .c++ .C .cs .f90 .go .hs .java .js .mjs .cjs .kt .lisp .cl .lua .ml .pas .pl .pm .php .py .py3 \
                         .rb .rs .sh; add one in judge.toml, or make it executable with `chmod +x`";
    for (name, message) in [
        (
            "none.c",
            "none.c: cannot be read: No such file or directory (os error 2)",
        ),
        (
            "folder",
            "folder: is not a contest: there are only files in it, and no folder of a team\n\
             hint: a contest is `<team>/<problem>.<ext>`; to grade programs that belong to no team, name their files",
        ),
        ("/dev/null", "/dev/null: is not a regular file"),
        (
            "-",
            "-: a submission cannot be standard input\n\
             hint: save it in a file with the ending of its language, and name that, with `-p PROBLEM`",
        ),
        (
            "other.c",
            "other.c: does not tell which problem it is for\nhint: name the problem with `-p`; known: mini",
        ),
        (
            "mini.xyz",
            &format!(
                "mini.xyz: is of no known language and is not executable\nhint: {KNOWN}"
            ),
        ),
    ] {
        refused(&["grade", name], &format!("error: {message}"));
    }
}

#[test]
fn a_problem_in_place_of_a_submission_gets_the_option_that_names_it() {
    let message = "error: mini: cannot be read: No such file or directory (os error 2)\n\
                   hint: to judge the example submissions of the problem `mini`, write `-p mini`";
    refused(&["grade", "mini"], message);
}

#[test]
fn all_submissions_that_cannot_be_judged_are_reported_at_once() {
    let message = "\
error: none.c: cannot be read: No such file or directory (os error 2)
error: folder: is a folder, not a submission
hint: name the files in it; a contest's folder is graded alone
error: problems: there is no problem `mino` in this folder
hint: did you mean `mini`?
";
    refused(
        &["grade", "-p", "mino", "none.c", "folder", "other.c"],
        message,
    );
}

#[test]
fn the_hint_for_an_unknown_problem_is_the_nearest_name_or_all_names() {
    for (name, hint) in [
        ("mimi", "did you mean `mini`?"),
        ("codeforces", "known: mini"),
    ] {
        let message = format!(
            "error: problems: there is no problem `{name}` in this folder\nhint: {hint}"
        );
        for command in [
            "grade -p NAME",
            "grade -p NAME other.c",
            "verify NAME",
            "check -p NAME other.c other.c",
        ] {
            let arguments: Vec<_> = command
                .split(' ')
                .map(|word| word.replace("NAME", name))
                .collect();
            refused(
                &arguments.iter().map(String::as_str).collect::<Vec<_>>(),
                &message,
            );
        }
    }
    let both = "error: problems: there is no problem `a` in this folder\n\
                error: problems: there is no problem `b` in this folder\nhint: known: mini";
    refused(&["answers", "a", "b"], both);
}

#[test]
fn several_files_are_not_written_to_standard_output() {
    let message = "error: -: is standard output, and there are several files to be written\n\
                   hint: name a folder; `./-` is one of that name";
    refused(&["export", "mini", "--to", "domjudge", "-"], message);
    refused(&["stress", "-p", "mini", "other.c", "-o", "-"], message);
}

#[test]
fn wrong_usage_ends_in_exit_code_2() {
    for (arguments, message) in [
        (
            vec!["grade", "-j", "x"],
            "error: invalid value 'x' for '--jobs <N>': invalid digit found in string",
        ),
        (
            vec!["solve", "-j", "100000"],
            "error: invalid value '100000' for '--jobs <N>': 100000 is not in 0..=256",
        ),
        (
            vec!["generate", "-j", "257"],
            "error: invalid value '257' for '--jobs <N>': 257 is not in 0..=256",
        ),
        (
            vec!["strength", "-j", "-1"],
            "error: unexpected argument '-1' found",
        ),
        (
            vec!["strength", "-j", "257"],
            "error: invalid value '257' for '--jobs <N>': 257 is not in 0..=256",
        ),
        (
            vec!["stress", "-j", "257", "a.c"],
            "error: invalid value '257' for '--jobs <N>': 257 is not in 0..=256",
        ),
        (
            vec!["grade", "--log"],
            "error: a value is required for '--log <FILE>' but none was supplied",
        ),
        (
            vec!["grade", "--all", "--first-failure"],
            "error: the argument '--all' cannot be used with '--first-failure'",
        ),
        (
            vec!["grade", "--watch", "--github"],
            "error: the argument '--watch' cannot be used with '--github'",
        ),
        (
            vec!["verify", "--github", "--watch"],
            "error: the argument '--github' cannot be used with '--watch'",
        ),
        (
            vec!["verify", "-q", "-v"],
            "error: the argument '--quiet' cannot be used with '--verbose'",
        ),
        (
            vec!["doctor", "--sandbox", "best"],
            "error: invalid value 'best' for '--sandbox <LEVEL>'",
        ),
        (vec!["grde"], "error: unrecognized subcommand 'grde'"),
    ] {
        let ran = Judge::new().run(&arguments);
        assert_eq!(ran.stderr.lines().next(), Some(message), "{arguments:?}");
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(2), ""),
            "{arguments:?}"
        );
    }
}

#[test]
fn without_a_judge_toml_here_or_above_the_hint_names_all_remedies() {
    let judge = Judge::new();
    judge.remove("judge.toml");
    let here = judge.path("").canonicalize().unwrap();
    let message = format!(
        "error: {}: there is no `judge.toml` here or in any folder above\n\
         hint: name the folder with `-C`, create an empty `judge.toml` beside `problems` and `cases`, \
         or name a package with a `/` (`./sum`)",
        here.display()
    );
    judge.refuses(&["grade"], &message);
    judge.refuses(
        &["grade", "-C", "cases"],
        "error: cases/judge.toml: cannot be read: No such file or directory (os error 2)\n\
         hint: create it, or correct the name",
    );
}

#[test]
fn an_example_must_be_in_a_folder_that_expects_a_verdict() {
    const KNOWN: &str =
        "accepted, wrong, presentation, slow, idle, memory, output, crash, compile";
    const OTHERS: &str =
        "or write `@EXPECTED_RESULTS@: WA` into it, or name it in `submissions.toml`";
    for (place, message) in [
        (
            "wrongg/a.c",
            "the folder `wrongg` expects no verdict\nhint: did you mean `wrong`?",
        ),
        (
            "xyzzy/a.c",
            &format!(
                "the folder `xyzzy` expects no verdict\nhint: use one of {KNOWN}, {OTHERS}"
            ),
        ),
        (
            "a.c",
            &format!(
                "the submission lies in no folder that expects a verdict\nhint: move it into one of {KNOWN}, {OTHERS}"
            ),
        ),
    ] {
        let judge = Judge::new();
        let path = format!("problems/mini/submissions/{place}");
        judge.put(&path, "");
        judge.refuses(&["grade"], &format!("error: {path}: {message}"));
        judge.refuses(&["verify", "-q"], &format!("error: {path}: {message}"));
    }
}

/// One run reports all mistakes in the examples of a problem and in the groups that
/// have points.
#[test]
fn mistakes_of_several_classes_are_reported_at_once() {
    let message = |judge: &Judge| {
        let ran = judge.run(&["grade"]);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(2), ""),
            "{}",
            ran.stderr
        );
        ran.stderr
    };
    let judge = Judge::new();
    for name in [
        "wrongg/a.c",
        "b.c",
        "wrong/c.zzz",
        "notes.zzz",
        "accepted/README.md",
    ] {
        judge.put(format!("problems/mini/submissions/{name}"), "");
    }
    let stderr = message(&judge);
    for expected in [
        "submissions/wrongg/a.c: the folder `wrongg` expects no verdict",
        "submissions/b.c: the submission lies in no folder that expects a verdict",
        "submissions/notes.zzz: the submission lies in no folder that expects a verdict",
        "submissions/wrong/c.zzz: is of no known language and is not executable",
    ] {
        assert!(stderr.contains(expected), "{expected}: {stderr}");
    }
    assert_eq!(stderr.matches("error: ").count(), 4, "{stderr}");
    let judge = Judge::new();
    judge.edit("problems/mini/problem.toml", "order = 4", "order = 40");
    judge.put(
        "problems/mini/problem.toml",
        judge.read("problems/mini/problem.toml") + "\n[points]\nnope = 3\n",
    );
    let stderr = message(&judge);
    assert!(
        stderr.contains(
            "`order` in [grid] must be a whole number from 1 to 25, found `40`"
        ),
        "{stderr}"
    );
    assert!(
        stderr.contains("[points] names group `nope`, which has no cases"),
        "{stderr}"
    );
}

#[test]
fn a_log_that_cannot_be_written_costs_no_result() {
    for (path, why) in [
        ("/dev/full", "No space left on device (os error 28)"),
        ("nowhere/log", "No such file or directory (os error 2)"),
        ("cases", "Is a directory (os error 21)"),
    ] {
        let judge = Judge::new();
        judge.script("mini.sh", RIGHT);
        let ran = judge.run(&["grade", "mini.sh", "--log", path]);
        let message = format!(
            "error: {path}: cannot be written: {why}\nhint: judging goes on, without it\n"
        );
        assert_eq!((ran.code, ran.stderr), (Some(3), message));
        assert!(
            ran.stdout
                .contains("\n1 submission, 2 trials: 1 accepted\n"),
            "{}",
            ran.stdout
        );
    }
}

#[test]
fn a_log_replaces_an_older_log_and_no_other_file() {
    let judge = Judge::new();
    judge.script("mini.sh", RIGHT);
    for path in ["mini.sh", "cases/mini/sample/001-one.in"] {
        let message = format!(
            "error: {path}: is not a log, and the new log would overwrite it\n\
             hint: name another file for the log, or delete this one"
        );
        judge.refuses(&["grade", "mini.sh", "--log", path], &message);
    }
    judge
        .put("empty", "")
        .put("older", "{\"event\":\"suite_started\",\"log_version\":1}\n");
    for path in ["new", "empty", "older"] {
        assert_eq!(
            judge.run(&["grade", "mini.sh", "--log", path]).code,
            Some(0),
            "{path}"
        );
        assert!(judge.read(path).contains("\"trials\":2"), "{path}");
        assert_eq!(
            judge.read(path).matches("suite_finished").count(),
            1,
            "{path}"
        );
    }
}

#[test]
fn a_full_standard_output_is_a_failure_of_the_judge_and_not_a_panic() {
    let judge = Judge::new().with_few_languages(&[]);
    judge.script("mini.sh", HALF_RIGHT);
    let case = [
        "cases/mini/sample/001-one.in",
        "cases/mini/sample/001-one.ans",
    ];
    let from_commands =
        "error: writing to standard output: No space left on device (os error 28)\n";
    let from_reports = "error: standard output: cannot be written: No space left on device (os error 28)\n\
                        hint: judging goes on, without it\n";
    for (arguments, message) in [
        (vec!["check", "-p", "mini", case[0], case[1]], from_commands),
        (vec!["answers"], from_commands),
        (vec!["verify"], from_commands),
        (vec!["doctor"], from_commands),
        // Two reports go to standard output; its failure is reported once.
        (vec!["grade", "mini.sh"], from_reports),
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let ran = judge.ran(judge.command(&arguments).stdout(full).output().unwrap());
        assert_eq!(
            (ran.code, ran.stderr.as_str()),
            (Some(3), message),
            "{arguments:?}"
        );
    }
}

#[test]
fn help_and_other_texts_that_cannot_be_printed_are_a_failure_but_a_closed_pipe_is_not()
 {
    let judge = Judge::new();
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["help", "grade"],
        &["grade", "--help"],
        &["completions", "bash"],
        &["man"],
        &["schema", "log"],
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let ran = judge.ran(judge.command(arguments).stdout(full).output().unwrap());
        let message = "error: writing to standard output: No space left on device (os error 28)\n";
        assert_eq!(
            (ran.code, ran.stderr.as_str()),
            (Some(3), message),
            "{arguments:?}"
        );
        let (reader, closed) = std::io::pipe().unwrap();
        drop(reader);
        let ran =
            judge.ran(judge.command(arguments).stdout(closed).output().unwrap());
        assert_eq!(
            (ran.code, ran.stderr.as_str()),
            (Some(0), ""),
            "{arguments:?}"
        );
    }
}

#[test]
fn a_full_or_closed_standard_error_changes_no_exit_code() {
    let judge = Judge::new();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    assert_eq!(
        judge
            .command(&["grade", "none.c"])
            .stderr(full)
            .status()
            .unwrap()
            .code(),
        Some(2)
    );
    let (reader, closed) = std::io::pipe().unwrap();
    drop(reader);
    assert_eq!(
        judge
            .command(&["grade", "none.c"])
            .stderr(closed)
            .status()
            .unwrap()
            .code(),
        Some(2)
    );
}

#[test]
fn a_program_that_cannot_be_started_gets_a_runtime_error_with_the_reason_once() {
    let judge = Judge::new();
    judge.script("mini.sh", "#!/nonexistent\n");
    let ran = judge.run(&["grade", "mini.sh"]);
    let output_lines: Vec<_> = ran
        .stdout
        .lines()
        .take_while(|line| !line.starts_with("problem "))
        .collect();
    let expected = [
        "mini mini.sh: RE (runtime error) on sample/001-one",
        "    ended with exit code 127",
        "    standard error:",
        "    | it cannot be started: its interpreter `/nonexistent` does not exist",
        "",
    ];
    assert_eq!(
        (ran.code, output_lines.as_slice()),
        (Some(1), expected.as_slice())
    );
}

#[test]
fn a_submission_whose_name_is_not_utf_8_is_judged() {
    let judge = Judge::new();
    let name = std::ffi::OsStr::from_bytes(b"\xff.sh");
    judge.script(name, RIGHT);
    let mut command = judge.command(&["grade", "-q", "-p", "mini"]);
    let ran = judge.ran(command.arg(name).output().unwrap());
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "1 submission, 2 trials: 1 accepted\n")
    );
}

#[test]
fn a_broken_spec_of_another_problem_does_not_matter() {
    let judge = Judge::new();
    judge
        .script("mini.sh", RIGHT)
        .put("problems/other/problem.toml", SPEC.replace("2x2", "2x3"));
    assert_eq!(judge.run(&["grade", "-q", "mini.sh"]).code, Some(0));
}

/// A watch on these folders that notices when any process opens one of them.
fn watched(folders: &[PathBuf]) -> OwnedFd {
    let watch = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).unwrap();
    for folder in folders {
        inotify::add_watch(&watch, folder, WatchFlags::OPEN).unwrap();
    }
    watch
}

fn is_noticed(watch: &OwnedFd) -> bool {
    rustix::io::read(watch, &mut [0; 4096]).is_ok()
}

#[test]
fn a_folder_without_a_problem_is_not_searched_deeper_than_cases_lie() {
    let judge = Judge::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let below = elsewhere.path().join("team/1/2/3/4/below");
    let folders = [below.clone(), below.join("far"), below.join("far/away")];
    fs::create_dir_all(&folders[2]).unwrap();
    let watch = watched(&folders);
    let place = elsewhere.path().to_str().unwrap();
    let slashed = format!("{place}/");
    // From inside a judge's folder, and from inside a folder without a `judge.toml`.
    for from in [".", place] {
        for arguments in [
            &["verify", place][..],
            &["verify", &slashed],
            &["verify"],
            &["grade", place],
            &["grade", &slashed],
            &["grade"],
            &["grade", "-p", place, "mini.sh"],
            &["list"],
            &["list", place],
            &["answers", place],
            &["generate", place],
            &["strength", place],
            &["stress", "-p", place, "mini.sh"],
            &["check", "-p", place, "in", "out"],
            &["export", place, "out", "--to", "kattis"],
            &["doctor", "-C", place],
        ] {
            let ran = judge.ran(
                judge
                    .command(arguments)
                    .current_dir(judge.path(from))
                    .output()
                    .unwrap(),
            );
            assert!(!is_noticed(&watch), "{arguments:?} from {from}: {ran:?}");
        }
    }
    // The watch works.
    fs::read_dir(&folders[2]).unwrap();
    assert!(is_noticed(&watch));
}

#[test]
fn an_option_of_another_command_is_said_to_belong_to_it() {
    let judge = Judge::new();
    for (arguments, tip) in [
        (
            ["report", "--freeze"],
            "tip: `--freeze` belongs to `grade`, `standings` and `merge`\n",
        ),
        (
            ["grade", "--shards=4"],
            "tip: `--shards` belongs to `plan` and `init`\n",
        ),
        (["list", "-o"], "tip: `-o` belongs to "),
    ] {
        let ran = judge.run(&arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}");
        assert!(ran.stderr.contains(tip), "{arguments:?}: {}", ran.stderr);
    }
    let ran = judge.run(&["report", "--htm", "x"]);
    assert!(!ran.stderr.contains("belongs"), "{}", ran.stderr);
}
