//! Writes a comma-separated table for spreadsheets and data frames, with a row for each
//! trial. A cell that a spreadsheet would take for a formula is turned into text.

use std::{io, iter};

use csv::{Terminator, WriterBuilder};

use crate::model::{
    Event, PointValue, SubmissionSummary, Tally, TrialFault, TrialRecord, Verdict,
};
use crate::report::{SubmissionTracker, SuiteReport, TrialStatus, explain};
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

/// Events as comma-separated values, row by row.
#[derive(Default)]
pub struct Csv {
    tracker: SubmissionTracker,
}

impl Csv {
    fn trial(&mut self, record: &TrialRecord) -> String {
        let (status, state) = self.tracker.take_trial(record);
        let why = if record.verdict == Verdict::Accepted {
            text_or_none(record.checker_message.as_deref().map(one_line))
        } else {
            state.why(record)
        };
        let expected = record.expected.as_ref().or(state.start.expected.as_ref());
        let attempts = Some(record.attempts.len()).filter(|attempts| *attempts > 0);
        line([
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
        ])
    }

    fn finished(&mut self, summary: &SubmissionSummary) -> String {
        let problem = &summary.problem;
        let submission = &summary.submission;
        let mut rows = String::new();
        for group in summary.score.iter().flat_map(|score| &score.groups) {
            let of = text_or_none(group.of.map(|of| format!("of {of}")));
            let cells = [problem, submission, &*group.name, "group", &of];
            rows += &remark(cells, Some(group.earned));
        }
        if let Some(why) = self.tracker.end(summary).unexpected_verdict(summary) {
            rows += &remark([problem, submission, "", "surprise", &why], None);
        }
        rows
    }
}

/// A row without figures: the problem, the submission, the case, the verdict and the
/// message, and points if there are any.
fn remark(cells: [&str; 5], points: Option<PointValue>) -> String {
    let mut row = CsvRow::default();
    for (place, cell) in [0, 1, 3, 4, 14].into_iter().zip(cells) {
        row[place] = safe_text(cell);
    }
    row[15] = text_or_none(points);
    line(row)
}

fn line(row: CsvRow) -> String {
    csv_table(iter::once(row.to_vec()), Terminator::Any(b'\n'))
}

impl SuiteReport for Csv {
    fn take_event(&mut self, event: &Event) -> io::Result<String> {
        use Event::*;

        self.tracker.follow(event);
        Ok(match event {
            SuiteStarted(_) => line(HEADER.map(str::to_owned)),
            MistakeFound(record) => {
                let kind = if record.is_error() {
                    "mistake"
                } else {
                    "warning"
                };
                let told = explain::told(record);
                remark([&record.problem, "", "", kind, &told], None)
            }
            TrialFinished(record) => self.trial(record),
            TrialFaulted(failed) => {
                let TrialFault {
                    problem,
                    submission,
                    case,
                    fault,
                } = &**failed;
                let fault = one_line(&fault.to_string());
                remark([problem, submission, case, "fault", &fault], None)
            }
            SubmissionSkipped(skip) => {
                let cause = one_line(&skip.cause);
                let cells = [&*skip.problem, &skip.submission, "", "skipped", &cause];
                remark(cells, None)
            }
            SubmissionFinished(summary) => self.finished(summary),
            _ => String::new(),
        })
    }

    fn text(&mut self, _: &Tally, is_interrupted: bool) -> String {
        if is_interrupted {
            let why = "the judging was interrupted";
            remark(["", "", "", "incomplete", why], None)
        } else {
            String::new()
        }
    }
}

/// The line ends that RFC 4180 requires, and that programs which read standings of other
/// judges expect.
pub(super) const CRLF: Terminator = Terminator::CRLF;

/// Formats rows of texts that are already cells. All have the same number of them.
pub(super) fn csv_table(
    rows: impl Iterator<Item = Vec<String>>,
    line_end: Terminator,
) -> String {
    let mut table = WriterBuilder::new()
        .terminator(line_end)
        .from_writer(vec![]);
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
    use super::*;
    use crate::report::{ReportWriter, Sink};

    #[test]
    fn a_closed_pipe_is_known_as_one_however_many_rows_come_before() {
        for rows in [1, 1000] {
            let (reader, closed) = io::pipe().unwrap();
            drop(reader);
            let mut csv = ReportWriter::new(closed, Csv::default());
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
