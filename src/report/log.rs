//! The log: one event a line, as JSON, written whole and at once. `docs/log.md` describes it.

use std::io;
use std::io::Write;

use crate::model::Event;
use crate::report::Sink;

/// How every log starts.
pub const LOG_START: &[u8] = br#"{"event":"suite_started""#;

/// Writes events as JSON Lines.
pub struct Log<W> {
    target: W,
}

impl<W: Write> Log<W> {
    /// A log that goes to `target`, which is flushed after each event.
    pub fn new(target: W) -> Self {
        Self { target }
    }
}

impl<W: Write> Sink for Log<W> {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        let mut line = serde_json::to_vec(event)?;
        line.push(b'\n');
        // One write a line: a judge that is killed leaves whole lines.
        self.target.write_all(&line)?;
        self.target.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Tally;

    #[test]
    fn an_event_is_one_line() {
        let mut written = Vec::new();
        let mut log = Log::new(&mut written);
        log.take(&Event::SuiteFinished(Tally::default())).unwrap();
        log.take(&Event::SuiteInterrupted(Tally::default())).unwrap();
        let text = String::from_utf8(written).unwrap();
        let events: Vec<Event> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(events[1], Event::SuiteInterrupted(Tally::default()));
    }
}
