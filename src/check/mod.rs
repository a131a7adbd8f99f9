//! Reading an output and saying what it is worth. Knows tasks, grids, formats and texts, nothing of time, memory or
//! processes. Here each kind of task is handed to its checker. Start at [`output`].

mod acceptor;
mod arithmetic;
mod context;
mod diff;
mod error;
mod expected_answer;
mod framing;
mod grid;
mod grid_acceptor;
mod grid_checker;
mod input_grids;
mod input_mistake;
mod input_mistakes;
mod items;
mod list_acceptor;
mod list_case;
mod list_progress;
mod location;
mod map_mistake;
mod picture;
mod resync;
mod run;
mod separation;
mod solution_set;
mod stored_answers;
mod stored_lists;
mod stray_bytes;
mod text;
mod trailing;
mod window;
mod word;
mod word_proof;

use std::io;
use std::io::Read;

use crate::model::Findings;
use crate::model::GridTask;
use crate::model::Task;

pub use error::CheckError;
pub use expected_answer::ExpectedAnswer;
pub use expected_answer::difference;
pub use expected_answer::expected_answer;
pub use input_grids::InputGrids;
pub use input_mistake::InputError;
pub use input_mistake::InputMistake;

/// Checks an output against the input it answers. `answer` is the stored answer. Without it, the solver says what the
/// right answer is, save that any valid completion passes where the problem promises a unique solution; a text has no solver.
///
/// # Errors
/// [`CheckError`] if one of the three cannot be read, if input or answer are not in the problem's format, or if the
/// solver would have to say what is right and cannot.
pub fn output(
    task: &Task,
    input: impl Read,
    output: impl Read,
    answer: Option<impl Read>,
) -> Result<Findings, CheckError> {
    match task {
        Task::Grid(task) => grid_output(task, input, output, answer),
        Task::Text(task) => text::output(task, output, answer.ok_or(CheckError::NoAnswer)?),
        Task::Checker(_) if task.is_interactive() => Err(CheckError::NeedsInteractor),
        Task::Checker(_) => Err(CheckError::NeedsChecker),
    }
}

/// [`output`] for grids.
///
/// # Errors
/// As [`output`].
pub fn grid_output(
    task: &GridTask,
    input: impl Read,
    output: impl Read,
    answer: Option<impl Read>,
) -> Result<Findings, CheckError> {
    grid::output(&task.format, task.accept, input, output, answer)
}

/// Checks what can be said of an output without knowing the right answer: its format, its clues, its rules. A text in
/// place of a grid passes, and so does every text where a text is asked for.
///
/// # Errors
/// [`CheckError`] if one of the two cannot be read, or if the input is not in the problem's format.
pub fn soundness(task: &Task, input: impl Read, output: impl Read) -> Result<Findings, CheckError> {
    match task {
        Task::Grid(task) => grid::soundness(&task.format, task.accept, input, output),
        Task::Text(_) | Task::Checker(_) => Ok(Findings::default()),
    }
}

/// Every mistake of an input at once, at most 20: its bytes, its format, and what in it contradicts itself where the
/// problem has no way to say so. What an input of another kind looks like is not known.
///
/// # Errors
/// If the file cannot be read.
pub fn mistakes_of_input(task: &Task, source: impl Read) -> io::Result<Vec<InputMistake>> {
    match task {
        Task::Grid(task) => input_mistakes::mistakes_of_input(&task.format, source),
        Task::Text(_) | Task::Checker(_) => Ok(Vec::new()),
    }
}
