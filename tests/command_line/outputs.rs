//! Every command writes its output files in the same way: to devices, FIFOs, links,
//! regular files and standard output.

use std::fs;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{CWD, OFlags, mkfifoat};

use crate::judge::{Judge, RIGHT};

/// A judge's folder with a log of one submission, and of a contest with one team.
fn judged() -> Judge {
    let judge = Judge::new();
    judge
        .script("mini.sh", RIGHT)
        .script("contest/alpha/mini.sh", RIGHT);
    assert_eq!(
        judge.run(&["grade", "mini.sh", "--log", "run.jsonl"]).code,
        Some(0)
    );
    assert_eq!(
        judge
            .run(&["grade", "contest", "--log", "contest.jsonl"])
            .code,
        Some(0)
    );
    judge
}

/// Every command that writes a file, with the option that names it last.
const COMMANDS: [&[&str]; 19] = [
    &["grade", "mini.sh", "--log"],
    &["grade", "mini.sh", "--junit"],
    &["grade", "mini.sh", "--html"],
    &["grade", "contest", "--standings-html"],
    &["grade", "contest", "--standings-csv"],
    &["verify", "mini", "--log"],
    &["verify", "mini", "--markdown"],
    &["report", "run.jsonl", "--jsonl"],
    &["report", "run.jsonl", "--html"],
    &["report", "run.jsonl", "--junit"],
    &["report", "run.jsonl", "--sarif"],
    &["report", "run.jsonl", "--tap"],
    &["report", "run.jsonl", "--markdown"],
    &["report", "run.jsonl", "--csv"],
    &["baseline", "run.jsonl", "-o"],
    &["compare", "run.jsonl", "run.jsonl", "--json"],
    &["compare", "run.jsonl", "run.jsonl", "--markdown"],
    &["standings", "contest.jsonl", "--html"],
    &["standings", "contest.jsonl", "--csv"],
];

#[track_caller]
fn writes(judge: &Judge, command: &[&str], name: &str) {
    let ran = judge.run(&[command, &[name]].concat());
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (Some(0), ""),
        "{command:?} {name}"
    );
}

/// The number of bytes that a command writes into a FIFO.
fn through_fifo(judge: &Judge, command: &[&str]) -> usize {
    let fifo = judge.path("fifo");
    mkfifoat(CWD, &fifo, 0o600.into()).unwrap();
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    // Opened for reading and writing, so that neither side waits for the other.
    let mut reader = File::options()
        .read(true)
        .write(true)
        .custom_flags(flags)
        .open(&fifo)
        .unwrap();
    writes(judge, command, "fifo");
    assert!(
        fs::symlink_metadata(&fifo).unwrap().file_type().is_fifo(),
        "{command:?} took its place"
    );
    judge.remove("fifo");
    reader.read(&mut [0; 64 << 10]).unwrap_or(0)
}

#[test]
fn a_device_a_fifo_and_a_link_are_written_through_by_every_command() {
    let judge = judged();
    // Through a link: a command that wrongly replaces the file destroys the link, not
    // the machine's own device.
    judge.link("null", "/dev/null").link("link", "target");
    for command in COMMANDS {
        writes(&judge, command, "null");
        assert_eq!(
            fs::read_link(judge.path("null")).unwrap(),
            Path::new("/dev/null"),
            "{command:?}"
        );
        assert!(through_fifo(&judge, command) > 0, "{command:?}");
        writes(&judge, command, "link");
        assert_eq!(
            fs::read_link(judge.path("link")).unwrap(),
            Path::new("target"),
            "{command:?}"
        );
        assert!(!judge.read("target").is_empty(), "{command:?}");
        judge.remove("target");
    }
}

#[test]
fn a_regular_file_is_replaced_by_every_command_and_keeps_its_mode() {
    let judge = judged();
    for command in COMMANDS {
        writes(&judge, command, "output");
        fs::set_permissions(judge.path("output"), fs::Permissions::from_mode(0o640))
            .unwrap();
        let before = judge.path("output").metadata().unwrap();
        let held = File::open(judge.path("output")).unwrap();
        writes(&judge, command, "output");
        let after = judge.path("output").metadata().unwrap();
        assert_eq!(after.mode() & 0o7777, 0o640, "{command:?}");
        assert!(
            before.ino() != after.ino(),
            "{command:?}: a process that reads the old file must keep it"
        );
        drop(held);
        judge.remove("output");
    }
}

#[test]
fn a_dash_and_dev_stdout_are_standard_output() {
    let judge = judged();
    for command in COMMANDS {
        let ran = judge.run(&[command, &["-"]].concat());
        assert!(
            ran.code == Some(0) && !ran.stdout.is_empty(),
            "{command:?}: {ran:?}"
        );
        assert!(!judge.path("-").exists(), "{command:?}");
    }
    for [start, name] in [
        ["{\"event\":\"suite_started\"", "/dev/stdout"],
        ["{\"event\":\"suite_started\"", "-"],
    ] {
        let ran = judge.run(&["grade", "mini.sh", "--log", name]);
        assert!(
            ran.stdout.starts_with(start) && ran.stdout.ends_with("}\n"),
            "{ran:?}"
        );
        assert!(
            ran.stderr.contains("1 submission"),
            "the results go to standard error then: {ran:?}"
        );
    }
}

#[test]
fn a_log_that_is_also_the_file_of_standard_output_is_not_destroyed() {
    let judge = judged();
    let mut command = judge.command(&["grade", "mini.sh", "--log", "both"]);
    let ran = command
        .stdout(File::create(judge.path("both")).unwrap())
        .output()
        .unwrap()
        .status;
    assert_eq!(ran.code(), Some(0));
    assert_eq!(judge.run(&["report", "both"]).stderr, "");
}

#[test]
fn two_reports_to_the_same_file_are_refused_under_any_names() {
    let judge = judged();
    judge.link("dangling", "later").put("one", "");
    fs::hard_link(judge.path("one"), judge.path("other")).unwrap();
    let hint = "appears twice\nhint: name each file once; `--github` writes to `-`\n";
    for (first, second) in [
        ("later", "dangling"),
        ("dangling", "later"),
        ("one", "other"),
        ("-", "/dev/stdout"),
    ] {
        for start in [
            ["grade", "mini.sh", "--log"],
            ["report", "run.jsonl", "--jsonl"],
        ] {
            let arguments = [&start[..], &[first, "--tap", second]].concat();
            let ran = judge.run(&arguments);
            // The log may be checked before or after the reports, so either name may be
            // reported.
            let names = [first, second].map(|name| format!("error: {name}: {hint}"));
            assert!(
                ran.code == Some(2) && names.contains(&ran.stderr),
                "{arguments:?}: {ran:?}"
            );
        }
    }
    assert!(!judge.path("later").exists());
}

#[test]
fn grading_that_cannot_start_leaves_the_old_report() {
    let judge = judged();
    judge
        .script("mini.sh", RIGHT)
        .put("report.tap", "TAP version 13\n1..0\n");
    let ran = judge.run(&[
        "grade",
        "mini.sh",
        "--tap",
        "report.tap",
        "--baseline",
        "no such file",
    ]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(judge.read("report.tap"), "TAP version 13\n1..0\n");
}

#[test]
fn no_link_leads_an_output_out_of_the_folder_that_the_judge_works_in() {
    let judge = judged();
    let outside = tempfile::tempdir().unwrap();
    let target = outside.path().display();
    let here = judge.path("").canonicalize().unwrap();
    judge
        .link("there", &format!("{target}/file"))
        .link("folder", &target.to_string());
    judge.link("again", "there").link("null", "/dev/null");
    let others: [&[&str]; 4] = [
        &["export", "mini", "--to", "legacy"],
        &["stress", "mini.sh", "-p", "mini", "-o"],
        &["man", "-o"],
        &["verify", "mini", "--junit"],
    ];
    for command in COMMANDS.iter().chain(&others) {
        for name in ["there", "again", "./folder/new"] {
            let ran = judge.run(&[*command, &[name]].concat());
            let said = format!(
                "error: {name}: a link leads out of {}, to {target}",
                here.display()
            );
            let hint =
                "hint: name the file itself that it leads to, or delete the link\n";
            let is_refused =
                ran.stderr.starts_with(&said) && ran.stderr.ends_with(hint);
            assert!(
                ran.code == Some(2) && is_refused,
                "{command:?} {name}: {ran:?}"
            );
            assert_eq!(
                outside.path().read_dir().unwrap().count(),
                0,
                "{command:?} {name}"
            );
        }
    }
    // Neither into what git runs or reads.
    judge.put(".git/config", "").link("inside", ".git/new");
    let ran = judge.run(&[COMMANDS[0], &["inside"]].concat());
    let said = "error: inside: a link leads into the version control of ";
    assert!(
        ran.code == Some(2) && ran.stderr.starts_with(said),
        "{ran:?}"
    );
    assert!(!judge.path(".git/new").exists());
    // What is named outside of the folder leads wherever its owner wants.
    std::os::unix::fs::symlink("real", outside.path().join("own")).unwrap();
    writes(&judge, COMMANDS[0], &format!("{target}/own"));
    assert!(
        outside.path().join("real").is_file()
            && outside.path().join("own").is_symlink()
    );
}

#[test]
fn commands_that_make_folders_follow_no_link_out() {
    let outside = tempfile::tempdir().unwrap();
    let target = outside.path().to_str().unwrap();
    for (folder, command) in [
        ("cases", &["new", "other", "--yes"][..]),
        ("cases", &["generate"]),
        ("stress", &["stress", "mini.sh", "-p", "mini"]),
        ("fresh/problems", &["init", "fresh"]),
    ] {
        let judge = Judge::new();
        judge.script("mini.sh", "#!/bin/sh\n").put("fresh/note", "");
        if folder == "cases" {
            fs::remove_dir_all(judge.path("cases")).unwrap();
        }
        judge.link(folder, target);
        let ran = judge.run(command);
        assert!(
            ran.code == Some(2) && ran.stderr.contains("leads out of"),
            "{command:?}: {ran:?}"
        );
        assert_eq!(outside.path().read_dir().unwrap().count(), 0, "{command:?}");
    }
}
