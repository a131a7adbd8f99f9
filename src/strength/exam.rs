//! One case, opened for all mutants: its grids, and the right answer to each.

use crate::check;
use crate::check::CannotCheck;
use crate::check::Clues;
use crate::check::Unreadable;
use crate::model::Problem;
use crate::model::Verdict;
use crate::strength::board::Board;
use crate::strength::board::Grid;
use crate::strength::writing::Said;
use gridjudge_grid::solve::TooHard;

/// Why mutants cannot be held against a case. A sound case gives no reason.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// The input cannot be read.
    #[error(transparent)]
    Input(#[from] Unreadable),
    /// The reference solver gave up on a grid.
    #[error(transparent)]
    TooHard(#[from] TooHard),
    /// An output cannot be checked.
    #[error(transparent)]
    Check(#[from] CannotCheck),
}

/// A case as mutants see it.
pub(super) struct Exam<'a> {
    problem: &'a Problem,
    pub(super) input: &'a [u8],
    answer: &'a [u8],
    pub(super) grids: Vec<Grid>,
    /// The right answer to each grid.
    pub(super) answers: Vec<Said>,
}

impl<'a> Exam<'a> {
    /// Opens a case.
    ///
    /// # Errors
    /// [`Unfit`] if it is not sound.
    pub(super) fn open(
        problem: &'a Problem,
        boards: &[Board],
        input: &'a [u8],
        answer: &'a [u8],
    ) -> Result<Self, Unfit> {
        let Problem { format, accept, .. } = problem;
        let mut clues = Clues::open(format, input)?;
        let mut cells = Vec::new();
        let (mut grids, mut answers) = (Vec::new(), Vec::new());
        while let Some(board) = clues.read_into(&mut cells)? {
            answers.push((board, check::truth(&boards[board].solver, *accept, format, &cells)?));
            grids.push(Grid { board, clues: cells.clone() });
        }
        Ok(Self { problem, input, answer, grids, answers })
    }

    /// What the checker has to say about an output; `None` if it is accepted.
    ///
    /// # Errors
    /// [`Unfit`] if the case is not sound.
    pub(super) fn refuses(&self, output: &str) -> Result<Option<String>, Unfit> {
        let Problem { format, accept, .. } = self.problem;
        let findings = check::output(format, *accept, self.input, output.as_bytes(), Some(self.answer))?;
        match findings.verdict() {
            Verdict::Accepted => Ok(None),
            _ => Ok(findings.listed.into_iter().next().map(|finding| finding.message)),
        }
    }
}
