//! Damaged logs on the command line: logs with lines missing or doubled are refused,
//! but what is left can be salvaged.

use std::fs::File;
use std::process::Stdio;

use crate::judge::{HALF_RIGHT, Judge, RIGHT};

/// A folder with `run.jsonl`, the log of two submissions, one of which is wrong; and
/// its lines.
fn judged() -> (Judge, Vec<String>) {
    let judge = Judge::new();
    judge
        .script("mini.sh", RIGHT)
        .script("other/mini.sh", HALF_RIGHT);
    assert_eq!(
        judge
            .run(&["grade", "mini.sh", "other/mini.sh", "--log", "run.jsonl"])
            .code,
        Some(1)
    );
    let lines = judge.read("run.jsonl").lines().map(str::to_owned).collect();
    (judge, lines)
}

/// The commands that read a log; the first would write a report.
const READERS: [&[&str]; 4] = [
    &["report", "bad.jsonl", "--junit", "report.xml"],
    &["baseline", "bad.jsonl"],
    &["compare", "run.jsonl", "bad.jsonl"],
    &["standings", "bad.jsonl"],
];

#[track_caller]
fn refused(judge: &Judge, lines: &[String], place: usize, what: &str) {
    judge.put("bad.jsonl", lines.join("\n") + "\n");
    let message = format!("error: bad.jsonl:{place}: {what}");
    for command in READERS {
        let ran = judge.run(command);
        assert!(
            ran.stderr.starts_with(&message),
            "{command:?}: {}\nnot {message}",
            ran.stderr
        );
        assert!(
            ran.stderr
                .contains("hint: judge again; or make reports of what is left"),
            "{}",
            ran.stderr
        );
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(2), ""),
            "{command:?}"
        );
    }
    assert!(!judge.path("report.xml").exists());
}

#[test]
fn a_log_that_lacks_any_line_is_refused_with_the_place() {
    let (judge, lines) = judged();
    for place in 1..lines.len() - 1 {
        let mut without = lines.clone();
        without.remove(place);
        refused(
            &judge,
            &without,
            place + 1,
            &format!("event {} is missing before it", place + 1),
        );
    }
    let ends = [lines[0].clone(), lines[lines.len() - 1].clone()];
    refused(
        &judge,
        &ends,
        2,
        &format!("events 2 to {} are missing before it", lines.len() - 1),
    );
}

#[test]
fn a_log_with_a_repeated_line_is_refused_with_the_place() {
    let (judge, lines) = judged();
    for place in 1..lines.len() - 1 {
        let mut doubled = lines.clone();
        doubled.insert(place, lines[place].clone());
        let number = place + 1;
        refused(
            &judge,
            &doubled,
            place + 2,
            &format!("event {number} comes after event {number}: "),
        );
    }
}

#[test]
fn an_old_log_without_event_numbers_is_read_and_its_counts_are_checked() {
    let (judge, lines) = judged();
    let old: Vec<_> = lines
        .iter()
        .zip(1..)
        .map(|(line, number): (&String, usize)| {
            line.replacen(&format!(",\"number\":{number}"), "", 1)
        })
        .collect();
    assert!(old.iter().all(|line| !line.contains("\"number\"")));
    judge.put("old.jsonl", old.join("\n") + "\n");
    assert_eq!(
        judge.run(&["report", "old.jsonl"]),
        judge.run(&["report", "run.jsonl"])
    );
    for place in
        (1..old.len() - 1).filter(|place| !old[*place].contains("submission_started"))
    {
        let mut without = old.clone();
        without.remove(place);
        refused(&judge, &without, old.len() - 1, "counts ");
    }
}

#[test]
fn a_log_whose_first_line_lacks_its_number_is_refused() {
    let (judge, mut lines) = judged();
    lines[0] = lines[0].replacen(",\"number\":1", "", 1);
    refused(
        &judge,
        &lines,
        2,
        "has the number 2, and the events before it have none",
    );
    // It must not be mistaken for an old log, which has no event numbers.
    lines.remove(2);
    refused(
        &judge,
        &lines,
        2,
        "has the number 2, and the events before it have none",
    );
}

#[test]
fn a_damaged_log_is_reported_on_request_and_the_report_says_that_it_is_incomplete() {
    let (judge, lines) = judged();
    let mut without = lines.clone();
    without.remove(2);
    judge.put("bad.jsonl", without.join("\n") + "\n");
    let ran = judge.run(&[
        "report",
        "--salvage",
        "bad.jsonl",
        "--junit",
        "report.xml",
        "--jsonl",
        "left.jsonl",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        judge
            .read("report.xml")
            .contains("this report is incomplete")
    );
    let output = judge
        .command(&["report", "--salvage", "bad.jsonl"])
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.starts_with(
            "note: line 3: event 3 is missing before it\nnote: the log is damaged: "
        ),
        "{stderr}"
    );
    // The salvaged log is like that of an interrupted suite.
    assert_eq!(judge.run(&["report", "left.jsonl"]).stderr, "");
    assert!(
        judge
            .read("left.jsonl")
            .contains("{\"event\":\"suite_interrupted\"")
    );
    let whole = judge.run(&["report", "--salvage", "run.jsonl"]);
    assert_eq!(
        whole,
        judge.run(&["report", "run.jsonl"]),
        "a whole log is not changed"
    );
}

#[test]
fn an_unexpected_verdict_is_told_even_if_its_submission_has_lost_its_other_lines() {
    let (judge, lines) = judged();
    let ends = lines
        .iter()
        .rposition(|line| line.contains("submission_finished"));
    let left = [&*lines[0], &lines[ends.unwrap()]].join("\n");
    judge.put("bad.jsonl", left + "\n");
    for report in ["--csv", "--tap", "--sarif", "--junit", "--markdown"] {
        let ran = judge.run(&["report", "--salvage", "bad.jsonl", report, "-"]);
        let told = ran.stdout.contains("expected AC, earned WA");
        assert!(
            told && ran.stdout.contains("other/mini.sh"),
            "{report}: {}",
            ran.stdout
        );
    }
}

#[test]
fn every_command_skips_a_byte_order_mark_at_the_start_of_a_log_or_a_baseline() {
    let (judge, lines) = judged();
    judge.put("bad.jsonl", format!("\u{feff}{}\n", lines.join("\r\n")));
    assert_eq!(
        judge.run(&["report", "bad.jsonl"]),
        judge.run(&["report", "run.jsonl"])
    );
    assert_eq!(
        judge.run(&["baseline", "bad.jsonl"]),
        judge.run(&["baseline", "run.jsonl"])
    );
    judge.put(
        "known",
        format!("\u{feff}{}", judge.run(&["baseline", "run.jsonl"]).stdout),
    );
    assert_eq!(judge.run(&["compare", "known", "bad.jsonl"]).code, Some(0));
    assert_eq!(
        judge.run(&["grade", "mini.sh", "--log", "bad.jsonl"]).code,
        Some(0),
        "it is a log to replace"
    );
}

#[test]
fn an_endless_file_is_read_only_until_it_is_clear_that_it_is_no_log() {
    let judge = Judge::new();
    for command in [
        &["report", "/dev/zero"][..],
        &["standings", "/dev/zero"],
        &["baseline", "/dev/zero"],
    ] {
        let ran = judge.run(command);
        assert!(
            ran.code == Some(2) && ran.stderr.starts_with("error: /dev/zero: is "),
            "{command:?}: {ran:?}"
        );
    }
    let output = judge
        .command(&["report", "-"])
        .stdin(File::open("/dev/zero").unwrap())
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    let ran = judge.ran(output);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.stderr
            .starts_with("error: standard input: is not a log of gridjudge\n"),
        "{ran:?}"
    );
}
