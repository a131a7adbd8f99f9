//! Judges answers that are lists of solutions, or their number. They are judged item by item: of a
//! list, only the expected solutions are held in memory.

use std::io::Read;
use std::rc::Rc;

use crate::check::acceptor::{Acceptor, Consumed, InputPair, JudgedAnswer};
use crate::check::error::CheckError;
use crate::check::expected_answer::ExpectedAnswer;
use crate::check::items::ItemReader;
use crate::check::list_case::{ListCase, NextCase};
use crate::check::list_progress::ListProgress;
use crate::check::location::Location;
use crate::check::window::Window;
use crate::check::{expected_answer, picture, stored_lists};
use crate::model::{Accept, GridPicture};
use gridjudge_grid::{Format, Value};

/// Judges lists, by the stored answers if there are any.
pub(super) struct ListAcceptor<'a, A> {
    format: &'a Format,
    accept: Accept,
    may_solve: bool,
    answer: Option<Window<A>>,
    grids: InputPair,
    /// The list being read.
    progress: Option<ListProgress<'a>>,
}

impl<'a, A: Read> ListAcceptor<'a, A> {
    pub(super) fn new(
        format: &'a Format,
        accept: Accept,
        grids: InputPair,
        may_solve: bool,
        answer: Option<Window<A>>,
    ) -> Self {
        Self {
            format,
            accept,
            may_solve,
            answer,
            grids,
            progress: None,
        }
    }

    /// The right answer, stored or from the solver; `None` if it is not stored and the solver may
    /// not be used.
    fn expected_answer(&mut self, grid: u64) -> Result<Option<ExpectedAnswer>, CheckError> {
        let context = &self.grids.current.context;
        let clues = &self.grids.current.clues;
        if let Some(answer) = &mut self.answer {
            let items = ItemReader::new(self.format, self.accept, context);
            let stored = stored_lists::read(answer, grid, &items, context, clues);
            return stored.map(Some).map_err(CheckError::Answer);
        }
        if !self.may_solve {
            return Ok(None);
        }
        let truth =
            expected_answer::expected_answer(context.solver(), self.accept, self.format, clues);
        truth
            .map(Some)
            .map_err(|source| CheckError::TooHard { grid, source })
    }

    fn picture_of(&self, grid: u64, found: Option<&[Value]>) -> GridPicture {
        picture::of(
            self.format,
            &self.context().shape,
            grid,
            &self.grids.current.clues,
            found,
            None,
        )
    }
}

impl<'a, A: Read> Acceptor<'a> for ListAcceptor<'a, A> {
    fn format(&self) -> &'a Format {
        self.format
    }

    fn grids(&self) -> &InputPair {
        &self.grids
    }

    fn grids_mut(&mut self) -> &mut InputPair {
        &mut self.grids
    }

    fn begin<O: Read>(&mut self, grid: u64, _: &mut Window<O>) -> Result<bool, CheckError> {
        let truth = self.expected_answer(grid)?;
        let InputPair { current, next } = &self.grids;
        let next = next.is_there.then(|| NextCase {
            context: Rc::clone(&next.context),
            clues: next.clues.clone(),
        });
        let clues = current.clues.clone();
        let case = ListCase::new(self.format, self.accept, self.context(), clues, next, truth);
        self.progress = Some(ListProgress::new(self.format, case));
        Ok(false)
    }

    fn judge(&mut self, location: Location<'_>, text: &[u8]) -> Result<Consumed, CheckError> {
        let nothing = Consumed {
            bytes: 0,
            lines: 0,
            more: false,
        };
        Ok(self
            .progress
            .as_mut()
            .map_or(nothing, |progress| progress.judge(location, text)))
    }

    fn finish<O: Read>(
        &mut self,
        location: Location<'_>,
        output: &mut Window<O>,
    ) -> Result<JudgedAnswer, CheckError> {
        let Some(progress) = self.progress.take() else {
            return Ok(JudgedAnswer::default());
        };
        let (findings, at_fault) = progress.finish(location, output)?;
        let picture =
            (!findings.is_empty()).then(|| self.picture_of(location.grid, at_fault.as_deref()));
        Ok(JudgedAnswer {
            findings,
            diff: None,
            picture,
        })
    }

    fn picture(&self, grid: u64) -> GridPicture {
        self.picture_of(grid, None)
    }
}
