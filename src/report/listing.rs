//! The problems of a folder as a table.

use std::collections::BTreeMap;

use anstyle::Style;
use serde::Serialize;

use crate::model::LoggedLimits;
use crate::report::columns::Columns;
use crate::report::columns::Narrowing;
use crate::text::round_size;
use crate::text::round_time;

const HEADER: [&str; 8] = ["problem", "name", "cases", "groups", "time", "memory", "submissions", "source"];

/// Its columns, as far as they are named.
const NAME: usize = 1;
const CASES: usize = 2;
const GROUPS: usize = 3;
const TIME: usize = 4;
const MEMORY: usize = 5;
const SUBMISSIONS: usize = 6;
const SOURCE: usize = 7;

const FIGURES: [usize; 4] = [CASES, TIME, MEMORY, SUBMISSIONS];

/// What is done until it fits the terminal.
const NARROWINGS: [Narrowing; 8] = [
    Narrowing::Cut(SOURCE, 10),
    Narrowing::Cut(NAME, 20),
    Narrowing::Drop(SOURCE),
    Narrowing::Drop(GROUPS),
    Narrowing::Cut(NAME, 8),
    Narrowing::Drop(NAME),
    Narrowing::Drop(SUBMISSIONS),
    Narrowing::Squeeze(0, 10),
];

/// What there is to a problem, as a program is told.
#[derive(Debug, Serialize)]
pub struct ListedProblem {
    /// Its id.
    pub id: String,
    /// Its title.
    pub name: String,
    /// Where it comes from.
    pub source: Option<String>,
    /// The format of another judge's package, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<&'static str>,
    /// Its spec.
    pub spec: String,
    /// What a run may use, before a language's own allowance.
    pub limits: LoggedLimits,
    /// Whether submissions are answers, which nothing runs, so that neither time nor memory binds them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub takes_answers: bool,
    /// How many cases it has.
    pub cases: usize,
    /// The same by group.
    pub groups: Vec<ListedGroup>,
    /// How many example submissions it has.
    pub submissions: usize,
    /// Submissions of a package that are not judged.
    #[serde(skip_serializing_if = "is_zero")]
    pub not_judged: usize,
    /// The judged ones by their expected verdicts.
    pub promises: BTreeMap<String, usize>,
}

/// Only packages have something to say there.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Cases whose names begin alike.
#[derive(Debug, Serialize)]
pub struct ListedGroup {
    /// How they begin; nothing for those in no folder.
    pub name: String,
    /// How many there are.
    pub cases: usize,
}

/// The table of problems, on a terminal of so many columns, if it is one.
pub fn problem_table(problems: &[ListedProblem], room: Option<usize>) -> String {
    let mut columns = Columns::new(&HEADER, &FIGURES);
    let rows: Vec<_> = problems.iter().map(|problem| columns.measure(&cells(problem))).collect();
    room.iter().for_each(|room| columns.fit(*room, &NARROWINGS));
    let mut text = columns.bold_header();
    rows.iter().for_each(|row| columns.write(&mut text, row, (0, Style::new())));
    text
}

fn cells(problem: &ListedProblem) -> [String; HEADER.len()] {
    let of_runs = |figure: String| if problem.takes_answers { String::new() } else { figure };
    let groups = problem.groups.iter().map(|group| match group.name.as_str() {
        "" => group.cases.to_string(),
        name => format!("{name} {}", group.cases),
    });
    [
        problem.id.clone(),
        problem.name.clone(),
        problem.cases.to_string(),
        groups.collect::<Vec<_>>().join(", "),
        of_runs(round_time(problem.limits.cpu_us)),
        of_runs(round_size(problem.limits.memory_bytes)),
        problem.submissions.to_string(),
        problem.source.clone().unwrap_or_default(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(room: Option<usize>) -> String {
        let limits = LoggedLimits {
            cpu_us: 1_500_000,
            wall_us: 3_000_000,
            memory_bytes: 64 << 20,
            output_bytes: 1,
            processes: 1,
        };
        let group = |name: &str, cases| ListedGroup { name: name.to_owned(), cases };
        let problem = ListedProblem {
            id: "poj-2676".into(),
            name: "Sudoku \u{1b}[2J".into(),
            source: Some("POJ 2676, Southern Subregional 2005".into()),
            format: None,
            spec: String::new(),
            limits,
            takes_answers: false,
            cases: 63,
            groups: vec![group("sample", 1), group("secret", 62)],
            submissions: 35,
            not_judged: 0,
            promises: BTreeMap::new(),
        };
        problem_table(&[problem], room)
    }

    #[test]
    fn a_row_says_what_there_is_to_a_problem() {
        let text = listing(None);
        assert_eq!(
            anstream::adapter::strip_str(&text).to_string(),
            "\
problem   name              cases  groups                time  memory  submissions  source
poj-2676  Sudoku \\u{1b}[2J     63  sample 1, secret 62  1.5 s  64 MiB           35  POJ 2676, Southern Subregional 2005
"
        );
    }

    #[test]
    fn the_list_fits_a_terminal() {
        for room in 40..140 {
            let text = listing(Some(room));
            let plain = anstream::adapter::strip_str(&text).to_string();
            assert!(plain.lines().all(|line| line.len() <= room), "{room}: {plain}");
        }
    }
}
