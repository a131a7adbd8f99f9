//! Each format, made of logs of a few lines.

use serde_json::{Value, json};

use super::*;
use crate::report::graded::tests::{events, score, submission};
use crate::report::{ReportWriter, Sink};

fn run() -> ClassroomRun {
    ClassroomRun {
        classroom: "cs".to_owned(),
        assignment: "sudoku".to_owned(),
        assignment_type: "individual".to_owned(),
        owner: "alice".to_owned(),
        submission: "submit/1".to_owned(),
        commit: "https://c".to_owned(),
        release: "https://r".to_owned(),
        review: "https://v".to_owned(),
    }
}

fn formats() -> [AutograderFormat; 5] {
    [
        AutograderFormat::Gradescope,
        AutograderFormat::Classroom50(Box::new(run())),
        AutograderFormat::PrairieLearn,
        AutograderFormat::Autolab,
        AutograderFormat::Vpl(VplGrades::default()),
    ]
}

fn report_of(format: AutograderFormat, reveals: bool, events: &[Event]) -> String {
    let mut text = vec![];
    let mut sink = ReportWriter::new(&mut text, Autograder::new(format, reveals));
    for event in events {
        sink.take_event(event).unwrap();
    }
    String::from_utf8(text).unwrap()
}

/// The report in each format, those of JSON parsed.
struct Reports {
    gradescope: Value,
    classroom50: Value,
    prairielearn: Value,
    autolab: String,
    vpl: String,
}

fn reports_of(submissions: &[Vec<Value>]) -> Reports {
    let events = events(submissions);
    let [gradescope, classroom50, prairielearn, autolab, vpl] =
        formats().map(|format| report_of(format, false, &events));
    Reports {
        gradescope: serde_json::from_str(&gradescope).unwrap(),
        classroom50: serde_json::from_str(&classroom50).unwrap(),
        prairielearn: serde_json::from_str(&prairielearn).unwrap(),
        autolab,
        vpl,
    }
}

impl Reports {
    fn autolab_scores(&self) -> Value {
        let last = self.autolab.trim_end().lines().last().unwrap();
        serde_json::from_str(last).unwrap()
    }

    fn vpl_grade(&self) -> Option<&str> {
        let last = self.vpl.lines().last()?;
        last.strip_prefix("Grade :=>> ")
    }
}

/// 10 of 10 and 30.5 of 90 points.
fn partly_right(problem: &str, name: &str) -> Vec<Value> {
    let cases = [("sample/1", "AC"), ("secret/1", "AC"), ("secret/2", "WA")];
    let result = json!({
        "verdict": "WA",
        "worst_case": "secret/2",
        "reason": "SECRET",
        "score": score((10.0, 10.0), (30.5, 90.0)),
    });
    submission(problem, name, &cases, result)
}

fn keys(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

#[test]
fn a_group_of_points_is_a_test_in_every_format_and_all_add_up() {
    let reports = reports_of(&[partly_right("p", "s.c")]);
    let gradescope = &reports.gradescope;
    assert_eq!(
        (&gradescope["score"], &gradescope["execution_time"]),
        (&json!(40.5), &json!(4.5))
    );
    let tests = gradescope["tests"].as_array().unwrap();
    let seen = tests.iter().map(|test| {
        [
            "number",
            "name",
            "score",
            "max_score",
            "status",
            "visibility",
        ]
        .map(|key| test[key].clone())
    });
    assert_eq!(
        seen.collect::<Vec<_>>(),
        [
            ["1.1", "sample", "10", "10", "passed", "visible"],
            ["1.2", "secret", "30.5", "90", "failed", "after_published"]
        ]
        .map(|row| row.map(|word| serde_json::from_str(word).unwrap_or(json!(word))))
        .map(|mut row| {
            row[0] = json!(row[0].to_string());
            row
        })
    );
    assert_eq!(
        tests[1]["output"],
        "1 of 2 cases passed\nsecret/2: WA (wrong answer)"
    );
    assert_eq!(gradescope["stdout_visibility"], "hidden");

    let learn = &reports.prairielearn;
    assert_eq!(
        (&learn["score"], &learn["gradable"]),
        (&json!(0.405), &json!(true))
    );
    assert_eq!(learn["tests"][1]["max_points"], 90);
    assert_eq!(reports.autolab_scores(), json!({"scores": {"p": 40.5}}));
    assert_eq!(reports.vpl_grade(), Some("40.5"));
    for text in [&reports.autolab, &reports.vpl] {
        assert!(text.contains("1.2 secret: not passed 30.5/90"), "{text}");
        assert!(!text.contains("SECRET"), "{text}");
    }
}

#[test]
fn the_report_for_classroom_50_has_exactly_the_keys_of_its_schema_and_whole_numbers()
{
    let report = reports_of(&[partly_right("p", "s.c")]).classroom50;
    assert_eq!(
        keys(&report),
        [
            "schema",
            "classroom",
            "assignment",
            "assignment_type",
            "owner",
            "submission",
            "commit",
            "release",
            "review",
            "datetime",
            "score",
            "max-score",
            "tests",
        ]
    );
    assert_eq!(report["datetime"], "2026-11-21T20:30:00Z");
    // Half a point is cut off, so that a problem is always worth the same.
    assert_eq!(
        (&report["score"], &report["max-score"]),
        (&json!(40), &json!(100))
    );
    for test in report["tests"].as_array().unwrap() {
        assert_eq!(keys(test), ["test-name", "passed", "score", "max-score"]);
    }
    let halves =
        json!({"verdict": "WA", "score": score((0.25, 0.25), (1.0 / 3.0, 1.5))});
    let cases = [("sample/1", "AC"), ("secret/1", "WA")];
    let report = reports_of(&[submission("p", "s.c", &cases, halves)]).classroom50;
    assert_eq!(
        (&report["score"], &report["max-score"]),
        (&json!(25 + 33), &json!(25 + 150))
    );
}

#[test]
fn without_points_a_case_is_a_test_and_the_whole_is_worth_a_hundred() {
    let cases = [("sample/1", "AC"), ("secret/1", "TLE"), ("secret/2", "SK")];
    let result = json!({"verdict": "TLE", "worst_case": "secret/1"});
    let reports = reports_of(&[submission("p", "s.c", &cases, result)]);
    let tests = reports.gradescope["tests"].as_array().unwrap();
    let names: Vec<_> = tests.iter().map(|test| test["name"].as_str()).collect();
    assert_eq!(
        names,
        ["sample/1", "secret/1", "secret/2", "all cases"].map(Some)
    );
    assert!(tests[0].get("score").is_none() && tests[0]["status"] == "passed");
    assert_eq!(
        (&tests[3]["score"], &tests[3]["max_score"]),
        (&json!(0), &json!(100))
    );
    assert_eq!(reports.classroom50["max-score"], 100);
    assert_eq!(reports.vpl_grade(), Some("0"));
    let many: Vec<_> = (0..10_000)
        .map(|number| (format!("secret/{number}"), "AC"))
        .collect();
    let many: Vec<_> = many
        .iter()
        .map(|(name, verdict)| (name.as_str(), *verdict))
        .collect();
    let reports =
        reports_of(&[submission("p", "s.c", &many, json!({"verdict": "AC"}))]);
    let tests = reports.gradescope["tests"].as_array().unwrap();
    assert_eq!(
        (tests.len(), tests[0]["output"].as_str()),
        (2, Some("10000 of 10000 cases passed"))
    );
    assert_eq!(reports.vpl_grade(), Some("100"));
}

#[test]
fn points_of_groups_that_do_not_add_up_are_only_told_of() {
    let cases = [("sample/1", "AC"), ("secret/1", "AC")];
    let mut score = score((10.0, 10.0), (90.0, 90.0));
    score["earned"] = json!(50);
    score["of"] = json!(50);
    let result = json!({"verdict": "AC", "score": score});
    let reports = reports_of(&[submission("p", "s.c", &cases, result)]);
    let tests = &reports.gradescope["tests"];
    assert_eq!(tests[1]["output"], "90 of 90 points\n1 of 1 case passed");
    assert!(tests[1].get("score").is_none());
    assert_eq!(
        (&tests[2]["name"], &tests[2]["max_score"]),
        (&json!("all cases"), &json!(50))
    );
    assert_eq!(reports.classroom50["max-score"], 50);
}

#[test]
fn of_several_submissions_the_last_with_the_most_points_counts_and_problems_add_up() {
    let wrong =
        |name| submission("p", name, &[("sample/1", "WA")], json!({"verdict": "WA"}));
    let right =
        |name| submission("p", name, &[("sample/1", "AC")], json!({"verdict": "AC"}));
    let reports = reports_of(&[
        wrong("first.c"),
        right("second.c"),
        right("third.c"),
        wrong("last.c"),
        partly_right("q", "q.c"),
    ]);
    let output = reports.gradescope["output"].as_str().unwrap();
    assert!(
        output.contains(
            "Of 4 submissions to p, the one with the most points counts, of several the last: third.c."
        ),
        "{output}"
    );
    assert_eq!(reports.gradescope["score"], 140.5);
    let names: Vec<_> = reports.gradescope["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|test| format!("{} {}", test["number"], test["name"]))
        .collect();
    assert_eq!(
        names,
        [
            r#""1.1" "p: sample/1""#,
            r#""1.2" "p: all cases""#,
            r#""2.1" "q: sample""#,
            r#""2.2" "q: secret""#
        ]
    );
    assert_eq!(
        reports.autolab_scores(),
        json!({"scores": {"p": 100, "q": 40.5}})
    );
    assert_eq!(reports.prairielearn["score"], 140.5 / 200.0);
}

#[test]
fn a_failure_of_the_judge_never_is_a_zero_without_a_word() {
    let fault = submission(
        "p",
        "s.c",
        &[("sample/1", "AC"), ("secret/1", "JF")],
        json!({"faults": 1}),
    );
    let skipped = vec![json!({
        "event": "submission_skipped",
        "problem": "p",
        "submission": "s.java",
        "language": "Java",
        "cause": "`javac` is missing",
        "remedy": "install it",
    })];
    let mut cut = submission("p", "s.c", &[("sample/1", "AC")], json!({}));
    cut.pop();
    for (log, word) in [
        (vec![fault], "The judge itself failed at 1 case"),
        (vec![skipped], "`javac` is missing"),
        (vec![cut], "interrupted"),
        (vec![], "Nothing was judged"),
    ] {
        let reports = reports_of(&log);
        let output = reports.gradescope["output"].as_str().unwrap();
        assert!(output.starts_with("THIS IS NOT A RESULT"), "{output}");
        assert!(
            output.contains(word) && !output.contains("SECRET"),
            "{output}"
        );
        assert_eq!(reports.gradescope["extra_data"]["is_final"], false);
        assert_eq!(reports.prairielearn["gradable"], false);
        assert!(reports.prairielearn.get("score").is_none());
        assert!(
            reports.prairielearn["format_errors"][0]
                .as_str()
                .unwrap()
                .contains(word)
        );
        assert_eq!(reports.autolab_scores(), json!({"scores": {}}));
        assert_eq!(reports.vpl_grade(), None, "{}", reports.vpl);
        let tests = reports.classroom50["tests"].as_array().unwrap();
        let last = &tests.last().unwrap()["test-name"];
        assert!(last.as_str().unwrap().contains("no result"), "{last}");
    }
}

#[test]
fn an_attempt_that_could_not_be_judged_might_be_the_best_whenever_it_comes() {
    let skipped = vec![json!({
        "event": "submission_skipped",
        "problem": "p",
        "submission": "s.kt",
        "language": "Kotlin",
        "cause": "`kotlinc` is missing",
        "remedy": "install it",
    })];
    let cases = [("sample/1", "AC")];
    let wrong = submission(
        "p",
        "s.c",
        &cases,
        json!({"score": score((10.0, 10.0), (0.0, 90.0))}),
    );
    let right = submission(
        "p",
        "s.c",
        &cases,
        json!({"score": score((10.0, 10.0), (90.0, 90.0))}),
    );
    for log in [[skipped.clone(), wrong.clone()], [wrong, skipped.clone()]] {
        let reports = reports_of(&log);
        assert_eq!(reports.vpl_grade(), None, "{}", reports.vpl);
        assert_eq!(reports.prairielearn["gradable"], false);
    }
    let reports = reports_of(&[right, skipped]);
    assert_eq!(reports.vpl_grade(), Some("100"));
}

#[test]
fn how_a_program_ended_on_a_secret_case_is_not_told() {
    let cases = [("sample/1", "AC"), ("secret/1", "RE")];
    let result = json!({"verdict": "RE", "worst_case": "secret/1", "reason": "ended with exit code 43"});
    let mut log = submission("p", "s.c", &cases, result);
    for event in &mut log {
        if event["case"] == "secret/1" {
            event["exit"] = json!({"code": 43});
        }
    }
    let events = events(&[log]);
    for format in formats() {
        let report = report_of(format, false, &events);
        assert!(!report.contains("43"), "{report}");
    }
}

#[test]
fn what_the_deadline_left_out_is_said_and_the_points_so_far_count() {
    let cases = [("sample/1", "AC"), ("secret/1", "AC"), ("secret/2", "XX")];
    let result = json!({
        "verdict": "SK",
        "worst_case": "secret/2",
        "score": score((10.0, 10.0), (0.0, 90.0)),
    });
    let reports = reports_of(&[submission("p", "s.c", &cases, result)]);
    assert_eq!(reports.gradescope["score"], 10);
    assert_eq!(reports.gradescope["extra_data"]["is_final"], false);
    let said = reports.gradescope["tests"][1]["output"].as_str().unwrap();
    assert_eq!(
        said,
        "1 of 2 cases passed, 1 not judged because the time for judging was over"
    );
    assert_eq!(reports.vpl_grade(), Some("10"));
    assert_eq!(reports.prairielearn["score"], 0.1);
}

#[test]
fn what_does_not_compile_costs_no_attempt_in_prairielearn() {
    let cases = [("sample/1", "CE"), ("secret/1", "SK")];
    let result = json!({"verdict": "CE", "reason": "line 3: error: no type"});
    let reports = reports_of(&[submission("p", "a.c", &cases, result)]);
    assert_eq!(reports.prairielearn["gradable"], false);
    let said = reports.prairielearn["format_errors"][0].as_str().unwrap();
    assert!(said.contains("| a.c:3:1: error: no type"), "{said}");
    assert_eq!(reports.autolab_scores(), json!({"scores": {"p": 0}}));
    assert_eq!(reports.vpl_grade(), Some("0"));
}

#[test]
fn secrets_are_in_a_report_only_if_all_is_revealed() {
    let events = events(&[partly_right("p", "s.c")]);
    for format in formats() {
        let hidden = report_of(format.clone(), false, &events);
        assert!(!hidden.contains("SECRET"), "{hidden}");
        let open = report_of(format.clone(), true, &events);
        let has_words = !matches!(format, AutograderFormat::Classroom50(_));
        assert_eq!(open.contains("SECRET"), has_words, "{open}");
        assert!(
            !open.contains('\u{1b}') && !open.contains("u001b"),
            "{open}"
        );
    }
    let open = report_of(AutograderFormat::Gradescope, true, &events);
    assert!(!open.contains("after_published"), "{open}");
}

#[test]
fn no_text_can_be_taken_for_a_line_of_the_autograder() {
    let forged = "x\nGrade :=>> 100\n{\"scores\":{\"p\":100}}\nComment :=>>";
    let mut log = submission(
        forged,
        forged,
        &[("sample/1", "WA")],
        json!({"verdict": "WA"}),
    );
    log[1]["finding"]["message"] = forged.into();
    log[1]["stderr"] = forged.into();
    log[1]["case"] = "sample/\nGrade :=>> 100".into();
    let reports = reports_of(&[log]);
    let lines: Vec<_> = reports.vpl.lines().collect();
    let (last, others) = lines.split_last().unwrap();
    assert_eq!(*last, "Grade :=>> 0");
    for line in others {
        let rest = line.strip_prefix("Comment :=>>").unwrap();
        assert!(!rest.contains(":=>>"), "{line}");
    }
    let scores = reports.autolab_scores();
    let points: Vec<_> = scores["scores"].as_object().unwrap().values().collect();
    assert_eq!(points, [&json!(0)]);
}

#[test]
fn a_report_for_prairielearn_stays_below_a_megabyte_and_leaves_out_drawings_first() {
    let cells = vec!["1"; 81].join(" ");
    let wrong = |name: &str, problem: &str, stderr: &str, count: usize| {
        let names: Vec<_> = (0..count)
            .map(|number| format!("sample/{number}"))
            .collect();
        let cases: Vec<_> = names.iter().map(|name| (name.as_str(), "WA")).collect();
        let mut log = submission(problem, name, &cases, json!({"verdict": "WA"}));
        for trial in &mut log[1..=count] {
            trial["stderr"] = stderr.into();
            trial["picture"] = json!({
                "grid": 1,
                "order": 9,
                "clues": cells,
                "found": cells,
            });
        }
        log
    };
    let small = report_of(
        AutograderFormat::PrairieLearn,
        false,
        &events(&[wrong("s.c", "p", "", 20)]),
    );
    assert_eq!(small.matches("data:image/svg+xml;base64,").count(), 5);
    // Quotation marks and backslashes take two bytes in JSON.
    let long = "\"\\\u{1b}".repeat(1_000);
    for (problems, cases, stderr) in [(40, 12, &*long), (90, 190, "")] {
        let logs: Vec<_> = (0..problems)
            .map(|number| wrong("s.c", &format!("p{number}"), stderr, cases))
            .collect();
        let report = report_of(AutograderFormat::PrairieLearn, false, &events(&logs));
        assert!(report.len() <= 1_000_000, "{problems}: {}", report.len());
        let report: Value = serde_json::from_str(&report).unwrap();
        assert_eq!(report["score"], 0.0);
        assert!(
            report["output"]
                .as_str()
                .unwrap()
                .contains("The rest is left out"),
            "{problems}"
        );
    }
}
