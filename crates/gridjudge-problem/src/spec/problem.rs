//! Parses `problem.toml` into a [`Problem`]. The keys are listed in `docs/spec.md`.

mod answer;
mod cages;
mod grid;
mod inequalities;
pub(super) mod layout;
mod separator;
mod symbols;
pub(super) mod task;
mod texts;

use std::collections::BTreeMap;
use std::path::Path;

use gridjudge_grid::{CellSpacing, Format, GridCount, Layout};

use crate::keys::KeyTable;
use crate::mistake::{Mistakes, quoted, suggestion};
use crate::model::{GridTask, LanguageAllowance, Problem, Recipe, Task};
use crate::spec::{Config, limits, read_limits, recipe};

use cages::CageKeys;
use grid::GridSpec;
use task::TaskSpec;

/// The contents of a `problem.toml`.
#[derive(Debug)]
pub struct ProblemSpec {
    /// The problem.
    pub problem: Problem,
    /// The recipes for its cases.
    pub recipes: Vec<Recipe>,
    /// The submission that writes missing answers, by its path below `submissions`.
    pub solution: Option<String>,
}

/// Reads the text of a `problem.toml`. The limits that it does not set are those of the
/// configuration, which has the languages that it may grant allowances.
///
/// # Errors
/// Reports every mistake in the file.
pub(super) fn parse_problem(
    path: &Path,
    text: &str,
    id: &str,
    config: &Config,
) -> Result<ProblemSpec, Mistakes> {
    let root = KeyTable::of_text(path, text);
    let folder = path.parent().unwrap_or(Path::new(""));
    let own = task::read_task(&root, folder);
    let problem = problem(&root, own.as_ref(), id, config);
    let recipes = if own.is_some() {
        vec![]
    } else {
        let task = problem.as_ref().and_then(|problem| problem.task.as_grid());
        recipe::read_recipes(&root, task, folder)
    };
    let mistakes = root.document.take_mistakes();
    // If there is no problem, the reason has been noted.
    let Some(problem) = problem else {
        return Err(Mistakes(mistakes));
    };
    let spec = ProblemSpec {
        problem,
        recipes,
        solution: own.and_then(|own| own.solution),
    };
    Mistakes::or(mistakes, spec)
}

/// Reads the problem. If there is no `own` task, an answer of text or a checker, it is
/// a grid problem.
fn problem(
    root: &KeyTable,
    own: Option<&TaskSpec>,
    id: &str,
    config: &Config,
) -> Option<Problem> {
    let name = root
        .require("name", "`name = \"Sudoku\"`")
        .text("name")
        .and_then(|found| separator::title(root, found));
    let source = root.text("source");
    let task = match own {
        Some(own) => own.task.clone(),
        None => read_grid_task(root).map(Task::Grid),
    };
    let limits = root.table("limits").map(|table| {
        let allowances = read_allowance(&table, config);
        (read_limits(&table, &config.limits), allowances)
    });
    let scoring = root
        .table("points")
        .map(|table| limits::read_scoring(&table))
        .unwrap_or_default();
    if own.is_none() {
        // The recipes are read later: they depend on the task.
        root.mark_read(recipe::KEY);
    }
    root.refuse_the_rest();
    let (limits, allowances) =
        limits.unwrap_or_else(|| (config.limits.clone(), BTreeMap::new()));
    Some(Problem {
        id: id.to_owned(),
        name: name?,
        source,
        task: task?,
        limits,
        allowances,
        scoring,
        ..Problem::default()
    })
}

// Reads `[limits.LANGUAGE]` of a problem: the time and memory it adds for programs of
// one language.

/// Reads the tables of languages inside a table of limits.
fn read_allowance(
    limits: &KeyTable,
    config: &Config,
) -> BTreeMap<String, LanguageAllowance> {
    let languages: Vec<_> = config
        .languages()
        .map(|language| language.id.as_str())
        .collect();
    let mut allowances = BTreeMap::new();
    for (language, table) in limits.tables_of_the_rest() {
        if !languages.contains(&language) {
            table.refuse_table(
                format!("unknown language {} in [limits]", quoted(language)),
                suggestion(language, languages.iter().copied(), "known: "),
            );
        }
        let factor = table.whole("time_factor", 1, 1000);
        let allowance = LanguageAllowance {
            time_factor: factor.map(|factor| factor as u32),
            extra_memory_bytes: table.bytes("extra_memory"),
        };
        table.refuse_the_rest();
        allowances.insert(language.to_owned(), allowance);
    }
    allowances
}

// Reads the task of completing grids from `[grid]`, `[input]`, `[answer]` and
// `[output]`, and checks that they agree.

impl KeyTable {
    /// Notes these keys if another one is missing without which they have no meaning.
    fn refuse_without(&self, needed: &str, keys: &[&str], remedy: &str) {
        for key in keys.iter().filter(|_| !self.has(needed)) {
            let message = format!("`{key}` has no meaning without `{needed}`");
            self.refuse_key(key, message, remedy);
        }
    }
}

fn required_table(root: &KeyTable, name: &'static str) -> Option<KeyTable> {
    root.require(name, &format!("a line `[{name}]` and its keys below"))
        .table(name)
}

/// Reads the task. `None` after a mistake, which has been noted.
fn read_grid_task(root: &KeyTable) -> Option<GridTask> {
    let grid = required_table(root, "grid")
        .as_ref()
        .and_then(grid::read_grid);
    let input = required_table(root, "input").map(layout::read_input_layout);
    let answer = required_table(root, "answer").map(answer::read_answer);
    let without_grids = answer.as_ref().and_then(answer::AnswerSpec::without_grids);
    let output = match without_grids {
        Some(_) => root.table("output"),
        None => required_table(root, "output"),
    };
    let output = output.map(|table| layout::read_output_layout(table, without_grids));
    if let Some(output) = &output
        && input.as_ref().is_some_and(layout::LayoutSpec::is_one)
    {
        output.refuse_between();
    }
    if let (Some(grid), Some(side)) = (&grid, &input) {
        side.agree_with(grid);
        if let Some(layout) = &side.layout {
            grid::note_contradictions(grid, layout, &side.table);
        }
    }
    if let (Some(grid), Some(side)) = (&grid, &output) {
        side.agree_with(grid);
    }
    let layout = match &output {
        Some(side) => side.layout.clone(),
        // An output of only numbers or words needs no `[output]`.
        None => without_grids
            .map(|_| Layout::bare(GridCount::AsInput, CellSpacing::Spaced)),
    };
    let grid = grid?;
    let input = input?;
    let answer = answer?;
    let task = GridTask {
        format: Format {
            shapes: grid.shapes,
            symbols: grid.symbols?,
            input: input.layout?,
            output: Layout {
                lead: answer.lead,
                ..layout?
            },
            replies: answer.replies,
        },
        accept: answer.accept?,
    };
    let output = output.map(|side| side.table);
    texts::note_ambiguous_lines(&task, &input.table, output.as_ref(), &answer.table);
    Some(task)
}

#[cfg(test)]
mod tests;
