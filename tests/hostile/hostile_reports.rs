//! Writes a malicious suite as every kind of report: escape sequences, markup,
//! formulas, commands for readers of the report, and a line of a megabyte. Each report
//! is parsed again in its format and must have no structure except our own.

mod fields;

use std::cell::RefCell;
use std::io;
use std::io::Write;
use std::rc::Rc;

use gridjudge::model::{
    AttemptRecord, CheckerImage, Event, Finding, FindingKind, FindingRule,
    LOG_VERSION, LoggedLimits, MistakeRecord, MistakeSeverity, ProblemCheck, Speaker,
    SubmissionSkip, SubmissionStart, SubmissionSummary, SuiteStart, Tally,
    Transcript, TranscriptLine, TrialFault, TrialRecord, Verdict,
};
use gridjudge::report::{
    Csv, Github, Junit, Markdown, ReportWriter, Repository, Sarif, Sink, Tap,
};
use gridjudge_sandbox::{Exit, Fault};
use pulldown_cmark::{Options, Parser};
use serde_json::Value;

/// Texts with a meaning to a program that reads a report.
const NASTY: [&str; 16] = [
    "\x1b[31mred\x1b]0;title\x07",
    "]]> <script>alert(1)</script> &amp; &#0;",
    "| a cell | another \\| \\",
    "` `` ``` ~~~ [link](http://evil.example) ![](x) @everyone #1",
    "=cmd|'/c calc'!A1",
    "  @SUM(1,2)",
    "-1+1",
    "two\nlines\r\nof text\n  ...\nok 99 - forged\n1..0\nBail out!",
    "::error file=x::forged",
    "# SKIP not really",
    "\u{202e}desrever\u{2066}",
    "\0\u{1}\u{7f}\u{85}\u{fffe}\u{ffff}\u{fffd}",
    "\"quoted\", 'comma,\ttab'",
    "%0A%25,:;",
    "<b>bold</b><!-- --><?php ?>",
    "",
];

fn record(text: &str, case: &str, verdict: Verdict) -> TrialRecord {
    let finding = |message: &str| Finding {
        kind: FindingKind::Wrong,
        grid: None,
        row: None,
        column: None,
        other: None,
        rule: Some(FindingRule::Symbol),
        line: Some(3),
        byte: None,
        message: message.to_owned(),
    };
    let attempt = |verdict| AttemptRecord {
        verdict,
        cpu_us: 5,
        wall_us: 6,
        peak_memory_bytes: 7,
        calibration_ns: None,
    };
    let line = TranscriptLine {
        at_us: 1,
        by: Speaker::Submission,
        text: text.into(),
        left_out_bytes: 0,
        unfinished: false,
    };
    TrialRecord {
        problem: text.into(),
        submission: text.into(),
        case: case.to_owned(),
        verdict,
        expected: None,
        cpu_us: Some(1_500_000),
        wall_us: Some(2),
        peak_memory_bytes: Some(4096),
        rerun: true,
        cached: false,
        expired: false,
        attempts: vec![attempt(Verdict::Accepted), attempt(verdict)],
        exit: Some(Exit::Signal(11)),
        pass: None,
        finding: Some(finding(text)),
        further_findings: vec![finding(text); 3],
        unlisted_findings: 2,
        parts_right: Some(0),
        grids: Some(9),
        checker_message: Some(text.to_owned()),
        checker_images: vec![CheckerImage {
            name: text.to_owned(),
            bytes: 5,
            data: Some(text.to_owned()),
        }],
        picture: None,
        transcript: Some(Transcript {
            lines: vec![line.clone()],
            left_out: 1,
            last_lines: vec![line],
        }),
        points: None,
        diff: Some(format!("-{text}\n+{text}\n")),
        stderr: text.repeat(3),
    }
}

fn summary(text: &str, verdict: Verdict, faults: usize) -> Event {
    Event::SubmissionFinished(Box::new(SubmissionSummary {
        problem: text.into(),
        submission: text.into(),
        language: text.into(),
        verdict: Some(verdict),
        worst_case: Some(text.into()),
        reason: text.into(),
        cases: 3,
        faults,
        flaky: 1,
        slowest_cpu_us: 1,
        peak_memory_bytes: 1,
        ..SubmissionSummary::default()
    }))
}

/// A mistake in a problem, or a warning about it, in which every text is `text`.
fn mistake(text: &str, check: ProblemCheck, severity: MistakeSeverity) -> Event {
    Event::MistakeFound(Box::new(MistakeRecord {
        problem: text.into(),
        check,
        severity,
        file: text.into(),
        line: Some(0),
        message: text.into(),
        remedy: Some(text.into()),
    }))
}

/// Three submissions that together fail in every way; `text` is every name and every
/// message.
fn submission(text: &str) -> Vec<Event> {
    let limits = LoggedLimits {
        cpu_us: 1,
        wall_us: 1,
        memory_bytes: 1,
        output_bytes: 1,
        processes: 1,
    };
    let started = Event::SubmissionStarted(Box::new(SubmissionStart {
        problem: text.into(),
        submission: text.into(),
        path: text.into(),
        language: text.into(),
        limits: Some(limits),
        ..SubmissionStart::default()
    }));
    let skipped = Event::SubmissionSkipped(Box::new(SubmissionSkip {
        problem: text.into(),
        submission: text.into(),
        language: text.into(),
        cause: text.into(),
        remedy: text.into(),
        ..SubmissionSkip::default()
    }));
    let trial = |verdict| Event::TrialFinished(Box::new(record(text, text, verdict)));
    let fault = Fault::because(text, text).with_remedy(text);
    let faulted = Event::TrialFaulted(Box::new(TrialFault {
        problem: text.into(),
        submission: text.into(),
        case: text.into(),
        fault,
    }));
    let wrong = [
        started.clone(),
        trial(Verdict::WrongAnswer),
        trial(Verdict::Skipped),
    ];
    let broken = [
        started,
        faulted,
        trial(Verdict::CompileError),
        summary(text, Verdict::CompileError, 1),
    ];
    let mut events = Vec::from(wrong);
    events.push(summary(text, Verdict::WrongAnswer, 0));
    events.extend(broken);
    events.push(skipped);
    events
}

/// A suite with a mistake, a warning, and those submissions for each text.
fn suite(texts: &[&str], is_interrupted: bool) -> Vec<Event> {
    let mut events = vec![Event::SuiteStarted(Box::new(SuiteStart {
        log_version: LOG_VERSION,
        gridjudge: "0.1.0".into(),
        sandbox: "full".into(),
        notes: vec![],
        machine: texts.concat(),
        started: "2026-11-21T20:30:00Z".into(),
        jobs: 1,
        submissions: 3 * texts.len(),
        trials: 9 * texts.len(),
        ..SuiteStart::default()
    }))];
    for text in texts {
        events.push(mistake(text, ProblemCheck::Files, MistakeSeverity::Error));
        events.push(mistake(text, ProblemCheck::Cases, MistakeSeverity::Warning));
    }
    events.extend(texts.iter().flat_map(|text| submission(text)));
    let each = texts.len();
    let tally = Tally {
        surprising: 2 * each,
        skipped: each,
        faults: each,
        trials: each,
        flaky: each,
        ..Tally::default()
    };
    events.push(if is_interrupted {
        Event::SuiteInterrupted(tally)
    } else {
        Event::SuiteFinished(tally)
    });
    events
}

/// A shared buffer that a sink writes to.
#[derive(Clone, Default)]
struct SharedBuffer(Rc<RefCell<Vec<u8>>>);

impl Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Each report of these events, by name.
fn reports(events: &[Event]) -> Vec<(&'static str, String)> {
    type Make = fn(SharedBuffer) -> Box<dyn Sink>;
    let make: [(&str, Make); 6] = [
        ("junit", |target| {
            Box::new(Junit::new(target, Repository::default()))
        }),
        ("sarif", |target| {
            Box::new(ReportWriter::new(target, Sarif::default()))
        }),
        ("tap", |target| {
            Box::new(ReportWriter::new(target, Tap::default()))
        }),
        ("markdown", |target| {
            Box::new(ReportWriter::new(target, Markdown::default()))
        }),
        ("csv", |target| {
            Box::new(ReportWriter::new(target, Csv::default()))
        }),
        ("github", |target| {
            Box::new(ReportWriter::new(target, Github::default()))
        }),
    ];
    make.map(|(name, make)| {
        let buffer = SharedBuffer::default();
        let mut sink = make(buffer.clone());
        for event in events {
            sink.take_event(event).unwrap();
        }
        drop(sink);
        (name, String::from_utf8(buffer.0.take()).expect(name))
    })
    .into()
}

fn report(name: &str, events: &[Event]) -> String {
    reports(events)
        .into_iter()
        .find(|report| report.0 == name)
        .unwrap()
        .1
}

#[test]
fn no_report_lets_a_control_character_or_a_bidi_control_through() {
    for (name, text) in reports(&suite(&NASTY, false)) {
        let harmful = text.chars().find(|letter| {
            (letter.is_control() && *letter != '\n')
                || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        });
        assert_eq!(harmful, None, "{name}");
        assert!(text.ends_with('\n'), "{name}");
    }
}

#[test]
fn long_texts_are_cut_in_every_report() {
    let long = [
        "x".repeat(1 << 18),
        "\x1b\n".repeat(1 << 17),
        "`|<\u{1}".repeat(1 << 16),
    ];
    for text in &long {
        for (name, report) in reports(&suite(&[text], true)) {
            assert!(report.len() < 200_000, "{name}: {} bytes", report.len());
            assert!(report.lines().all(|line| line.len() < 60_000), "{name}");
        }
    }
}

#[test]
fn junit_has_the_elements_and_counts_that_readers_require() {
    let xml = report("junit", &suite(&NASTY, true));
    let page = roxmltree::Document::parse(&xml).unwrap();
    let root = page.root_element();
    assert_eq!(root.tag_name().name(), "testsuites");
    let mut seen = std::collections::BTreeSet::new();
    for suite in root.children().filter(roxmltree::Node::is_element) {
        assert_eq!(suite.tag_name().name(), "testsuite");
        let cases: Vec<_> = suite
            .children()
            .filter(roxmltree::Node::is_element)
            .collect();
        let with = |tag: &str| {
            cases
                .iter()
                .filter(|case| case.children().any(|child| child.has_tag_name(tag)))
                .count()
                .to_string()
        };
        assert_eq!(
            suite.attribute("tests"),
            Some(cases.len().to_string().as_str())
        );
        for (counted, tag) in [
            ("failures", "failure"),
            ("errors", "error"),
            ("skipped", "skipped"),
        ] {
            assert_eq!(suite.attribute(counted), Some(with(tag).as_str()), "{tag}");
        }
        for case in cases {
            assert_eq!(case.tag_name().name(), "testcase");
            seen.insert(case.attribute("classname").unwrap().to_owned());
            assert!(case.attribute("time").unwrap().parse::<f64>().is_ok());
            for child in case.children().filter(roxmltree::Node::is_element) {
                let known =
                    ["system-out", "skipped", "failure", "error", "rerunFailure"];
                assert!(known.contains(&child.tag_name().name()), "{child:?}");
            }
        }
    }
    let count = |tag: &str| {
        page.descendants()
            .filter(|node| node.has_tag_name(tag))
            .count()
    };
    // The interruption is also an error.
    let each = NASTY.len();
    assert_eq!(
        (count("failure"), count("error"), count("skipped")),
        (3 * each, each + 1, 2 * each)
    );
    assert_eq!(
        (count("rerunFailure"), seen.len()),
        (3 * each, 2 * each + 1)
    );
    assert_eq!(
        root.attribute("tests"),
        Some((7 * each + 1).to_string().as_str())
    );
    let failure = page
        .descendants()
        .find(|node| node.attribute("type") == Some("WRONG_ANSWER"))
        .unwrap();
    assert_eq!(
        failure.attribute("message"),
        Some("\\u{1b}[31mred\\u{1b}]0;title\\u{7}")
    );
    let text = failure.text().unwrap();
    assert!(
        text.contains("line 3: ")
            && text.contains("flaky: AC 1, WA 1")
            && text.contains("| -"),
        "{text}"
    );
}

#[test]
fn sarif_meets_the_rules_of_github() {
    let events = suite(&NASTY, true);
    let report: Value = serde_json::from_str(&report("sarif", &events)).unwrap();
    assert_eq!(report["version"], "2.1.0");
    let run = &report["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 4 * NASTY.len());
    let warnings = results.iter().filter(|result| result["level"] == "warning");
    assert_eq!(warnings.count(), NASTY.len());
    for result in results {
        assert!(
            rules.iter().any(|rule| rule["id"] == result["ruleId"]),
            "{result}"
        );
        assert!(result["level"] == "error" || result["ruleId"] == "problem/cases");
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["region"]["startLine"].as_u64().unwrap() >= 1);
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        let is_plain = |letter: char| {
            letter.is_ascii_alphanumeric() || "-._~/%".contains(letter)
        };
        assert!(uri.chars().all(is_plain), "{uri}");
        let print = result["partialFingerprints"]["primaryLocationLineHash"]
            .as_str()
            .unwrap();
        assert!(
            print.split_once(':').unwrap().1.parse::<usize>().unwrap() >= 1,
            "{print}"
        );
    }
    let prints: std::collections::BTreeSet<_> = results
        .iter()
        .map(|result| result["partialFingerprints"].to_string())
        .collect();
    assert_eq!(prints.len(), results.len());
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
}

#[test]
fn tap_has_only_test_points_yaml_blocks_and_a_plan() {
    let text = report("tap", &suite(&NASTY, false));
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("TAP version 13"));
    let mut points = 0;
    let mut failed = 0;
    let mut skipped = 0;
    let mut is_block = false;
    let mut plan = None;
    for line in lines {
        match line {
            "  ---" => is_block = true,
            "  ..." => is_block = false,
            line if is_block => {
                let (key, value) =
                    line.strip_prefix("  ").unwrap().split_once(": ").unwrap();
                assert!(
                    key.bytes()
                        .all(|letter| letter.is_ascii_lowercase() || letter == b'_'),
                    "{line}"
                );
                assert!(serde_json::from_str::<Value>(value).is_ok(), "{line}");
            }
            line if line.starts_with("1..") => plan = Some(line.to_owned()),
            line => {
                points += 1;
                let not_ok = line.starts_with("not ok");
                failed += usize::from(not_ok);
                let description = line
                    .trim_start_matches("not ")
                    .strip_prefix(&format!("ok {points} - "));
                let description = description
                    .expect(line)
                    .replace("\\\\", "")
                    .replace("\\#", "");
                let (_, directive) = description.split_once('#').unwrap_or_default();
                assert!(
                    directive.is_empty() || directive.starts_with(" SKIP "),
                    "{line}"
                );
                skipped += usize::from(!directive.is_empty());
            }
        }
    }
    let each = NASTY.len();
    assert_eq!((points, failed, skipped), (7 * each, 4 * each, 2 * each));
    assert_eq!(plan, Some(format!("1..{points}")));
    assert!(
        report("tap", &suite(&NASTY, true))
            .lines()
            .last()
            .unwrap()
            .starts_with("Bail out! ")
    );
}

#[test]
fn markdown_shows_foreign_texts_only_as_code() {
    let events = suite(&NASTY, true);
    let mut html = String::new();
    let text = report("markdown", &events);
    pulldown_cmark::html::push_html(
        &mut html,
        Parser::new_ext(&text, Options::ENABLE_TABLES),
    );
    let tags: std::collections::BTreeSet<_> = html
        .split('<')
        .skip(1)
        .map(|rest| rest.split(['>', ' ']).next().unwrap())
        .collect();
    let ours = [
        "h2", "h3", "p", "strong", "table", "thead", "tbody", "tr", "th", "td",
        "code", "pre", "details", "summary",
    ];
    let foreign: Vec<_> = tags
        .iter()
        .filter(|tag| !ours.contains(&tag.trim_start_matches('/')))
        .collect();
    assert!(foreign.is_empty(), "{foreign:?}\n{text}");
    // No foreign text is outside of code, so nothing can mention a GitHub user either.
    let outside: String = html
        .split("<code")
        .map(|part| part.split_once("</code>").map_or(part, |(_, rest)| rest))
        .collect();
    for word in ["everyone", "evil", "alert", "forged", "bold", "cmd"] {
        assert!(!outside.contains(word), "{word}: {outside}");
    }
    let rows = html.matches("<tr>").count();
    // A table of mistakes, one of warnings, one of unexpected results and one of the
    // others, each with a heading row.
    assert_eq!(rows, 5 * NASTY.len() + 4);
    let widths: Vec<_> = html
        .split("<tr>")
        .skip(1)
        .map(|row| {
            row.matches("<td").count()
                + row.matches("<th>").count()
                + row.matches("<th ").count()
        })
        .collect();
    let of_mistakes = 2 * NASTY.len() + 2;
    assert!(
        widths[..of_mistakes].iter().all(|width| *width == 5),
        "{text}"
    );
    assert!(
        widths[of_mistakes..].iter().all(|width| *width == 8),
        "{text}"
    );
}

#[test]
fn csv_can_be_parsed_and_contains_no_formula() {
    let text = report("csv", &suite(&NASTY, true));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    // A mistake, a warning, a wrong answer, a trial that was not judged, a fault, a
    // compile error, and a skipped submission for each text; at the end the
    // interruption.
    assert_eq!(rows.len(), 7 * NASTY.len() + 1);
    for row in &rows {
        assert_eq!(row.len(), 16);
        let formula = row
            .iter()
            .find(|cell| cell.trim_start().starts_with(['=', '+', '-', '@']));
        assert_eq!(formula, None);
        assert!(row.iter().all(|cell| !cell.contains(['\n', '\r'])));
    }
    assert_eq!(
        (&rows.last().unwrap()[4], text.lines().count()),
        ("incomplete", rows.len() + 1)
    );
}

#[test]
fn github_gets_one_command_a_line_and_at_most_ten_errors() {
    for (is_interrupted, texts) in [
        (false, &NASTY[..]),
        (true, &NASTY[..]),
        (false, &NASTY[..2]),
        (true, &NASTY[..5]),
    ] {
        let text = report("github", &suite(texts, is_interrupted));
        let lines: Vec<_> = text.lines().collect();
        for line in &lines {
            let (level, rest) = line
                .strip_prefix("::")
                .and_then(|rest| rest.split_once(' '))
                .expect(line);
            assert!(["error", "warning"].contains(&level), "{line}");
            let (properties, message) = rest.split_once("::").expect(line);
            assert!(!message.contains(['\r', '\n']));
            for property in properties.split(',') {
                let (name, value) = property.split_once('=').expect(line);
                assert!(
                    ["file", "line", "title"].contains(&name) && !value.contains(':'),
                    "{line}"
                );
            }
        }
        let count =
            |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
        // Two warnings are about the judging: one for all that was skipped, and one for
        // all that was flaky.
        assert_eq!(count("::warning "), (texts.len() + 2).min(10), "{text}");
        let errors = count("::error ");
        let wanted = 3 * texts.len() + usize::from(is_interrupted);
        assert_eq!(errors, wanted.min(10), "{text}");
        if wanted > 10 {
            let mistakes = texts.len().min(if is_interrupted { 8 } else { 9 });
            let submissions = if is_interrupted { 8 } else { 9 } - mistakes;
            let more = [
                ("mistakes in problems", texts.len() - mistakes),
                ("submissions not as expected", 2 * texts.len() - submissions),
            ];
            let more = more.iter().filter(|(_, more)| *more > 0);
            let more: Vec<_> = more
                .map(|(what, more)| format!("{what}, besides those above: {more}"))
                .collect();
            assert!(text.contains(&format!("::{}\n", more.join("; "))), "{text}");
        }
    }
}
