//! Writes the log: one event per line as JSON, each written as a whole and at once. `docs/log.md`
//! describes it.

pub(super) mod lines;
pub(super) mod log_reader;

use std::io;
use std::io::Write;

use crate::model::Event;
use crate::report::Sink;

/// The bytes that every log starts with.
pub const LOG_START: &[u8] = br#"{"event":"suite_started""#;

/// Writes events as JSON Lines and numbers them, so that a missing or doubled line can be found
/// later.
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
    fn take(&mut self, event: &Event) -> io::Result<()> {
        self.number += 1;
        let mut line = event.to_line(self.number)?;
        line.push(b'\n');
        // One write per line, so that a judge that is killed leaves whole lines.
        self.target.write_all(&line)?;
        self.target.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Tally;

    #[test]
    fn an_event_is_one_line_and_has_a_number() {
        let mut written = Vec::new();
        let mut log = Log::new(&mut written);
        log.take(&Event::SuiteFinished(Tally::default())).unwrap();
        log.take(&Event::SuiteInterrupted(Tally::default()))
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
