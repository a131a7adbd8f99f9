//! Reads a log back, event by event, whatever its size. Knows all versions of the format, and
//! handles files that were cut or mixed up since, or are not logs. Start at [`LogReader::open`].

mod audit;
mod lines;
mod parsing;

use std::io::BufRead;

use serde::Deserialize;

use crate::model::{Event, LOG_VERSION};
use crate::report::log_error::{
    LogDefect, LogError, SALVAGE, SPLIT, broken, newer, no_log, unreadable,
};
use audit::LogAudit;
use parsing::{LogParser, ParsedLine};

pub(crate) use lines::LARGEST;
pub use lines::without_mark;

/// The most bad lines reported; further ones are counted.
const MOST_COMPLAINTS: usize = 20;

/// The events of a log, in order.
///
/// The last event is always `suite_finished` or `suite_interrupted`: a log that ends before gets
/// the latter, with a tally of its events, so that every report says that it is incomplete.
///
/// Unknown events and an incomplete last line are skipped, each with a [note](LogReader::notes). At
/// any other bad line, or where events are missing, the iterator reads on only to collect further
/// defects, and its last item is an error that contains them all. A log opened by
/// [salvage](LogReader::salvage) yields the remaining events instead, and ends like a log that
/// breaks off.
pub struct LogReader<R> {
    parser: LogParser<R>,
    /// Whether defects are noted and skipped instead of being errors.
    is_salvaged: bool,
    first: Option<Event>,
    /// Whether the last item has been returned.
    is_over: bool,
    /// Defects that were skipped beyond the most that are noted.
    unlisted: u64,
}

/// The part of the first line that shows whether the rest can be understood.
#[derive(Deserialize)]
struct LogHead {
    event: String,
    log_version: u32,
    #[serde(default)]
    number: Option<u64>,
}

impl<R: BufRead> LogReader<R> {
    /// Starts to read a log.
    ///
    /// # Errors
    /// Fails if this is not a log, is one of a newer version, or cannot be read at all.
    pub fn open(source: R) -> Result<Self, LogError> {
        Self::begin(source, false)
    }

    /// Starts to read what is left of a log in which lines are missing, doubled or broken.
    ///
    /// # Errors
    /// Fails like [`LogReader::open`].
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
        let first =
            serde_json::from_slice(text).map_err(|error| LogError(vec![broken(1, &error)]))?;
        parser.version = head.log_version;
        parser.audit = LogAudit::begin(head.number);
        Ok(Self {
            parser,
            is_salvaged,
            first: Some(first),
            is_over: false,
            unlisted: 0,
        })
    }

    /// Notes on what was skipped, in sentences; complete once all events have been read.
    pub fn notes(&self) -> &[String] {
        &self.parser.notes
    }

    /// The next event of the file. Notes what is skipped on the way.
    fn read(&mut self) -> Result<Option<Event>, LogError> {
        while self
            .parser
            .lines
            .advance()
            .map_err(|error| unreadable(&error))?
        {
            match self.parser.parse().map_err(|error| unreadable(&error))? {
                ParsedLine::Event(event) => return Ok(Some(*event)),
                ParsedLine::Nothing => {}
                ParsedLine::Torn => self.parser.notes.push(format!(
                    "line {}, the last, was cut: left out",
                    self.parser.lines.number
                )),
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
                ParsedLine::Bad(first) | ParsedLine::After(_, first) => {
                    return Err(self.collect(first));
                }
            }
        }
        Ok(None)
    }

    /// Reads the rest of the file after a first defect, and collects all further ones.
    fn collect(&mut self, first: LogDefect) -> LogError {
        let mut complaints = vec![first];
        let mut more = 0_usize;
        while self.parser.lines.advance().unwrap_or(false) {
            match self.parser.parse() {
                Ok(ParsedLine::Bad(_) | ParsedLine::After(..))
                    if complaints.len() == MOST_COMPLAINTS =>
                {
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
            complaints.push(LogDefect {
                line: None,
                message,
                remedy: SALVAGE,
            });
        }
        LogError(complaints)
    }

    fn note_left_out(&mut self, complaint: &LogDefect) {
        match self.parser.notes.len() {
            0..MOST_COMPLAINTS => self.parser.notes.push(complaint.to_string()),
            _ => self.unlisted += 1,
        }
    }

    /// The event to return. The last event of a damaged log is replaced by an interruption.
    fn ended(&mut self, event: Event) -> Event {
        if !matches!(event, Event::SuiteFinished(_) | Event::SuiteInterrupted(_)) {
            return event;
        }
        self.parser.is_complete = true;
        if !self.parser.audit.is_damaged() {
            return event;
        }
        self.parser.notes.push(
            "the log is damaged: what is left of it is used, and counts as interrupted".to_owned(),
        );
        Event::SuiteInterrupted(self.parser.audit.tally())
    }

    /// The event to add at the end of the file, if the log has none of its own. Writes the final
    /// notes.
    fn finish(&mut self) -> Option<Event> {
        if self.parser.unknown > 1 {
            self.parser
                .notes
                .push(format!("unknown events: {} in all", self.parser.unknown));
        }
        if self.unlisted > 0 {
            self.parser.notes.push(format!(
                "lines with something wrong, beside those above: {}",
                self.unlisted
            ));
        }
        if self.parser.is_complete {
            return None;
        }
        self.parser
            .notes
            .push("the log is incomplete: it ends before the judging does".to_owned());
        Some(Event::SuiteInterrupted(self.parser.audit.tally()))
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
                self.parser.audit.add(&event);
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
