//! Writes the log: one event per line as JSON, each written as a whole and at once; and
//! reads it back, event by event, whatever its size. Knows all versions of the format,
//! and handles files that were cut or mixed up since, or are not logs. `docs/log.md`
//! describes it. Start at [`Log`] and [`LogReader::open`].

use std::io::{self, BufRead, Read, Take, Write};

use serde::Deserialize;

use crate::model::{Event, EventName, LOG_VERSION, Tally};
use crate::report::{FirstItems, Sink};
use crate::text::{BYTE_ORDER_MARK, JoinedTexts, text_or_none};

/// The bytes that every log starts with.
pub const LOG_START: &str = r#"{"event":"suite_started""#;

/// Writes events as JSON Lines and numbers them, so that a missing or doubled line can
/// be found later.
pub struct Log<W> {
    target: W,
    /// The number of the last event written, from 1.
    number: u64,
}

impl<W: Write> Log<W> {
    /// A log written to `target`, which is flushed after each event.
    pub fn new(target: W) -> Self {
        Self { target, number: 0 }
    }
}

impl<W: Write> Sink for Log<W> {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        self.number += 1;
        let mut line = event.to_line(self.number)?;
        line.push(b'\n');
        // One write per line, so that a judge that is killed leaves whole lines.
        self.target.write_all(&line)?;
        self.target.flush()
    }
}

/// The most bytes of a log, far more than ten million trials need. A device file might
/// never end.
pub(crate) const LARGEST: u64 = 16 << 30;

/// The most bytes of a line. Our longest contains 64 KiB of compiler output, each byte
/// of it escaped to six.
const LONGEST_LINE: u64 = 16 << 20;

/// A text without the byte order mark that some editors put at the start of UTF-8 text.
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

// Describes what is wrong with a file that should be a log, with hints on what to do
// about it.

/// The reasons why a file cannot be read as a log, at least one.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("{}", .0.iter().map(LogDefect::to_string).joined("\n"))]
pub struct LogError(pub Vec<LogDefect>);

/// One reason.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("{}{message}", text_or_none(.line.map(|line| format!("line {line}: "))))]
pub struct LogDefect {
    /// The line concerned, from 1, if there is one.
    pub line: Option<u64>,
    /// The problem.
    pub message: String,
    /// What to do about it.
    pub remedy: &'static str,
}

/// The remedy for a log in which something is missing or unusable.
const SALVAGE: &str = "judge again; or make reports of what is left, or a log of it, by `gridjudge report --salvage`";

/// The remedy for a line that begins another log.
const SPLIT: &str =
    "a file holds one log: split it here, and use each part by itself";

impl LogError {
    /// What is wrong with the file as a whole.
    fn about_file(message: String, remedy: &'static str) -> Self {
        Self(vec![LogDefect {
            line: None,
            message,
            remedy,
        }])
    }
}

/// For a file that cannot be read at all.
impl From<io::Error> for LogError {
    fn from(error: io::Error) -> Self {
        Self::about_file(
            format!("cannot be read: {error}"),
            "name a file that can be read",
        )
    }
}

/// What is wrong with a line that is not an event, or not a valid one.
fn broken(error: &serde_json::Error) -> String {
    let said = error.to_string();
    // The message ends with line and column within the text; the real line is known
    // here.
    let said = said
        .rsplit_once(" at line ")
        .map_or(said.as_str(), |(said, _)| said);
    if error.is_data() {
        format!("is not an event: {said}")
    } else {
        format!("is not JSON: {said}, at column {}", error.column())
    }
}

/// For a file whose first line does not begin a log.
fn no_log(first: &[u8]) -> LogError {
    let message = match first {
        [] => "is empty",
        line if line.starts_with(LOG_START.as_bytes()) => {
            "ends in its first line: nothing was judged"
        }
        _ => "is not a log of gridjudge",
    };
    LogError::about_file(
        message.to_owned(),
        "write a log with `gridjudge grade --log FILE`",
    )
}

// Reads a log back.

/// The most bad lines reported; further ones are counted.
const MOST_COMPLAINTS: usize = 20;

/// The events of a log, in order.
///
/// The last event is always `suite_finished` or `suite_interrupted`: a log that ends
/// before gets the latter, with a tally of its events, so that every report says that
/// it is incomplete.
///
/// Unknown events and an incomplete last line are skipped, each with a
/// [note](LogReader::notes). At any other bad line, or where events are missing, the
/// iterator reads on only to collect further defects, and its last item is an error
/// that contains them all. A log opened by [salvage](LogReader::salvage) yields the
/// remaining events instead, and ends like a log that breaks off.
pub struct LogReader<R> {
    source: Take<R>,
    /// The line that was read last, with its end.
    text: Vec<u8>,
    /// Its number, from 1.
    line: u64,
    /// The version of the log.
    version: u32,
    /// Whether defects are noted and skipped instead of being errors.
    is_salvaged: bool,
    first: Option<Event>,
    /// The check of the log so far.
    audit: LogAudit,
    /// Whether the log's own last event was read.
    is_complete: bool,
    /// Whether the last item has been returned.
    is_over: bool,
    /// Number of unknown events.
    unknown: u64,
    /// Defects that were skipped beyond the most that are noted.
    unlisted: usize,
    /// Notes on what was skipped, in sentences.
    notes: Vec<String>,
}

/// The part of the first line that shows whether the rest can be understood.
#[derive(Deserialize)]
struct LogHead {
    #[serde(flatten)]
    name: EventName,
    log_version: u32,
}

impl<R: BufRead> LogReader<R> {
    /// Starts to read a log.
    ///
    /// # Errors
    /// Fails if this is not a log, is one of a newer version, or cannot be read at all.
    pub fn open(source: R) -> Result<Self, LogError> {
        let mut log = Self {
            source: source.take(LARGEST),
            text: vec![],
            line: 0,
            version: LOG_VERSION,
            is_salvaged: false,
            first: None,
            audit: LogAudit::default(),
            is_complete: false,
            is_over: false,
            unknown: 0,
            unlisted: 0,
            notes: vec![],
        };
        log.advance()?;
        let text = &log.text;
        let head: LogHead = serde_json::from_slice(text).map_err(|_| no_log(text))?;
        match (head.name.event.as_str(), head.log_version) {
            ("suite_started", 1..=LOG_VERSION) => {}
            ("suite_started", version) if version > LOG_VERSION => {
                let message = format!(
                    "is a log of version {version}, and this gridjudge reads versions 1 to {LOG_VERSION}"
                );
                let remedy = "use a newer gridjudge, at least the one that wrote it";
                return Err(LogError::about_file(message, remedy));
            }
            _ => return Err(no_log(text)),
        }
        let first = serde_json::from_slice(text);
        log.first =
            Some(first.map_err(|error| {
                LogError(vec![log.defect(broken(&error), SALVAGE)])
            })?);
        log.version = head.log_version;
        log.audit = LogAudit::begin(head.name.number);
        Ok(log)
    }

    /// Starts to read what is left of a log in which lines are missing, doubled or
    /// broken.
    ///
    /// # Errors
    /// Fails like [`LogReader::open`].
    pub fn salvage(source: R) -> Result<Self, LogError> {
        Ok(Self {
            is_salvaged: true,
            ..Self::open(source)?
        })
    }

    /// Notes on what was skipped, in sentences; complete once all events have been
    /// read.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Reads the next line; false at the end of the file.
    fn advance(&mut self) -> io::Result<bool> {
        self.text.clear();
        self.line += 1;
        let read = self
            .source
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut self.text)?;
        if self.line == 1 {
            let mark = self.text.len() - without_mark(&self.text).len();
            self.text.drain(..mark);
        }
        match self.source.limit() {
            0 => Err(io::Error::other(format!(
                "it is larger than {} GiB, which no log is",
                LARGEST >> 30
            ))),
            _ => Ok(read > 0),
        }
    }

    /// A defect of the line that was read last.
    fn defect(&self, message: impl Into<String>, remedy: &'static str) -> LogDefect {
        LogDefect {
            line: Some(self.line),
            message: message.into(),
            remedy,
        }
    }

    /// The next event of the file. Notes what is skipped on the way.
    fn read(&mut self) -> Result<Option<Event>, LogError> {
        while self.advance()? {
            let ParsedLine { event, defect } = self.parse()?;
            if let Some(complaint) = defect {
                if !self.is_salvaged {
                    return Err(self.collect(complaint));
                }
                if self.notes.len() < MOST_COMPLAINTS {
                    self.notes.push(complaint.to_string());
                } else {
                    self.unlisted += 1;
                }
                if complaint.remedy == SPLIT {
                    return Ok(None);
                }
            }
            if event.is_some() {
                return Ok(event);
            }
        }
        Ok(None)
    }

    /// Reads the rest of the file after a first defect, and collects all further ones.
    fn collect(&mut self, first: LogDefect) -> LogError {
        let mut complaints = FirstItems {
            kept: vec![first],
            in_all: 1,
        };
        while self.advance().unwrap_or(false) {
            let parsed = self.parse().unwrap_or_default();
            if let Some(complaint) = parsed.defect {
                complaints.add(MOST_COMPLAINTS, || complaint);
            }
        }
        let more = complaints.left_out();
        let mut listed = complaints.kept;
        if more > 0 {
            listed.push(LogDefect {
                line: None,
                message: further_complaints(more),
                remedy: SALVAGE,
            });
        }
        LogError(listed)
    }

    /// The event to add at the end of the file, if the log has none of its own. Writes
    /// the final notes.
    fn finish(&mut self) -> Option<Event> {
        if self.unknown > 1 {
            self.notes
                .push(format!("unknown events: {} in all", self.unknown));
        }
        if self.unlisted > 0 {
            self.notes.push(further_complaints(self.unlisted));
        }
        if self.is_complete {
            return None;
        }
        self.notes.push(
            "the log is incomplete: it ends before the judging does".to_owned(),
        );
        Some(Event::SuiteInterrupted(self.audit.tally))
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
            Ok(Some(mut event)) => {
                event.count_in(&mut self.audit.tally);
                self.is_complete |= event.is_ending();
                // The last event of a damaged log is replaced by an interruption.
                if event.is_ending() && self.audit.is_damaged {
                    self.notes.push(
                        "the log is damaged: what is left of it is used, and counts as interrupted"
                            .to_owned(),
                    );
                    event = Event::SuiteInterrupted(self.audit.tally);
                }
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

/// The number of bad lines beyond the most that are reported.
fn further_complaints(more: usize) -> String {
    format!("lines with something wrong, besides those above: {more}")
}

// Classifies a line of a log, and checks whether it may come where it does.

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

/// What a line holds. It may have both: an event can be used even if others are missing
/// before it, or if its tally does not match them.
#[derive(Default)]
struct ParsedLine {
    /// `None` if the line is blank, an unknown event or an incomplete last line, or if its
    /// event cannot be used.
    event: Option<Event>,
    /// What is wrong with the line, or where it is.
    defect: Option<LogDefect>,
}

impl<R: BufRead> LogReader<R> {
    /// Parses the line that was read last.
    fn parse(&mut self) -> io::Result<ParsedLine> {
        if self.text.trim_ascii().is_empty() {
            return Ok(ParsedLine::default());
        }
        let error = match Event::of_line(&self.text) {
            Ok((event, number)) => return Ok(self.place(event, number)),
            Err(error) => error,
        };
        let is_cut = error.is_eof() || !self.text.ends_with(b"\n");
        if is_cut && self.source.fill_buf()?.is_empty() {
            self.notes
                .push(format!("line {}, the last, was cut: left out", self.line));
            return Ok(ParsedLine::default());
        }
        if self.text.len() as u64 >= LONGEST_LINE {
            self.audit.note_unreadable();
            let message =
                format!("the line is longer than {} MiB", LONGEST_LINE >> 20);
            return Ok(self.unusable(message, SALVAGE));
        }
        let message = match EventName::of_line(&self.text) {
            Some(EventName { event, number }) if !KNOWN.contains(&event.as_str()) => {
                self.unknown += 1;
                if self.unknown == 1 {
                    let event: String = event.chars().take(40).collect();
                    self.notes.push(format!(
                        "line {}: unknown event `{event}`: left out",
                        self.line
                    ));
                }
                match self.audit.follow(number) {
                    Ok(None) => return Ok(ParsedLine::default()),
                    Ok(Some(message)) | Err(message) => message,
                }
            }
            _ => {
                self.audit.note_unreadable();
                broken(&error)
            }
        };
        Ok(self.unusable(message, SALVAGE))
    }

    /// The line that was read last, if it has no event that can be used.
    fn unusable(
        &self,
        message: impl Into<String>,
        remedy: &'static str,
    ) -> ParsedLine {
        ParsedLine {
            event: None,
            defect: Some(self.defect(message, remedy)),
        }
    }

    /// Checks an event's place: it may not belong there, and others may be missing
    /// before it.
    fn place(&mut self, event: Event, number: Option<u64>) -> ParsedLine {
        if let Event::SuiteStarted(start) = event {
            let mut message = "a second log begins here".to_owned();
            if start.log_version != self.version {
                message += &format!(
                    ", of version {}; the first is of version {}",
                    start.log_version, self.version
                );
            }
            return self.unusable(message, SPLIT);
        }
        if self.is_complete {
            return self.unusable("an event follows the end of the log", SPLIT);
        }
        let message = match (self.audit.follow(number), &event) {
            (Err(misplaced), _) => return self.unusable(misplaced, SALVAGE),
            // Unknown events may be counted in the tally.
            (
                Ok(None),
                Event::SuiteFinished(tally) | Event::SuiteInterrupted(tally),
            ) if self.unknown == 0 => self.audit.tally_mismatch(tally),
            (Ok(gap), _) => gap,
        };
        ParsedLine {
            event: Some(event),
            defect: message.map(|message| self.defect(message, SALVAGE)),
        }
    }
}

// Checks whether a log is complete, by the numbers of its events and the tally in the
// last one. Knows events, but not files.

/// The state of the check.
#[derive(Default)]
struct LogAudit {
    /// That of all events so far.
    tally: Tally,
    /// The number of the last event in its place; `None` for logs from before events
    /// were numbered.
    last: Option<u64>,
    /// Lines since then that could not be read, each of which may have been an event.
    unread: u64,
    /// Whether anything is missing or was left out, so that no count can be right.
    is_damaged: bool,
}

impl LogAudit {
    /// Begins with the number of the first event.
    fn begin(number: Option<u64>) -> Self {
        Self {
            last: number,
            ..Self::default()
        }
    }

    /// Notes a line that cannot be read.
    fn note_unreadable(&mut self) {
        self.unread += 1;
        self.is_damaged = true;
    }

    /// Checks the number of the next event, and records it unless the event is
    /// misplaced. Returns what is missing before it, if anything.
    ///
    /// # Errors
    /// If the event is in the wrong place.
    fn follow(&mut self, number: Option<u64>) -> Result<Option<String>, String> {
        let fit = match (self.last, number) {
            (None, None) => Ok(None),
            (None, Some(number)) => {
                self.last = Some(number);
                Ok(Some(format!(
                    "has the number {number}, and the events before it have none"
                )))
            }
            (Some(_), None) => {
                Err("has no number, as the events before it have".to_owned())
            }
            (Some(last), Some(number)) if number <= last => Err(format!(
                "event {number} comes after event {last}: it is there twice, or in the wrong place"
            )),
            (Some(last), Some(number)) => {
                let missing = number - last - 1;
                self.last = Some(number);
                Ok(match std::mem::take(&mut self.unread) {
                    unread if unread >= missing => None,
                    _ if missing == 1 => {
                        Some(format!("event {} is missing before it", last + 1))
                    }
                    _ => Some(format!(
                        "events {} to {} are missing before it",
                        last + 1,
                        number - 1
                    )),
                })
            }
        };
        self.is_damaged |= fit != Ok(None);
        fit
    }

    /// The first difference between the tally of the last event and the events before
    /// it. `None` for a damaged log, whose defect has already been reported.
    fn tally_mismatch(&mut self, last: &Tally) -> Option<String> {
        if self.is_damaged {
            return None;
        }
        let rows = |tally: &Tally| {
            [
                ("trials", tally.trials),
                ("failures of the judge", tally.faults),
                ("submissions that were skipped", tally.skipped),
                ("submissions as expected", tally.as_expected),
                ("submissions that surprise", tally.surprising),
                ("flaky trials", tally.flaky),
                ("trials from the cache", tally.cached),
            ]
        };
        let mut pairs = rows(last).into_iter().zip(rows(&self.tally));
        let ((what, said), (_, found)) = pairs.find(|(said, found)| said != found)?;
        self.is_damaged = true;
        Some(format!(
            "counts {what}: {said}, but the events before it make {found}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Tally;

    #[test]
    fn an_event_is_one_line_and_has_a_number() {
        let mut written = vec![];
        let mut log = Log::new(&mut written);
        log.take_event(&Event::SuiteFinished(Tally::default()))
            .unwrap();
        log.take_event(&Event::SuiteInterrupted(Tally::default()))
            .unwrap();
        let text = String::from_utf8(written).unwrap();
        let events: Vec<Event> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(events[1], Event::SuiteInterrupted(Tally::default()));
        assert!(
            text.lines()
                .nth(1)
                .unwrap()
                .starts_with(r#"{"event":"suite_interrupted","number":2,"#),
            "{text}"
        );
    }
}

#[cfg(test)]
mod log_reader_tests;

#[cfg(test)]
mod audit_tests {
    use super::*;

    type SequenceFit = Result<Option<String>, String>;

    const NEXT: SequenceFit = Ok(None);

    fn fits(numbers: &[Option<u64>]) -> Vec<SequenceFit> {
        let mut audit = LogAudit::begin(numbers[0]);
        numbers[1..]
            .iter()
            .map(|number| audit.follow(*number))
            .collect()
    }

    fn gap(text: &str) -> SequenceFit {
        Ok(Some(text.to_owned()))
    }

    #[test]
    fn numbers_reveal_missing_doubled_and_moved_events() {
        assert_eq!(fits(&[Some(1), Some(2), Some(3)]), [NEXT, NEXT]);
        assert_eq!(fits(&[None, None, None]), [NEXT, NEXT], "an old log");
        let late = gap("has the number 2, and the events before it have none");
        assert_eq!(fits(&[None, Some(2), Some(3)]), [late.clone(), NEXT]);
        assert_eq!(
            fits(&[None, Some(2), Some(4)]),
            [late, gap("event 3 is missing before it")]
        );
        assert_eq!(
            fits(&[Some(1), Some(3), Some(4)]),
            [gap("event 2 is missing before it"), NEXT]
        );
        assert_eq!(
            fits(&[Some(1), Some(9)]),
            [gap("events 2 to 8 are missing before it")]
        );
        let twice =
            "event 2 comes after event 2: it is there twice, or in the wrong place";
        let misplaced = |text: &str| Err(text.to_owned());
        assert_eq!(
            fits(&[Some(1), Some(2), Some(2), Some(3)]),
            [NEXT, misplaced(twice), NEXT]
        );
        assert_eq!(
            fits(&[Some(1), None]),
            [misplaced("has no number, as the events before it have")]
        );
        assert_eq!(fits(&[Some(1), Some(u64::MAX), Some(0)]).len(), 2);
    }

    #[test]
    fn an_unreadable_line_accounts_for_a_missing_event() {
        let mut audit = LogAudit::begin(Some(1));
        audit.note_unreadable();
        assert_eq!(audit.follow(Some(3)), NEXT);
        assert_eq!(audit.follow(Some(5)), gap("event 4 is missing before it"));
        assert!(audit.is_damaged);
    }

    #[test]
    fn a_wrong_tally_is_reported_once_and_not_after_another_defect() {
        let mut audit = LogAudit::begin(None);
        let last = Tally {
            trials: 3,
            ..Tally::default()
        };
        let said = "counts trials: 3, but the events before it make 0".to_owned();
        assert_eq!(audit.tally_mismatch(&last), Some(said));
        assert_eq!(audit.tally_mismatch(&last), None);
        assert_eq!(LogAudit::default().tally_mismatch(&Tally::default()), None);
    }
}
