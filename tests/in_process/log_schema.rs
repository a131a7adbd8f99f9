//! Checks `docs/log.schema.json` and `docs/log.md` against the events that the code
//! writes.

use std::path::Path;

use gridjudge::model::{
    AttemptRecord, CaseSplit, CellPosition, CheckerImage, Contest, ContestRules,
    CountedAttempt, CourseRules, Entrant, Event, Expected, ExpectedScore, Finding,
    FindingKind, FindingRule, GridPicture, GroupScore, HomeworkProblem, LOG_VERSION,
    LateRule, LoggedLimits, MistakeRecord, MistakeSeverity, Moment, PlanPart,
    PlanRecord, PointValue, ProblemCheck, ProblemDetails, RankingMode, Requirement,
    Score, ShardRecord, Speaker, StudentDetails, SubmissionSkip, SubmissionStart,
    SubmissionSummary, SuiteStart, Tally, TeamDetails, TeamStatus, ToolVersion,
    Transcript, TranscriptLine, TrialFault, TrialRecord, Verdict,
};
use gridjudge::report::{Log, Sink};
use gridjudge_sandbox::{Exit, Fault};
use serde_json::Value;

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn schema() -> Value {
    serde_json::from_str(&read("docs/log.schema.json")).unwrap()
}

fn finding(kind: FindingKind, rule: FindingRule) -> Finding {
    Finding {
        kind,
        grid: Some(3),
        row: Some(9),
        column: Some(9),
        other: Some(CellPosition { row: 9, column: 8 }),
        rule: Some(rule),
        line: Some(27),
        byte: Some(0),
        message: "grid 3: row 9 has two 6s, at columns 8 and 9".into(),
    }
}

fn attempt(verdict: Verdict) -> AttemptRecord {
    AttemptRecord {
        verdict,
        cpu_us: 1830,
        wall_us: 2410,
        peak_memory_bytes: 3_469_312,
        calibration_ns: Some(101_300),
    }
}

fn image(data: Option<&str>) -> CheckerImage {
    CheckerImage {
        name: "judgeimage.png".into(),
        bytes: 1,
        data: data.map(str::to_owned),
    }
}

fn picture() -> GridPicture {
    GridPicture {
        grid: 1,
        order: 1,
        regions: "1".into(),
        diagonals: true,
        clues: ".".into(),
        found: "?".into(),
        expected: "1".into(),
    }
}

fn transcript() -> Transcript {
    let line = TranscriptLine {
        at_us: 1200,
        by: Speaker::Interactor,
        text: "higher".into(),
        left_out_bytes: 1,
        unfinished: true,
    };
    let answer = TranscriptLine {
        by: Speaker::Submission,
        left_out_bytes: 0,
        unfinished: false,
        ..line.clone()
    };
    Transcript {
        lines: vec![line],
        left_out: 7,
        last_lines: vec![answer],
    }
}

fn record(verdict: Verdict, exit: Exit, rule: FindingRule) -> Event {
    Event::TrialFinished(Box::new(TrialRecord {
        problem: "poj-2676".into(),
        submission: "wrong/last_cell.c".into(),
        case: "secret/017".into(),
        verdict,
        cpu_us: Some(1830),
        wall_us: Some(2410),
        peak_memory_bytes: Some(3_469_312),
        expected: Some(verdict.into()),
        rerun: true,
        cached: true,
        expired: true,
        attempts: vec![attempt(verdict), attempt(Verdict::Accepted)],
        exit: Some(exit),
        pass: Some(2),
        finding: Some(finding(FindingKind::Wrong, rule)),
        further_findings: vec![finding(FindingKind::Presentation, rule)],
        unlisted_findings: 1,
        parts_right: Some(0),
        grids: Some(1),
        points: PointValue::new(12.5),
        checker_message: Some("right, in 3 steps".to_owned()),
        checker_images: vec![image(Some("eA==")), image(None)],
        picture: Some(picture()),
        transcript: Some(transcript()),
        diff: Some("-1\n+2\n".into()),
        stderr: "panic".into(),
    }))
}

fn mistake(check: ProblemCheck, severity: MistakeSeverity) -> Event {
    Event::MistakeFound(Box::new(MistakeRecord {
        problem: "p".into(),
        check,
        severity,
        file: "problems/p/problem.yaml".into(),
        line: Some(5),
        message: "unknown key `nmae`".into(),
        remedy: Some("did you mean `name`?".into()),
    }))
}

fn score() -> Score {
    let group = GroupScore {
        name: "sample".into(),
        earned: 0.into(),
        of: Some(10.into()),
    };
    let free = GroupScore {
        name: "secret".into(),
        of: None,
        ..group.clone()
    };
    Score {
        out_of_range: vec![],
        earned: 0.into(),
        of: Some(10.into()),
        fewest_is_best: true,
        accepted: true,
        groups: vec![group, free],
    }
}

const RULES: [FindingRule; 24] = [
    FindingRule::Row,
    FindingRule::Column,
    FindingRule::Box,
    FindingRule::Region,
    FindingRule::Diagonal,
    FindingRule::Cage,
    FindingRule::Inequality,
    FindingRule::Clue,
    FindingRule::Symbol,
    FindingRule::Blank,
    FindingRule::Cells,
    FindingRule::Rows,
    FindingRule::Grids,
    FindingRule::Trailing,
    FindingRule::Banner,
    FindingRule::Separator,
    FindingRule::Spacing,
    FindingRule::Solution,
    FindingRule::First,
    FindingRule::Claim,
    FindingRule::Count,
    FindingRule::Missing,
    FindingRule::Repeated,
    FindingRule::Order,
];

fn entrant() -> Option<Entrant> {
    Some(Entrant {
        team: "alpha".into(),
        minute: Some(95),
        submitted: moment(),
    })
}

fn rules() -> ContestRules {
    let text = || Some("text".to_owned());
    let team = TeamDetails {
        name: text(),
        organisation: text(),
        group: text(),
        site: text(),
        status: TeamStatus::OutOfCompetition,
    };
    let problem = ProblemDetails {
        label: text(),
        color: Some("#ff8800".into()),
    };
    ContestRules {
        by: Some(RankingMode::Icpc),
        penalty: Some(20),
        start: Some("2026-11-28 10:00".into()),
        length: Some(300),
        freeze: Some(240),
        team: [("alpha".into(), team)].into(),
        problem: [("p".into(), problem)].into(),
        course: Some(course()),
    }
}

fn moment() -> Option<Moment> {
    Moment::parse("2026-11-28 23:59Z")
}

fn course() -> CourseRules {
    let text = || Some("text".to_owned());
    let problem = HomeworkProblem {
        due: moment(),
        points: Some(20),
    };
    let student = StudentDetails {
        name: text(),
        id: text(),
        group: text(),
        due: moment(),
        unjudged: text(),
        unjudged_for: [("p".into(), "text".to_owned())].into(),
    };
    CourseRules {
        count: CountedAttempt::Last,
        due: moment(),
        late: Some(LateRule {
            percent: 10,
            each_s: 86_400,
            grace_s: 600,
            until_s: Some(172_800),
        }),
        problem: [("p".into(), problem)].into(),
        student: [("alpha".into(), student)].into(),
    }
}

fn shard() -> ShardRecord {
    ShardRecord {
        index: 1,
        of: 2,
        run: "00112233445566778899aabbccddeeff".into(),
        attempt: Some(2),
        host: "node1".into(),
        calibration_ns: 100_000,
        command: vec!["gridjudge".into(), "grade".into()],
        tools: vec![ToolVersion {
            language: "C".into(),
            version: "gcc 12".into(),
        }],
        ordinals: vec![1],
        case_split: Some(CaseSplit {
            stops_at_first: true,
        }),
        plan: std::sync::Arc::new(PlanRecord {
            digest: "0".repeat(64),
            parts: vec![PlanPart {
                name: "the cases of p".into(),
                value: "0".repeat(32),
            }],
            submissions: 2,
            entries: "0".repeat(16),
        }),
    }
}

/// Every event with every optional field set, and every verdict, rule and kind of exit
/// among them.
fn full_events() -> Vec<Event> {
    let limits = LoggedLimits {
        cpu_us: 1,
        wall_us: 1,
        memory_bytes: 1,
        output_bytes: 1,
        processes: 1,
    };
    let tally = Tally {
        as_expected: 1,
        surprising: 2,
        skipped: 3,
        faults: 4,
        trials: 5,
        flaky: 6,
        cached: 7,
    };
    let mut events = vec![
        Event::SuiteStarted(Box::new(SuiteStart {
            log_version: LOG_VERSION,
            gridjudge: "0.1.0".into(),
            sandbox: "basic".into(),
            notes: vec!["a note".into()],
            machine: "ACME, 2 processors".into(),
            started: "2026-11-21T20:30:00Z".into(),
            jobs: 1,
            submissions: 1,
            trials: 1,
            part: true,
            contest: Some(Contest {
                name: "finals".into(),
                teams: vec!["alpha".into(), "beta".into()],
                problems: vec!["p".into()],
                page: None,
                rules: Box::new(rules()),
            }),
            shard: Some(Box::new(shard())),
        })),
        Event::SubmissionStarted(Box::new(SubmissionStart {
            problem: "p".into(),
            submission: "s".into(),
            path: "problems/p/submissions/s".into(),
            language: "C".into(),
            expected: Some(Expected::one_of([
                Verdict::WrongAnswer,
                Verdict::TimeLimit,
            ])),
            limits: Some(limits),
            decided_by_groups: true,
            entrant: entrant(),
        })),
        Event::TrialFaulted(Box::new(TrialFault {
            problem: "p".into(),
            submission: "s".into(),
            case: "sample/1".into(),
            fault: Fault::because("starting it", "no such file")
                .with_remedy("install it"),
        })),
        Event::SubmissionSkipped(Box::new(SubmissionSkip {
            problem: "p".into(),
            submission: "s".into(),
            language: "C".into(),
            cause: "`cc` is not installed".into(),
            remedy: "install it".into(),
            package: Some("fp-compiler".into()),
            entrant: entrant(),
        })),
        Event::SuiteFinished(tally),
        Event::SuiteInterrupted(tally),
    ];
    for score in [
        ExpectedScore::Partial,
        ExpectedScore::Rejected,
        ExpectedScore::Between(40.into(), 60.into()),
    ] {
        events.push(Event::SubmissionStarted(Box::new(SubmissionStart {
            problem: "p".into(),
            submission: "s".into(),
            path: "s".into(),
            language: "C".into(),
            expected: Some(Expected::from(Verdict::WrongAnswer).with_score(score)),
            limits: Some(limits),
            ..SubmissionStart::default()
        })));
    }
    events.extend(
        ProblemCheck::ALL.map(|check| mistake(check, MistakeSeverity::Error)),
    );
    events.push(mistake(ProblemCheck::Cases, MistakeSeverity::Warning));
    events
        .extend(RULES.map(|rule| record(Verdict::WrongAnswer, Exit::Code(3), rule)));
    events.extend(
        Verdict::all()
            .map(|verdict| record(verdict, Exit::Signal(11), FindingRule::Row)),
    );
    events.extend(Verdict::all().map(|verdict| {
        Event::SubmissionFinished(Box::new(SubmissionSummary {
            problem: "p".into(),
            submission: "s".into(),
            language: "C".into(),
            expected: Some(verdict.into()),
            verdict: Some(verdict),
            worst_case: Some("sample/1".into()),
            reason: "row 9 has two 6s".into(),
            passed: 0,
            cases: 1,
            faults: 0,
            surprising_cases: 1,
            unmet: vec![Requirement {
                cases: "secret/a".into(),
                expected: Verdict::TimeLimit.into(),
                message: None,
            }],
            flaky: 1,
            slowest_cpu_us: 0,
            peak_memory_bytes: 0,
            compile_us: Some(1),
            score: Some(score()),
            entrant: entrant(),
        }))
    }));
    events
}

/// Violations of a schema by a value. Supports the part of JSON Schema that our schema
/// uses; panics at any other keyword, so that none is ignored.
fn objections(
    root: &Value,
    schema: &Value,
    value: &Value,
    place: &str,
) -> Vec<String> {
    let mut found = vec![];
    for (keyword, rule) in schema.as_object().unwrap() {
        let is_kept = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "properties" => true,
            "$ref" => {
                let target = root
                    .pointer(rule.as_str().unwrap().trim_start_matches('#'))
                    .unwrap();
                found.extend(objections(root, target, value, place));
                true
            }
            "oneOf" => {
                rule.as_array()
                    .unwrap()
                    .iter()
                    .filter(|choice| {
                        objections(root, choice, value, place).is_empty()
                    })
                    .count()
                    == 1
            }
            "const" => value == rule,
            "enum" => rule.as_array().unwrap().contains(value),
            "type" => is_of_type(value, rule.as_str().unwrap()),
            "minimum" => value.as_u64() >= rule.as_u64(),
            "maximum" => value.as_u64() <= rule.as_u64(),
            "minItems" => value
                .as_array()
                .is_some_and(|items| items.len() as u64 >= rule.as_u64().unwrap()),
            "maxItems" => value
                .as_array()
                .is_some_and(|items| items.len() as u64 <= rule.as_u64().unwrap()),
            "items" => {
                let items = value.as_array().into_iter().flatten();
                found.extend(items.flat_map(|item| {
                    objections(root, rule, item, &format!("{place}[]"))
                }));
                true
            }
            "required" => rule
                .as_array()
                .unwrap()
                .iter()
                .all(|key| value.get(key.as_str().unwrap()).is_some()),
            "additionalProperties" => {
                for (key, inner) in value.as_object().into_iter().flatten() {
                    let place = format!("{place}.{key}");
                    match schema["properties"].get(key) {
                        Some(property) => {
                            found.extend(objections(root, property, inner, &place))
                        }
                        None if rule.is_object() => {
                            found.extend(objections(root, rule, inner, &place))
                        }
                        None => found.push(format!("{place} is not in the schema")),
                    }
                }
                rule.is_object() || *rule == Value::Bool(false)
            }
            unknown => {
                panic!("the schema uses `{unknown}`, which this test does not know")
            }
        };
        if !is_kept {
            found.push(format!("{place}: {value} breaks `{keyword}`: {rule}"));
        }
    }
    found
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        unknown => {
            panic!("the schema uses type `{unknown}`, which this test does not know")
        }
    }
}

/// Violations by an event of the schema of its name.
fn objections_to(root: &Value, event: &Value) -> Vec<String> {
    let name = event["event"].as_str().unwrap();
    objections(root, &root["$defs"][name], event, name)
}

/// An event as the log writes it.
fn written(event: &Event) -> Value {
    let mut line = vec![];
    Log::new(&mut line).take_event(event).unwrap();
    serde_json::from_slice(&line).unwrap()
}

#[test]
fn every_event_with_every_field_fits_the_schema() {
    let root = schema();
    for event in full_events() {
        let value = written(&event);
        assert_eq!(objections_to(&root, &value), [] as [&str; 0]);
        assert_eq!(objections(&root, &root, &value, "line"), [] as [&str; 0]);
    }
}

#[test]
fn the_schema_lists_no_event_and_no_field_that_is_never_written() {
    let root = schema();
    let written: Vec<_> = full_events().iter().map(written).collect();
    for listed in root["oneOf"].as_array().unwrap() {
        let name = listed["$ref"]
            .as_str()
            .unwrap()
            .trim_start_matches("#/$defs/");
        let event = written.iter().find(|event| event["event"] == name);
        let event = event.unwrap_or_else(|| panic!("no event is called `{name}`"));
        for key in root["$defs"][name]["properties"]
            .as_object()
            .unwrap()
            .keys()
        {
            assert!(event.get(key).is_some(), "`{name}` never has `{key}`");
        }
    }
}

#[test]
fn the_schema_allows_a_missing_field_exactly_if_the_code_can_read_the_line() {
    let root = schema();
    for event in full_events() {
        let value = written(&event);
        for key in value
            .as_object()
            .unwrap()
            .keys()
            .filter(|key| *key != "event")
        {
            let mut without = value.clone();
            without.as_object_mut().unwrap().remove(key);
            let fits = objections_to(&root, &without).is_empty();
            // The code reads a missing verdict as `None`, but always writes the field.
            let is_read =
                serde_json::from_value::<Event>(without).is_ok() && key != "verdict";
            assert_eq!(fits, is_read, "{} without `{key}`", value["event"]);
        }
    }
}

#[test]
fn an_unknown_field_does_not_fit_the_schema() {
    let root = schema();
    for event in full_events() {
        let mut value = written(&event);
        value["stray"] = Value::Null;
        assert_eq!(objections_to(&root, &value).len(), 1);
    }
}

#[test]
fn every_example_of_the_documentation_is_an_event_and_every_event_has_one() {
    let root = schema();
    let text = read("docs/log.md");
    let examples: Vec<_> = text
        .lines()
        .filter(|line| line.starts_with("{\"event\""))
        .collect();
    for example in &examples {
        let event: Event = serde_json::from_str(example).unwrap();
        let value: Value = serde_json::from_str(example).unwrap();
        let number = format!(",\"number\":{}", value["number"]);
        assert_eq!(
            serde_json::to_string(&event).unwrap(),
            example.replacen(&number, "", 1)
        );
        assert_eq!(objections(&root, &root, &value, "line"), [] as [&str; 0]);
    }
    for event in full_events() {
        let value = written(&event);
        let start = format!("{{\"event\":{}", value["event"]);
        assert!(
            examples.iter().any(|example| example.starts_with(&start)),
            "{start}"
        );
    }
}

#[test]
fn the_documentation_names_every_field_and_every_rule() {
    let text = read("docs/log.md");
    let is_named = |name: &str| text.contains(&format!("`{name}`"));
    for event in full_events() {
        let value = written(&event);
        let nested = ["finding", "limits"]
            .iter()
            .filter_map(|key| value.get(key)?.as_object());
        for key in value
            .as_object()
            .into_iter()
            .chain(nested)
            .flat_map(|object| object.keys())
        {
            assert!(is_named(key), "`{key}` is not in docs/log.md");
        }
    }
    for check in ProblemCheck::ALL {
        assert!(
            is_named(&check.to_string()),
            "check `{check}` is not in docs/log.md"
        );
    }
    for rule in RULES {
        assert!(
            is_named(&rule.to_string()),
            "rule `{rule}` is not in docs/log.md"
        );
    }
}
