//! Logs of a few lines, and the submissions that are graded by them.

use serde_json::{Value, json};

use super::*;

/// The events of a log with these submissions, from the first to the last.
pub(crate) fn events(submissions: &[Vec<Value>]) -> Vec<Event> {
    let start = json!({
        "event": "suite_started",
        "log_version": 2,
        "gridjudge": "0",
        "sandbox": "full",
        "notes": [],
        "machine": "",
        "started": "2026-11-21T20:30:00Z",
        "jobs": 1,
        "submissions": submissions.len(),
        "trials": 9,
    });
    let end = json!({
        "event": "suite_finished",
        "as_expected": 0,
        "surprising": 0,
        "skipped": 0,
        "faults": 0,
        "trials": 0,
    });
    [start]
        .into_iter()
        .chain(submissions.concat())
        .chain([end])
        .map(|event| serde_json::from_value(event).unwrap())
        .collect()
}

/// A submission to problem `problem` with these verdicts of cases, of which the log
/// says `KNOWN` or `SECRET` where it says anything; `JF` is a failure of the judge,
/// `XX` the deadline.
pub(crate) fn submission(
    problem: &str,
    name: &str,
    cases: &[(&str, &str)],
    result: Value,
) -> Vec<Value> {
    let limits = json!({
        "cpu_us": 1_000_000,
        "wall_us": 1,
        "memory_bytes": 1,
        "output_bytes": 1,
        "processes": 1,
    });
    let mut events = vec![json!({
        "event": "submission_started",
        "problem": problem,
        "submission": name,
        "path": "/home/jury/SECRET",
        "language": "C",
        "limits": limits,
    })];
    events.extend(cases.iter().map(|(case, verdict)| {
        let word = if case.starts_with("sample/") {
            "KNOWN"
        } else {
            "SECRET"
        };
        let mut event = json!({
            "event": "trial_finished",
            "problem": problem,
            "submission": name,
            "case": case,
            "verdict": verdict,
            "cpu_us": 1_500_000,
        });
        match *verdict {
            "JF" => {
                event = json!({
                    "event": "trial_faulted",
                    "problem": problem,
                    "submission": name,
                    "case": case,
                    "doing": format!("reading {word}"),
                    "cause": "no such file",
                });
            }
            "XX" => {
                event["verdict"] = "SK".into();
                event["expired"] = true.into();
            }
            "WA" => {
                event["finding"] =
                    json!({"kind": "wrong", "message": format!("{word}: x1b is \u{1b}[2J")});
                event["stderr"] = word.into();
            }
            "CE" => event["stderr"] = "a.c:3:1: error: no type".into(),
            _ => {}
        }
        event
    }));
    let mut summary = json!({
        "event": "submission_finished",
        "problem": problem,
        "submission": name,
        "language": "C",
        "passed": 0,
        "cases": cases.len(),
        "faults": 0,
        "slowest_cpu_us": 1_500_000,
        "peak_memory_bytes": 0,
    });
    for (key, value) in result.as_object().unwrap() {
        summary[key] = value.clone();
    }
    events.push(summary);
    events
}

/// A score in the groups `sample` and `secret`.
pub(crate) fn score(sample: (f64, f64), secret: (f64, f64)) -> Value {
    json!({
        "earned": sample.0 + secret.0,
        "of": sample.1 + secret.1,
        "groups": [ {"name": "sample", "earned": sample.0, "of": sample.1}, {"name": "secret", "earned": secret.0, "of": secret.1}],
    })
}

fn graded(reveals: bool, submissions: &[Vec<Value>]) -> Vec<Graded> {
    let mut collector = GradedSubmissions::new(reveals);
    events(submissions)
        .iter()
        .flat_map(|event| collector.take_event(event))
        .collect()
}

fn worth(result: Value) -> (String, String, bool) {
    let cases = [("sample/1", "AC")];
    let found = graded(false, &[submission("p", "s.c", &cases, result)]);
    let worth = found[0].worth();
    (
        worth.earned.to_string(),
        worth.of.to_string(),
        worth.is_final,
    )
}

#[test]
fn a_part_is_a_group_of_points_with_the_cases_in_its_folder() {
    let cases = [
        ("sample/1", "AC"),
        ("secret/a/1", "AC"),
        ("secret/a/2", "WA"),
        ("other/1", "SK"),
    ];
    let result = json!({"verdict": "WA", "score": score((10.0, 10.0), (30.5, 90.0))});
    let found = graded(false, &[submission("p", "s.c", &cases, result)]);
    let parts: Vec<_> = found[0]
        .parts
        .iter()
        .map(|part| {
            let points = part
                .earned
                .zip(part.of)
                .map(|(earned, of)| format!("{earned}/{of}"));
            let judged = part.cases.iter().filter(|case| {
                !matches!(case.verdict, None | Some(Verdict::Skipped))
            });
            (
                part.name.as_str(),
                points,
                part.has_passed(),
                part.passed(),
                judged.count(),
            )
        })
        .collect();
    assert_eq!(
        parts,
        [
            ("sample", Some("10/10".to_owned()), true, 1, 1),
            ("secret", Some("30.5/90".to_owned()), false, 1, 2),
            ("other", None, false, 0, 0),
        ]
    );
    assert_eq!(found[0].worth().earned.to_string(), "40.5");
}

#[test]
fn a_submission_without_a_share_of_points_is_worth_a_hundred_or_nothing() {
    let text = |earned: &str, of: &str| (earned.to_owned(), of.to_owned(), true);
    assert_eq!(worth(json!({"verdict": "AC"})), text("100", "100"));
    assert_eq!(worth(json!({"verdict": "WA"})), text("0", "100"));
    let unbounded = json!({"earned": 7, "groups": []});
    assert_eq!(
        worth(json!({"verdict": "AC", "score": unbounded})),
        text("100", "100")
    );
    let fewest = json!({
        "earned": 7,
        "of": 9,
        "fewest_is_best": true,
        "groups": [],
    });
    assert_eq!(
        worth(json!({"verdict": "AC", "score": fewest})),
        text("100", "100")
    );
    for (earned, kept) in [(-5, "0"), (12, "9")] {
        let score = json!({
            "earned": earned,
            "of": 9,
            "groups": [],
        });
        assert_eq!(
            worth(json!({"verdict": "WA", "score": score})),
            text(kept, "9")
        );
    }
}

#[test]
fn a_result_that_the_judge_or_the_deadline_left_open_is_not_final() {
    assert!(!worth(json!({"faults": 1, "verdict": null})).2);
    let expired = [("sample/1", "AC"), ("secret/1", "XX")];
    let found = graded(
        false,
        &[submission("p", "s.c", &expired, json!({"verdict": "SK"}))],
    );
    assert!(found[0].is_expired() && !found[0].worth().is_final);
    // The end of a submission is missing.
    let mut cut = submission("p", "cut.c", &expired, json!({"verdict": "SK"}));
    cut.pop();
    let found = graded(
        false,
        &[
            cut,
            submission("p", "whole.c", &[], json!({"verdict": "AC"})),
        ],
    );
    let names: Vec<_> = found.iter().map(|one| &*one.submission).collect();
    assert_eq!(names, ["cut.c", "whole.c"]);
    assert!(matches!(found[0].outcome, GradedOutcome::Interrupted));
    assert!(!found[0].worth().is_final && found[0].parts.len() == 2);
}

#[test]
fn only_what_is_said_of_samples_is_kept_unless_all_is_revealed() {
    let cases = [
        ("sample/1", "WA"),
        ("secret/1", "WA"),
        ("secret/2", "TLE"),
        ("secret/3", "JF"),
    ];
    let result = json!({
        "faults": 1,
        "worst_case": "secret/1",
        "reason": "SECRET",
    });
    let one = [submission("p", "s.c", &cases, result)];
    let hidden = graded(false, &one);
    let text = format!("{hidden:?}");
    assert!(!text.contains("SECRET") && text.contains("KNOWN"), "{text}");
    let whys: Vec<_> = hidden[0].cases().map(|case| case.why.as_str()).collect();
    assert_eq!(
        whys,
        [
            "KNOWN: x1b is \\u{1b}[2J",
            "wrong answer",
            "time limit exceeded",
            ""
        ]
    );
    let open: Vec<_> = graded(true, &one)[0]
        .cases()
        .map(|case| case.why.clone())
        .collect();
    assert_eq!(open[1], "SECRET: x1b is \\u{1b}[2J");
    assert_eq!(open[3], "reading SECRET: no such file");
}
