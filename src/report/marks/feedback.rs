//! Formats the page of a student, as Markdown and as HTML: the marks, and what may be
//! known of them. What is secret has been taken out before the results were collected.

use maud::{Markup, html};

use crate::model::{PointValue, TrialRecord, Verdict};
use crate::report::markdown::{cell, fenced, span};
use crate::report::marks::{
    AttemptPart, MarkColumn, MarkTable, ProblemMark, StudentRow, known, length,
};
use crate::report::{
    CaseExplanation, Worth, explain, html_line, isolated_line, small_page,
};
use crate::text::{JoinedTexts, capitalized, counted, text_or_none};

/// The start of every page in Markdown.
pub const MARKDOWN_START: &str = "<!-- gridjudge: feedback -->\n";

/// What a student is told.
pub(super) struct FeedbackPage<'a> {
    pub(super) marks: &'a MarkTable<'a>,
    pub(super) row: &'a StudentRow<'a>,
    pub(super) problems: Vec<FeedbackProblem<'a>>,
}

/// What a student is told of a problem.
pub(super) struct FeedbackProblem<'a> {
    pub(super) column: &'a MarkColumn,
    pub(super) found: &'a ProblemMark<'a>,
    /// The trial that explains the attempt that counts.
    pub(super) explained: Option<TrialRecord>,
}

impl FeedbackPage<'_> {
    /// The total, in words.
    fn total(&self) -> String {
        capitalized(&earned(self.row.total, self.marks.most()))
    }

    /// The rules that matter for the student.
    fn rules(&self) -> impl Iterator<Item = String> {
        let count = self
            .row
            .has_several()
            .then(|| self.marks.count_rule().to_owned());
        let late = self
            .marks
            .late_rule()
            .filter(|_| self.row.seconds_late() > 0);
        count
            .into_iter()
            .chain(late)
            .map(|rule| format!("{}.", capitalized(&rule)))
    }

    pub(super) fn markdown(&self) -> String {
        let [name, course] = [self.row.name(), self.marks.name].map(span);
        let mut page = format!(
            "{MARKDOWN_START}# {name}: {course}\n\n**{}**\n",
            self.total()
        );
        for rule in self.rules() {
            page += &format!("\n{rule}\n");
        }
        for problem in &self.problems {
            let FeedbackProblem { column, found, .. } = problem;
            let name = span(&column.problem);
            page += &format!("\n## {name}: {}\n", problem.result());
            for (place, line) in facts(found).iter().enumerate() {
                if place == 0 {
                    page.push('\n');
                }
                page += &format!("- {}: {}\n", line.0, span(&line.1));
            }
            let PartTable { heads, rows } = PartTable::from_parts(problem.parts());
            let names = heads.iter().map(|head| head.0).joined(" | ");
            let rules = heads.iter().map(|head| if head.1 { "--:" } else { "---" });
            if !heads.is_empty() {
                page += &format!("\n| {names} |\n|{}|\n", rules.joined("|"));
            }
            for row in rows {
                let cells = row.iter().zip(&heads).map(|(text, head)| {
                    if head.1 || text.is_empty() {
                        text.clone()
                    } else {
                        cell(text)
                    }
                });
                page += &format!("| {} |\n", cells.joined(" | "));
            }
            if let Some(record) = &problem.explained {
                let details = explain::details_of_trial(record);
                page += &format!(
                    "\nOn {}:\n\n{}",
                    span(explain::place(record)),
                    fenced(&details)
                );
            }
        }
        page
    }

    pub(super) fn html(&self) -> Markup {
        let title = html_line(&format!("{}: {}", self.row.name(), self.marks.name));
        let head = html! {
            p.verdict { (self.total()) }
            @for rule in self.rules() { p.soft { (rule) } }
        };
        let main = html! {
            @for problem in &self.problems {
                section {
                    h2 {
                        (isolated_line(&problem.column.problem)) ": " (problem.result())
                    }
                    dl { @for (what, text) in facts(problem.found) {
                        dt { (what) }
                        dd { (isolated_line(&text)) }
                    } }
                    (PartTable::from_parts(problem.parts()).html())
                    @if let Some(record) = &problem.explained {
                        (CaseExplanation::alone(record))
                    }
                }
            }
        };
        small_page(&title, &head, &main)
    }
}

impl FeedbackProblem<'_> {
    /// The points in words, or that nothing was handed in.
    fn result(&self) -> String {
        match (&self.found.mark, &self.found.unjudged) {
            (Some(mark), _) => earned(self.found.points(), mark.of),
            (None, Some(_)) => "not judged".to_owned(),
            (None, None) => "nothing was handed in".to_owned(),
        }
    }

    /// The parts of the attempt that counts.
    fn parts(&self) -> &[AttemptPart] {
        let mark = self.found.mark.as_ref();
        mark.map_or(&[], |mark| &mark.attempt.parts)
    }
}

/// Points in words.
fn earned(points: Option<PointValue>, of: PointValue) -> String {
    match points {
        Some(points) => format!("{points} of {}", of.in_words()),
        None => format!("not judged yet, of {}", of.in_words()),
    }
}

/// What is known of what was handed in for a problem, as names and texts.
fn facts(found: &ProblemMark<'_>) -> Vec<(&'static str, String)> {
    let mut facts =
        Vec::from_iter(found.unjudged.clone().map(|why| ("Not judged", why)));
    let Some(mark) = &found.mark else {
        return facts;
    };
    let attempt = mark.attempt;
    facts.push(("File", attempt.file.clone()));
    if mark.attempts > 1 {
        facts.push(("Attempts", mark.attempts.to_string()));
    }
    if let Some(moment) = attempt.submitted {
        let moment = mark.due.map_or(moment, |due| moment.in_zone_of(due));
        let doubt = if mark.is_from_future {
            ", which is after it was judged, so the date is wrong"
        } else {
            ""
        };
        facts.push(("Handed in", format!("{}{doubt}", moment.in_words())));
    }
    if let Some(due) = mark.due {
        facts.push(("Due", due.in_words()));
    }
    let Worth { earned, of, .. } = attempt.worth;
    if of != mark.of && mark.points.is_some() {
        let here = format!(
            "{earned} of {of}, which counts as {} of {}",
            mark.earned, mark.of
        );
        facts.push(("Points", here));
    }
    if mark.seconds_late > 0 {
        let late = length(mark.seconds_late);
        let costs = mark.points.map(|points| mark.earned.less(points));
        facts.push((
            "Late by",
            match costs.filter(|costs| *costs > PointValue::ZERO) {
                Some(costs) => {
                    let earned = mark.earned.in_words();
                    format!("{late}, which costs {costs} of {earned}")
                }
                None => late,
            },
        ));
    }
    facts.push((
        "Verdict",
        attempt
            .verdict
            .map_or_else(|| "not judged".to_owned(), Verdict::with_meaning),
    ));
    if !attempt.reason.is_empty() {
        facts.push(("Reason", attempt.reason.clone()));
    }
    facts
}

/// The parts of an attempt as a table, without columns in which nothing stands.
struct PartTable {
    /// The heads of the columns, and whether figures are in them.
    heads: Vec<(&'static str, bool)>,
    rows: Vec<Vec<String>>,
}

impl PartTable {
    fn from_parts(parts: &[AttemptPart]) -> Self {
        let mut table = Self {
            heads: vec![],
            rows: vec![vec![]; parts.len()],
        };
        let cells: Vec<_> = parts.iter().map(part_cells).collect();
        for (column, head) in PART_HEADS.into_iter().enumerate() {
            if cells.iter().any(|row| !row[column].is_empty()) {
                table.heads.push(head);
                for (row, cells) in table.rows.iter_mut().zip(&cells) {
                    row.push(cells[column].clone());
                }
            }
        }
        table
    }

    fn html(&self) -> Markup {
        let class = |place: usize| self.heads[place].1.then_some("n");
        html! { @if !self.heads.is_empty() {
            div.parts { table {
                thead { tr { @for (place, head) in self.heads.iter().enumerate() {
                    th scope="col" class=[class(place)] { (head.0) }
                } } }
                tbody { @for row in &self.rows { tr {
                    @for (place, text) in row.iter().enumerate() {
                        @if place == 0 {
                            th scope="row" { (isolated_line(text)) }
                        } @else {
                            td class=[class(place)] { (isolated_line(text)) }
                        }
                    }
                } } }
            } }
        } }
    }
}

/// The heads for [`part_cells`], and whether figures are below them.
const PART_HEADS: [(&str, bool); 4] = [
    ("Group", false),
    ("Points", true),
    ("Passed", true),
    ("First that failed", false),
];

/// The name of a part, its points, its accepted cases, and the first that was not.
fn part_cells(part: &AttemptPart) -> [String; 4] {
    let earned = known(part.earned());
    let points = match part.of {
        _ if !part.has_points() => String::new(),
        None => earned,
        Some(of) => format!("{earned} of {}", of.in_words()),
    };
    let name = match &*part.name {
        "" => "cases",
        name => name,
    };
    // On a phone the heads of columns are not shown.
    let passed = if part.was_run {
        format!("{} of {}", part.passed, counted(part.cases, "case"))
    } else {
        "not run".to_owned()
    };
    let failed = text_or_none(part.failed.as_ref());
    [name.to_owned(), points, passed, failed]
}
