//! `grade --repeat`, `baseline` and `compare` on the command line: what they print and
//! write, and their exit codes. Times come from logs that are written here, so nothing
//! depends on the machine.

use serde_json::Value;

use crate::judge::{Judge, RIGHT, needs_cc};

/// A C program that is right on a case of `mini` in half of its runs, at random.
const FLAKY_C: &str = r#"#include <stdio.h>
#include <sys/random.h>
int main(void) {
    int n = 0;
    unsigned char coin = 0;
    scanf("%d", &n);
    getrandom(&coin, 1, 0);
    while (n--) puts(coin & 1 ? "1234\n3412\n2143\n4321" : "4321\n3412\n2143\n1234");
}
"#;

/// A log of one submission: its cases, each with the verdict of its ten attempts and
/// the least time of one.
fn log(submission: &str, cases: &[(&str, &str, u64)]) -> String {
    let mut log = String::from(
        r#"{"event":"suite_started","log_version":2,"gridjudge":"0.1.0","sandbox":"full","notes":[],"machine":"cpu","jobs":1,"submissions":1,"trials":1}"#,
    );
    for (case, verdict, cpu_us) in cases {
        let attempts: Vec<_> = (0..10)
            .map(|step| {
                let cpu_us = cpu_us + cpu_us * (7 * step % 10) / 1000;
                format!(
                    r#"{{"verdict":"{verdict}","cpu_us":{cpu_us},"wall_us":1,"peak_memory_bytes":1048576}}"#
                )
            })
            .collect();
        log += &format!(
            "\n{{\"event\":\"trial_finished\",\"problem\":\"mini\",\"submission\":\"{submission}\",\"case\":\"{case}\",\
             \"verdict\":\"{verdict}\",\"cpu_us\":{cpu_us},\"wall_us\":1,\"peak_memory_bytes\":1048576,\"attempts\":[{}]}}",
            attempts.join(",")
        );
    }
    let end = r#"{"event":"suite_finished","as_expected":0,"surprising":0,"skipped":0,"faults":0,"trials":"#;
    format!("{log}\n{end}{}}}\n", cases.len())
}

/// The results on the two cases of `mini` that the others are compared with.
const CALM: [(&str, &str, u64); 2] = [
    ("sample/001-one", "AC", 20_000),
    ("secret/002-two", "AC", 30_000),
];

#[test]
fn a_program_that_is_right_half_of_the_time_is_flaky_and_not_accepted() {
    needs_cc();
    let judge = Judge::new();
    judge.put("mini.c", FLAKY_C);
    let ran =
        judge.run(&["grade", "mini.c", "--all", "--repeat", "20", "--log", "log"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    assert!(ran.stdout.contains("\n    flaky: AC "), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("WA, flaky")
            && ran.stdout.contains("; 2 trials are flaky"),
        "{}",
        ran.stdout
    );
    let events = judge.read("log");
    let trials: Vec<Value> = events
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|event| event["event"] == "trial_finished")
        .collect();
    assert!(trials.iter().all(|trial| trial["verdict"] == "WA"
        && trial["attempts"].as_array().unwrap().len() == 20));
    let saved = judge.run(&["baseline", "log", "-o", "known"]);
    assert_eq!(
        (saved.code, saved.stdout.as_str()),
        (Some(0), "known: 2 cases\n")
    );
    assert!(
        judge
            .read("known")
            .lines()
            .last()
            .unwrap()
            .contains("\tWA:")
    );
}

#[test]
fn grade_compares_results_with_a_baseline() {
    let judge = Judge::new();
    judge.script("mini.sh", RIGHT);
    let grade = ["grade", "mini.sh", "--repeat", "2"];
    assert_eq!(
        judge.run(&[&grade[..], &["--log", "log"]].concat()).code,
        Some(0)
    );
    assert_eq!(
        judge.run(&["baseline", "log", "-o", "known", "-q"]).code,
        Some(0)
    );
    let held = [&grade[..], &["--baseline", "known"]].concat();
    let ran = judge.run(&held);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout.contains("1 submission, 2 cases compared: "),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains(
            "too few attempts, for so many questions, to tell a change of time from noise"
        ),
        "{}",
        ran.stdout
    );
    // The short form does not claim either that nothing has changed, because a slowdown
    // may have gone unnoticed.
    let quiet = judge.run(&[&held[..], &["-q"]].concat());
    assert_eq!(quiet.code, Some(0), "{quiet:?}");
    assert!(
        quiet
            .stdout
            .ends_with("no change found, too few attempts to tell changes of time\n"),
        "{quiet:?}"
    );
    // A case that was left out by choice is not gone.
    let ran =
        judge.run(&[&held[..], &["--group", "sample", "--fail-on", "gone"]].concat());
    assert!(
        ran.code == Some(0)
            && ran
                .stdout
                .contains("no change found, 1 not judged this time"),
        "{ran:?}"
    );
    // The same holds for a log, which records that it is of a part of the cases.
    let part = ["--group", "sample", "--repeat", "2", "--log", "part"];
    assert_eq!(
        judge.run(&[&["grade", "mini.sh"][..], &part].concat()).code,
        Some(0)
    );
    let ran = judge.run(&["compare", "log", "part", "--fail-on", "gone"]);
    assert!(
        ran.code == Some(0)
            && ran
                .stdout
                .contains("no change found, 1 not judged this time"),
        "{ran:?}"
    );
    assert_eq!(
        judge.run(&["baseline", "log", "-o", "whole"]).stdout,
        "whole: 2 cases\n"
    );
    assert!(
        judge
            .run(&["baseline", "part", "-o", "whole"])
            .stdout
            .starts_with("whole: 2 cases")
    );
    // A case that was wrong and is right now is reported as good news, even if all is
    // as expected now.
    let earned = judge.read("known").replace("\tAC\t", "\tWA\t");
    judge.put("known", earned);
    let ran = judge.run(&held);
    assert!(
        ran.code == Some(0) && ran.stdout.contains("2 accepted now"),
        "{ran:?}"
    );
    judge
        .edit("known", "mini.sh\tsample", "mini.sh\tgone")
        .edit("known", "\tWA\t", "\tAC\t");
    let ran = judge.run(&[&held[..], &["--fail-on", "gone"]].concat());
    assert!(
        ran.code == Some(1) && ran.stdout.contains("\ngone "),
        "{ran:?}"
    );
}

#[test]
fn github_shows_what_is_worse_than_the_baseline() {
    let judge = Judge::new();
    judge.put("mini.sh", RIGHT);
    let grade = ["grade", "mini.sh", "--all"];
    judge.run(&[&grade[..], &["--log", "log"]].concat());
    judge.run(&["baseline", "log", "-o", "known", "-q"]);
    judge.edit("known", "mini.sh\tsample", "mini.sh\tgo%ne");
    judge.put("summary", "");
    for (policy, code, expected) in [
        ("verdict", 0, ""),
        (
            "gone",
            1,
            "::error title=gridjudge%3A worse than before::mini mini.sh, go%25ne/001-one: gone\n",
        ),
    ] {
        let held = ["--github", "--baseline", "known", "--fail-on", policy];
        let mut command = judge.command(&[&grade[..], &held].concat());
        command.env("GITHUB_STEP_SUMMARY", judge.path("summary"));
        let ran = judge.ran(command.output().unwrap());
        assert_eq!(ran.code, Some(code), "{ran:?}");
        let is_annotation = |line: &&str| line.starts_with("::");
        let annotations: Vec<_> = ran
            .stdout
            .split_inclusive('\n')
            .filter(is_annotation)
            .collect();
        assert_eq!(annotations.concat(), expected);
    }
    let summary = judge.read("summary");
    assert!(
        summary.contains("\n\n**gridjudge**: 1 submission, 1 case compared: 1 gone")
            && summary.contains("\n| **gone** | mini | mini.sh | go%ne/001-one |"),
        "{summary}"
    );
}

#[test]
fn compare_lists_the_worst_changes_first_and_fails_as_the_option_specifies() {
    let judge = Judge::new();
    judge.put("was", log("a.c", &CALM)).put(
        "now",
        log("a.c", &[CALM[0], ("secret/002-two", "AC", 36_000)]),
    );
    let ran = judge.run(&["compare", "was", "now"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let expected = "\
what    problem  submission  case            was      now      change
slower  mini     a.c         2 cases         50.0 ms  56.0 ms  +12.0 % (+8.7 % to +15.4 %, p < 0.0001)
slower  mini     a.c         secret/002-two  30.0 ms  36.0 ms  +20.0 % (+16.5 % to +23.6 %, p < 0.0001)

1 submission, 2 cases compared: 1 slower, and 1 submission altogether
";
    let figures = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
            .into_iter()
            .filter(|word| !word.contains(['%', '+']))
            .collect::<Vec<_>>()
    };
    let is_percentage = |word: &String| word.contains('+');
    assert_eq!(
        figures(&ran.stdout)
            .iter()
            .filter(|word| !is_percentage(word))
            .collect::<Vec<_>>(),
        figures(expected)
            .iter()
            .filter(|word| !is_percentage(word))
            .collect::<Vec<_>>(),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("+20."), "{}", ran.stdout);
    for (policy, code) in [
        ("time=20.5%", 0),
        ("time=15%", 1),
        ("time", 1),
        ("verdict,memory,gone", 0),
    ] {
        assert_eq!(
            judge
                .run(&["compare", "was", "now", "--fail-on", policy])
                .code,
            Some(code),
            "{policy}"
        );
    }
    // What is written to standard output is there alone.
    let json = judge.run(&["compare", "was", "now", "--json", "-"]);
    assert!(serde_json::from_str::<serde_json::Value>(&json.stdout).is_ok());
    let quiet = judge.run(&["compare", "was", "now", "-q"]);
    assert_eq!(
        quiet.stdout,
        "1 submission, 2 cases compared: 1 slower, and 1 submission altogether\n"
    );
    let back = judge.run(&["compare", "now", "was", "--fail-on", "time"]);
    assert!(
        back.code == Some(0) && back.stdout.contains("\nfaster "),
        "{back:?}"
    );
}

#[test]
fn a_comparison_is_written_as_json_and_markdown_and_overwrites_no_other_file() {
    let judge = Judge::new();
    judge.put("was", log("a.c", &CALM)).put(
        "now",
        log("a.c", &[("sample/001-one", "WA", 20_000), CALM[1]]),
    );
    let compare = [
        "compare",
        "was",
        "now",
        "--json",
        "out.json",
        "--markdown",
        "out.md",
    ];
    for _ in 0..2 {
        assert_eq!(judge.run(&compare).code, Some(1));
    }
    let json: Value = serde_json::from_str(&judge.read("out.json")).unwrap();
    assert_eq!(
        (&json["cases"], &json["changes"][0]["now"]),
        (&Value::from(2), &Value::from("WA"))
    );
    let markdown = judge.read("out.md");
    assert!(
        markdown
            .contains("| **verdict** | mini | a.c | sample/001-one | AC | WA |  |"),
        "{markdown}"
    );
    judge.put("out.json", "int main() {}");
    judge.refuses(
        &compare,
        "error: out.json: is not a comparison, and the new comparison would overwrite it\n\
         hint: name another file, or delete this one",
    );
}

#[test]
fn a_line_of_a_baseline_changes_only_if_its_result_does() {
    let judge = Judge::new();
    judge.put("first", log("a.c", &CALM));
    assert_eq!(
        judge.run(&["baseline", "first", "-o", "known"]).stdout,
        "known: 2 cases\n"
    );
    let known = judge.read("known");
    assert_eq!(judge.run(&["baseline", "first"]).stdout, known);
    // Half a per cent slower is noise.
    judge.put(
        "second",
        log("a.c", &[("sample/001-one", "AC", 20_100), CALM[1]]),
    );
    judge.run(&["baseline", "second", "-o", "known"]);
    assert_eq!(judge.read("known"), known);
    judge.put("third", log("b.c", &[("sample/001-one", "WA", 1000)]));
    judge.run(&["baseline", "third", "-o", "known"]);
    assert_eq!(
        judge
            .read("known")
            .strip_prefix(&known)
            .unwrap()
            .split('\t')
            .nth(3),
        Some("WA")
    );
    judge.run(&["baseline", "second", "-o", "known", "--fresh"]);
    assert_ne!(judge.read("known"), known);
    assert_eq!(judge.read("known").lines().count(), known.lines().count());
}

#[test]
fn an_update_lists_changes_and_refuses_repeated_logs_and_logs_of_another_machine() {
    let judge = Judge::new();
    let wrong = log("a.c", &[("sample/001-one", "WA", 20_000), CALM[1]]);
    judge.put("was", log("a.c", &CALM)).put("now", wrong);
    judge.put(
        "other",
        log("a.c", &CALM).replace("\"cpu\"", "\"another cpu\""),
    );
    judge.run(&["baseline", "was", "-o", "known"]);
    let ran = judge.run(&["baseline", "now", "-o", "known"]);
    assert!(
        ran.code == Some(0)
            && ran.stdout.contains(
                "\nverdict  mini     a.c         sample/001-one  AC   WA\n"
            ),
        "{ran:?}"
    );
    let known = judge.read("known");
    judge.refuses(
        &["baseline", "was", "./was", "-o", "known"],
        "error: ./was: appears twice",
    );
    let remedy = "hint: keep a baseline for each machine; `--fresh` starts a new one";
    judge.refuses(
        &["baseline", "other", "-o", "known"],
        &format!("error: known: is of cpu, and the log is of another cpu\n{remedy}"),
    );
    judge.refuses(
        &["baseline", "was", "other"],
        &format!("error: other: is of another cpu, and the logs before it are of cpu\n{remedy}"),
    );
    assert_eq!(judge.read("known"), known);
    assert_eq!(
        judge
            .run(&["baseline", "other", "-o", "known", "--fresh", "-q"])
            .code,
        Some(0)
    );
    assert!(judge.read("known").contains("\nmachine\tanother cpu\n"));
}

#[test]
fn files_that_cannot_be_compared_are_refused_with_a_reason() {
    let judge = Judge::new();
    judge
        .put("was", log("a.c", &CALM))
        .put("other", log("b.c", &CALM))
        .put("main.c", "int main() {}\n");
    judge.run(&["baseline", "was", "-o", "known"]);
    judge.refuses(
        &["compare", "was", "other"],
        "error: was: there is nothing to compare: one is of mini a.c, the other of mini b.c\n\
         hint: compare runs of the same submissions, or make a baseline with `gridjudge baseline LOG -o FILE`",
    );
    let neither = |name| {
        format!(
            "error: {name}: is neither a log nor a baseline of gridjudge\n\
             hint: write a log with `gridjudge grade --log FILE`, a baseline with `gridjudge baseline LOG -o FILE`"
        )
    };
    judge.refuses(&["compare", "main.c", "was"], &neither("main.c"));
    judge.refuses(
        &["baseline", "was", "-o", "main.c"],
        "error: main.c: is not a baseline, and the new baseline would overwrite it\n\
         hint: name another file, or delete this one",
    );
    judge.refuses(
        &["compare", "nothing", "was"],
        "error: nothing: cannot be read: No such file or directory (os error 2)",
    );
    judge.edit("known", "machine\t", "<<<<<<< HEAD\nmachine\t");
    judge.refuses(
        &["compare", "known", "was"],
        "error: known:3: a conflict that git left and nobody has resolved\n\
         hint: take one side, or make the file again with `gridjudge baseline`",
    );
    judge.script("mini.sh", RIGHT);
    judge.refuses(
        &["grade", "mini.sh", "--baseline", "was"],
        "error: was: knows none of the submissions that are to be judged\nhint: its first line is of mini a.c",
    );
    judge.refuses(
        &["grade", "mini.sh", "--fail-on", "gone"],
        "error: --fail-on, --any-machine: there is nothing to compare with\nhint: add `--baseline FILE`",
    );
    for arguments in [
        ["compare", "was", "was", "--fail-on", "tiem"],
        ["grade", "mini.sh", "--repeat", "0", "-q"],
        ["grade", "mini.sh", "--repeat", "1001", "-q"],
    ] {
        assert_eq!(judge.run(&arguments[..4]).code, Some(2), "{arguments:?}");
    }
}

#[test]
fn an_incomplete_log_is_compared_up_to_its_end() {
    let judge = Judge::new();
    let whole = log("a.c", &CALM);
    let cut: String = whole
        .lines()
        .take(2)
        .map(|line| line.to_owned() + "\n")
        .collect();
    judge.put("was", whole).put("now", cut);
    let ran = judge.run(&["compare", "was", "now", "--fail-on", "gone"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout.ends_with(
            "1 submission, 1 case compared: no change found, 1 not judged this time\n"
        ),
        "{ran:?}"
    );
}
