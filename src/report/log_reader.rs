//! Reads a log back, event by event, whatever its size. Knows the versions that there were, and what may have happened to
//! a file since: it was cut, mixed up, or is none of ours. Start at [`LogReader::open`].

mod audit;
mod lines;
mod parsing;

use std::io::BufRead;

use serde::Deserialize;

use crate::model::Event;
use crate::model::LOG_VERSION;
use crate::report::log_error::LogDefect;
use crate::report::log_error::LogError;
use crate::report::log_error::SALVAGE;
use crate::report::log_error::SPLIT;
use crate::report::log_error::broken;
use crate::report::log_error::newer;
use crate::report::log_error::no_log;
use crate::report::log_error::unreadable;
use audit::LogAudit;
use parsing::LogParser;
use parsing::ParsedLine;

pub(crate) use lines::LARGEST;
pub use lines::without_mark;

/// Bad lines told at once; the rest is counted.
const MOST_COMPLAINTS: usize = 20;

/// The events of a log, in order.
///
/// The last event is always `suite_finished` or `suite_interrupted`: a log that breaks off before is given the latter,
/// with a tally of what it holds, so that every report says that it is incomplete.
///
/// An event that is not known is passed over, and so is a last line that was cut; both leave a [note](LogReader::notes). At
/// the first line that is neither, or before which others are missing, the rest is read only to collect what else is wrong,
/// and the one error that the iterator gives, its last item, holds it all. A log that is to be [salvaged](LogReader::salvage) gives
/// what is left instead, and ends as one that breaks off.
pub struct LogReader<R> {
    parser: LogParser<R>,
    /// Whether what is wrong is left out with a note.
    is_salvaged: bool,
    first: Option<Event>,
    /// Whether all has been given.
    is_over: bool,
    /// What was left out beyond the first notes about it.
    untold: u64,
}

/// As much of a first line as tells whether the rest can be understood.
#[derive(Deserialize)]
struct LogHead {
    event: String,
    log_version: u32,
    #[serde(default)]
    number: Option<u64>,
}

impl<R: BufRead> LogReader<R> {
    /// Begins to read a log.
    ///
    /// # Errors
    /// If this is no log, or one of a newer version, or cannot be read at all.
    pub fn open(source: R) -> Result<Self, LogError> {
        Self::begin(source, false)
    }

    /// Begins to read what is left of a log in which lines are missing, doubled or broken.
    ///
    /// # Errors
    /// As [`LogReader::open`].
    pub fn salvage(source: R) -> Result<Self, LogError> {
        Self::begin(source, true)
    }

    fn begin(source: R, is_salvaged: bool) -> Result<Self, LogError> {
        let mut parser = LogParser::new(source);
        parser.lines.advance().map_err(|error| unreadable(&error))?;
        let text = &parser.lines.text;
        let head: LogHead = serde_json::from_slice(text).map_err(|_| no_log(text))?;
        match (head.event.as_str(), head.log_version) {
            ("suite_started", 1..=LOG_VERSION) => {}
            ("suite_started", version) if version > LOG_VERSION => return Err(newer(version)),
            _ => return Err(no_log(text)),
        }
        let first = serde_json::from_slice(text).map_err(|error| LogError(vec![broken(1, &error)]))?;
        (parser.version, parser.account) = (head.log_version, LogAudit::begin(head.number));
        Ok(Self { parser, is_salvaged, first: Some(first), is_over: false, untold: 0 })
    }

    /// The version of the log, at most [`LOG_VERSION`].
    pub fn version(&self) -> u32 {
        self.parser.version
    }

    /// Whether the log held its own last event; known when all events have been read.
    pub fn is_complete(&self) -> bool {
        self.parser.is_complete
    }

    /// What was passed over, in sentences; known when all events have been read.
    pub fn notes(&self) -> &[String] {
        &self.parser.notes
    }

    /// The next event of the file, with what is passed over on the way.
    fn read(&mut self) -> Result<Option<Event>, LogError> {
        while self.parser.lines.advance().map_err(|error| unreadable(&error))? {
            match self.parser.parse().map_err(|error| unreadable(&error))? {
                ParsedLine::Event(event) => return Ok(Some(*event)),
                ParsedLine::Nothing => {}
                ParsedLine::Torn => self
                    .parser
                    .notes
                    .push(format!("line {}, the last, was cut: left out", self.parser.lines.number)),
                ParsedLine::After(event, complaint) if self.is_salvaged => {
                    self.note_left_out(&complaint);
                    return Ok(Some(*event));
                }
                ParsedLine::Bad(complaint) if self.is_salvaged => {
                    self.note_left_out(&complaint);
                    if complaint.remedy == SPLIT {
                        return Ok(None);
                    }
                }
                ParsedLine::Bad(first) | ParsedLine::After(_, first) => return Err(self.collect(first)),
            }
        }
        Ok(None)
    }

    /// What else is wrong, now that something is.
    fn collect(&mut self, first: LogDefect) -> LogError {
        let mut complaints = vec![first];
        let mut more = 0_usize;
        while self.parser.lines.advance().unwrap_or(false) {
            match self.parser.parse() {
                Ok(ParsedLine::Bad(_) | ParsedLine::After(..)) if complaints.len() == MOST_COMPLAINTS => {
                    more += 1
                }
                Ok(ParsedLine::Bad(complaint) | ParsedLine::After(_, complaint)) => {
                    complaints.push(complaint)
                }
                _ => {}
            }
        }
        if more > 0 {
            let message = format!("lines with something wrong, beside those above: {more}");
            complaints.push(LogDefect { line: None, message, remedy: SALVAGE });
        }
        LogError(complaints)
    }

    fn note_left_out(&mut self, complaint: &LogDefect) {
        match self.parser.notes.len() {
            0..MOST_COMPLAINTS => self.parser.notes.push(complaint.to_string()),
            _ => self.untold += 1,
        }
    }

    /// The event as it is given on. The end of a log of which something is missing is no end of all.
    fn ended(&mut self, event: Event) -> Event {
        if !matches!(event, Event::SuiteFinished(_) | Event::SuiteInterrupted(_)) {
            return event;
        }
        self.parser.is_complete = true;
        if !self.parser.account.is_damaged() {
            return event;
        }
        self.parser
            .notes
            .push("the log is damaged: what is left of it is used, and counts as broken off".to_owned());
        Event::SuiteInterrupted(self.parser.account.tally())
    }

    /// What there is to give when the file is at its end.
    fn finish(&mut self) -> Option<Event> {
        if self.parser.unknown > 1 {
            self.parser.notes.push(format!("events that are not known: {} in all", self.parser.unknown));
        }
        if self.untold > 0 {
            self.parser
                .notes
                .push(format!("lines with something wrong, beside those above: {}", self.untold));
        }
        if self.parser.is_complete {
            return None;
        }
        self.parser.notes.push("the log is incomplete: it ends before the judging does".to_owned());
        Some(Event::SuiteInterrupted(self.parser.account.tally()))
    }
}

impl<R: BufRead> Iterator for LogReader<R> {
    type Item = Result<Event, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(first) = self.first.take() {
            return Some(Ok(first));
        }
        if self.is_over {
            return None;
        }
        match self.read() {
            Ok(Some(event)) => {
                self.parser.account.add(&event);
                Some(Ok(self.ended(event)))
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

#[cfg(test)]
mod tests;
