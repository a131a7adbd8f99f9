//! Runs `gridjudge new`: the problems that it writes pass `verify`, and with options
//! that make no valid problem it writes nothing.

use crate::judge::Judge;

/// A judge's folder without any problem.
fn empty() -> Judge {
    let judge = Judge::new();
    for folder in ["problems", "cases"] {
        std::fs::remove_dir_all(judge.path(folder)).unwrap();
    }
    judge
}

/// Runs a command that must fail with `expected` among its errors, and change no file.
#[track_caller]
fn refuses(judge: &Judge, arguments: &[&str], expected: &str) {
    let before = judge.files();
    let ran = judge.run(arguments);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(2), ""),
        "{arguments:?}"
    );
    assert!(
        ran.stderr.contains(expected),
        "{arguments:?}: {}",
        ran.stderr
    );
    assert!(judge.files() == before, "{arguments:?} touched a file");
}

#[test]
fn verify_accepts_every_problem_that_new_writes() {
    for options in [
        "",
        "--order=4 --blanks=* --cases=count --most=3",
        "--order=5 --accept=count",
        "--order=6 --cases=eof --accept=any",
        "--order=7 --accept=first --cells=spaced",
        "--order=9 --diagonals --accept=all --none=NO",
        "--order=9 --cases=until --until=end --none=NO --several=MANY",
        "--order=16",
        "--order=17 --time=2s --memory=64MiB",
    ] {
        let judge = empty();
        let arguments: Vec<_> = ["new", "mine"]
            .into_iter()
            .chain(options.split_whitespace())
            .collect();
        let ran = judge.run(&arguments);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{options}");
        let verified = judge.run(&["verify", "mine"]);
        assert_eq!(verified.code, Some(0), "{options}: {}", verified.stderr);
        assert!(
            verified.stdout.contains("mine: 1 case in format"),
            "{options}: {}",
            verified.stdout
        );
    }
}

#[test]
fn an_invalid_option_is_an_error_and_nothing_is_written() {
    for (option, expected) in [
        (
            "--order=30",
            "--order: `order` in [grid] must be a whole number from 1 to 25, found `30`",
        ),
        (
            "--boxes=2x2",
            "--boxes: boxes of 2x2 have 4 cells, a grid of order 9 needs 9",
        ),
        ("--blanks=5", "`5` appears twice among symbols and blanks"),
        ("--cases=some", "--cases: unknown cases `some`"),
        (
            "--accept=any --several=MANY",
            "--several: `several` has no meaning with `accept = \"any\"`",
        ),
        (
            "--until=end",
            "--until: `until` has no meaning with `cases = \"one\"`",
        ),
        (
            "--symbols=numbers --cells=joined",
            "cells that are `joined` cannot hold numbers",
        ),
        ("--time=soon", "--time: `time = \"soon\"` is not a time"),
    ] {
        let judge = empty();
        let arguments: Vec<_> = ["new", "mine"]
            .into_iter()
            .chain(option.split_whitespace())
            .collect();
        refuses(&judge, &arguments, expected);
    }
}

#[test]
fn every_file_that_is_written_is_listed_and_what_is_done_is_not_asked_for_again() {
    for (arguments, root) in [
        (&["new", "mine"][..], ""),
        (&["new", "mine", "--task", "program"], ""),
        (&["init", "fresh"], "fresh/"),
    ] {
        let judge = empty();
        let before = judge.files();
        let ran = judge.run(arguments);
        assert_eq!(
            (ran.code, ran.stderr.as_str()),
            (Some(0), ""),
            "{arguments:?}"
        );
        let output_lines: Vec<_> = ran
            .stdout
            .lines()
            .filter_map(|line| line.strip_prefix("wrote "))
            .collect();
        let output_lines: std::collections::BTreeSet<_> = output_lines
            .into_iter()
            .map(|name| judge.path(name))
            .collect();
        let is_made = |path: &std::path::PathBuf| {
            (path.is_file() && !before.contains_key(path))
                && path.starts_with(judge.path(root))
        };
        assert_eq!(
            output_lines,
            judge.files().into_keys().filter(is_made).collect(),
            "{}",
            ran.stdout
        );
        let next = ran.stdout.split("\nNext:\n").nth(1).unwrap();
        assert!(!next.contains("gridjudge generate"), "{next}");
    }
}

/// What `new` writes for a task that is not about grids is a whole problem.
#[test]
fn a_problem_of_any_task_is_proven_at_once() {
    for (task, files) in [
        ("tokens", &["submissions/accepted/twice.py"][..]),
        ("lines", &["submissions/accepted/twice.py"]),
        ("exact", &["submissions/accepted/twice.py"]),
        (
            "program",
            &["check.py", "submissions/accepted/two_numbers.py"],
        ),
        (
            "interactive",
            &["interact.py", "submissions/accepted/halving.py"],
        ),
    ] {
        let judge = empty();
        let ran = judge.run(&[
            "new", "mine", "--task", task, "--title", "A title", "--time", "2s",
        ]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{task}");
        for file in ["problem.toml", "statement.md"].iter().chain(files) {
            assert!(
                ran.stdout
                    .contains(&format!("wrote problems/mine/{file}\n")),
                "{task}: {}",
                ran.stdout
            );
        }
        assert!(
            ran.stdout.contains("wrote cases/mine/sample/1.in\n"),
            "{task}: {}",
            ran.stdout
        );
        assert!(
            ran.stdout.contains(
                "\n  put cases, each with its answer, into cases/mine/sample"
            ),
            "{task}: {}",
            ran.stdout
        );
        assert!(
            !ran.stdout.contains("gridjudge generate"),
            "{task}: {}",
            ran.stdout
        );
        assert!(
            judge
                .read("problems/mine/problem.toml")
                .contains(&format!("kind = \"{task}\""))
        );
        assert!(
            judge
                .read("problems/mine/statement.md")
                .starts_with("# A title\n\n")
        );
        let verified = judge.run(&["verify", "mine"]);
        assert_eq!(
            (verified.code, verified.stderr.as_str()),
            (Some(0), ""),
            "{task}: {}",
            verified.stdout
        );
        assert!(
            verified
                .stdout
                .contains("1 submission, 1 trial: 1 as expected"),
            "{task}: {}",
            verified.stdout
        );
        if task != "interactive" {
            assert_eq!(
                judge.run(&["answers", "mine", "--check"]).code,
                Some(0),
                "{task}"
            );
        }
    }
}

/// The programs that judge are worth copying only if they also refuse.
#[test]
fn the_checker_and_the_interactor_of_a_new_problem_refuse_what_is_wrong() {
    for (task, programs) in [
        (
            "program",
            &[
                ("print(4, 5)", "checker: the sum is 9, not 10"),
                ("print(0, 10)", "checker: 0 is not positive"),
                (
                    "print(-1, 11)",
                    "checker: these are not two positive whole numbers",
                ),
                ("print(10)", "checker: 1 words in place of two numbers"),
            ][..],
        ),
        (
            "interactive",
            &[
                ("input()", "there is no guess 1"),
                ("print('x' * 200)", "guess 1 is not a number from 1 to 100"),
                (
                    "for i in range(1, 30): print(i)",
                    "the number was not found with 20 guesses",
                ),
            ],
        ),
    ] {
        let judge = empty();
        assert_eq!(
            judge.run(&["new", "mine", "--task", task]).code,
            Some(0),
            "{task}"
        );
        for (program, expected) in programs {
            judge.put("wrong.py", format!("{program}\n"));
            let ran = judge.run(&["grade", "-p", "mine", "wrong.py"]);
            assert_eq!(ran.code, Some(1), "{program}: {}", ran.stderr);
            assert!(ran.stdout.contains(expected), "{program}: {}", ran.stdout);
        }
    }
}

#[test]
fn a_flag_about_grids_with_another_task_is_a_mistake_that_names_the_flag() {
    let judge = empty();
    let wish = [
        "new",
        "mine",
        "--task",
        "tokens",
        "--order",
        "9",
        "--diagonals",
    ];
    refuses(
        &judge,
        &wish,
        "error: --order: has no meaning with `--task tokens`\n",
    );
    refuses(
        &judge,
        &wish,
        "error: --diagonals: has no meaning with `--task tokens`\n",
    );
    refuses(
        &judge,
        &["new", "mine", "--task", "lines", "--time", "soon"],
        "error: --time: `time = \"soon\"`",
    );
    refuses(
        &judge,
        &["new", "mine", "--task", "sudoku"],
        "invalid value 'sudoku' for '--task <KIND>'",
    );
}

#[test]
fn existing_files_are_left_alone() {
    let judge = Judge::new();
    let before = judge.files();
    refuses(
        &judge,
        &["new", "mini"],
        "there is a problem `mini` already",
    );
    judge.put("cases/other/notes.md", "mine");
    refuses(&judge, &["new", "other"], "is there already");
    std::fs::remove_dir_all(judge.path("cases/other")).unwrap();
    for id in ["../up", ".hidden", "a/b", "a b", ""] {
        refuses(&judge, &["new", id], "cannot be the id of a problem");
    }
    assert_eq!(judge.files(), before);
}

#[test]
fn new_completes_what_a_killed_run_left_and_nothing_else() {
    let judge = empty();
    let new = ["new", "mine", "--task", "tokens"];
    assert_eq!(judge.run(&new).code, Some(0));
    let whole = judge.files();
    // A kill between the names of the two folders leaves the cases alone.
    std::fs::remove_dir_all(judge.path("problems/mine")).unwrap();
    let again = judge.run(&new);
    assert!(again.code == Some(0) && judge.files() == whole, "{again:?}");
    std::fs::remove_dir_all(judge.path("problems/mine")).unwrap();
    judge.put("cases/mine/sample/2.in", "mine");
    refuses(&judge, &new, "is there already");
    judge.remove("cases/mine/sample/2.in");
    judge.put("cases/mine/sample/1.in", "mine");
    refuses(&judge, &new, "is there already");
}

#[test]
fn quotes_and_control_characters_in_a_title_are_escaped() {
    let judge = empty();
    let title = "The \"hard\" \\ one\u{7}";
    assert_eq!(judge.run(&["new", "mine", "--title", title]).code, Some(0));
    let folder = gridjudge::spec::JudgeFolder::open(&judge.path("")).unwrap();
    assert_eq!(folder.find("mine").unwrap().problem().unwrap().name, title);
}

#[test]
fn init_completes_what_a_killed_run_left_at_any_of_its_files() {
    let judge = empty();
    judge.remove("judge.toml");
    let arguments = ["init", "fresh", "--ci", "gitlab"];
    let whole = judge.run(&arguments);
    assert_eq!(whole.code, Some(0), "{whole:?}");
    let all = judge.files();
    let written: Vec<_> = whole
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("wrote "))
        .collect();
    assert_eq!(written.last(), Some(&"fresh/judge.toml"));
    for number in [0, written.len() / 2, written.len() - 3, written.len() - 1] {
        for path in &written[number..] {
            judge.remove(path);
        }
        judge.put(
            "fresh/cases/first-4x4/sample/.gridjudge-unfinished-dead",
            "",
        );
        let ran = judge.run(&arguments);
        assert!(
            ran.code == Some(0) && judge.files() == all,
            "from {}: {ran:?}",
            written[number]
        );
    }
}

#[test]
fn the_texts_for_special_grids_are_in_the_spec_and_in_the_statement() {
    let judge = Judge::new();
    for (accept, texts) in [
        ("unique", ["--none", "NO WAY", "--several", "MANY"]),
        ("word", ["--none", "NO WAY", "--several", "MANY"]),
    ] {
        let id = format!("new-{accept}");
        let new = ["new", &*id, "--accept", accept, "-y"];
        let ran = judge.run(&[&new[..], &texts].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let spec = judge.read(&format!("problems/{id}/problem.toml"));
        let statement = judge.read(&format!("problems/{id}/statement.md"));
        assert!(spec.contains("\nseveral = \"MANY\""), "{spec}");
        for text in ["cannot be completed, print `NO WAY`.", "print `MANY`."] {
            assert!(statement.contains(text), "{statement}");
        }
        assert!(!statement.contains("exactly one way"), "{statement}");
    }
}
