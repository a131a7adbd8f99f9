//! Reads a log back, event by event, whatever its size. Knows the versions that there were, and what may have happened to
//! a file since: it was cut, mixed up, or is none of ours. Start at [`Reader::open`].

use std::io;
use std::io::BufRead;
use std::io::Read;

use serde::Deserialize;

use crate::model::Event;
use crate::model::LOG_VERSION;
use crate::model::Tally;
use crate::model::Verdict;
use crate::report::Complaint;
use crate::report::Unreadable;
use crate::report::line;
use crate::report::unreadable::DELETE;
use crate::report::unreadable::SPLIT;
use crate::report::unreadable::broken;
use crate::report::unreadable::newer;
use crate::report::unreadable::no_log;
use crate::report::unreadable::unreadable;

/// Bad lines told at once; the rest is counted.
const MOST_COMPLAINTS: usize = 20;

/// Bytes of a line. The longest of ours holds 64 KiB of a compiler's output, each byte of it escaped to six.
const LONGEST_LINE: u64 = 16 << 20;

/// The events that are known, to tell an unknown one from a broken one.
const KNOWN: [&str; 8] = [
    "suite_started",
    "submission_started",
    "trial_finished",
    "trial_faulted",
    "submission_skipped",
    "submission_finished",
    "suite_finished",
    "suite_interrupted",
];

/// The events of a log, in order.
///
/// The last event is always `suite_finished` or `suite_interrupted`: a log that breaks off before is given the latter,
/// with a tally of what it holds, so that every report says that it is incomplete.
///
/// An event that is not known is passed over, and so is a last line that was cut; both leave a [note](Reader::notes). At
/// the first line that is neither, the rest is read only to collect what else is wrong, and the one error that the
/// iterator gives, its last item, holds it all.
pub struct Reader<R> {
    source: R,
    /// The log's own.
    version: u32,
    /// The line that was read last, and its number, from 1.
    line: Vec<u8>,
    number: u64,
    first: Option<Event>,
    /// What it came to so far.
    tally: Tally,
    /// Whether its own last event was met.
    is_complete: bool,
    /// Whether all has been given.
    is_over: bool,
    notes: Vec<String>,
    unknown: u64,
}

/// What a line came to.
enum Line {
    Event(Box<Event>),
    /// Blank, or an event that is not known.
    Nothing,
    /// The last one, cut.
    Torn,
    Bad(Complaint),
}

/// As much of a first line as tells whether the rest can be understood.
#[derive(Deserialize)]
struct Head {
    event: String,
    log_version: u32,
}

/// As much of a line as tells what it was meant to be.
#[derive(Deserialize)]
struct Named {
    event: String,
}

impl<R: BufRead> Reader<R> {
    /// Begins to read a log.
    ///
    /// # Errors
    /// If this is no log, or one of a newer version, or cannot be read at all.
    pub fn open(source: R) -> Result<Self, Unreadable> {
        let mut reader = Self {
            source,
            version: 0,
            line: Vec::new(),
            number: 0,
            first: None,
            tally: Tally::default(),
            is_complete: false,
            is_over: false,
            notes: Vec::new(),
            unknown: 0,
        };
        reader.advance().map_err(|error| unreadable(&error))?;
        let head: Head = serde_json::from_slice(&reader.line).map_err(|_| no_log(&reader.line))?;
        reader.version = head.log_version;
        match (head.event.as_str(), head.log_version) {
            ("suite_started", 1..=LOG_VERSION) => {}
            ("suite_started", version) if version > LOG_VERSION => return Err(newer(version)),
            _ => return Err(no_log(&reader.line)),
        }
        let first = serde_json::from_slice(&reader.line);
        reader.first = Some(first.map_err(|error| Unreadable(vec![broken(1, &error)]))?);
        Ok(reader)
    }

    /// The version of the log, at most [`LOG_VERSION`].
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Whether the log held its own last event; known when all events have been read.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// What was passed over, in sentences; known when all events have been read.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Reads the next line; false at the end of the file.
    fn advance(&mut self) -> io::Result<bool> {
        self.line.clear();
        self.number += 1;
        let read = self.source.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.line)?;
        Ok(read > 0)
    }

    /// Whether the line that was read last is the last of the file.
    fn is_last(&mut self) -> io::Result<bool> {
        Ok(self.source.fill_buf()?.is_empty())
    }

    /// What the line that was read last is.
    fn parse(&mut self) -> io::Result<Line> {
        if self.line.trim_ascii().is_empty() {
            return Ok(Line::Nothing);
        }
        let error = match line::event(&self.line) {
            Ok(event) => return Ok(self.place(event)),
            Err(error) => error,
        };
        let is_cut = error.is_eof() || !self.line.ends_with(b"\n");
        if is_cut && self.is_last()? {
            return Ok(Line::Torn);
        }
        if self.line.len() as u64 >= LONGEST_LINE {
            let message = format!("the line is longer than {} MiB", LONGEST_LINE >> 20);
            return Ok(Line::Bad(Complaint { line: Some(self.number), message, remedy: DELETE }));
        }
        let named = serde_json::from_slice::<Named>(&self.line);
        Ok(match named {
            Ok(Named { event }) if !KNOWN.contains(&event.as_str()) => {
                self.note_unknown(&event);
                Line::Nothing
            }
            _ => Line::Bad(broken(self.number, &error)),
        })
    }

    /// An event where it stands: some may not stand there.
    fn place(&self, event: Event) -> Line {
        match event {
            Event::SuiteStarted { log_version, .. } => {
                let message = match (self.version, log_version) {
                    (one, other) if one == other => "a second log begins here".to_owned(),
                    (one, other) => {
                        format!("a second log begins here, of version {other}; the first is of version {one}")
                    }
                };
                Line::Bad(Complaint { line: Some(self.number), message, remedy: SPLIT })
            }
            _ if self.is_complete => {
                let message = "an event stands behind the end of the log".to_owned();
                Line::Bad(Complaint { line: Some(self.number), message, remedy: SPLIT })
            }
            event => Line::Event(Box::new(event)),
        }
    }

    /// The next event of the file, with what is passed over on the way.
    fn read(&mut self) -> Result<Option<Event>, Unreadable> {
        while self.advance().map_err(|error| unreadable(&error))? {
            match self.parse().map_err(|error| unreadable(&error))? {
                Line::Event(event) => return Ok(Some(*event)),
                Line::Nothing => {}
                Line::Torn => self.notes.push(format!("line {}, the last, was cut: left out", self.number)),
                Line::Bad(first) => return Err(self.collect(first)),
            }
        }
        Ok(None)
    }

    /// What else is wrong, now that something is.
    fn collect(&mut self, first: Complaint) -> Unreadable {
        let mut complaints = vec![first];
        let mut more = 0_usize;
        while self.advance().unwrap_or(false) {
            match self.parse() {
                Ok(Line::Bad(_)) if complaints.len() == MOST_COMPLAINTS => more += 1,
                Ok(Line::Bad(complaint)) => complaints.push(complaint),
                _ => {}
            }
        }
        if more > 0 {
            let message = format!("lines that cannot be read, beside those above: {more}");
            complaints.push(Complaint { line: None, message, remedy: DELETE });
        }
        Unreadable(complaints)
    }

    fn note_unknown(&mut self, event: &str) {
        self.unknown += 1;
        if self.unknown == 1 {
            let event: String = event.chars().take(40).collect();
            self.notes
                .push(format!("line {}: an event `{event}`, which is not known: left out", self.number));
        }
    }

    /// What there is to give when the file is at its end.
    fn finish(&mut self) -> Option<Event> {
        if self.unknown > 1 {
            self.notes.push(format!("events that are not known: {} in all", self.unknown));
        }
        if self.is_complete {
            return None;
        }
        self.notes.push("the log is incomplete: it ends before the judging does".to_owned());
        Some(Event::SuiteInterrupted(self.tally))
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Event, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(first) = self.first.take() {
            return Some(Ok(first));
        }
        if self.is_over {
            return None;
        }
        match self.read() {
            Ok(Some(event)) => {
                count(&mut self.tally, &event);
                self.is_complete |= matches!(event, Event::SuiteFinished(_) | Event::SuiteInterrupted(_));
                Some(Ok(event))
            }
            Ok(None) => {
                self.is_over = true;
                self.finish().map(Ok)
            }
            Err(error) => {
                self.is_over = true;
                Some(Err(error))
            }
        }
    }
}

/// Adds an event to what a log came to, as the suite counts.
fn count(tally: &mut Tally, event: &Event) {
    match event {
        Event::TrialFinished(record) => {
            let is_judged = !matches!(record.verdict, Verdict::CompileError | Verdict::Skipped);
            tally.trials += usize::from(is_judged);
            tally.flaky += usize::from(record.is_flaky());
            tally.cached += usize::from(record.cached);
        }
        Event::TrialFaulted { .. } => tally.faults += 1,
        Event::SubmissionSkipped { .. } => tally.skipped += 1,
        Event::SubmissionFinished(summary) if summary.is_as_expected() => tally.as_expected += 1,
        Event::SubmissionFinished(_) => tally.surprising += 1,
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = r#"{"event":"suite_started","log_version":2,"gridjudge":"0.1.0","sandbox":"full","notes":[],"jobs":1,"submissions":1,"trials":2}"#;
    const TRIAL: &str =
        r#"{"event":"trial_finished","problem":"p","submission":"s","case":"c","verdict":"WA","cpu_us":7}"#;
    const END: &str =
        r#"{"event":"suite_finished","as_expected":0,"surprising":0,"skipped":0,"faults":0,"trials":1}"#;

    /// The names of the events that are read, the notes, and the complaints.
    fn read(text: impl AsRef<[u8]>) -> (Vec<String>, Vec<String>, String) {
        let mut reader = match Reader::open(text.as_ref()) {
            Ok(reader) => reader,
            Err(error) => return (vec![], vec![], error.to_string()),
        };
        let (mut names, mut complaints) = (Vec::new(), String::new());
        for event in reader.by_ref() {
            match event {
                Ok(event) => names.push(serde_json::to_value(event).unwrap()["event"].to_string()),
                Err(error) => complaints = error.to_string(),
            }
        }
        (names, reader.notes().to_vec(), complaints)
    }

    const ALL: [&str; 3] = ["\"suite_started\"", "\"trial_finished\"", "\"suite_finished\""];
    const BROKEN_OFF: [&str; 3] = ["\"suite_started\"", "\"trial_finished\"", "\"suite_interrupted\""];
    const INCOMPLETE: &str = "the log is incomplete: it ends before the judging does";

    #[test]
    fn a_whole_log_is_read_without_a_word() {
        for text in [
            format!("{HEAD}\n{TRIAL}\n{END}\n"),
            format!("{HEAD}\r\n\n{TRIAL}\r\n{END}\r\n\n"),
            format!("{HEAD}\n{TRIAL}\n{END}"),
            format!("{HEAD}\n{TRIAL}\n{END}\n").replace("\"log_version\":2", "\"log_version\":1"),
            format!("{HEAD}\n{TRIAL}\n{END}\n").replace("\"jobs\"", "\"later\":{},\"jobs\""),
        ] {
            assert_eq!(read(&text), (ALL.map(str::to_owned).into(), vec![], String::new()), "{text}");
        }
    }

    #[test]
    fn a_log_that_breaks_off_ends_as_interrupted_with_a_tally_of_what_it_holds() {
        let last = Reader::open(format!("{HEAD}\n{TRIAL}\n{TRIAL}\n").as_bytes()).unwrap().last();
        let tally = Tally { trials: 2, ..Tally::default() };
        assert_eq!(last, Some(Ok(Event::SuiteInterrupted(tally))));
        for (text, note) in [
            (format!("{HEAD}\n{TRIAL}\n{}", &TRIAL[..40]), Some("line 3, the last, was cut: left out")),
            (format!("{HEAD}\n{TRIAL}\n{}\n", &TRIAL[..40]), Some("line 3, the last, was cut: left out")),
            (format!("{HEAD}\n{TRIAL}\n"), None),
            (format!("{HEAD}\n{TRIAL}"), None),
        ] {
            let notes = note.into_iter().chain([INCOMPLETE]).map(str::to_owned).collect();
            assert_eq!(read(&text), (BROKEN_OFF.map(str::to_owned).into(), notes, String::new()), "{text}");
        }
    }

    #[test]
    fn an_event_of_a_later_kind_is_passed_over_with_a_note() {
        let later = r#"{"event":"machine_cooled","degrees":3}"#;
        let (names, notes, complaints) = read(format!("{HEAD}\n{later}\n{TRIAL}\n{later}\n{END}\n"));
        assert_eq!((names, complaints), (ALL.map(str::to_owned).into(), String::new()));
        let first = "line 2: an event `machine_cooled`, which is not known: left out";
        assert_eq!(notes, [first, "events that are not known: 2 in all"]);
    }

    #[test]
    fn all_bad_lines_are_told_at_once() {
        let bad = format!("nonsense\n{TRIAL}\n{{}}\n{}\n[1]\n\"\u{1}\"\n", TRIAL.replace("WA", "XX"));
        let (names, _, complaints) = read(format!("{HEAD}\n{TRIAL}\n{bad}{END}\n"));
        assert_eq!(names.len(), 2);
        let lines: Vec<_> = complaints.lines().collect();
        assert_eq!(lines.len(), 5, "{complaints}");
        assert_eq!(lines[0], "line 3: is no JSON: expected ident, at column 2");
        assert_eq!(lines[1], "line 5: is no event: missing field `event`");
        assert!(lines[2].starts_with("line 6: is no event: unknown variant `XX`"), "{complaints}");
        let (_, _, complaints) = read(format!("{HEAD}\n{}{END}\n", "?\n".repeat(100)));
        assert_eq!(complaints.lines().count(), 21);
        assert!(complaints.ends_with("\nlines that cannot be read, beside those above: 80"), "{complaints}");
        let (_, _, complaints) = read([HEAD.as_bytes(), b"\n\xff\xfe\n", END.as_bytes()].concat());
        assert_eq!(complaints, "line 2: is no JSON: expected value, at column 1");
    }

    #[test]
    fn two_logs_in_one_file_are_told_apart() {
        let one = format!("{HEAD}\n{TRIAL}\n{END}\n");
        let old = one.replace("\"log_version\":2", "\"log_version\":1");
        let (_, _, complaints) = read(format!("{one}{one}"));
        assert!(complaints.starts_with("line 4: a second log begins here\nline 5: "), "{complaints}");
        let (_, _, complaints) = read(format!("{one}{old}"));
        let begin = "line 4: a second log begins here, of version 1; the first is of version 2\n";
        assert!(complaints.starts_with(begin), "{complaints}");
    }

    #[test]
    fn what_is_no_log_is_refused_at_its_first_line() {
        let newer = HEAD.replace("\"log_version\":2", "\"log_version\":3,\"unheard\":[]");
        let foreign = "is not a log of gridjudge";
        for (text, complaint) in [
            (String::new(), "is empty"),
            ("#include <stdio.h>\n".into(), foreign),
            ("{\"event\":\"suite_finished\"}\n".into(), foreign),
            (format!("{TRIAL}\n{END}\n"), foreign),
            ("\0".repeat(20 << 20), foreign),
            (HEAD[..60].into(), "ends in its first line: nothing was judged"),
            (newer, "is a log of version 3, and this gridjudge reads versions 1 to 2"),
        ] {
            assert_eq!(read(&text).2, complaint);
        }
    }
}
