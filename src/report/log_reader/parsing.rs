//! Classifies a line of a log, and checks whether it may come where it does.

use std::io;
use std::io::BufRead;

use crate::model::Event;
use crate::report::log_error::{LogDefect, SALVAGE, SPLIT, broken};
use crate::report::log_line;
use crate::report::log_line::EventName;
use crate::report::log_reader::audit::{LogAudit, SequenceFit};
use crate::report::log_reader::lines::{LONGEST_LINE, LogLines};

/// The names of all known events, to tell an unknown event from a broken one.
const KNOWN: [&str; 9] = [
    "suite_started",
    "mistake_found",
    "submission_started",
    "trial_finished",
    "trial_faulted",
    "submission_skipped",
    "submission_finished",
    "suite_finished",
    "suite_interrupted",
];

/// The classification of a line.
pub(super) enum ParsedLine {
    Event(Box<Event>),
    /// An event before which others are missing, or whose tally does not match them.
    After(Box<Event>, LogDefect),
    /// A blank line, or an unknown event.
    Nothing,
    /// An incomplete last line.
    Torn,
    Bad(LogDefect),
}

/// Reads line after line, and keeps the state needed to check the order of events.
pub(super) struct LogParser<R> {
    pub(super) lines: LogLines<R>,
    /// The version of the log.
    pub(super) version: u32,
    /// The check of the log so far.
    pub(super) audit: LogAudit,
    /// Whether the log's own last event was read.
    pub(super) is_complete: bool,
    /// Number of unknown events.
    pub(super) unknown: u64,
    /// Notes on what was skipped, in sentences.
    pub(super) notes: Vec<String>,
}

impl<R: BufRead> LogParser<R> {
    pub(super) fn new(source: R) -> Self {
        Self {
            lines: LogLines::new(source),
            version: 0,
            audit: LogAudit::default(),
            is_complete: false,
            unknown: 0,
            notes: Vec::new(),
        }
    }

    /// Classifies the line that was read last.
    pub(super) fn parse(&mut self) -> io::Result<ParsedLine> {
        if self.lines.is_blank() {
            return Ok(ParsedLine::Nothing);
        }
        let error = match log_line::event(&self.lines.text) {
            Ok((event, number)) => return Ok(self.place(event, number)),
            Err(error) => error,
        };
        let is_cut = error.is_eof() || !self.lines.text.ends_with(b"\n");
        if is_cut && self.lines.is_last()? {
            return Ok(ParsedLine::Torn);
        }
        if self.lines.text.len() as u64 >= LONGEST_LINE {
            self.audit.note_unreadable();
            let message = format!("the line is longer than {} MiB", LONGEST_LINE >> 20);
            return Ok(ParsedLine::Bad(self.lines.complaint(message, SALVAGE)));
        }
        let named = serde_json::from_slice::<EventName>(&self.lines.text);
        Ok(match named {
            Ok(EventName { event, number }) if !KNOWN.contains(&event.as_str()) => {
                self.note_unknown(&event);
                match self.audit.follow(number) {
                    SequenceFit::Next => ParsedLine::Nothing,
                    SequenceFit::Gap(message) | SequenceFit::Misplaced(message) => {
                        ParsedLine::Bad(self.lines.complaint(message, SALVAGE))
                    }
                }
            }
            _ => {
                self.audit.note_unreadable();
                ParsedLine::Bad(broken(self.lines.number, &error))
            }
        })
    }

    /// Checks an event's place: it may not belong there, and others may be missing before it.
    fn place(&mut self, event: Event, number: Option<u64>) -> ParsedLine {
        if let Event::SuiteStarted { log_version, .. } = event {
            let message = match (self.version, log_version) {
                (one, other) if one == other => "a second log begins here".to_owned(),
                (one, other) => {
                    format!(
                        "a second log begins here, of version {other}; the first is of version {one}"
                    )
                }
            };
            return ParsedLine::Bad(self.lines.complaint(message, SPLIT));
        }
        if self.is_complete {
            return ParsedLine::Bad(
                self.lines
                    .complaint("an event follows the end of the log".to_owned(), SPLIT),
            );
        }
        let fit = match self.audit.follow(number) {
            SequenceFit::Next => self.fit_of_tally(&event),
            fit => fit,
        };
        match fit {
            SequenceFit::Next => ParsedLine::Event(Box::new(event)),
            SequenceFit::Gap(message) => {
                ParsedLine::After(Box::new(event), self.lines.complaint(message, SALVAGE))
            }
            SequenceFit::Misplaced(message) => {
                ParsedLine::Bad(self.lines.complaint(message, SALVAGE))
            }
        }
    }

    /// Whether the last event's tally matches the events before it. Not checked after unknown
    /// events, which may be counted in it.
    fn fit_of_tally(&mut self, event: &Event) -> SequenceFit {
        match event {
            Event::SuiteFinished(tally) | Event::SuiteInterrupted(tally) if self.unknown == 0 => {
                self.audit
                    .tally_mismatch(tally)
                    .map_or(SequenceFit::Next, SequenceFit::Gap)
            }
            _ => SequenceFit::Next,
        }
    }

    fn note_unknown(&mut self, event: &str) {
        self.unknown += 1;
        if self.unknown == 1 {
            let event: String = event.chars().take(40).collect();
            self.notes.push(format!(
                "line {}: unknown event `{event}`: left out",
                self.lines.number
            ));
        }
    }
}
