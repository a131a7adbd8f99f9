//! Runs `gridjudge new`: the problems that it writes pass `verify`, and with options that make no valid problem it writes
//! nothing.

mod judge;

use judge::Judge;

/// A judge's folder without any problem.
fn empty() -> Judge {
    let judge = Judge::new();
    for folder in ["problems", "cases"] {
        std::fs::remove_dir_all(judge.path(folder)).unwrap();
    }
    judge
}

/// Runs a command that must fail with `said` among its errors, and change no file.
#[track_caller]
fn refuses(judge: &Judge, arguments: &[&str], said: &str) {
    let before = judge.files();
    let ran = judge.run(arguments);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}");
    assert!(ran.stderr.contains(said), "{arguments:?}: {}", ran.stderr);
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
        let arguments: Vec<_> = ["new", "mine"].into_iter().chain(options.split_whitespace()).collect();
        let ran = judge.run(&arguments);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{options}");
        let verified = judge.run(&["verify", "mine"]);
        assert_eq!(verified.code, Some(0), "{options}: {}", verified.stderr);
        assert!(verified.stdout.contains("mine: 1 case in format"), "{options}: {}", verified.stdout);
    }
}

#[test]
fn an_invalid_option_is_an_error_and_nothing_is_written() {
    for (option, said) in [
        ("--order=30", "`order = 30` must be 1 to 25"),
        ("--boxes=2x2", "boxes of 2x2 have 4 cells, a grid of order 9 needs 9"),
        ("--blanks=5", "`5` appears twice among symbols and blanks"),
        ("--cases=some", "unknown cases `some`"),
        ("--accept=any --several=MANY", "`several` has no meaning with `accept = \"any\"`"),
        ("--until=end", "`until` has no meaning with `cases = \"one\"`"),
        ("--symbols=numbers --cells=joined", "cells that are `joined` cannot hold numbers"),
        ("--time=soon", "`time = \"soon\"` is not a time"),
    ] {
        let judge = empty();
        let arguments: Vec<_> = ["new", "mine"].into_iter().chain(option.split_whitespace()).collect();
        refuses(&judge, &arguments, said);
    }
}

#[test]
fn existing_files_are_left_alone() {
    let judge = Judge::new();
    let before = judge.files();
    refuses(&judge, &["new", "mini"], "there is a problem `mini` already");
    judge.put("cases/other/notes.md", "mine");
    refuses(&judge, &["new", "other"], "is there already");
    std::fs::remove_dir_all(judge.path("cases/other")).unwrap();
    for id in ["../up", ".hidden", "a/b", "a b", ""] {
        refuses(&judge, &["new", id], "cannot be the id of a problem");
    }
    assert_eq!(judge.files(), before);
}

#[test]
fn quotes_and_control_characters_in_a_title_are_escaped() {
    let judge = empty();
    let title = "The \"hard\" \\ one\u{7}";
    assert_eq!(judge.run(&["new", "mine", "--title", title]).code, Some(0));
    let folder = gridjudge::spec::JudgeFolder::open(&judge.path("")).unwrap();
    assert_eq!(folder.problem("mine").unwrap().name, title);
}
