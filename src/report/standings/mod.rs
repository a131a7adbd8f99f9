//! Computes and writes the standings of a contest from its events. Start at
//! [`ContestResults`], which collects events, and [`StandingsTable`], which ranks what
//! was collected; the other files only write the standings.

mod csv;
mod html;
mod rows;
mod table;
mod text;

use std::io::{self, Write};

use crate::model::Event;
use crate::report::Sink;

use rows::{
    AttemptOutcome, AttemptTime, FEWEST, GroupRanking, ProblemColumn, TeamAttempt,
    TeamProblem, TeamRow,
};
use table::CommonFailure;
use text::names_of_letters;

pub use crate::model::RankingMode;
pub use csv::{START as CSV_START, standings_csv};
pub use html::{START as HTML_START, standings_html, wall};
pub use rows::{ContestResults, RankingChoice, StandingsRules};
pub use table::StandingsTable;
pub use text::standings_text;

/// A function that formats standings.
pub type StandingsFormat = Box<dyn Fn(&StandingsTable) -> String>;

/// Writes the standings when the suite is over.
pub struct Standings<W> {
    target: W,
    form: StandingsFormat,
    choice: RankingChoice,
    results: ContestResults,
}

impl<W: Write> Standings<W> {
    /// Standings by the rules of the contest as far as nothing else is asked for,
    /// written to `target` in this form.
    pub fn new(target: W, form: StandingsFormat, choice: RankingChoice) -> Self {
        Self {
            target,
            form,
            choice,
            results: ContestResults::default(),
        }
    }
}

impl<W: Write> Sink for Standings<W> {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        self.results.take_event(event);
        if event.is_ending() {
            let rules = self.choice.rules(&self.results.rules());
            let standings = StandingsTable::from_results(&self.results, rules);
            self.target.write_all((self.form)(&standings).as_bytes())?;
            self.target.flush()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod icpc_tests;
#[cfg(test)]
mod tests;
