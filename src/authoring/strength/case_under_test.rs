//! One case, read once for all mutants: its grids, and the right answer to each.

use crate::authoring::strength::context::{CaseGrid, MutantContext};
use crate::authoring::strength::writing::GridAnswer;
use crate::check;
use crate::check::{CheckError, InputError, InputGrids};
use crate::model::{GridTask, Verdict};
use gridjudge_grid::solve::TooHard;

/// Why mutants cannot be tested on a case, because it is not sound.
#[derive(Debug, thiserror::Error)]
pub enum ExamineError {
    /// The input cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The reference solver gave up on a grid.
    #[error(transparent)]
    TooHard(#[from] TooHard),
    /// An output cannot be checked.
    #[error(transparent)]
    Check(#[from] CheckError),
}

/// A case on which mutants are tested.
pub(super) struct CaseUnderTest<'a> {
    task: &'a GridTask,
    pub(super) input: &'a [u8],
    answer: &'a [u8],
    pub(super) grids: Vec<CaseGrid>,
    /// The right answer to each grid.
    pub(super) answers: Vec<GridAnswer>,
}

impl<'a> CaseUnderTest<'a> {
    /// Reads the grids of a case and solves them.
    ///
    /// # Errors
    /// Returns [`ExamineError`] if the case is not sound.
    pub(super) fn open(
        task: &'a GridTask,
        boards: &[MutantContext],
        input: &'a [u8],
        answer: &'a [u8],
    ) -> Result<Self, ExamineError> {
        let GridTask { format, accept } = task;
        let mut clues = InputGrids::open(format, input)?;
        let mut cells = Vec::new();
        let mut grids = Vec::new();
        let mut answers = Vec::new();
        while let Some(board) = clues.read_into(&mut cells)? {
            answers.push((
                board,
                check::expected_answer(&boards[board].solver, *accept, format, &cells)?,
            ));
            grids.push(CaseGrid {
                board,
                clues: cells.clone(),
            });
        }
        Ok(Self {
            task,
            input,
            answer,
            grids,
            answers,
        })
    }

    /// The first finding of the checker about an output; `None` if the output is accepted.
    ///
    /// # Errors
    /// Returns [`ExamineError`] if the case is not sound.
    pub(super) fn refuses(&self, output: &str) -> Result<Option<String>, ExamineError> {
        let findings =
            check::grid_output(self.task, self.input, output.as_bytes(), Some(self.answer))?;
        match findings.verdict() {
            Verdict::Accepted => Ok(None),
            _ => Ok(findings
                .listed
                .into_iter()
                .next()
                .map(|finding| finding.message)),
        }
    }
}
