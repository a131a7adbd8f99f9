//! The problems of a folder as a table.

use anstyle::Style;

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

/// Problems, in the order in which they are listed.
pub struct ProblemListing {
    /// A row for each.
    pub rows: Vec<ProblemListingRow>,
}

/// A problem in a row.
pub struct ProblemListingRow {
    /// Its id.
    pub problem: String,
    /// Its title.
    pub name: String,
    /// How many cases it has.
    pub cases: usize,
    /// The same by group, in words.
    pub groups: String,
    /// What a run may use.
    pub limits: LoggedLimits,
    /// How many example submissions it has.
    pub submissions: usize,
    /// Where it comes from.
    pub source: String,
}

impl ProblemListing {
    /// The table, on a terminal of so many columns, if it is one.
    pub fn text(&self, room: Option<usize>) -> String {
        let mut columns = Columns::new(HEADER, &FIGURES);
        let rows: Vec<_> =
            self.rows.iter().map(|row| columns.measure(cells(row).each_ref().map(String::as_str))).collect();
        room.iter().for_each(|room| columns.fit(*room, &NARROWINGS));
        let bold = Style::new().bold();
        let mut text = format!("{bold}{}{bold:#}\n", columns.header());
        rows.iter().for_each(|row| columns.write(&mut text, row, (0, Style::new())));
        text
    }
}

fn cells(row: &ProblemListingRow) -> [String; HEADER.len()] {
    [
        row.problem.clone(),
        row.name.clone(),
        row.cases.to_string(),
        row.groups.clone(),
        round_time(row.limits.cpu_us),
        round_size(row.limits.memory_bytes),
        row.submissions.to_string(),
        row.source.clone(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing() -> ProblemListing {
        let limits = LoggedLimits {
            cpu_us: 1_500_000,
            wall_us: 3_000_000,
            memory_bytes: 64 << 20,
            output_bytes: 1,
            processes: 1,
        };
        let row = ProblemListingRow {
            problem: "poj-2676".into(),
            name: "Sudoku \u{1b}[2J".into(),
            cases: 63,
            groups: "sample 1, secret 62".into(),
            limits,
            submissions: 35,
            source: "POJ 2676, Southern Subregional 2005".into(),
        };
        ProblemListing { rows: vec![row] }
    }

    #[test]
    fn a_row_says_what_there_is_to_a_problem() {
        let text = listing().text(None);
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
            let text = listing().text(Some(room));
            let plain = anstream::adapter::strip_str(&text).to_string();
            assert!(plain.lines().all(|line| line.len() <= room), "{room}: {plain}");
        }
    }
}
