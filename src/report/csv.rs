//! Writes a comma-separated table for spreadsheets and data frames, with a row for each
//! trial. A cell that a spreadsheet would take for a formula is turned into text.

use std::io::{self, Write};

use csv::{Terminator, WriterBuilder};

use crate::model::{Event, GroupScore, SubmissionSummary, TrialRecord};
use crate::report::{Sink, SubmissionTracker, TrialStatus, explain};
use crate::text::{one_line, text_or_none};

/// The columns.
const HEADER: [&str; 16] = [
    "problem",
    "submission",
    "language",
    "case",
    "verdict",
    "expected",
    "surprising",
    "cpu_us",
    "wall_us",
    "peak_memory_bytes",
    "rerun",
    "attempts",
    "grids_right",
    "grids",
    "message",
    "points",
];

/// Bytes of a text of which [`one_line`] shows the start only.
const LONGEST_CELL: usize = 1 << 14;

/// A row, with a cell for each column.
type CsvRow = [String; HEADER.len()];

/// Writes events as comma-separated values, row by row.
pub struct Csv<W: Write> {
    target: csv::Writer<W>,
    tracker: SubmissionTracker,
}

impl<W: Write> Csv<W> {
    /// A table written to `target`.
    pub fn new(target: W) -> Self {
        Self {
            target: WriterBuilder::new().from_writer(target),
            tracker: SubmissionTracker::default(),
        }
    }

    fn trial(&mut self, record: &TrialRecord) -> io::Result<()> {
        let (status, state) = self.tracker.take_trial(record);
        let is_accepted = record.verdict.code() == "AC";
        let why = if is_accepted {
            record
                .checker_message
                .as_deref()
                .map(one_line)
                .unwrap_or_default()
        } else {
            explain::why(record, state.start.limits.as_ref())
        };
        let expected = record.expected.as_ref().or(state.start.expected.as_ref());
        let attempts = Some(record.attempts.len()).filter(|attempts| *attempts > 0);
        let row = [
            safe_text(&record.problem),
            safe_text(&record.submission),
            safe_text(&state.start.language),
            safe_text(&record.case),
            record.verdict.to_string(),
            text_or_none(expected),
            yes(status == TrialStatus::Failed),
            text_or_none(record.cpu_us),
            text_or_none(record.wall_us),
            text_or_none(record.peak_memory_bytes),
            yes(record.rerun),
            explain::flakiness(record).unwrap_or_else(|| text_or_none(attempts)),
            text_or_none(record.parts_right),
            text_or_none(record.grids),
            safe_text(&why),
            text_or_none(record.points),
        ];
        self.write(&row)
    }

    /// Writes a row with the points of a group of cases.
    fn group(
        &mut self,
        summary: &SubmissionSummary,
        group: &GroupScore,
    ) -> io::Result<()> {
        let mut row = CsvRow::default();
        row[0] = safe_text(&summary.problem);
        row[1] = safe_text(&summary.submission);
        row[3] = safe_text(&group.name);
        row[4] = "group".to_owned();
        row[14] = group.of.map_or_else(String::new, |of| format!("of {of}"));
        row[15] = group.earned.to_string();
        self.write(&row)
    }

    /// Writes a row without figures.
    fn remark(
        &mut self,
        problem: &str,
        submission: &str,
        case: &str,
        verdict: &str,
        why: &str,
    ) -> io::Result<()> {
        let mut row = CsvRow::default();
        row[0] = safe_text(problem);
        row[1] = safe_text(submission);
        row[3] = safe_text(case);
        row[4] = safe_text(verdict);
        row[14] = safe_text(why);
        self.write(&row)
    }

    fn write(&mut self, row: &CsvRow) -> io::Result<()> {
        self.target.write_record(row).map_err(cause_of)
    }
}

/// Why a row was not written. As an error of the file, it has the kind by which a
/// closed pipe is known.
fn cause_of(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(cause) => cause,
        kind => io::Error::other(format!("{kind:?}")),
    }
}

impl<W: Write> Sink for Csv<W> {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        self.tracker.follow(event);
        match event {
            Event::SuiteStarted(_) => {
                self.target.write_record(HEADER).map_err(cause_of)
            }
            Event::MistakeFound(record) => {
                let kind = if record.is_error() {
                    "mistake"
                } else {
                    "warning"
                };
                self.remark(&record.problem, "", "", kind, &explain::told(record))
            }
            Event::SubmissionStarted(_) => Ok(()),
            Event::TrialFinished(record) => self.trial(record),
            Event::TrialFaulted(failed) => self.remark(
                &failed.problem,
                &failed.submission,
                &failed.case,
                "fault",
                &one_line(&failed.fault.to_string()),
            ),
            Event::SubmissionSkipped(skip) => self.remark(
                &skip.problem,
                &skip.submission,
                "",
                "skipped",
                &one_line(&skip.cause),
            ),
            Event::SubmissionFinished(summary) => {
                for group in summary.score.iter().flat_map(|score| &score.groups) {
                    self.group(summary, group)?;
                }
                let broken = self
                    .tracker
                    .end()
                    .and_then(|state| state.unexpected_verdict(summary));
                broken.map_or(Ok(()), |why| {
                    self.remark(
                        &summary.problem,
                        &summary.submission,
                        "",
                        "surprise",
                        &why,
                    )
                })
            }
            Event::SuiteFinished(_) => self.target.flush(),
            // Marks the table as incomplete.
            Event::SuiteInterrupted(_) => {
                self.remark("", "", "", "incomplete", "the judging was interrupted")?;
                self.target.flush()
            }
        }
    }
}

/// Formats rows of texts that are already cells. All have the same number of them.
pub(super) fn csv_table(rows: impl Iterator<Item = Vec<String>>) -> String {
    // RFC 4180 requires these line ends, and programs that read standings of other
    // judges expect them.
    let mut table = WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(Vec::new());
    for row in rows {
        table
            .write_record(row)
            .expect("memory takes all, and every row has a field for each column");
    }
    let bytes = table.into_inner().expect("memory takes all");
    String::from_utf8(bytes).expect("rows of text make a text")
}

/// Foreign text as a cell that no spreadsheet takes for a formula, even if it splits
/// cells at semicolons, as those of many countries do, or at tabs.
pub(crate) fn safe_text(foreign: &str) -> String {
    let parts =
        foreign.split_inclusive([';', '\t', '\n', '\r', '\u{b}', '\u{c}', '\0']);
    let mut cell = String::new();
    for part in parts {
        // OWASP's list without the control characters, which are escaped below. The
        // wide signs are for Japanese and Chinese spreadsheets, which treat them like
        // the narrow ones.
        if part
            .trim_start()
            .starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
        {
            cell.push('\'');
        }
        cell.push_str(part);
        if cell.len() > LONGEST_CELL {
            break;
        }
    }
    one_line(&cell)
}

fn yes(flag: bool) -> String {
    text_or_none(flag.then_some("yes"))
}

#[cfg(test)]
mod tests {
    use std::iter;

    use super::*;
    use crate::model::Tally;

    #[test]
    fn a_closed_pipe_is_known_as_one_however_many_rows_come_before() {
        for rows in [1, 1000] {
            let (reader, closed) = io::pipe().unwrap();
            drop(reader);
            let mut csv = Csv::new(closed);
            let events = iter::repeat_n(Event::SuiteStarted(Box::default()), rows);
            let end = Event::SuiteFinished(Tally::default());
            let failed = events
                .chain([end])
                .find_map(|event| csv.take_event(&event).err());
            let kind = failed.map(|error| error.kind());
            assert_eq!(kind, Some(io::ErrorKind::BrokenPipe), "{rows}");
        }
    }
}
