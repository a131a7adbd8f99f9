//! Tests of marks, from events to tables and pages.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Value, json};

use super::*;
use crate::model::{Event, Verdict};
use crate::report::ReportWriter;

/// An attempt: student, problem, file, when it was handed in, verdict, points in the
/// two groups.
type Attempt<'a> = (&'a str, &'a str, &'a str, &'a str, &'a str, [u64; 2]);

/// The events of a course by these rules, whose students are `anna`, `ben` and `idle`.
fn events(rules: &Value, attempts: &[Attempt<'_>]) -> Vec<Event> {
    let mut events = vec![json!({
        "event": "suite_started",
        "log_version": 2,
        "gridjudge": "0",
        "sandbox": "full",
        "notes": [],
        "machine": "",
        "started": "",
        "jobs": 1,
        "submissions": 1,
        "trials": 1,
        "contest": {"name": "Algorithms", "teams": ["anna", "ben", "idle"], "problems": ["evens"], "rules": {"course": rules}},
    })];
    for (student, problem, file, submitted, verdict, points) in attempts {
        let mut of_all = json!({
            "problem": problem,
            "submission": format!("{student}/{file}"),
            "language": "C",
            "team": student,
        });
        if !submitted.is_empty() {
            of_all["submitted"] = json!(submitted);
        }
        let mut add = |event: Value| {
            let mut all = of_all.clone();
            let fields = all.as_object_mut().unwrap();
            fields.extend(event.as_object().unwrap().clone());
            events.push(all);
        };
        let limits = json!({
            "cpu_us": 1,
            "wall_us": 1,
            "memory_bytes": 1,
            "output_bytes": 1,
            "processes": 1,
        });
        add(json!({"event": "submission_started", "limits": limits}));
        for (case, points) in [("sample/1", points[0]), ("secret/1", points[1])] {
            let is_right = points > 0;
            let mut trial = json!({
                "event": "trial_finished",
                "case": case,
                "verdict": if is_right { "AC" } else { "WA" },
                "cpu_us": 1,
                "wall_us": 1,
                "peak_memory_bytes": 1,
            });
            if !is_right {
                trial["finding"] =
                    json!({"kind": "wrong", "message": format!("TOLD of {case}")});
            }
            add(trial);
        }
        let groups = json!([{"name": "sample", "earned": points[0], "of": 10},
            {"name": "secret", "earned": points[1], "of": 90}]);
        add(json!({
            "event": "submission_finished",
            "verdict": verdict,
            "passed": 0,
            "cases": 2,
            "faults": 0,
            "slowest_cpu_us": 1,
            "peak_memory_bytes": 1,
            "score": {"earned": points[0] + points[1], "of": 100, "groups": groups},
        }));
    }
    events.push(json!({
        "event": "suite_finished",
        "as_expected": 0,
        "surprising": 0,
        "skipped": 0,
        "faults": 0,
        "trials": 0,
    }));
    let events = events.into_iter().map(serde_json::from_value);
    events.collect::<Result<_, _>>().unwrap()
}

/// The marks in a form.
fn marks(events: &[Event], form: fn(&MarkTable<'_>) -> String) -> String {
    let mut written = vec![];
    let mut sink = ReportWriter::new(&mut written, Marks::new(form));
    for event in events {
        sink.take_event(event).unwrap();
    }
    drop(sink);
    String::from_utf8(written).unwrap()
}

/// The pages of the students, by name.
fn feedback(events: &[Event]) -> BTreeMap<String, String> {
    let pages = Rc::new(RefCell::new(BTreeMap::new()));
    let written = Rc::clone(&pages);
    let mut sink = FeedbackPages::new(
        Box::new(move |name, page| {
            let page = String::from_utf8(page.to_vec()).unwrap();
            written.borrow_mut().insert(name.to_owned(), page);
            Ok(())
        }),
        false,
    );
    for event in events {
        sink.take_event(event).unwrap();
    }
    pages.take()
}

/// The total of each student.
fn totals(events: &[Event]) -> Vec<String> {
    let table = marks(events, marks_csv);
    let lines = table.lines().skip(1);
    lines
        .map(|line| line.rsplit(',').next().unwrap().to_owned())
        .collect()
}

const LATE: &str = "2026-11-02T12:00:00Z";
const EARLY: &str = "2026-11-01T11:00:00Z";

/// A day of grace less: 10 % for each day after noon of November 1.
fn rules() -> Value {
    json!({"due": "2026-11-01T12:00:00Z", "late": {"percent": 10, "each_s": 86_400}})
}

#[test]
fn of_several_attempts_the_best_counts_after_what_it_loses_or_else_the_last() {
    let attempts = [
        ("anna", "evens", "a.c", EARLY, "WA", [10, 80]),
        ("anna", "evens", "b.c", LATE, "AC", [10, 90]),
        ("ben", "evens", "a.c", EARLY, "WA", [10, 70]),
        ("ben", "evens", "b.c", LATE, "AC", [10, 90]),
    ];
    assert_eq!(totals(&events(&rules(), &attempts)), ["90", "90", "0"]);
    let table = marks(&events(&rules(), &attempts), marks_csv);
    assert_eq!(
        table.lines().collect::<Vec<_>>(),
        [
            "student,name,id,group,sample,secret,points,late_minutes,verdict,reason,file,total",
            "anna,anna,,,10,80,90,,WA,,a.c,90",
            "ben,ben,,,10,90,90,1440,AC,,b.c,90",
            "idle,idle,,,0,0,0,,,nothing was handed in,,0",
        ]
    );
    let mut last = rules();
    last["count"] = json!("last");
    let attempts = [
        ("anna", "evens", "a.c", EARLY, "AC", [10, 90]),
        ("anna", "evens", "b.c", LATE, "WA", [10, 0]),
    ];
    assert_eq!(totals(&events(&last, &attempts)), ["9", "0", "0"]);
}

#[test]
fn a_problem_is_worth_in_the_course_what_the_course_says() {
    let mut rules = rules();
    rules["problem"] = json!({"evens": {"points": 20}});
    rules["student"] =
        json!({"ben": {"due": "2026-11-03T00:00:00Z", "name": "Ben B.", "id": "7"}});
    let attempts = [
        ("anna", "evens", "a.c", LATE, "WA", [10, 40]),
        ("ben", "evens", "a.c", LATE, "WA", [10, 40]),
    ];
    let events = events(&rules, &attempts);
    assert_eq!(totals(&events), ["9", "10", "0"]);
    assert!(marks(&events, marks_csv).contains("\nben,Ben B.,7,,10,40,10,,"));
}

#[test]
fn what_the_judge_could_not_judge_is_no_zero() {
    let mut events =
        events(&json!({}), &[("anna", "evens", "a.c", "", "WA", [10, 0])]);
    let skipped = json!({
        "event": "submission_skipped",
        "problem": "evens",
        "team": "ben",
        "submission": "ben/a.hs",
        "language": "Haskell",
        "cause": "ghc is missing",
        "remedy": "",
    });
    events.insert(1, serde_json::from_value(skipped).unwrap());
    assert_eq!(totals(&events), ["10", "", "0"]);
    let shown = marks(&events, |table| marks_text(table, None));
    assert!(
        shown.contains("1 without an attempt, 1 not judged"),
        "{shown}"
    );
    // A right program of another attempt is worth as much as the unknown one may be.
    let mut right =
        self::events(&json!({}), &[("ben", "evens", "a.c", "", "AC", [10, 90])]);
    let skipped = events.remove(1);
    right.insert(1, skipped);
    assert_eq!(totals(&right), ["0", "100", "0"]);
}

#[test]
fn a_group_in_which_the_judge_failed_has_no_points_and_the_reason_is_told() {
    let mut events =
        events(&rules(), &[("anna", "evens", "a.c", EARLY, "WA", [10, 0])]);
    let failed = json!({
        "event": "trial_faulted",
        "problem": "evens",
        "team": "anna",
        "submission": "anna/a.c",
        "case": "secret/2",
        "doing": "running TOLD",
        "cause": "it crashed",
        "remedy": "",
    });
    events.insert(4, serde_json::from_value(failed).unwrap());
    for event in &mut events {
        if let Event::SubmissionFinished(summary) = event {
            summary.faults = 1;
            summary.worst_case = Some("secret/1".to_owned());
            summary.reason = "TOLD of secret/1".to_owned();
        }
    }
    let table = marks(&events, marks_csv);
    assert!(
        table.contains(
            "\nanna,anna,,,10,,,,WA,1 case could not be judged: running TOLD: it crashed; TOLD of \
             secret/1,a.c,\r\n"
        ),
        "{table}"
    );
    let page = &feedback(&events)["anna.md"];
    assert!(!page.contains("TOLD"), "{page}");
    for told in [
        "\n- Reason: `1 case could not be judged`\n",
        "| `sample` | 10 of 10 points |",
        "| `secret` | ? of 90 points |",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
}

#[test]
fn where_only_a_part_was_judged_nobody_is_said_to_have_no_attempt() {
    let attempts = [("anna", "evens", "a.c", EARLY, "AC", [10, 90])];
    let mut events = events(&rules(), &attempts);
    if let Event::SuiteStarted(start) = &mut events[0] {
        start.part = true;
    }
    let shown = marks(&events, |marks| marks_text(marks, None));
    let end = "\n3 students, no totals, since not everything was judged\n";
    assert!(shown.ends_with(end), "{shown}");
    assert!(
        shown.contains("\nben           ?       ?       ?"),
        "{shown}"
    );
    // All points of a part are not all points.
    let table = marks(&events, marks_csv);
    let anna = "\nanna,anna,,,10,90,,,AC,the judging is incomplete,a.c,\r\n";
    assert!(table.contains(anna), "{table}");
}

#[test]
fn what_is_not_judged_counts_for_its_problem_or_for_any_if_nobody_knows_which() {
    let rules = json!({
        "problem": {"evens": {"points": 10}, "odds": {"points": 10}},
        "student": {
            "anna": {"unjudged_for": {"odds": "odds.docx is not taken for a program"}},
            "ben": {"unjudged": "all.zip: is an archive"},
        },
    });
    let attempts = [
        ("anna", "evens", "evens.c", "", "WA", [10, 0]),
        ("ben", "evens", "evens.c", "", "AC", [10, 90]),
        ("idle", "odds", "odds.c", "", "WA", [10, 0]),
    ];
    let events = events(&rules, &attempts);
    let shown = marks(&events, |table| marks_text(table, None));
    let rows: Vec<_> = shown
        .lines()
        .filter(|line| !line.contains('\u{1b}'))
        .skip(1)
        .collect();
    assert_eq!(
        rows,
        [
            "anna         1     ?      ?",
            "ben         10     ?      ?",
            "idle         .     1      1",
            "3 students, 1.0 of 20 points on average, 2 not judged",
        ]
    );
    let table = marks(&events, marks_csv);
    let anna = ",,,,not judged,odds.docx is not taken for a program,,\r\n";
    assert!(table.contains(anna), "{table}");
    assert!(table.contains(",all.zip: is an archive,,\r\n"), "{table}");
    let pages = feedback(&events);
    let odds = "\n## `odds`: not judged\n\n- Not judged: `all.zip: is an archive`\n";
    assert!(pages["ben.md"].contains(odds), "{}", pages["ben.md"]);
    let page = &pages["anna.md"];
    assert!(page.contains("\n## `evens`: 1 of 10 points\n"), "{page}");
    assert!(pages["idle.md"].contains("\n## `evens`: nothing was handed in\n"));
}

#[test]
fn what_was_refused_beside_an_attempt_may_be_worth_more_unless_that_has_all_points() {
    let mut rules = json!({"student": {
        "anna": {"unjudged_for": {"evens": "a.zip: is an archive"}},
        "ben": {"unjudged": "b.zip: is an archive"},
    }});
    let attempts = [
        ("anna", "evens", "a.c", "", "WA", [10, 0]),
        ("ben", "evens", "b.c", "", "AC", [10, 90]),
    ];
    let events = |rules: &Value| events(rules, &attempts);
    assert_eq!(totals(&events(&rules)), ["", "100", "0"]);
    let table = marks(&events(&rules), marks_csv);
    let anna = "\nanna,anna,,,10,0,,,WA,a.zip: is an archive,a.c,\r\n";
    assert!(table.contains(anna), "{table}");
    let page = &feedback(&events(&rules))["anna.md"];
    for told in [
        "\n## `evens`: not judged yet, of 100 points\n",
        "\n- Not judged: `a.zip: is an archive`\n- File: `a.c`\n",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    // It may have been the last.
    rules["count"] = json!("last");
    assert_eq!(totals(&events(&rules)), ["", "", "0"]);
}

#[test]
fn an_attempt_that_is_too_late_to_count_replaces_none() {
    let mut rules = rules();
    rules["count"] = json!("last");
    rules["late"]["until_s"] = json!(3600);
    let attempts = [
        ("anna", "evens", "b-1.c", EARLY, "WA", [10, 50]),
        ("anna", "evens", "b-2.c", LATE, "AC", [10, 90]),
        ("ben", "evens", "b-1.c", LATE, "WA", [10, 50]),
        ("ben", "evens", "b-2.c", LATE, "AC", [10, 90]),
    ];
    let events = events(&rules, &attempts);
    let table = marks(&events, marks_csv);
    let anna = "\nanna,anna,,,10,50,60,,WA,,b-1.c,60\r\n";
    assert!(table.contains(anna), "{table}");
    let ben = "\nben,ben,,,10,90,0,1440,AC,,b-2.c,0\r\n";
    assert!(table.contains(ben), "{table}");
    let page = &feedback(&events)["anna.md"];
    let rule = "\nOf several attempts, the last counts that is not too late.\n";
    assert!(page.contains(rule), "{page}");
}

#[test]
fn of_equal_attempts_that_are_not_late_the_last_counts() {
    let attempts = [
        ("anna", "evens", "a-1.c", EARLY, "AC", [10, 90]),
        (
            "anna",
            "evens",
            "a-2.c",
            "2026-11-01T11:30:00Z",
            "AC",
            [10, 90],
        ),
        ("ben", "evens", "b-1.c", "", "WA", [10, 0]),
        ("ben", "evens", "b-2.c", "", "WA", [10, 0]),
    ];
    let table = marks(&events(&rules(), &attempts), marks_csv);
    for counts in [",a-2.c,100\r\n", ",b-2.c,10\r\n"] {
        assert!(table.contains(counts), "{table}");
    }
}

#[test]
fn a_page_says_what_lateness_has_cost_and_how_points_count_in_the_course() {
    let mut rules = rules();
    rules["late"]["grace_s"] = json!(900);
    rules["problem"] = json!({"evens": {"points": 8}});
    let attempts = [
        ("anna", "evens", "a.c", LATE, "WA", [10, 50]),
        ("ben", "evens", "b.c", EARLY, "WA", [10, 50]),
    ];
    let pages = feedback(&events(&rules, &attempts));
    let page = &pages["anna.md"];
    for told in [
        "\n## `evens`: 4.32 of 8 points\n",
        "\n- Points: `60 of 100, which counts as 4.8 of 8`\n",
        "\n- Late by: `1 day, which costs 0.48 of 4.8 points`\n",
        "\nAn attempt that is more than 15 min late loses 10 % of its points for every \
         day begun.\n",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    assert!(!pages["ben.md"].contains("ate by"), "{}", pages["ben.md"]);
}

#[test]
fn a_group_that_was_not_run_is_not_said_to_have_failed() {
    let attempts = [("anna", "evens", "a.c", EARLY, "WA", [0, 0])];
    let mut events = events(&json!({}), &attempts);
    for event in &mut events {
        if let Event::TrialFinished(record) = event
            && record.case == "secret/1"
        {
            record.verdict = Verdict::Skipped;
        }
    }
    let page = &feedback(&events)["anna.md"];
    assert!(
        page.contains("| `sample` | 0 of 10 points | 0 of 1 case |"),
        "{page}"
    );
    assert!(
        page.contains("| `secret` | 0 of 90 points | not run |"),
        "{page}"
    );
}

#[test]
fn of_several_problems_each_has_its_columns() {
    let attempts = [
        ("anna", "evens", "evens.c", "", "AC", [10, 90]),
        ("anna", "odds", "odds.c", "", "WA", [10, 0]),
    ];
    let events = events(&json!({}), &attempts);
    let table = marks(&events, marks_csv);
    assert_eq!(
        table.lines().next().unwrap(),
        "student,name,id,group,evens.sample,evens.secret,evens.points,evens.late_minutes,\
         evens.verdict,evens.reason,evens.file,odds.sample,odds.secret,odds.points,\
         odds.late_minutes,odds.verdict,odds.reason,odds.file,total"
    );
    let shown = marks(&events, |table| marks_text(table, None));
    let shown: Vec<_> = shown
        .lines()
        .filter(|line| !line.contains('\u{1b}'))
        .collect();
    assert_eq!(
        shown,
        [
            "",
            "anna       100    10     110",
            "ben          .     .       0",
            "idle         .     .       0",
            "3 students, 36.7 of 200 points on average, 2 without an attempt"
        ]
    );
}

#[test]
fn marks_fit_a_narrow_terminal() {
    let attempts = [("anna", "evens", "a.c", LATE, "WA", [10, 80])];
    let shown = marks(&events(&rules(), &attempts), |table| {
        marks_text(table, Some(40))
    });
    for line in anstream::adapter::strip_str(&shown).to_string().lines() {
        assert!(line.chars().count() <= 40, "{line}");
    }
}

#[test]
fn feedback_tells_the_marks_and_explains_samples_only() {
    let attempts = [
        ("anna", "evens", "a.c", LATE, "WA", [0, 0]),
        ("ben", "evens", "b.c", EARLY, "WA", [10, 0]),
    ];
    let events = events(&rules(), &attempts);
    let pages = feedback(&events);
    let names: Vec<_> = pages.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "anna.html",
            "anna.md",
            "ben.html",
            "ben.md",
            "idle.html",
            "idle.md"
        ]
    );
    for (name, page) in &pages {
        assert!(!page.contains("TOLD of secret"), "{name}: {page}");
        assert!(!page.contains("secret/1"), "{name}: {page}");
        let is_sample = page.contains("TOLD of sample/1");
        assert_eq!(is_sample, name.starts_with("anna"), "{name}: {page}");
    }
    for told in [
        "0 of 10",
        "2026-11-02 12:00 UTC",
        "1 day",
        "evens",
        "Algorithms",
    ] {
        for page in ["anna.md", "anna.html"] {
            assert!(pages[page].contains(told), "{page}: {told}");
        }
    }
    assert!(pages["idle.md"].contains("nothing was handed in"));
}

#[test]
fn feedback_on_a_crash_on_a_sample_holds_what_the_program_printed_on_it() {
    let mut events =
        events(&rules(), &[("anna", "evens", "a.py", EARLY, "RE", [0, 0])]);
    for event in &mut events {
        if let Event::TrialFinished(record) = event {
            record.verdict = Verdict::RuntimeError;
            record.finding = None;
            record.stderr = format!("ValueError: TOLD of {}", record.case);
        }
    }
    for (name, page) in feedback(&events) {
        let is_told = page.contains("ValueError: TOLD of sample/1");
        assert_eq!(is_told, name.starts_with("anna"), "{name}: {page}");
        assert!(!page.contains("secret/1"), "{name}: {page}");
    }
}

#[test]
fn feedback_has_no_column_in_which_nothing_stands() {
    let attempts = [("anna", "evens", "a.c", EARLY, "AC", [10, 90])];
    let mut events = events(&rules(), &attempts);
    let page = |events: &[Event]| feedback(events).remove("anna.md").unwrap();
    assert!(page(&events).contains("\n| Group | Points | Passed |\n|---|--:|--:|\n"));
    for event in &mut events {
        if let Event::SubmissionFinished(summary) = event {
            summary.score = None;
        }
    }
    assert!(page(&events).contains("\n| Group | Passed |\n|---|--:|\n"));
    let mut unjudged = self::events(&rules(), &[]);
    let skipped = json!({
        "event": "submission_skipped",
        "problem": "evens",
        "team": "anna",
        "submission": "anna/a.hs",
        "language": "Haskell",
        "cause": "ghc is missing",
        "remedy": "",
    });
    unjudged.insert(1, serde_json::from_value(skipped).unwrap());
    let page = page(&unjudged);
    assert!(
        page.contains("ghc is missing") && !page.contains('|'),
        "{page}"
    );
}
