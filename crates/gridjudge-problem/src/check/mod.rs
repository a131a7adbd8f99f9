//! Checks an output, and reports everything wrong with it as findings. Knows tasks,
//! grids, formats and texts, nothing of time, memory or processes. Passes each kind of
//! task to its own checker. Start at [`output`].

mod check_error;
mod diff;
mod grid;
mod input;
mod list;
mod run;
mod text;
mod window;

use check_error::{EXACT, mistake};
use grid::context::{InputGrid, ShapeContext};
use grid::grid_checker::{GridChecker, JudgedAnswer};
pub(crate) use grid::location::GridWording;
use grid::location::{Location, finding_outside_grids, wrong_height};
use grid::resync::ResyncPoint;
use grid::{context, resync};
use input::framing::{self, SeparatorKind};
use std::io::{self, Read};
use window::{StreamBuffer, StreamOrigin, Window, WindowView, end_of};

use crate::model::{Findings, GridTask, Task};

pub use check_error::{CheckError, InputError, InputMistake};
pub use grid::expected_answer::{ExpectedAnswer, expected_answer};
pub use grid::grid_output;
pub use input::InputGrids;

/// Checks an output against the input it answers. `answer` is the stored answer.
/// Without it, the solver finds the right answer, except that any valid completion
/// passes where the problem promises a unique solution; a text task has no solver.
///
/// # Errors
/// Returns [`CheckError`] if input, output or answer cannot be read, if input or answer
/// are not in the problem's format, if the right answer is needed and neither stored
/// nor found by the solver, or if the task is judged by a program of its own.
pub fn output(
    task: &Task,
    input: impl Read,
    output: impl Read,
    answer: Option<impl Read>,
) -> Result<Findings, CheckError> {
    match task {
        Task::Grid(task) => {
            grid_output(&task.format, task.accept, input, output, answer)
        }
        Task::Text(task) => {
            text::text_output(task, output, answer.ok_or(CheckError::NoAnswer)?)
        }
        Task::Checker(_) if task.is_interactive() => Err(CheckError::NeedsInteractor),
        Task::Checker(_) => Err(CheckError::NeedsChecker),
    }
}

/// Checks an output without knowing the right answer: its format, its clues, the rules.
/// A text in place of a grid passes, and so does every output of a text task or of a
/// task with a checker program. Ends when the list of findings is full, and counts no
/// others.
///
/// # Errors
/// Returns [`CheckError`] if input or output cannot be read, or if the input is not in
/// the problem's format.
pub fn soundness(
    task: &Task,
    mut input: impl Read,
    mut output: impl Read,
) -> Result<Findings, CheckError> {
    let Some(GridTask { format, accept }) = task.as_grid() else {
        return Ok(Findings::default());
    };
    grid::check(format, *accept, &mut input, &mut output, None, false)
}

/// Lists the mistakes of an input, at most 20: stray bytes, breaches of the format, and
/// clues that contradict each other if the problem has no reply to such a grid. Only
/// inputs of grids are checked.
///
/// # Errors
/// Returns the error of reading the file.
pub fn mistakes_of_input(
    task: &Task,
    source: impl Read,
) -> io::Result<Vec<InputMistake>> {
    task.as_grid().map_or(Ok(vec![]), |task| {
        input::input_mistakes::all_input_mistakes(&task.format, source)
    })
}
