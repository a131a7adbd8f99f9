//! Writes marks as comma-separated values (RFC 4180), for spreadsheets and learning
//! systems.

use crate::report::csv::{csv_table, safe_text};
use crate::report::marks::{Mark, MarkColumn, MarkTable, StudentRow};
use crate::text::text_or_none;

/// The start of every table.
pub const START: &str = "student,name,id,group,";

/// Formats the marks: a row for each student.
pub fn marks_csv(marks: &MarkTable<'_>) -> String {
    let rows = marks.rows.iter().map(|row| fields(marks, row));
    csv_table(std::iter::once(header(marks)).chain(rows))
}

fn header(marks: &MarkTable<'_>) -> Vec<String> {
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

fn fields(marks: &MarkTable<'_>, row: &StudentRow<'_>) -> Vec<String> {
    let details = &row.details;
    let known =
        [&details.id, &details.group].map(|known| known.as_deref().unwrap_or_default());
    let mut fields = vec![safe_text(&row.student), safe_text(row.name())];
    fields.extend(known.map(safe_text));
    for (column, mark) in marks.problems.iter().zip(&row.marks) {
        match mark {
            Some(mark) => fields.extend(of_mark(column, mark)),
            None => {
                let why = row.why_unknown(marks);
                let [points, verdict, reason] = match why {
                    Some(why) => ["", "not judged", why],
                    None => ["0", "", "nothing was handed in"],
                };
                // The points of the groups, and then those of all.
                fields.extend(column.groups.iter().map(|_| points.to_owned()));
                fields.extend([points, "", verdict].map(str::to_owned));
                fields.extend([safe_text(reason), String::new()]);
            }
        }
    }
    fields.push(text_or_none(row.total));
    fields
}

fn of_mark(column: &MarkColumn, mark: &Mark<'_>) -> Vec<String> {
    let groups = mark.attempt.points_in(&column.groups);
    let mut fields: Vec<_> = groups.map(text_or_none).collect();
    fields.extend([
        text_or_none(mark.points),
        match mark.seconds_late {
            0 => String::new(),
            late => late.div_ceil(60).to_string(),
        },
        mark.verdict().to_owned(),
        safe_text(&mark.attempt.reason),
        safe_text(&mark.attempt.file),
    ]);
    fields
}
