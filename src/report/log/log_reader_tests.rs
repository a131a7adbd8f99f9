//! Reading logs that are whole, cut, damaged, or not logs at all.

use super::*;
use crate::model::Tally;

const HEAD: &str = r#"{"event":"suite_started","log_version":2,"gridjudge":"0.1.0","sandbox":"full","notes":[],"jobs":1,"submissions":1,"trials":2}"#;
const TRIAL: &str = r#"{"event":"trial_finished","problem":"p","submission":"s","case":"c","verdict":"WA","cpu_us":7}"#;
const END: &str = r#"{"event":"suite_finished","as_expected":0,"surprising":0,"skipped":0,"faults":0,"trials":1}"#;

/// The names of the events that are read, the notes, and the errors.
fn read(text: impl AsRef<[u8]>) -> (Vec<String>, Vec<String>, String) {
    let mut reader = match LogReader::open(text.as_ref()) {
        Ok(reader) => reader,
        Err(error) => return (vec![], vec![], error.to_string()),
    };
    let mut names = vec![];
    let mut complaints = String::new();
    for event in reader.by_ref() {
        match event {
            Ok(event) => {
                names.push(serde_json::to_value(event).unwrap()["event"].to_string())
            }
            Err(error) => complaints = error.to_string(),
        }
    }
    (names, reader.notes().to_vec(), complaints)
}

const ALL: [&str; 3] = [
    "\"suite_started\"",
    "\"trial_finished\"",
    "\"suite_finished\"",
];
const BROKEN_OFF: [&str; 3] = [
    "\"suite_started\"",
    "\"trial_finished\"",
    "\"suite_interrupted\"",
];
const INCOMPLETE: &str = "the log is incomplete: it ends before the judging does";

#[test]
fn a_whole_log_is_read_without_notes() {
    for text in [
        format!("{HEAD}\n{TRIAL}\n{END}\n"),
        format!("{HEAD}\r\n\n{TRIAL}\r\n{END}\r\n\n"),
        format!("{HEAD}\n{TRIAL}\n{END}"),
        format!("{HEAD}\n{TRIAL}\n{END}\n")
            .replace("\"log_version\":2", "\"log_version\":1"),
        format!("{HEAD}\n{TRIAL}\n{END}\n")
            .replace("\"jobs\"", "\"later\":{},\"jobs\""),
    ] {
        assert_eq!(
            read(&text),
            (ALL.map(str::to_owned).into(), vec![], String::new()),
            "{text}"
        );
    }
}

#[test]
fn a_log_that_breaks_off_ends_as_interrupted_with_a_tally_of_its_events() {
    let last = LogReader::open(format!("{HEAD}\n{TRIAL}\n{TRIAL}\n").as_bytes())
        .unwrap()
        .last();
    let tally = Tally {
        trials: 2,
        ..Tally::default()
    };
    assert_eq!(last, Some(Ok(Event::SuiteInterrupted(tally))));
    for (text, note) in [
        (
            format!("{HEAD}\n{TRIAL}\n{}", &TRIAL[..40]),
            Some("line 3, the last, was cut: left out"),
        ),
        (
            format!("{HEAD}\n{TRIAL}\n{}\n", &TRIAL[..40]),
            Some("line 3, the last, was cut: left out"),
        ),
        (format!("{HEAD}\n{TRIAL}\n"), None),
        (format!("{HEAD}\n{TRIAL}"), None),
    ] {
        let notes = note
            .into_iter()
            .chain([INCOMPLETE])
            .map(str::to_owned)
            .collect();
        assert_eq!(
            read(&text),
            (BROKEN_OFF.map(str::to_owned).into(), notes, String::new()),
            "{text}"
        );
    }
}

#[test]
fn an_unknown_event_is_skipped_with_a_note() {
    let later = r#"{"event":"machine_cooled","degrees":3}"#;
    let (names, notes, complaints) =
        read(format!("{HEAD}\n{later}\n{TRIAL}\n{later}\n{END}\n"));
    assert_eq!(
        (names, complaints),
        (ALL.map(str::to_owned).into(), String::new())
    );
    let first = "line 2: unknown event `machine_cooled`: left out";
    assert_eq!(notes, [first, "unknown events: 2 in all"]);
}

#[test]
fn all_bad_lines_are_reported_at_once() {
    let bad = format!(
        "nonsense\n{TRIAL}\n{{}}\n{}\n[1]\n\"\u{1}\"\n",
        TRIAL.replace("WA", "XX")
    );
    let (names, _, complaints) = read(format!("{HEAD}\n{TRIAL}\n{bad}{END}\n"));
    assert_eq!(names.len(), 2);
    let lines: Vec<_> = complaints.lines().collect();
    assert_eq!(lines.len(), 5, "{complaints}");
    assert_eq!(lines[0], "line 3: is not JSON: expected ident, at column 2");
    assert_eq!(lines[1], "line 5: is not an event: missing field `event`");
    assert!(
        lines[2].starts_with("line 6: is not an event: unknown variant `XX`"),
        "{complaints}"
    );
    let (_, _, complaints) = read(format!("{HEAD}\n{}{END}\n", "?\n".repeat(100)));
    assert_eq!(complaints.lines().count(), 21);
    assert!(
        complaints.ends_with("\nlines with something wrong, besides those above: 80"),
        "{complaints}"
    );
    let (_, _, complaints) =
        read([HEAD.as_bytes(), b"\n\xff\xfe\n", END.as_bytes()].concat());
    assert_eq!(
        complaints,
        "line 2: is not JSON: expected value, at column 1"
    );
}

#[test]
fn a_second_log_in_a_file_is_reported() {
    let one = format!("{HEAD}\n{TRIAL}\n{END}\n");
    let old = one.replace("\"log_version\":2", "\"log_version\":1");
    let (_, _, complaints) = read(format!("{one}{one}"));
    assert!(
        complaints.starts_with("line 4: a second log begins here\nline 5: "),
        "{complaints}"
    );
    let (_, _, complaints) = read(format!("{one}{old}"));
    let begin =
        "line 4: a second log begins here, of version 1; the first is of version 2\n";
    assert!(complaints.starts_with(begin), "{complaints}");
}

#[test]
fn a_file_that_is_not_a_log_is_refused_at_its_first_line() {
    let newer = HEAD.replace("\"log_version\":2", "\"log_version\":3,\"unheard\":[]");
    let foreign = "is not a log of gridjudge";
    for (text, complaint) in [
        (String::new(), "is empty"),
        ("#include <stdio.h>\n".into(), foreign),
        ("{\"event\":\"suite_finished\"}\n".into(), foreign),
        (format!("{TRIAL}\n{END}\n"), foreign),
        ("\0".repeat(20 << 20), foreign),
        (
            HEAD[..60].into(),
            "ends in its first line: nothing was judged",
        ),
        (
            newer,
            "is a log of version 3, and this gridjudge reads versions 1 to 2",
        ),
    ] {
        assert_eq!(read(&text).2, complaint);
    }
}

/// A log with numbered events, as it is written.
fn numbered() -> String {
    let mut written = vec![];
    let mut log = crate::report::Log::new(&mut written);
    let trials = [TRIAL, TRIAL, TRIAL].map(str::to_owned);
    let end = END.replace("\"trials\":1", "\"trials\":3");
    for line in [HEAD.to_owned()].into_iter().chain(trials).chain([end]) {
        crate::report::Sink::take_event(
            &mut log,
            &serde_json::from_str(&line).unwrap(),
        )
        .unwrap();
    }
    String::from_utf8(written).unwrap()
}

/// The lines at these places of a log, from 0.
fn with_lines(text: &str, places: &[usize]) -> String {
    let lines: Vec<_> = text.lines().collect();
    places
        .iter()
        .map(|place| format!("{}\n", lines[*place]))
        .collect()
}

#[test]
fn missing_doubled_and_moved_lines_are_reported_with_their_place() {
    let log = numbered();
    assert_eq!(read(&log).2, "");
    for (places, complaint) in [
        (&[0, 1, 3, 4][..], "line 3: event 3 is missing before it"),
        (&[0, 4], "line 2: events 2 to 4 are missing before it"),
        (
            &[0, 1, 2, 2, 3, 4],
            "line 4: event 3 comes after event 3: it is there twice, or in the wrong place",
        ),
        (
            &[0, 2, 1, 3, 4],
            "line 2: event 2 is missing before it\n\
             line 3: event 2 comes after event 3: it is there twice, or in the wrong place",
        ),
    ] {
        assert_eq!(read(with_lines(&log, places)).2, complaint, "{places:?}");
    }
    let unnumbered = log.replacen(",\"number\":3", "", 1);
    let complaint = "line 3: has no number, as the events before it have\nline 4: event 3 is missing before it";
    assert_eq!(read(unnumbered).2, complaint);
    let broken = log.replacen("{\"event\":\"trial_finished\",\"number\":3", "{{", 1);
    assert_eq!(
        read(broken).2.lines().count(),
        1,
        "what cannot be read is what is missing"
    );
}

#[test]
fn a_wrong_tally_is_reported_even_without_numbers() {
    for trials in [0, 2] {
        let body = format!("{TRIAL}\n").repeat(trials);
        let complaint = format!(
            "line {}: counts trials: 1, but the events before it make {trials}",
            trials + 2
        );
        assert_eq!(read(format!("{HEAD}\n{body}{END}\n")).2, complaint);
    }
}

#[test]
fn a_damaged_log_is_salvaged_on_request_and_ends_as_interrupted() {
    let salvaged = |text: &str| {
        let mut reader = LogReader::salvage(text.as_bytes()).unwrap();
        let events: Vec<_> = reader.by_ref().map(Result::unwrap).collect();
        (
            events.len(),
            events.last().cloned().unwrap(),
            reader.notes().to_vec(),
        )
    };
    let log = numbered();
    let broken_off = |trials| {
        Event::SuiteInterrupted(Tally {
            trials,
            ..Tally::default()
        })
    };
    let said =
        "the log is damaged: what is left of it is used, and counts as interrupted";
    let (events, last, notes) = salvaged(&with_lines(&log, &[0, 1, 1, 3, 4]));
    assert_eq!((events, last), (4, broken_off(2)));
    assert_eq!(notes.len(), 3, "{notes:?}");
    assert_eq!(
        (notes[1].as_str(), notes[2].as_str()),
        ("line 4: event 3 is missing before it", said)
    );
    let (events, last, _) = salvaged(&log.replacen("\"verdict\"", "\"verdict", 1));
    assert_eq!((events, last), (4, broken_off(2)));
    let (events, last, notes) = salvaged(&log);
    assert!(
        events == 5 && matches!(last, Event::SuiteFinished(_)) && notes.is_empty()
    );
    let (events, last, notes) = salvaged(&log.repeat(2));
    assert!(
        events == 5 && matches!(last, Event::SuiteFinished(_)),
        "{notes:?}"
    );
    assert_eq!(notes, ["line 6: a second log begins here"]);
    let lines = format!("{HEAD}\n{}", "nonsense\n".repeat(100));
    assert_eq!(
        salvaged(&lines).2[20],
        "lines with something wrong, besides those above: 80"
    );
}

#[test]
fn a_byte_order_mark_before_the_first_line_is_ignored() {
    let log = format!("\u{feff}{HEAD}\n{TRIAL}\n{END}\n");
    assert_eq!(
        read(log),
        (ALL.map(str::to_owned).into(), vec![], String::new())
    );
}
