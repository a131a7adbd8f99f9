//! Writes marks as comma-separated values (RFC 4180), for spreadsheets and learning systems.

use csv::{Terminator, WriterBuilder};

use crate::report::csv::text;
use crate::report::marks::table::{Mark, MarkColumn, MarkTable, StudentRow};

/// The start of every table.
pub const START: &str = "student,name,id,group,";

/// Formats the marks: a row for each student.
pub fn csv(marks: &MarkTable<'_>) -> String {
    let mut table = WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(Vec::new());
    let rows = [header(marks)]
        .into_iter()
        .chain(marks.rows.iter().map(|row| fields(marks, row)));
    let written = rows
        .map(|row| table.write_record(row))
        .collect::<Result<Vec<_>, _>>();
    written.expect("memory takes all, and every row has a field for each column");
    let bytes = table.into_inner().expect("memory takes all");
    String::from_utf8(bytes).expect("rows of text make a text")
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
            [_] => text(what),
            _ => text(&format!("{}.{what}", column.problem)),
        }));
    }
    header.push("total".to_owned());
    header
}

fn fields(marks: &MarkTable<'_>, row: &StudentRow<'_>) -> Vec<String> {
    let details = &row.details;
    let known = [&details.id, &details.group].map(|known| known.as_deref().unwrap_or_default());
    let mut fields = vec![text(&row.student), text(row.name())];
    fields.extend(known.map(text));
    for (column, mark) in marks.problems.iter().zip(&row.marks) {
        match mark {
            Some(mark) => fields.extend(of_mark(column, mark)),
            None => {
                // The points of the groups, and then those of all.
                fields.extend(column.groups.iter().map(|_| "0".to_owned()));
                fields.extend(["0", "", "", "nothing was handed in", ""].map(str::to_owned));
            }
        }
    }
    fields.push(
        row.total
            .map_or_else(String::new, |total| total.to_string()),
    );
    fields
}

fn of_mark(column: &MarkColumn, mark: &Mark<'_>) -> Vec<String> {
    let parts = &mark.attempt.parts;
    let groups = column.groups.iter().map(|group| {
        let part = parts.iter().find(|part| part.name == *group);
        let earned = part.and_then(|part| part.earned);
        earned.map_or_else(String::new, |earned| earned.to_string())
    });
    let mut fields: Vec<_> = groups.collect();
    fields.extend([
        mark.points
            .map_or_else(String::new, |points| points.to_string()),
        match mark.seconds_late {
            0 => String::new(),
            late => late.div_ceil(60).to_string(),
        },
        mark.verdict().to_owned(),
        text(&mark.attempt.reason),
        text(&mark.attempt.file),
    ]);
    fields
}
