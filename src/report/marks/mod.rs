//! The marks of students: what each has in each problem, by the rules of the course.
//! Start at [`CourseResults`], which collects what was graded, and [`MarkTable`], which
//! gives the marks; the rest only writes them.

mod feedback;
mod results;
mod table;

use std::io;

use anstyle::Style;

use crate::model::{Event, Tally};
use crate::report::{
    CRLF, LEGEND, Narrowing, PageWriter, Sink, SuiteReport, csv_table, heading,
    page_file_name, safe_text, text_table,
};
use crate::text::{JoinedTexts, counted, hanging, printable, text_or_none};

use feedback::{FeedbackPage, FeedbackProblem};
use results::{Attempt, AttemptPart};
use table::{MarkColumn, ProblemMark, StudentRow, known, length};

pub use feedback::MARKDOWN_START;
pub use results::CourseResults;
pub use table::MarkTable;

/// A function that formats marks.
pub type MarksFormat = fn(&MarkTable<'_>) -> String;

/// Collects what marks need.
pub struct Marks {
    form: MarksFormat,
    results: CourseResults,
}

impl Marks {
    /// Marks in this form. They are for teachers, so nothing is secret.
    pub fn new(form: MarksFormat) -> Self {
        Self {
            form,
            results: CourseResults::new(true),
        }
    }
}

impl SuiteReport for Marks {
    fn take_event(&mut self, event: &Event) -> io::Result<String> {
        self.results.take_event(event, false)?;
        Ok(String::new())
    }

    fn text(&mut self, _: &Tally, _: bool) -> String {
        (self.form)(&MarkTable::from_results(&self.results))
    }
}

/// Writes a page for each student when the suite is over, as Markdown and as HTML.
pub struct FeedbackPages {
    write: PageWriter,
    results: CourseResults,
}

impl FeedbackPages {
    /// Pages that are passed to `write`, with what is secret only if `reveals`.
    pub fn new(write: PageWriter, reveals: bool) -> Self {
        Self {
            write,
            results: CourseResults::new(reveals),
        }
    }
}

impl Sink for FeedbackPages {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        self.results.take_event(event, true)?;
        if event.is_ending() {
            let marks = MarkTable::from_results(&self.results);
            if self.results.is_partial {
                return Err(io::Error::other(
                    "students get pages only when everything was judged",
                ));
            }
            for row in &marks.rows {
                let mut page = FeedbackPage {
                    marks: &marks,
                    row,
                    problems: vec![],
                };
                for (column, found) in marks.problems.iter().zip(&row.marks) {
                    page.problems.push(FeedbackProblem {
                        column,
                        found,
                        explained: match &found.mark {
                            Some(mark) => {
                                self.results.explanation_of(mark.attempt)?
                            }
                            None => None,
                        },
                    });
                }
                let name = page_file_name(&row.student);
                (self.write)(&format!("{name}.md"), page.markdown().as_bytes())?;
                (self.write)(&format!("{name}.html"), page.html().0.as_bytes())?;
            }
        }
        Ok(())
    }
}

// Writes marks as comma-separated values (RFC 4180), for spreadsheets and learning
// systems.

/// The start of every table.
pub const CSV_START: &str = "student,name,id,group,";

/// Formats the marks: a row for each student.
pub fn marks_csv(marks: &MarkTable<'_>) -> String {
    let rows = marks.rows.iter().map(|row| csv_fields(marks, row));
    csv_table(std::iter::once(csv_header(marks)).chain(rows), CRLF)
}

fn csv_header(marks: &MarkTable<'_>) -> Vec<String> {
    let mut header = ["student", "name", "id", "group"]
        .map(str::to_owned)
        .to_vec();
    for column in &marks.problems {
        let groups = column.groups.iter().map(|group| match &**group {
            "" => "cases",
            group => group,
        });
        let rest = ["points", "late_minutes", "verdict", "reason", "file"];
        header.extend(groups.chain(rest).map(|what| match &marks.problems[..] {
            [_] => safe_text(what),
            _ => safe_text(&format!("{}.{what}", column.problem)),
        }));
    }
    header.push("total".to_owned());
    header
}

fn csv_fields(marks: &MarkTable<'_>, row: &StudentRow<'_>) -> Vec<String> {
    let details = &row.details;
    let known = [&details.id, &details.group]
        .map(|known| known.as_deref().unwrap_or_default());
    let mut fields = vec![safe_text(&row.student), safe_text(row.name())];
    fields.extend(known.map(safe_text));
    for (column, found) in marks.problems.iter().zip(&row.marks) {
        let attempt = found.mark.as_ref().map(|mark| mark.attempt);
        let points = text_or_none(found.points());
        match attempt {
            Some(attempt) => {
                fields.extend(attempt.points_in(&column.groups).map(text_or_none));
            }
            None => fields.extend(column.groups.iter().map(|_| points.clone())),
        }
        let late = found
            .mark
            .as_ref()
            .map(|mark| mark.seconds_late.div_ceil(60));
        let reason = match attempt {
            Some(attempt) => &attempt.reason,
            None if found.unjudged.is_none() => "nothing was handed in",
            None => "",
        };
        let reason = Some(reason).filter(|reason| !reason.is_empty());
        let unjudged = found.unjudged.as_deref();
        let reason = unjudged.into_iter().chain(reason).joined("; ");
        fields.extend([
            points,
            text_or_none(late.filter(|late| *late > 0)),
            found.verdict_or("").to_owned(),
            safe_text(&reason),
            safe_text(attempt.map_or("", |attempt| &attempt.file)),
        ]);
    }
    fields.push(text_or_none(row.total));
    fields
}

// Formats marks for a terminal: a row for each student.

/// The least that is left of a student's name.
const LEAST_NAME: usize = 16;

/// Formats the marks, at most `room` columns wide. If there is too little room, names
/// are cut, and then the points of groups or problems are left out, the last ones
/// first.
pub fn marks_text(marks: &MarkTable<'_>, room: Option<usize>) -> String {
    let incomplete = if marks.is_partial {
        " (incomplete)"
    } else {
        ""
    };
    let title = heading(&format!("marks of {}{incomplete}", marks.name));
    let mut head = format!("\n{title}");
    let several = marks.rows.iter().any(StudentRow::has_several);
    let rules = several.then(|| marks.count_rule().to_owned()).into_iter();
    let due = marks.rules.due.map(|due| format!("due {}", due.in_words()));
    for rule in rules.chain(due).chain(marks.late_rule()) {
        head += &format!("{LEGEND}{rule}{LEGEND:#}\n");
    }
    // What a total is made of: the groups of the only problem, or else the problems.
    let parts: Vec<_> = match &marks.problems[..] {
        [only] => only.groups.iter().map(|group| printable(group)).collect(),
        several => several
            .iter()
            .map(|column| printable(&column.problem))
            .collect(),
    };
    let mut steps = vec![Narrowing::Cut(0, LEAST_NAME)];
    steps.extend((1..=parts.len()).rev().map(Narrowing::Drop));
    let mut header = vec!["student".to_owned()];
    header.extend(parts);
    header.push(format!("of {}", marks.most()));
    if marks.has_times {
        header.push("late".to_owned());
    }
    if marks.problems.len() == 1 {
        header.push("verdict".to_owned());
    }
    let figures: Vec<_> = (1..header.len()).collect();
    let rows = marks
        .rows
        .iter()
        .map(|row| (text_cells(marks, row), Style::new()));
    let table = text_table(&header, &figures, rows, (room, &steps));
    let mut end = format!("{}\n", marks.summary());
    let counting = marks.rows.iter().flat_map(StudentRow::judged);
    let early = counting.filter(|mark| mark.is_from_future).count();
    if early > 0 {
        let files = counted(early, "file");
        end +=
            &format!("{files} dated after it was judged, so the dates are wrong\n");
    }
    hanging(&head, room) + &table + &hanging(&end, room)
}

fn text_cells(marks: &MarkTable<'_>, row: &StudentRow<'_>) -> Vec<String> {
    let mut cells = vec![printable(row.name())];
    match (&marks.problems[..], &row.marks[..]) {
        ([only], [found]) => {
            cells.extend(match &found.mark {
                Some(mark) => {
                    mark.attempt.points_in(&only.groups).map(known).collect()
                }
                None => vec![found.shown(); only.groups.len()],
            });
        }
        _ => cells.extend(row.marks.iter().map(ProblemMark::shown)),
    }
    cells.push(known(row.total));
    if marks.has_times {
        cells.push(match row.seconds_late() {
            0 => String::new(),
            late => length(late),
        });
    }
    if let [found] = &row.marks[..] {
        cells.push(found.verdict_or("nothing").to_owned());
    }
    cells
}

#[cfg(test)]
mod tests;
