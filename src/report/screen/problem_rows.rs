//! A row for each problem of a suite, where one for each submission would fill the
//! screen with what everybody expects.

use std::collections::BTreeMap;

use anstyle::Style;
use indexmap::IndexMap;

use crate::model::{Event, Verdict};
use crate::report::{Narrowing, text_table};
use crate::text::JoinedTexts;

const HEADER: [&str; 4] = ["problem", "submissions", "as expected", "verdicts"];

/// The columns that contain figures.
const FIGURES: [usize; 2] = [1, 2];

/// The steps that make the table fit the terminal, in order.
const NARROWINGS: [Narrowing; 3] = [
    Narrowing::Cut(3, 12),
    Narrowing::Squeeze(0, 12),
    Narrowing::Drop(3),
];

/// Counts the submissions of each problem.
#[derive(Default)]
pub(super) struct ProblemRows(IndexMap<String, ProblemCounts>);

#[derive(Default)]
struct ProblemCounts {
    submissions: u64,
    as_expected: u64,
    skipped: u64,
    faulted: u64,
    verdicts: BTreeMap<Verdict, u64>,
}

impl ProblemRows {
    /// Adds the submission that an event is about, if it ends one.
    pub(super) fn take_event(&mut self, event: &Event) {
        match event {
            Event::SubmissionFinished(summary) => {
                let counts = self.counts(&summary.problem);
                counts.as_expected += u64::from(summary.is_as_expected());
                match summary.verdict {
                    Some(verdict) if summary.faults == 0 => {
                        *counts.verdicts.entry(verdict).or_default() += 1
                    }
                    _ => counts.faulted += 1,
                }
            }
            Event::SubmissionSkipped(skip) => self.counts(&skip.problem).skipped += 1,
            _ => {}
        }
    }

    fn counts(&mut self, problem: &str) -> &mut ProblemCounts {
        let counts = self.0.entry(problem.to_owned()).or_default();
        counts.submissions += 1;
        counts
    }

    /// Whether there are several problems.
    pub(super) fn are_several(&self) -> bool {
        self.0.len() > 1
    }

    /// The table, made to fit a terminal of `room` columns, if it is written to one.
    pub(super) fn table(&self, room: Option<usize>) -> String {
        let rows = self.0.iter().map(|(problem, counts)| {
            // How many submissions have each verdict: `AC 4, WA 7`.
            let verdicts = counts
                .verdicts
                .iter()
                .map(|(verdict, count)| format!("{verdict} {count}"));
            let others = [("fault", counts.faulted), ("skipped", counts.skipped)]
                .into_iter()
                .filter(|(_, count)| *count > 0)
                .map(|(what, count)| format!("{what} {count}"));
            let cells = [
                problem.clone(),
                counts.submissions.to_string(),
                counts.as_expected.to_string(),
                verdicts.chain(others).joined(", "),
            ];
            (cells, Style::new())
        });
        text_table(&HEADER, &FIGURES, rows, (room, &NARROWINGS))
    }
}
