//! Chooses the few rejected submissions whose explanations say most about a contest, which may have
//! a thousand of them: of each verdict one, and first one that names a cell of a grid.

use std::collections::BTreeMap;

use crate::model::{TrialRecord, Verdict};
use crate::text::counted;

/// How many explanations are shown.
const MOST: usize = 3;

/// The most lines of an explanation, with its heading.
const MOST_LINES: usize = 6;

/// The explanations that may be shown at the end.
#[derive(Debug, Default)]
pub(super) struct TellingReasons {
    /// An explanation of each verdict, and whether it names a cell.
    pages: BTreeMap<Verdict, (bool, String)>,
    all: u64,
}

impl TellingReasons {
    /// Adds the explanation of a submission, which this trial has decided.
    pub(super) fn add(&mut self, decisive: &TrialRecord, page: &str) {
        self.all += 1;
        let names_cell = decisive
            .finding
            .as_ref()
            .is_some_and(|finding| finding.row.is_some());
        let known = self.pages.get(&decisive.verdict);
        if known.is_none_or(|(known_names_cell, _)| names_cell && !known_names_cell) {
            let page = (names_cell, beginning(page));
            self.pages.insert(decisive.verdict, page);
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
            more => format!(
                "{shown}{} more: `-v` explains each\n\n",
                counted(more, "rejected submission")
            ),
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
