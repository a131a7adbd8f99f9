//! Chooses the few rejected submissions whose explanations say most about a contest, which may have
//! a thousand of them: of each verdict one, and first one that names a cell of a grid.

use crate::sorted::SortedMap;

use crate::model::Verdict;

/// How many explanations are shown.
const MOST: usize = 3;

/// The most lines of an explanation, with its heading.
const MOST_LINES: usize = 5;

/// The explanations that may be shown at the end.
#[derive(Default)]
pub(super) struct TellingReasons {
    /// An explanation of each verdict, and whether it names a cell.
    pages: SortedMap<Verdict, (bool, String)>,
    all: u64,
}

impl TellingReasons {
    /// Adds the explanation of a submission. `names_cell` says whether it names a cell of a grid.
    pub(super) fn add(&mut self, verdict: Verdict, names_cell: bool, page: &str) {
        self.all += 1;
        let known = self.pages.get(&verdict);
        if known.is_none_or(|(known_names_cell, _)| names_cell && !known_names_cell) {
            self.pages.insert(verdict, (names_cell, beginning(page)));
        }
    }

    /// What is shown, with an empty line after each explanation.
    pub(super) fn text(&self) -> String {
        let shown: String = self
            .pages
            .values()
            .take(MOST)
            .map(|(_, page)| format!("{page}\n"))
            .collect();
        match self.all.saturating_sub(MOST.min(self.pages.len()) as u64) {
            0 => shown,
            more => format!("{shown}{more} more rejected; `-v` explains each\n\n"),
        }
    }
}

/// The first lines of an explanation.
fn beginning(page: &str) -> String {
    let lines: Vec<_> = page.trim_end().lines().collect();
    let mut text: String = lines
        .iter()
        .take(MOST_LINES)
        .map(|line| format!("{line}\n"))
        .collect();
    if lines.len() > MOST_LINES {
        text += "    ...\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_each_verdict_is_shown_and_first_one_that_names_a_cell() {
        let mut reasons = TellingReasons::default();
        assert_eq!(reasons.text(), "");
        let long = "WA\n    1\n    2\n    3\n    4\n    5\n\n";
        reasons.add(Verdict::CompileError, false, "CE\n");
        reasons.add(Verdict::TimeLimit, false, "TLE\n");
        reasons.add(Verdict::WrongAnswer, false, "WA without a cell\n");
        reasons.add(Verdict::WrongAnswer, true, long);
        reasons.add(Verdict::WrongAnswer, true, "WA that came later\n");
        reasons.add(Verdict::RuntimeError, false, "RE\n");
        assert_eq!(
            reasons.text(),
            "WA\n    1\n    2\n    3\n    4\n    ...\n\nTLE\n\nRE\n\n3 more rejected; `-v` explains each\n\n"
        );
    }
}
