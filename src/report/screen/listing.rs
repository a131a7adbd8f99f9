//! Lists for the terminal: the problems of a folder in a table, and the slowest trials
//! of a suite.

use std::collections::BTreeMap;

use anstyle::Style;
use serde::Serialize;

use crate::model::{Event, LoggedLimits, Tally, TrialRecord};
use crate::report::{Narrowing, SuiteReport, text_table};
use crate::text::{JoinedTexts, printable, round_size, round_time, time};

const HEADER: [&str; 8] = [
    "problem",
    "name",
    "cases",
    "groups",
    "time",
    "memory",
    "submissions",
    "source",
];

/// Places of the columns that are named in this file.
const NAME: usize = 1;
const CASES: usize = 2;
const GROUPS: usize = 3;
const TIME: usize = 4;
const MEMORY: usize = 5;
const SUBMISSIONS: usize = 6;
const SOURCE: usize = 7;

const FIGURES: [usize; 4] = [CASES, TIME, MEMORY, SUBMISSIONS];

/// The steps that make the table fit the terminal, in order.
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

/// A problem in the machine-readable list.
#[derive(Serialize)]
pub struct ListedProblem {
    /// Its id.
    pub id: String,
    /// Its title.
    pub name: String,
    /// Where the problem was published.
    pub source: Option<String>,
    /// The package format, if it is a package of another judge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<&'static str>,
    /// Its spec file.
    pub spec: String,
    /// The limits of a run, before a language's own allowance.
    pub limits: LoggedLimits,
    /// Whether the time limit is measured when submissions are judged, and `limits` has
    /// none that holds.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub time_is_measured: bool,
    /// Whether submissions consist of answers. Nothing is run then, so limits do not
    /// apply.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub submissions_are_answers: bool,
    /// Number of cases.
    pub cases: usize,
    /// Number of cases by group.
    pub groups: Vec<ListedGroup>,
    /// Number of example submissions.
    pub submissions: usize,
    /// Number of submissions of a package that are not judged.
    #[serde(skip_serializing_if = "crate::model::is_default")]
    pub not_judged: usize,
    /// Number of judged submissions by expected verdict.
    #[serde(rename = "promises")]
    pub expectations: BTreeMap<String, usize>,
}

/// Cases whose names have the same group.
#[derive(Serialize)]
pub struct ListedGroup {
    /// The group; empty for cases in no folder.
    pub name: String,
    /// Number of its cases.
    pub cases: usize,
}

/// The table of problems, made to fit a terminal of `room` columns, if it is written to
/// one.
pub fn problem_table(problems: &[ListedProblem], room: Option<usize>) -> String {
    let rows = problems
        .iter()
        .map(|problem| (cells(problem), Style::new()));
    text_table(&HEADER, &FIGURES, rows, (room, &NARROWINGS))
}

fn cells(problem: &ListedProblem) -> [String; HEADER.len()] {
    let of_runs = |figure: String| {
        if problem.submissions_are_answers {
            String::new()
        } else {
            figure
        }
    };
    let groups = problem
        .groups
        .iter()
        .map(|group| match group.name.as_str() {
            "" => format!("no group {}", group.cases),
            name => format!("{name} {}", group.cases),
        });
    [
        problem.id.clone(),
        problem.name.clone(),
        problem.cases.to_string(),
        groups.joined(", "),
        of_runs(if problem.time_is_measured {
            "measured".to_owned()
        } else {
            round_time(problem.limits.cpu_us)
        }),
        of_runs(round_size(problem.limits.memory_bytes)),
        problem.submissions.to_string(),
        problem.source.clone().unwrap_or_default(),
    ]
}

// Lists the slowest trials of a suite at its end.

/// Keeps the slowest trials.
pub struct SlowestTrials {
    most: usize,
    limits: Option<LoggedLimits>,
    /// The slowest first; of equal ones, the first judged.
    trials: Vec<SlowTrial>,
}

struct SlowTrial {
    cpu_us: u64,
    /// Its limit, its verdict and what it is.
    rest: String,
}

impl SlowestTrials {
    /// The `most` slowest trials.
    pub fn new(most: usize) -> Self {
        Self {
            most,
            limits: None,
            trials: vec![],
        }
    }

    fn add(&mut self, record: &TrialRecord) {
        let Some(cpu_us) = record.cpu_us else {
            return;
        };
        let trials = &mut self.trials;
        let place = trials.partition_point(|trial| trial.cpu_us >= cpu_us);
        if place >= self.most {
            return;
        }
        let limit = self.limits.map_or_else(String::new, |limits| {
            format!(" of {}", round_time(limits.cpu_us))
        });
        let TrialRecord {
            problem,
            submission,
            case,
            verdict,
            ..
        } = record;
        let what = printable(&format!("{problem} {submission} on {case}"));
        let rest = format!("{limit}  {verdict}  {what}");
        trials.insert(place, SlowTrial { cpu_us, rest });
        trials.truncate(self.most);
    }
}

impl SuiteReport for SlowestTrials {
    fn follow(&mut self, event: &Event) {
        match event {
            Event::SubmissionStarted(start) => self.limits = start.limits,
            Event::TrialFinished(record) => self.add(record),
            _ => {}
        }
    }

    fn text(&mut self, _: &Tally, _: bool) -> String {
        if self.trials.is_empty() {
            return String::new();
        }
        let width = self
            .trials
            .iter()
            .map(|trial| time(trial.cpu_us).len())
            .max()
            .unwrap_or_default();
        let mut text = "\nslowest:\n".to_owned();
        for SlowTrial { cpu_us, rest } in &self.trials {
            text += &format!("  {:>width$}{rest}\n", time(*cpu_us));
        }
        text
    }
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
        let group = |name: &str, cases| ListedGroup {
            name: name.to_owned(),
            cases,
        };
        let problem = ListedProblem {
            id: "poj-2676".into(),
            name: "Sudoku \u{1b}[2J".into(),
            source: Some("POJ 2676, Southern Subregional 2005".into()),
            format: None,
            spec: String::new(),
            limits,
            time_is_measured: false,
            submissions_are_answers: false,
            cases: 63,
            groups: vec![group("sample", 1), group("secret", 61), group("", 1)],
            submissions: 35,
            not_judged: 0,
            expectations: BTreeMap::new(),
        };
        problem_table(&[problem], room)
    }

    #[test]
    fn a_row_describes_a_problem() {
        let text = listing(None);
        assert_eq!(
            anstream::adapter::strip_str(&text).to_string(),
            "\
problem   name              cases  groups                            time  memory  submissions  \
             source
poj-2676  Sudoku \\u{1b}[2J     63  sample 1, secret 61, no group 1  1.5 s  64 MiB           35  \
             POJ 2676, Southern Subregional 2005
"
        );
    }

    #[test]
    fn cases_in_no_group_are_told_apart_from_those_of_a_group() {
        assert!(
            listing(None).contains("sample 1, secret 61, no group 1"),
            "{}",
            listing(None)
        );
    }

    #[test]
    fn the_list_fits_a_terminal() {
        for room in 40..140 {
            let text = listing(Some(room));
            let plain = anstream::adapter::strip_str(&text).to_string();
            assert!(
                plain.lines().all(|line| line.len() <= room),
                "{room}: {plain}"
            );
        }
    }
}
