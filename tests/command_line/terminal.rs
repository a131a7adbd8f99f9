//! The progress and the results of `grade` without a terminal, as in the logs of CI,
//! and the list of problems.

use std::process::Output;

use crate::judge::{HALF_RIGHT, Judge, RIGHT, is_step};
use serde_json::Value;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The lines of standard error that report a finished submission.
fn steps(output: &Output) -> Vec<String> {
    text(&output.stderr)
        .lines()
        .filter(|line| is_step(line))
        .map(str::to_owned)
        .collect()
}

fn judge_with_three_examples() -> Judge {
    let judge = Judge::new();
    judge.script("problems/mini/submissions/accepted/right.sh", RIGHT);
    judge.script("problems/mini/submissions/wrong/half.sh", HALF_RIGHT);
    judge.script(
        "problems/mini/submissions/wrong/right.sh",
        &format!("{RIGHT}# Another program.\n"),
    );
    judge
}

#[test]
fn without_a_terminal_each_finished_submission_is_a_line_on_standard_error() {
    let judge = judge_with_three_examples();
    for jobs in ["1", "2"] {
        let output = judge.command(&["grade", "-j", jobs]).output().unwrap();
        assert_eq!(
            steps(&output),
            [
                "[1/3] AC    as expected  mini accepted/right.sh, 2 of 2 cases",
                "[2/3] WA    as expected  mini wrong/half.sh on secret/002-two, 1 of 2 cases",
                "[3/3] AC    not WA       mini wrong/right.sh, 2 of 2 cases",
            ]
        );
        assert!(
            !text(&output.stdout).lines().any(is_step),
            "{}",
            text(&output.stdout)
        );
    }
}

#[test]
fn a_quiet_run_reports_only_unexpected_results() {
    let output = judge_with_three_examples()
        .command(&["grade", "-q"])
        .output()
        .unwrap();
    assert_eq!(
        steps(&output),
        ["[3/3] AC    not WA       mini wrong/right.sh, 2 of 2 cases"]
    );
}

#[test]
fn verdicts_do_not_depend_on_whether_progress_can_be_written() {
    let judge = judge_with_three_examples();
    judge.remove("problems/mini/submissions/wrong/right.sh");
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    assert_eq!(
        judge
            .command(&["grade"])
            .stderr(full)
            .output()
            .unwrap()
            .status
            .code(),
        Some(0)
    );
}

#[test]
fn failures_are_repeated_after_the_table_but_not_after_a_single_row() {
    let judge = judge_with_three_examples();
    let ran = judge.run(&["grade"]);
    let end = "\n\nnot as expected:\n  mini wrong/right.sh: AC, expected WA\n\n3 submissions, 6 trials: 2 as expected, 1 not\n";
    assert!(ran.stdout.ends_with(end), "{}", ran.stdout);
    let ran = judge.run(&["grade", "problems/mini/submissions/wrong/right.sh"]);
    assert!(!ran.stdout.contains("not as expected:"), "{}", ran.stdout);
    assert!(
        !judge
            .run(&["grade", "-q"])
            .stdout
            .contains("not as expected:")
    );
}

/// Java names an exception first, and Python last.
#[test]
fn a_long_standard_error_is_shown_from_its_beginning_and_to_its_end() {
    let judge = judge_with_three_examples();
    let noisy = "for n in $(seq 100); do echo \"line $n\" >&2; done; exit 3\n";
    judge.script("noisy.sh", noisy);
    let ran = judge.run(&["grade", "-p", "mini", "noisy.sh"]);
    let told: Vec<_> = ran
        .stdout
        .lines()
        .skip_while(|line| !line.contains("standard error:"))
        .skip(1)
        .take(25)
        .map(|line| line.trim_start_matches(['|', ' ']))
        .collect();
    let first = (1..=6).map(|number| format!("line {number}"));
    let last = (83..=100).map(|number| format!("line {number}"));
    let expected: Vec<_> = first
        .chain(["... (76 lines left out)".to_owned()])
        .chain(last)
        .collect();
    assert_eq!(told, expected, "{}", ran.stdout);
}

#[test]
fn notes_about_missing_isolation_are_shown_once_and_always_with_verbose_output() {
    let judge = judge_with_three_examples();
    let notes = |arguments: &[&str]| {
        let output = judge.command(arguments).output().unwrap();
        text(&output.stderr)
            .lines()
            .filter(|line| line.starts_with("note: "))
            .count()
    };
    let basic = ["grade", "--sandbox", "basic"];
    let first = notes(&basic);
    assert!(first > 0);
    assert_eq!(notes(&basic), 0);
    assert_eq!(notes(&["grade", "--sandbox", "basic", "-v"]), first);
    assert_eq!(judge.run(&["cache", "clear"]).code, Some(0));
    assert_eq!(notes(&basic), first);
    // Without a cache, the judge does not know which notes were shown.
    judge.put("judge.toml", "cache = \"0B\"\n");
    assert_eq!([notes(&basic), notes(&basic)], [first; 2]);
}

#[test]
fn list_shows_the_cases_limits_and_submissions_of_each_problem() {
    let judge = judge_with_three_examples();
    judge.edit(
        "problems/mini/problem.toml",
        "name = \"Mini\"",
        "name = \"Mini\"\nsource = \"A contest\"",
    );
    let ran = judge.run(&["list"]);
    assert_eq!(
        (ran.stdout.as_str(), ran.code),
        (
            "problem  name  cases  groups              time  memory  submissions  source\n\
             mini     Mini      2  sample 1, secret 1  10 s  64 MiB            3  A contest\n",
            Some(0)
        )
    );
    let ran = judge.run(&["list", "--json", "mini"]);
    let list: Value = serde_json::from_str(&ran.stdout).unwrap();
    let mini = &list[0];
    assert_eq!(
        (
            list.as_array().unwrap().len(),
            &mini["id"],
            &mini["name"],
            &mini["source"]
        ),
        (1, &"mini".into(), &"Mini".into(), &"A contest".into())
    );
    assert_eq!(mini["limits"]["cpu_us"], 10_000_000);
    assert_eq!(
        mini["groups"],
        serde_json::json!([{"name": "sample", "cases": 1}, {"name": "secret", "cases": 1}])
    );
    assert_eq!(
        (&mini["cases"], &mini["submissions"]),
        (&2.into(), &3.into())
    );
    assert_eq!(mini["promises"], serde_json::json!({"AC": 1, "WA": 2}));
}

#[test]
fn a_problem_that_cannot_be_read_does_not_hide_the_others() {
    let judge = judge_with_three_examples();
    judge.put("problems/broken/problem.toml", "name = 7\n");
    let ran = judge.run(&["list"]);
    assert!(
        ran.stdout.lines().nth(1).unwrap().starts_with("mini "),
        "{}",
        ran.stdout
    );
    assert!(
        ran.code == Some(2)
            && ran
                .stderr
                .contains("error: problems/broken/problem.toml:1: "),
        "{ran:?}"
    );
    judge.refuses(
        &["list", "mimi"],
        "error: problems: there is no problem `mimi` in this folder\nhint: did you mean `mini`?",
    );
}
