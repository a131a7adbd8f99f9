//! Computes and writes the standings of a contest from its events. Start at [`ContestResults`],
//! which collects events, and [`StandingsTable`], which ranks what was collected; the other files
//! only write the standings.

mod csv;
mod heads;
mod html;
mod rows;
mod table;
mod text;

use std::io;
use std::io::Write;

use crate::model::Event;
use crate::report::sink::Sink;

pub use crate::report::standings::rows::ContestResults;
pub use csv::{START as CSV_START, csv};
pub use html::{START as HTML_START, html, wall};
pub use rows::{RankingMode, StandingsRules};
pub use table::StandingsTable;
pub use text::text;

/// A function that formats standings.
pub type StandingsFormat = Box<dyn Fn(&StandingsTable) -> String>;

/// Writes the standings when the suite is over.
pub struct Standings<W> {
    target: W,
    form: StandingsFormat,
    rules: StandingsRules,
    results: ContestResults,
}

impl<W: Write> Standings<W> {
    /// Standings by these rules, written to `target` in this form.
    pub fn new(target: W, form: StandingsFormat, rules: StandingsRules) -> Self {
        Self {
            target,
            form,
            rules,
            results: ContestResults::default(),
        }
    }
}

impl<W: Write> Sink for Standings<W> {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        self.results.take(event);
        if let Event::SuiteFinished(_) | Event::SuiteInterrupted(_) = event {
            let standings = StandingsTable::of(&self.results, self.rules);
            self.target.write_all((self.form)(&standings).as_bytes())?;
            self.target.flush()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
