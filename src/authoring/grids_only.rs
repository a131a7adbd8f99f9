//! Which tasks the commands of authors can work with: those of grids. Anything else is told as a mistake, not guessed at.

use crate::model::GridTask;
use crate::model::Problem;
use crate::model::Task;
use crate::spec::Mistake;
use crate::spec::Mistakes;

/// The grids that a problem asks for, for a command that can work with nothing else.
///
/// # Errors
/// A mistake if the problem asks for something else.
pub fn grids_of<'p>(problem: &'p Problem, command: &str) -> Result<&'p GridTask, Mistakes> {
    problem.task.as_grid().ok_or_else(|| {
        let other = match problem.task {
            _ if problem.task.is_interactive() => "submissions to this one talk to a program",
            Task::Checker(_) => "outputs of this one are judged by a program",
            _ => "this one asks for a text",
        };
        let message = format!("`gridjudge {command}` needs a problem of grids, and {other}");
        let remedy = "write its cases by hand, or by a program of your own";
        Mistake::of(&problem.id, message).with_remedy(remedy).into()
    })
}

/// The same, for a command that cannot work with grids of which each brings a map of its own.
///
/// # Errors
/// A mistake if the problem asks for something else, or its grids do.
pub fn grids_of_one_map<'p>(problem: &'p Problem, command: &str) -> Result<&'p GridTask, Mistakes> {
    let task = grids_of(problem, command)?;
    if task.brings_maps() {
        let message = format!("`gridjudge {command}` knows no grids that bring a map of their own");
        let remedy = "make cases with `gridjudge generate`, or by a program of your own";
        return Err(Mistake::of(&problem.id, message).with_remedy(remedy).into());
    }
    Ok(task)
}
