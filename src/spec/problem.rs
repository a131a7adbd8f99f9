//! Parses `problem.toml` into a [`Problem`]. The keys are listed in `docs/spec.md`.

mod allowance;
mod answer;
mod arithmetic;
mod cage_target;
mod cages;
mod checker_task;
mod grid;
mod grid_task;
mod inequalities;
mod layout;
mod layout_synonyms;
mod lines;
mod numbered;
mod region_map;
mod separator;
mod symbols;
mod task;
mod texts;
mod token_rules;
mod words;

use std::path::Path;

use crate::keys::{KeyDocument, KeyTable};
use crate::mistake::{Mistakes, read};
use crate::model::{Problem, Recipe, Task};
use crate::spec::limits::PartialLimits;
use crate::spec::problem::task::TaskSpec;
use crate::spec::{points, recipe};
use gridjudge_sandbox::Limits;

/// The contents of a `problem.toml`.
#[derive(Debug)]
pub(crate) struct ProblemSpec {
    pub(crate) problem: Problem,
    /// The recipes for its cases.
    pub(crate) recipes: Vec<Recipe>,
    /// The submission that writes missing answers, by its path below `submissions`.
    pub(crate) solution: Option<String>,
}

/// Reads a `problem.toml`. `defaults` are used for limits that it does not set; `languages` are the
/// ids of the languages that it may grant allowances.
///
/// # Errors
/// Reports every mistake in the file.
pub(crate) fn load(
    path: &Path,
    id: &str,
    defaults: &Limits,
    languages: &[&str],
) -> Result<ProblemSpec, Mistakes> {
    let text = read(path)?;
    parse(path, &text, id, defaults, languages)
}

pub(super) fn parse(
    path: &Path,
    text: &str,
    id: &str,
    defaults: &Limits,
    languages: &[&str],
) -> Result<ProblemSpec, Mistakes> {
    let document = KeyDocument::of_toml(path, text);
    let root = KeyTable::root(&document);
    let folder = path.parent().unwrap_or(Path::new(""));
    let own = task::read(&root, folder);
    let problem = problem(&root, own.as_ref(), id, defaults, languages);
    let recipes = match (&own, &problem) {
        (Some(_), _) => Vec::new(),
        (None, problem) => {
            let task = problem.as_ref().and_then(|problem| problem.task.as_grid());
            recipe::read(&KeyTable::root(&document), task, folder)
        }
    };
    let solution = own.and_then(|own| own.solution);
    match (problem, document.into_mistakes()) {
        (Some(problem), mistakes) => Mistakes::or(
            mistakes,
            ProblemSpec {
                problem,
                recipes,
                solution,
            },
        ),
        // If there is no problem, the reason has been noted.
        (None, mistakes) => Err(Mistakes(mistakes)),
    }
}

/// Reads the problem. If there is no `own` task, an answer of text or a checker, it is a grid
/// problem.
fn problem(
    root: &KeyTable<'_>,
    own: Option<&TaskSpec>,
    id: &str,
    defaults: &Limits,
    languages: &[&str],
) -> Option<Problem> {
    let name = root.required("name", "`name = \"Sudoku\"`", KeyTable::text);
    let name = name.and_then(|found| lines::title(root, found));
    let source = root.text("source");
    let task = match own {
        Some(own) => own.task.clone(),
        None => grid_task::read(root).map(Task::Grid),
    };
    let limits = root.table("limits").map(|table| {
        let allowances = allowance::read(&table, languages);
        (PartialLimits::read(&table), allowances)
    });
    let scoring = root
        .table("points")
        .map(|table| points::read(&table))
        .unwrap_or_default();
    if own.is_none() {
        // The recipes are read later: they depend on the task.
        root.mark_read(recipe::KEY);
    }
    root.refuse_the_rest();
    let (limits, allowances) = limits.unwrap_or_default();
    Some(Problem {
        case_tasks: Default::default(),
        supplies: Default::default(),
        file_streams: Default::default(),
        id: id.to_owned(),
        name: name?.value,
        source: source.map(|source| source.value),
        task: task?,
        limits: limits.or(defaults),
        allowances,
        scoring,
    })
}

#[cfg(test)]
mod tests;
