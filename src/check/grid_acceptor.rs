//! Judges answers that are each one grid, or a text in place of it.
//!
//! A plainly written grid takes the fast path: it is read, compared with its clues, and checked
//! against the rules. Anything else takes the careful path, which explains what is wrong and finds
//! the start of the next grid again.

use std::io::Read;
use std::rc::Rc;

use crate::check::acceptor::{Acceptor, Consumed, InputPair, JudgedAnswer};
use crate::check::error::CheckError;
use crate::check::grid_checker::{CheckedBlock, GridChecker};
use crate::check::location::Location;
use crate::check::stored_answers::{KnownAnswer, StoredAnswers};
use crate::check::window::Window;
use crate::model::GridPicture;
use gridjudge_grid::{Format, Value};

/// Judges grids, by the stored answers if there are any.
pub(super) struct GridAcceptor<'a, A> {
    checker: GridChecker<'a>,
    answer: Option<StoredAnswers<A>>,
    /// The cells that the fast path reads into.
    found: Vec<Value>,
    /// The result of the careful path.
    judged: Option<JudgedAnswer>,
}

impl<'a, A: Read> GridAcceptor<'a, A> {
    pub(super) fn new(checker: GridChecker<'a>, answer: Option<StoredAnswers<A>>) -> Self {
        Self {
            checker,
            answer,
            found: Vec::new(),
            judged: None,
        }
    }
}

impl<'a, A: Read> Acceptor<'a> for GridAcceptor<'a, A> {
    fn format(&self) -> &'a Format {
        self.checker.format
    }

    fn grids(&self) -> &InputPair {
        &self.checker.grids
    }

    fn grids_mut(&mut self) -> &mut InputPair {
        &mut self.checker.grids
    }

    fn begin<O: Read>(&mut self, grid: u64, output: &mut Window<O>) -> Result<bool, CheckError> {
        let context = Rc::clone(self.context());
        let reader = &context.reader;
        context.make_room(&mut self.found);
        let window = output
            .peek(reader.longest_plain())
            .map_err(CheckError::Output)?;
        let extent = reader.plain(grid, window, &mut self.found);
        let plain = extent.map(|extent| (&window[..extent.bytes], extent.lines));
        self.checker.known = KnownAnswer::Open;
        if let Some(answer) = &mut self.answer {
            context.make_room(&mut self.checker.solution);
            let known = answer.read_into(reader, plain, &self.found, &mut self.checker.solution);
            self.checker.known = known.map_err(CheckError::Answer)?;
        } else {
            self.checker
                .solve_if_needed()
                .map_err(|source| CheckError::TooHard { grid, source })?;
        }
        let right = extent.filter(|_| self.checker.is_right(&self.found));
        if let Some(extent) = right {
            output.pass(extent.bytes, extent.lines);
        }
        Ok(right.is_some())
    }

    fn judge(&mut self, location: Location<'_>, text: &[u8]) -> Result<Consumed, CheckError> {
        let block = self.checker.read(location, text);
        let CheckedBlock {
            findings,
            bytes,
            lines,
            diff,
            picture,
        } = block.map_err(|source| CheckError::TooHard {
            grid: location.grid,
            source,
        })?;
        self.judged = Some(JudgedAnswer {
            findings,
            diff,
            picture,
        });
        Ok(Consumed {
            bytes,
            lines,
            more: false,
        })
    }

    fn finish<O: Read>(
        &mut self,
        _: Location<'_>,
        _: &mut Window<O>,
    ) -> Result<JudgedAnswer, CheckError> {
        Ok(self.judged.take().unwrap_or_default())
    }

    fn picture(&self, grid: u64) -> GridPicture {
        self.checker.picture(grid, None)
    }
}
