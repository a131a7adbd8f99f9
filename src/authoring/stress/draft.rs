//! An input in the making: its grids, and the texts that they come to in a problem's format.

use crate::check::InputError;
use crate::check::InputGrids;
use crate::model::GridTask;
use crate::proof;
use gridjudge_grid::BLANK;
use gridjudge_grid::Value;
use gridjudge_grid::format::write;
use gridjudge_grid::solve::Solver;

/// One grid of an input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DraftGrid {
    /// The place of its shape in the problem's format.
    pub shape: usize,
    /// Its clues, row-major, 0 for a blank.
    pub cells: Vec<Value>,
}

impl DraftGrid {
    /// How many of its cells are clues.
    pub fn clues(&self) -> usize {
        self.cells.iter().filter(|&&value| value != BLANK).count()
    }

    /// How many are not.
    pub fn blanks(&self) -> usize {
        self.cells.len() - self.clues()
    }
}

/// An input that keeps all that its problem promises, as grids and as texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// Its grids.
    pub grids: Vec<DraftGrid>,
    /// The input.
    pub input: Vec<u8>,
    /// The right answer, by the reference solver.
    pub answer: Vec<u8>,
}

impl Draft {
    /// The input of these grids; `None` if the problem promises that there is no such input, or if the solvers, one for each
    /// shape, cannot tell.
    pub fn of(task: &GridTask, solvers: &[Solver], grids: Vec<DraftGrid>) -> Option<Self> {
        let format = &task.format;
        let input = if grids.is_empty() {
            format
                .input
                .may_be_empty
                .then(|| write::start_of_input(format, 0, format.shape()) + &write::end_of_input(format))?
        } else {
            let placed = grids.iter().map(|grid| (&format.shapes[grid.shape], grid.cells.as_slice()));
            write::input(format, &placed.collect::<Vec<_>>())
        };
        let mut answer = Vec::new();
        // It reads the text anew: what is run is what a setter could have written, not what we meant.
        proof::solve_with(solvers, task, input.as_bytes(), &mut answer).ok()?;
        Some(Self { grids, input: input.into_bytes(), answer })
    }

    /// The grids of an input that was written elsewhere.
    ///
    /// # Errors
    /// If it is not in the problem's format.
    pub fn grids_of(task: &GridTask, input: &[u8]) -> Result<Vec<DraftGrid>, InputError> {
        let mut clues = InputGrids::open(&task.format, input)?;
        let mut grids = Vec::new();
        let mut cells = Vec::new();
        while let Some(shape) = clues.read_into(&mut cells)? {
            grids.push(DraftGrid { shape, cells: cells.clone() });
        }
        Ok(grids)
    }
}
