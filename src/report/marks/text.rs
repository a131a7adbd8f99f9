//! Formats marks for a terminal: a row for each student.

use anstyle::{AnsiColor, Style};

use crate::model::PointValue;
use crate::report::Narrowing;
use crate::report::marks::{Mark, MarkTable, StudentRow, length};
use crate::report::screen::text_table;
use crate::text::{counted, hanging, printable};

const HEADING: Style = Style::new().bold();
const LEGEND: Style = AnsiColor::BrightBlack.on_default();

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
    let title = printable(&format!("marks of {}{incomplete}", marks.name));
    let mut text = hanging(&format!("\n{HEADING}{title}{HEADING:#}\n"), room);
    let several = marks.rows.iter().any(StudentRow::has_several);
    let rules = several.then(|| marks.count_rule().to_owned()).into_iter();
    let due = marks.rules.due.map(|due| format!("due {}", due.in_words()));
    for rule in rules.chain(due).chain(marks.late_rule()) {
        text += &hanging(&format!("{LEGEND}{rule}{LEGEND:#}\n"), room);
    }
    let header = header(marks);
    let figures: Vec<_> = (1..header.len()).collect();
    let rows = marks
        .rows
        .iter()
        .map(|row| (cells(marks, row), Style::new()));
    let mut steps = vec![Narrowing::Cut(0, LEAST_NAME)];
    let parts = 1..=parts(marks).len();
    steps.extend(parts.rev().map(Narrowing::Drop));
    text += &text_table(&header, &figures, rows, (room, &steps));
    text += &hanging(&format!("{}\n", marks.summary()), room);
    let early = marks.dated_after_judging();
    if early > 0 {
        let files = counted(early, "file");
        let note =
            format!("{files} dated after it was judged, so the dates are wrong\n");
        text += &hanging(&note, room);
    }
    text
}

/// The heads of what a total is made of: the groups of the only problem, or else the
/// problems.
fn parts<'m>(marks: &'m MarkTable<'_>) -> Vec<&'m str> {
    match &marks.problems[..] {
        [only] => only.groups.iter().map(String::as_str).collect(),
        several => several.iter().map(|column| &*column.problem).collect(),
    }
}

fn header(marks: &MarkTable<'_>) -> Vec<String> {
    let parts = parts(marks).into_iter().map(printable);
    let mut header: Vec<_> =
        std::iter::once("student".to_owned()).chain(parts).collect();
    header.push(format!("of {}", marks.most()));
    if marks.has_times {
        header.push("late".to_owned());
    }
    if marks.problems.len() == 1 {
        header.push("verdict".to_owned());
    }
    header
}

fn cells(marks: &MarkTable<'_>, row: &StudentRow<'_>) -> Vec<String> {
    let mut cells = vec![printable(row.name())];
    match (&marks.problems[..], &row.marks[..]) {
        ([only], [mark]) => {
            cells.extend(match mark {
                Some(mark) => {
                    mark.attempt.points_in(&only.groups).map(known_in).collect()
                }
                None => vec![known_in(None); only.groups.len()],
            });
        }
        _ => {
            let of_problem = row.marks.iter().map(|mark| match mark {
                None => ".".to_owned(),
                Some(mark) => known(mark.points),
            });
            cells.extend(of_problem);
        }
    }
    cells.push(known(row.total));
    if marks.has_times {
        cells.push(match row.seconds_late() {
            0 => String::new(),
            late => length(late),
        });
    }
    if marks.problems.len() == 1 {
        let verdict = row.marks[0].as_ref().map(Mark::verdict);
        let none = match row.why_unknown(marks) {
            Some(_) => "not judged",
            None => "nothing",
        };
        cells.push(verdict.unwrap_or(none).to_owned());
    }
    cells
}

/// The points in a group of cases, or a sign that there are none.
fn known_in(points: Option<PointValue>) -> String {
    points.map_or(".".to_owned(), |points| points.to_string())
}

/// Points, or a sign that they are not known.
fn known(points: Option<PointValue>) -> String {
    points.map_or("?".to_owned(), |points| points.to_string())
}
