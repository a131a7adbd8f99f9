//! The report for people, to keep and to pass on: a single HTML page that needs no
//! other file, script or network. Knows events only. Start at [`Html`].
//!
//! The top of the page is known last, so the page is made when the suite is over.
//! Until then a trial is stored as the text of its row, and no more rows and
//! explanations are stored than a page has room for, so memory does not grow with the
//! log. Beyond that, what is as expected is left out first, and counted.
//!
//! Any text from a submission or from outside goes through
//! [`html_text`](crate::report::html_text) and is escaped by the templates. If
//! something slipped through, the page's own policy would still keep a browser from
//! running or loading anything.

mod case_explanation;
mod matrix;
mod page;
mod section;
mod svg;

use std::borrow::Cow;
use std::sync::Arc;

use indexmap::IndexSet;

use crate::model::{Event, SubmissionStart, Tally, TrialRecord};
use crate::report::{GradedOutcome, SuiteReport};

use matrix::{CaseOutcomes, matrix};
use page::SuiteResults;
use section::{SubmissionSection, earned};
use svg::GridDrawing;

pub(crate) use case_explanation::CaseExplanation;
pub use page::START;
pub(crate) use page::{STYLE, small_page};

/// The grid of a trial, drawn as SVG; `None` if there is none that can be drawn.
pub(crate) fn drawn_grid(record: &TrialRecord) -> Option<String> {
    let findings: Vec<_> = record.findings().collect();
    let drawing = GridDrawing::from_picture(record.picture.as_ref()?, &findings)?;
    Some(drawing.standalone(STYLE))
}

/// Collects events for a page.
pub struct Html {
    results: SuiteResults,
    current: Option<SubmissionSection>,
    /// Bytes of the entries that are over.
    weight: usize,
    /// Bytes of explanations that may still be stored, for submissions that are as
    /// expected, and for surprising ones. The final page gets fewer if it has many rows.
    room: [usize; 2],
    /// Bytes of checkers' pictures that may still be stored.
    image_room: usize,
}

/// The most bytes of a page, unless its rows alone need more.
const PAGE: usize = 1_900_000;

/// The most bytes of the rows of submissions and of their cases. Together with all the
/// rest, a page stays below 5 MB.
const SECTIONS: usize = 4_000_000;

/// The most bytes of the pictures that checkers have drawn, in base64, so that they do
/// not take the room of findings.
const CHECKER_IMAGES: usize = 600_000;

/// The length of a very short explanation, in bytes. If there is less room, no
/// explanation is built.
const SHORTEST: usize = 400;

/// Approximate number of bytes of the row of a mistake.
const ROW: usize = 500;

/// Bytes of explanations that every page has room for.
const LEAST: usize = 100_000;

impl Default for Html {
    fn default() -> Self {
        Self {
            results: SuiteResults::default(),
            current: None,
            weight: 0,
            room: [PAGE; 2],
            image_room: CHECKER_IMAGES,
        }
    }
}

impl Html {
    /// The current submission. It is created here if the log lacks its start.
    fn current(&mut self) -> &mut SubmissionSection {
        if self.current.is_none() {
            self.begin(SubmissionStart::default(), GradedOutcome::default());
        }
        self.current.as_mut().expect("it has just begun")
    }

    /// Begins a submission. If the log lacks the end of the last one, that is over now.
    fn begin(&mut self, start: SubmissionStart, end: GradedOutcome) {
        self.end_current();
        let number = self.results.entries.len() + self.results.left_out.count() + 1;
        self.current = Some(SubmissionSection::new(number, start, end));
    }

    /// Adds the current submission to the others, and leaves out what there is no room
    /// for: the last of those that are as expected, or the last of all if none is.
    fn end_current(&mut self) {
        let Some(entry) = self.current.take() else {
            return;
        };
        self.weight += entry.weight();
        let SuiteResults {
            entries, left_out, ..
        } = &mut self.results;
        entries.push(entry);
        while self.weight > SECTIONS && entries.len() > 1 {
            let unsurprising =
                entries.iter().rposition(|entry| !entry.is_surprising());
            let entry = entries.remove(unsurprising.unwrap_or(entries.len() - 1));
            self.weight -= entry.weight();
            left_out.add(&entry);
        }
    }
}

impl SuiteReport for Html {
    fn follow(&mut self, event: &Event) {
        use Event::*;

        let results = &mut self.results;
        results.expectation.take_event(event);
        results.outcomes.take_event(event);
        match event {
            SuiteStarted(start) => results.opening = (**start).clone(),
            MistakeFound(record) => {
                let alike = results.mistakes.like(record);
                alike.add(page::MOST_SHOWN, || (**record).clone());
            }
            TrialFinished(record) => {
                // Without the contents of pictures for which there is no room.
                let mut fitting = Cow::Borrowed(&**record);
                for (place, image) in record.checker_images.iter().enumerate() {
                    let weight = image.data.as_ref().map_or(0, String::len);
                    match self.image_room.checked_sub(weight) {
                        Some(rest) => self.image_room = rest,
                        None => fitting.to_mut().checker_images[place].data = None,
                    }
                }
                // As if its verdict were that of the submission.
                let is_surprise = !self.current().start.expects(record.verdict);
                let has_room = self.room[usize::from(is_surprise)] >= SHORTEST;
                self.current().judged(&fitting, has_room);
            }
            TrialFaulted(failed) => {
                self.current().faulted(&failed.case, &failed.fault)
            }
            SubmissionStarted(start) => {
                self.begin((**start).clone(), GradedOutcome::default());
            }
            SubmissionSkipped(skip) => {
                let start = SubmissionStart::skipped(skip);
                self.begin(start, GradedOutcome::Skipped(skip.clone()));
                self.end_current();
            }
            SubmissionFinished(summary) => {
                self.current().finished(summary);
                if let Some(entry) = &mut self.current {
                    entry.fit(&mut self.room[usize::from(entry.is_surprising())]);
                }
                self.end_current();
            }
            SuiteFinished(_) | SuiteInterrupted(_) => {}
        }
    }

    fn text(&mut self, tally: &Tally, is_interrupted: bool) -> String {
        self.results.tally = *tally;
        self.results.interrupted = is_interrupted;
        let entries = &mut self.results.entries;
        entries.extend(self.current.take());
        entries.iter_mut().for_each(SubmissionSection::close);
        let rows: usize = entries.iter().map(SubmissionSection::weight).sum();
        let found = &self.results.mistakes;
        let of_mistakes =
            ROW * (found.mistakes.kept.len() + found.warnings.kept.len());
        let mut room = PAGE.saturating_sub(rows + of_mistakes).max(LEAST);
        for is_surprising in [true, false] {
            let meant = entries
                .iter_mut()
                .filter(|entry| entry.is_surprising() == is_surprising);
            for entry in meant {
                entry.fit(&mut room);
            }
        }
        // In a contest, the submissions to one problem are spread over the teams.
        let problems: IndexSet<_> = entries
            .iter()
            .map(|entry| Arc::clone(&entry.start.problem))
            .collect();
        entries.sort_by_key(|entry| problems.get_index_of(&entry.start.problem));
        page::page(&self.results).into_string()
    }
}
