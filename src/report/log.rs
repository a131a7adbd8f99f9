//! Writes the log: one event per line as JSON, each written as a whole and at once; and
//! reads its lines one by one, with a bound on their length. `docs/log.md` describes
//! it.

pub(super) mod log_reader;

use std::io::{self, BufRead, Read, Take, Write};

use crate::model::Event;
use crate::report::Sink;
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

struct LogLines<R> {
    source: Take<R>,
    /// The line that was read last, with its end.
    text: Vec<u8>,
    /// Its number, from 1.
    number: u64,
}

impl<R: BufRead> LogLines<R> {
    /// Reads the next line; false at the end of the file.
    fn advance(&mut self) -> io::Result<bool> {
        self.text.clear();
        self.number += 1;
        let read = self
            .source
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut self.text)?;
        if self.number == 1 {
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

    /// A defect of this line.
    fn complaint(&self, message: String, remedy: &'static str) -> LogDefect {
        LogDefect {
            line: Some(self.number),
            message,
            remedy,
        }
    }
}

// Describes what is wrong with a file that should be a log, with hints on what to do
// about it.

/// The reasons why a file cannot be read as a log, at least one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(LogDefect::to_string).joined("\n"))]
pub struct LogError(pub Vec<LogDefect>);

/// One reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
const SPLIT: &str = "a file holds one log: split it here, and use each part by itself";

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Tally;

    #[test]
    fn an_event_is_one_line_and_has_a_number() {
        let mut written = Vec::new();
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
