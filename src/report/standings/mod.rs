//! The standings of a contest, from its events: who solved what, by which rules, in what order. Start at [`Gathering`],
//! which takes events, and [`Board`], which ranks what it took; the other files only write a board.

mod board;
mod csv;
mod gathering;
mod html;
mod rank;
#[cfg(test)]
mod tests;
mod text;

use std::io;
use std::io::Write;

use crate::model::Event;
use crate::report::Sink;
pub use board::Board;
pub use board::By;
pub use board::Rules;
pub use csv::START as CSV_START;
pub use csv::csv;
pub use gathering::Gathering;
pub use html::START as HTML_START;
pub use html::html;
pub use text::text;

/// How standings are written.
pub type Form = fn(&Board) -> String;

/// Writes the standings when the suite is over.
pub struct Standings<W> {
    target: W,
    form: Form,
    rules: Rules,
    gathering: Gathering,
}

impl<W: Write> Standings<W> {
    /// Standings by these rules that go to `target` in this form.
    pub fn new(target: W, form: Form, rules: Rules) -> Self {
        Self { target, form, rules, gathering: Gathering::default() }
    }
}

impl<W: Write> Sink for Standings<W> {
    fn take(&mut self, event: &Event) -> io::Result<()> {
        self.gathering.take(event);
        if let Event::SuiteFinished(_) | Event::SuiteInterrupted(_) = event {
            let board = Board::of(&self.gathering, self.rules);
            self.target.write_all((self.form)(&board).as_bytes())?;
            self.target.flush()?;
        }
        Ok(())
    }
}
