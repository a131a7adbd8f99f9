//! Puts every nasty text into every field of every event, one at a time, and asks of
//! each report that it stays well-formed and does nothing.

use gridjudge::compare;
use gridjudge::compare::{Baseline, BaselineCollector, Comparison};
use gridjudge::model::{
    Contest, ContestRules, Entrant, Moment, ProblemDetails, TeamDetails, TeamStatus,
};
use gridjudge::report::standings::{RankingChoice, Standings};
use gridjudge::report::{
    Explanations, Html, ReportWriter, Verbosity, marks, standings,
};

use super::*;

/// Texts that begin a formula only for readers that split at something else than a
/// comma.
const HIDDEN_FORMULAS: [&str; 6] = [
    ";=1+1",
    "x;=1+1",
    "x; @SUM(1)",
    "x\t=1+1",
    "x\n-1+1",
    "\u{a0}+1",
];

fn entrant() -> Entrant {
    Entrant {
        submitted: Moment::parse("2026-11-28 23:59Z"),
        team: "plain".into(),
        minute: Some(7),
    }
}

/// Rules in which every text is there.
fn rules() -> ContestRules {
    let text = || Some("plain".to_owned());
    let team = TeamDetails {
        name: text(),
        organisation: text(),
        group: text(),
        site: text(),
        status: TeamStatus::OutOfCompetition,
    };
    let problem = ProblemDetails {
        label: text(),
        color: text(),
    };
    ContestRules {
        start: text(),
        length: Some(300),
        team: [("plain".into(), team)].into(),
        problem: [("plain".into(), problem)].into(),
        ..ContestRules::default()
    }
}

/// A suite of a contest in which every field that may hold a text holds one.
fn full_suite() -> Vec<Value> {
    let mut events = suite(&["plain"], false);
    for event in &mut events {
        match event {
            Event::SuiteStarted(start) => {
                start.notes.push("note".into());
                let names = || vec!["plain".into()];
                start.contest = Some(Contest {
                    name: "contest".into(),
                    teams: names(),
                    problems: names(),
                    page: None,
                    rules: Box::new(rules()),
                });
            }
            Event::SubmissionStarted(start) => start.entrant = Some(entrant()),
            Event::SubmissionSkipped(skip) => skip.entrant = Some(entrant()),
            _ => {}
        }
    }
    let mut values: Vec<_> = events
        .iter()
        .map(|event| serde_json::to_value(event).unwrap())
        .collect();
    let picture = serde_json::json!({"grid": 1, "order": 1, "regions": "1", "clues": ".", "found": "1", "expected": "1"});
    for value in &mut values {
        if value["event"] == "trial_finished" {
            value["picture"] = picture.clone();
        }
    }
    values
}

/// The places of all texts in a value.
fn texts_in(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::String(_) => found.push(place.to_owned()),
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                texts_in(item, &format!("{place}/{number}"), found)
            }
        }
        Value::Object(fields) => {
            for (key, field) in fields {
                texts_in(field, &format!("{place}/{key}"), found)
            }
        }
        _ => {}
    }
}

/// The baseline that these events make.
fn baseline(events: &[Event]) -> Baseline {
    let mut collector = BaselineCollector::default();
    for event in events {
        collector.take_event(event).unwrap();
    }
    collector.finish().0
}

/// A baseline, and its comparisons with that of a suite of plain texts, each way.
fn comparisons(events: &[Event]) -> Vec<(&'static str, String)> {
    let mut plain = suite(&["plain"], false);
    for event in &mut plain {
        if let Event::TrialFinished(record) = event {
            record.verdict = Verdict::Accepted;
            record.case = format!("{} of another name", record.case);
        }
    }
    let [plain, own] = [baseline(&plain), baseline(events)];
    let mut joined = plain.clone();
    joined.join(own.clone());
    let mut all = vec![("baseline", compare::to_text(&own))];
    let again = compare::parse_baseline("baseline.txt".as_ref(), &all[0].1).unwrap();
    assert_eq!(compare::to_text(&again), all[0].1);
    for (was, now) in [(&plain, &joined), (&joined, &plain)] {
        let found = Comparison::between(was, now, true).unwrap();
        all.push((
            "comparison",
            compare::comparison_table(&found, Verbosity::Verbose, None, |_| true),
        ));
        all.push((
            "comparison in a terminal",
            compare::comparison_table(&found, Verbosity::Normal, Some(80), |_| true),
        ));
        all.push((
            "comparison in Markdown",
            compare::markdown(&found, |_| true),
        ));
        all.push(("comparison in JSON", serde_json::to_string(&found).unwrap()));
    }
    all
}

/// All reports of these events, also those for people.
fn all_reports(events: &[Event]) -> Vec<(&'static str, String)> {
    let mut all = reports(events);
    all.extend(comparisons(events));
    let choice = RankingChoice::default();
    type Form = fn(&standings::StandingsTable) -> String;
    let forms: [(&str, Form); 3] = [
        ("standings", |table| standings::standings_text(table, None)),
        ("standings in CSV", |table| standings::standings_csv(table)),
        ("standings in HTML", |table| {
            standings::standings_html(table)
        }),
    ];
    for (name, form) in forms {
        let mut written = vec![];
        let mut sink = ReportWriter::new(&mut written, Standings::new(form, choice));
        for event in events {
            sink.take_event(event).unwrap();
        }
        drop(sink);
        all.push((name, String::from_utf8(written).unwrap()));
    }
    all.extend(marks_of(events));
    let mut lines = vec![];
    let mut sink =
        ReportWriter::new(&mut lines, Explanations::new(Verbosity::Verbose, || None));
    for event in events {
        sink.take_event(event).unwrap();
    }
    drop(sink);
    all.push(("terminal", String::from_utf8(lines).unwrap()));
    let mut page = vec![];
    let mut html = ReportWriter::new(&mut page, Html::default());
    for event in events {
        html.take_event(event).unwrap();
    }
    all.push(("html", String::from_utf8(page).unwrap()));
    all
}

/// The marks, and the pages of students.
fn marks_of(events: &[Event]) -> Vec<(&'static str, String)> {
    type Form = fn(&marks::MarkTable<'_>) -> String;
    let forms: [(&str, Form); 2] = [
        ("marks", |table| marks::marks_text(table, None)),
        ("marks in CSV", |table| marks::marks_csv(table)),
    ];
    let mut all = vec![];
    for (name, form) in forms {
        let mut written = vec![];
        let mut sink = ReportWriter::new(&mut written, marks::Marks::new(form));
        for event in events {
            sink.take_event(event).unwrap();
        }
        drop(sink);
        all.push((name, String::from_utf8(written).unwrap()));
    }
    let pages = Rc::new(RefCell::new(vec![]));
    let written = Rc::clone(&pages);
    let write = move |name: &str, page: &[u8]| {
        let kind = match name.ends_with(".md") {
            true => "feedback in Markdown",
            false => "html",
        };
        let page = String::from_utf8(page.to_vec()).unwrap();
        written.borrow_mut().push((kind, page));
        Ok(())
    };
    let mut sink = marks::FeedbackPages::new(Box::new(write), true);
    for event in events {
        sink.take_event(event).unwrap();
    }
    drop(sink);
    all.extend(pages.take());
    all
}

/// A text without the sequences that only choose colours.
fn without_colours(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece
            .find(|letter: char| !letter.is_ascii_digit() && letter != ';')
            .unwrap_or(0);
        plain.push_str(if piece[end..].starts_with('m') {
            &piece[end + 1..]
        } else {
            "\u{1b}"
        });
    }
    plain
}

/// Asserts that a report is well-formed and does nothing.
fn assert_inert(name: &str, report: &str, at: &str) {
    let is_harmful = |letter: &char| {
        (letter.is_control() && !['\n', '\r'].contains(letter))
            || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}')
    };
    // Reports for terminals have colours of their own.
    assert!(!report.contains("\u{1b}[31mred"), "{name}: {at}");
    let plain = match name {
        "standings"
        | "marks"
        | "terminal"
        | "comparison"
        | "comparison in a terminal" => without_colours(report),
        // Its columns are separated by tabs.
        "baseline" => report.replace('\t', " "),
        // Readers of JSON see the text of an escape.
        "comparison in JSON" => {
            format!("{:?}", serde_json::from_str::<Value>(report).expect(at))
        }
        _ => report.to_owned(),
    };
    assert_eq!(plain.chars().find(is_harmful), None, "{name}: {at}");
    match name {
        "junit" => drop(roxmltree::Document::parse(report).expect(at)),
        "standings in HTML" => {
            let foreign = ["<script", "<b>bold", "<!-- ", "<?php", "<b>T12"]
                .iter()
                .find(|tag| report.contains(**tag));
            assert_eq!(foreign, None, "{at}");
        }
        "html" => {
            let options = roxmltree::ParsingOptions {
                allow_dtd: true,
                ..Default::default()
            };
            let page =
                roxmltree::Document::parse_with_options(report, options).expect(at);
            let active = page.descendants().find(|node| {
                ["script", "img", "iframe", "object"]
                    .iter()
                    .any(|tag| node.has_tag_name(*tag))
                    || node
                        .attributes()
                        .any(|attribute| attribute.name().starts_with("on"))
            });
            assert!(active.is_none(), "{name}: {at}: {active:?}");
        }
        "comparison in Markdown" | "feedback in Markdown" => {
            let report = report.strip_prefix(marks::MARKDOWN_START).unwrap_or(report);
            let is_html = |event| {
                matches!(
                    event,
                    pulldown_cmark::Event::Html(_)
                        | pulldown_cmark::Event::InlineHtml(_)
                )
            };
            let is_link = |event| {
                matches!(
                    event,
                    pulldown_cmark::Event::Start(pulldown_cmark::Tag::Link { .. })
                )
            };
            let events = || Parser::new_ext(report, Options::all());
            assert!(
                !events().any(is_html) && !events().any(is_link),
                "{at}: {report}"
            );
            // In code, it calls nobody.
            let is_in_code = name == "feedback in Markdown";
            assert!(is_in_code || !report.contains("@everyone"), "{at}");
        }
        "baseline" => {
            let lines = report
                .lines()
                .skip(2)
                .filter(|line| !line.starts_with("machine\t"));
            assert!(
                lines.clone().all(|line| line.matches('\t').count() == 9),
                "{at}: {report}"
            );
        }
        "sarif" => drop(serde_json::from_str::<Value>(report).expect(at)),
        "csv" | "standings in CSV" | "marks in CSV" => assert_no_formula(report, at),
        "github" => {
            let is_ours = |line: &str| {
                ["::error ", "::warning "]
                    .iter()
                    .any(|start| line.starts_with(start))
            };
            assert!(report.lines().all(is_ours), "{at}: {report}");
        }
        "tap" => {
            let starts = ["TAP version", "ok ", "not ok ", "1..", "  ", "Bail out!"];
            let is_ours =
                |line: &str| starts.iter().any(|start| line.starts_with(start));
            assert!(report.lines().all(is_ours), "{at}: {report}");
            assert_eq!(
                report
                    .lines()
                    .filter(|line| line.starts_with("1.."))
                    .count(),
                1,
                "{at}"
            );
        }
        _ => {}
    }
}

/// Asserts that no reader of a table, whatever it splits cells at, finds a formula.
fn assert_no_formula(report: &str, at: &str) {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(report.as_bytes());
    let rows: Vec<_> = reader.records().map(|row| row.expect(at)).collect();
    for cell in rows.iter().flatten() {
        let parts = cell.split([';', '\t', '\n', '\r']);
        let formula = parts.map(str::trim_start).find(|part| {
            part.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
        });
        assert_eq!(formula, None, "{at}: {cell}");
    }
}

#[test]
fn every_field_of_a_log_is_harmless_in_every_report() {
    let base = full_suite();
    let all: Vec<_> = NASTY.into_iter().chain(HIDDEN_FORMULAS).collect();
    let together = all.join(" ");
    let mut tried = 0;
    let mut next = 0;
    for (number, event) in base.iter().enumerate() {
        let mut places = vec![];
        texts_in(event, "", &mut places);
        for place in places {
            // All texts at once, and another one alone in each field.
            next += 1;
            for text in [&*together, all[next % all.len()]] {
                let mut changed = event.clone();
                *changed.pointer_mut(&place).unwrap() =
                    Value::String(text.to_owned());
                // A field of a closed set of words takes no other.
                let Ok(changed) = serde_json::from_value::<Event>(changed) else {
                    continue;
                };
                let events = base.iter().enumerate().map(|(other, event)| {
                    if other == number {
                        changed.clone()
                    } else {
                        serde_json::from_value(event.clone()).unwrap()
                    }
                });
                let at = format!("{text:?} in {place} of {}", event["event"]);
                for (name, report) in all_reports(&events.collect::<Vec<_>>()) {
                    assert_inert(name, &report, &at);
                }
                tried += 1;
            }
        }
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn a_text_that_could_be_a_date_is_shown_as_a_text_if_it_is_none() {
    for started in [
        "T\u{1b}[31m<script>12345Z",
        "<b>T12:34<i>\u{1b}[0mxxZ",
        "2026-11-21T20:30:\u{1b}0Z",
    ] {
        let mut events = suite(&["plain"], false);
        if let Event::SuiteStarted(start) = &mut events[0] {
            start.started = started.into();
        }
        for (name, report) in all_reports(&events) {
            assert_inert(name, &report, started);
        }
    }
}
