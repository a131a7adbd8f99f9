//! An input that a search makes or changes: its grids, and their texts in the problem's format.

use gridjudge_grid::format::write;
use gridjudge_grid::solve::Solver;
use gridjudge_grid::{BLANK, Value};

use crate::check::{InputError, InputGrids};
use crate::model::GridTask;
use crate::proof;

/// One grid of an input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DraftGrid {
    /// The index of its shape in the problem's format.
    pub shape: usize,
    /// Its clues, row-major, 0 for a blank.
    pub cells: Vec<Value>,
}

impl DraftGrid {
    /// The number of clues.
    pub fn clues(&self) -> usize {
        self.cells.iter().filter(|&&value| value != BLANK).count()
    }

    /// The number of blank cells.
    pub fn blanks(&self) -> usize {
        self.cells.len() - self.clues()
    }
}

/// An input that keeps all promises of its problem, as grids and as texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// Its grids.
    pub grids: Vec<DraftGrid>,
    /// The input.
    pub input: Vec<u8>,
    /// The right answer, from the reference solver.
    pub answer: Vec<u8>,
}

impl Draft {
    /// Writes and solves the input with these grids. Returns `None` if the problem does not allow
    /// this input, or if a solver gives up. `solvers` has one for each shape.
    pub fn of(task: &GridTask, solvers: &[Solver], grids: Vec<DraftGrid>) -> Option<Self> {
        let format = &task.format;
        let input = if grids.is_empty() {
            format.input.may_be_empty.then(|| {
                write::start_of_input(format, 0, format.shape()) + &write::end_of_input(format)
            })?
        } else {
            let placed = grids
                .iter()
                .map(|grid| (&format.shapes[grid.shape], grid.cells.as_slice()));
            write::input(format, &placed.collect::<Vec<_>>())
        };
        let mut answer = Vec::new();
        // The answer is computed from the text, like for an input that a setter wrote, and not from
        // `grids`.
        proof::solve_with(solvers, task, input.as_bytes(), &mut answer).ok()?;
        Some(Self {
            grids,
            input: input.into_bytes(),
            answer,
        })
    }

    /// Reads the grids of an input.
    ///
    /// # Errors
    /// If it is not in the problem's format.
    pub fn grids_of(task: &GridTask, input: &[u8]) -> Result<Vec<DraftGrid>, InputError> {
        let mut clues = InputGrids::open(&task.format, input)?;
        let mut grids = Vec::new();
        let mut cells = Vec::new();
        while let Some(shape) = clues.read_into(&mut cells)? {
            grids.push(DraftGrid {
                shape,
                cells: cells.clone(),
            });
        }
        Ok(grids)
    }
}
