//! Time limits of packages, which follow from the rule of their format if they are not
//! given.

use super::{CLASSES, NEW, WRONG, good, package};
use crate::judge::{Judge, needs_cc};

#[test]
fn the_time_limit_by_the_rule_of_the_format_is_shown_with_the_measured_times() {
    for (yaml, limit) in [
        ("limits: {time_multiplier: 0.001}\n", "1 s"),
        (
            "problem_format_version: 2025-09\nname: T\nuuid: 1\nlimits: {time_resolution: 20}\n",
            "20 s",
        ),
    ] {
        let judge = package("problems/twice", "problem.yaml", yaml, &CLASSES[..1]);
        let printed = good(&judge, &["verify", "twice", "--suggest-limits"]);
        assert!(
            printed.contains(&format!("  rule of the format   {limit}\n")),
            "{printed}"
        );
    }
}

/// A program in C that prints twice a number after some CPU time, in seconds, on the
/// second case.
fn busy(seconds: f64) -> String {
    busy_and(seconds, "")
}

/// The same, which then does something else.
fn busy_and(seconds: f64, last: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <time.h>\nint main(void) {{ int n; scanf(\"%d\", &n); \
         while (n == 5 && clock() < {seconds} * CLOCKS_PER_SEC); printf(\"%d\\n\", 2 * n); {last} }}\n"
    )
}

/// The time limit of each submission, in seconds, of a command that finds everything as
/// expected.
fn limits_if_good(judge: &Judge, arguments: &[&str]) -> Vec<f64> {
    good(judge, &[arguments, &["--log", "log.jsonl", "-q"]].concat());
    logged_limits(judge)
}

/// The time limit of each submission, in seconds.
fn limits(judge: &Judge, arguments: &[&str]) -> Vec<f64> {
    judge.run(&[arguments, &["--log", "log.jsonl", "-q"]].concat());
    logged_limits(judge)
}

fn logged_limits(judge: &Judge) -> Vec<f64> {
    let log = judge.read("log.jsonl");
    let events = log
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let started = events.filter(|event| event["event"] == "submission_started");
    started
        .map(|event| event["limits"]["cpu_us"].as_f64().unwrap() / 1e6)
        .collect()
}

#[test]
fn a_time_limit_that_is_not_given_follows_from_the_accepted_submissions() {
    needs_cc();
    let legacy = "limits: {time_multiplier: 2}\n";
    let new = NEW.replace("time_limit: 1", "time_resolution: 0.05");
    let quick = busy(0.06);
    let slow = busy(9.0);
    let files = [
        ("submissions/accepted/quick.c", quick.as_str()),
        CLASSES[1],
        ("submissions/time_limit_exceeded/slow.c", slow.as_str()),
    ];
    // The older format has limits of whole seconds, which the slow one would take
    // several times.
    for (yaml, limit, files) in [(legacy, 1.0, &files[..2]), (&new, 0.15, &files)] {
        let judge = package("pkg/twice", "problem.yaml", yaml, files);
        let limits_of_all = vec![limit; files.len()];
        judge.put("mine.c", busy(0.02));
        assert_eq!(
            limits_if_good(&judge, &["verify", "pkg/twice"]),
            limits_of_all
        );
        assert_eq!(limits(&judge, &["grade", "-p", "pkg/twice"]), limits_of_all);
        // Cached times of the package's submissions also set the limit for other
        // submissions and for a selection of cases.
        assert_eq!(
            limits(
                &judge,
                &["grade", "-p", "pkg/twice", "mine.c", "--group", "sample"]
            ),
            [limit]
        );
        let log = judge.read("log.jsonl");
        assert!(
            log.lines()
                .next()
                .unwrap()
                .contains("accepted/quick.c takes"),
            "{log}"
        );
        // The limit is kept, whatever is measured later; another one may be set by
        // hand.
        let shown = good(&judge, &["cache", "show"]);
        assert!(
            shown.contains("twice: ") && shown.contains("measured on 20"),
            "{shown}"
        );
        let again = ["grade", "-p", "pkg/twice", "mine.c", "--no-cache"];
        assert_eq!(limits(&judge, &again), [limit]);
        assert!(judge.read("log.jsonl").contains("(measured on 20"));
        assert_eq!(
            limits(&judge, &[&again[..], &["--time-limit", "3s"]].concat()),
            [3.0]
        );
        assert!(good(&judge, &["list", "pkg/twice"]).contains("measured"));
    }
}

#[test]
fn in_the_newest_format_a_wrong_submission_must_also_end_in_time() {
    needs_cc();
    let yaml = NEW.replace("time_limit: 1", "time_resolution: 0.05");
    let right = busy(0.04);
    let wrong = busy_and(0.08, "puts(\"7\");");
    let files = [
        ("submissions/accepted/right.c", right.as_str()),
        ("submissions/wrong_answer/wrong.c", wrong.as_str()),
    ];
    let judge = package("pkg/twice", "problem.yaml", &yaml, &files);
    assert!(
        limits(&judge, &["verify", "pkg/twice"])
            .iter()
            .all(|limit| *limit >= 0.16)
    );
}

#[test]
fn a_wrong_submission_raises_the_limit_however_slow_it_is() {
    needs_cc();
    let yaml = NEW.replace("time_limit: 1", "time_resolution: 0.05");
    for (folder, last) in [
        ("wrong_answer", "puts(\"9\");"),
        ("run_time_error", "return 3;"),
    ] {
        let right = busy(0.02);
        let slow = busy_and(0.11, last);
        let name = format!("submissions/{folder}/w.c");
        let files = [
            ("submissions/accepted/a.c", right.as_str()),
            (name.as_str(), slow.as_str()),
        ];
        let judge = package("pkg/twice", "problem.yaml", &yaml, &files);
        assert_eq!(
            limits_if_good(&judge, &["verify", "pkg/twice"]),
            [0.25; 2],
            "{folder}"
        );
    }
}

#[test]
fn submissions_yaml_selects_the_submissions_whose_times_set_the_limit() {
    needs_cc();
    let yaml = NEW.replace("time_limit: 1", "time_resolution: 0.05");
    let slow = busy(0.06);
    for (place, rules, limit) in [
        (
            "wrong_answer/s.c",
            "wrong_answer/s.c: {permitted: [AC, WA]}\n",
            0.15,
        ),
        (
            "wrong_answer/s.c",
            "wrong_answer/s.c: {use_for_time_limit: true}\n",
            0.15,
        ),
        (
            "wrong_answer/s.c",
            "wrong_answer/s.c: {use_for_time_limit: false}\n",
            0.05,
        ),
        (
            "wrong_answer/s.c",
            "wrong_answer/s.c:\n  secret: {use_for_time_limit: false}\n",
            0.05,
        ),
        ("brute_force/s.c", "brute_force: {required: [AC]}\n", 0.05),
        (
            "brute_force/s.c",
            "brute_force: {required: [AC], use_for_time_limit: lower}\n",
            0.15,
        ),
    ] {
        let name = format!("submissions/{place}");
        let files = [
            CLASSES[0],
            (name.as_str(), slow.as_str()),
            ("submissions/submissions.yaml", rules),
        ];
        let judge = package("pkg/twice", "problem.yaml", &yaml, &files);
        assert_eq!(
            limits(&judge, &["verify", "pkg/twice"]),
            [limit; 2],
            "{rules}"
        );
    }
}

#[test]
fn a_package_without_any_time_has_the_default_limit() {
    for (file, what) in [
        (
            "problem.yaml",
            "no accepted submission could be timed, so 10 s apply, as in DOMjudge",
        ),
        (
            "domjudge-problem.ini",
            "the package gives no time limit, so 10 s apply, as in DOMjudge",
        ),
    ] {
        let judge = package(
            "pkg/twice",
            file,
            "",
            &[("submissions/wrong_answer/wrong.c", WRONG)],
        );
        let output = judge.command(&["verify", "pkg/twice"]).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains(what), "{stderr}");
        assert_eq!(limits(&judge, &["verify", "pkg/twice"]), [10.0]);
    }
}

/// Verifies a package with an accepted submission and a too slow one that take these
/// times. Returns the exit code and the lines about the time limit.
fn rule(yaml: &str, quick: f64, slow: f64) -> (Option<i32>, Vec<String>) {
    let quick = busy(quick);
    let slow = busy(slow);
    let files = [
        ("submissions/accepted/quick.c", quick.as_str()),
        ("submissions/time_limit_exceeded/slow.c", slow.as_str()),
    ];
    let judge = package("pkg/twice", "problem.yaml", yaml, &files);
    let ran = judge.run(&["verify", "pkg/twice"]);
    let (_, about) = ran
        .stdout
        .split_once("The time limit of twice\n")
        .unwrap_or_default();
    // Continuation lines are indented.
    let joined = about.replace("\n           ", " ");
    (ran.code, joined.lines().map(str::to_owned).collect())
}

/// A finding with `_` for each time that was measured.
fn without_times(finding: &str) -> String {
    let between = [(" takes ", " on "), (" at least ", " ("), ("(2 x ", " on ")];
    between
        .iter()
        .fold(finding.to_owned(), |shown, (start, end)| {
            let parts = shown.split_once(start);
            match parts
                .and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)))
            {
                Some((before, after)) => format!("{before}{start}_{end}{after}"),
                None => shown,
            }
        })
}

#[test]
fn a_limit_that_breaks_the_rule_of_its_format_is_reported() {
    needs_cc();
    let new = NEW.replace("time_limit: 1", "time_limit: 0.1");
    let measured = NEW.replace("time_limit: 1", "time_resolution: 0.1");
    let legacy = "limits: {time_limit: 0.1}\n";
    let too_fast = |kind: &str, margin, needed| {
        vec![format!(
            "  {kind} time_limit_exceeded/slow.c must be clearly too slow and takes _ on \
             secret/2, less than {needed} ({margin} x the limit)"
        )]
    };
    let too_near = "  warning  accepted/quick.c needs a limit of at least _ (2 x _ on secret/2), \
                    and has 100 ms";
    for (yaml, quick, slow, code, lines) in [
        (new.as_str(), 0.03, 9.0, 0, vec![]),
        (&new, 0.065, 9.0, 0, vec![too_near.to_owned()]),
        (&new, 0.03, 0.125, 1, too_fast("error   ", "1.5", "150 ms")),
        (
            &measured,
            0.03,
            0.125,
            1,
            too_fast("error   ", "1.5", "150 ms"),
        ),
        (legacy, 0.065, 9.0, 0, vec![]),
        (legacy, 0.03, 0.14, 0, too_fast("warning ", "2", "200 ms")),
    ] {
        let found = rule(yaml, quick, slow);
        let shown: Vec<_> = found.1.iter().map(|line| without_times(line)).collect();
        assert_eq!(
            (found.0, shown),
            (Some(code), lines),
            "{yaml} {quick} {slow}"
        );
    }
}
