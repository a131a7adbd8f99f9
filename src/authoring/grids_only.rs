//! Restricts commands for authors to the tasks that they support, those of grids. Any other task is
//! reported as a mistake.

use crate::model::{GridTask, Problem, Task};
use crate::spec::{Mistake, Mistakes};

/// Returns the grid task of a problem, for a command that supports no other task.
///
/// # Errors
/// A mistake if the problem has another task.
pub fn grids_of<'p>(problem: &'p Problem, command: &str) -> Result<&'p GridTask, Mistakes> {
    problem.task.as_grid().ok_or_else(|| {
        let other = match &problem.task {
            Task::Checker(_) if problem.task.is_interactive() => "this problem is interactive",
            Task::Checker(_) => "outputs of this one are judged by a program",
            Task::Text(_) | Task::Grid(_) => "this one asks for a text",
        };
        let message = format!("`gridjudge {command}` needs a problem of grids, and {other}");
        let remedy = "write its cases by hand, or by a program of your own";
        Mistake::of(&problem.id, message).with_remedy(remedy).into()
    })
}

/// Like [`grids_of`], for a command that does not support grids that each bring a map of their own.
///
/// # Errors
/// A mistake if the problem has another task, or its grids bring maps.
pub fn grids_of_one_map<'p>(problem: &'p Problem, command: &str) -> Result<&'p GridTask, Mistakes> {
    let task = grids_of(problem, command)?;
    if task.brings_maps() {
        let message =
            format!("`gridjudge {command}` does not support grids that bring a map of their own");
        let remedy = "make cases with `gridjudge generate`, or by a program of your own";
        return Err(Mistake::of(&problem.id, message).with_remedy(remedy).into());
    }
    Ok(task)
}
