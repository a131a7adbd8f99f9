//! What submissions and interactors said to each other, case by case, as it becomes known.

use std::fmt;
use std::fmt::Write as _;
use std::io;
use std::io::Write;

use anstyle::Style;

use crate::model::Event;
use crate::model::TrialRecord;
use crate::report::explain;
use crate::report::sink::Sink;
use crate::text::printable;

const HEADING: Style = Style::new().bold();

/// Writes every talk that was recorded.
pub struct Transcripts<W>(W);

impl<W: Write> Transcripts<W> {
    /// Talks that go to `target`.
    pub fn new(target: W) -> Self {
        Self(target)
    }
}

impl<W: Write> Sink for Transcripts<W> {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        let Event::TrialFinished(record) = event else { return Ok(()) };
        let page = page(record).unwrap_or_default();
        self.0.write_all(page.as_bytes())?;
        self.0.flush()
    }
}

fn page(record: &TrialRecord) -> Result<String, fmt::Error> {
    let mut page = String::new();
    let Some(transcript) = &record.transcript else { return Ok(page) };
    let TrialRecord { problem, submission, case, verdict, .. } = record;
    let heading = format!("{problem} {submission} on {case}: {verdict}");
    writeln!(page, "{HEADING}{}{HEADING:#}", printable(&heading))?;
    for line in explain::talk(transcript) {
        writeln!(page, "    {line}")?;
    }
    writeln!(page)?;
    Ok(page)
}
