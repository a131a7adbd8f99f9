//! `problem.toml` to [`Problem`]. The keys are listed in `docs/spec.md`.

mod allowance;
mod answer;
mod grid;
mod layout;
mod lines;
mod numbered;
mod texts;

use std::path::Path;

use crate::model::Problem;
use crate::model::Recipe;
use crate::spec::document::TomlDocument;
use crate::spec::limits::PartialLimits;
use crate::spec::mistake::Mistakes;
use crate::spec::mistake::read;
use crate::spec::points;
use crate::spec::recipe;
use crate::spec::table::TomlTable;
use gridjudge_grid::Format;
use gridjudge_grid::Layout;
use gridjudge_sandbox::Limits;

/// Reads the problem of a `problem.toml` and the recipes for its cases. `defaults` are the limits it need not set,
/// `languages` the keys of those that may be granted more.
///
/// # Errors
/// Every mistake in the file.
pub(crate) fn load(
    path: &Path,
    id: &str,
    defaults: &Limits,
    languages: &[&str],
) -> Result<(Problem, Vec<Recipe>), Mistakes> {
    let text = read(path)?;
    parse(path, &text, id, defaults, languages)
}

pub(super) fn parse(
    path: &Path,
    text: &str,
    id: &str,
    defaults: &Limits,
    languages: &[&str],
) -> Result<(Problem, Vec<Recipe>), Mistakes> {
    let document = TomlDocument::parse(path, text);
    let problem = problem(&document.root(), id, defaults, languages);
    let recipes = recipe::read(&document.root(), problem.as_ref());
    match (problem, document.into_mistakes()) {
        (Some(problem), mistakes) => Mistakes::or(mistakes, (problem, recipes)),
        // Whatever made the problem impossible has been noted.
        (None, mistakes) => Err(Mistakes(mistakes)),
    }
}

fn problem(root: &TomlTable<'_>, id: &str, defaults: &Limits, languages: &[&str]) -> Option<Problem> {
    let name = root.required("name", "`name = \"Sudoku\"`", TomlTable::string);
    let name = name.and_then(|found| lines::title(root, found));
    let source = root.string("source");
    let grid_table = root.required("grid", "a line `[grid]` and its keys below", TomlTable::table);
    let grid = grid_table.as_ref().and_then(grid::read);
    let input_table = root.required("input", "a line `[input]` and its keys below", TomlTable::table);
    let input = input_table.as_ref().map(layout::input);
    let answer_table = root.required("answer", "a line `[answer]` and its keys below", TomlTable::table);
    let answer = answer_table.as_ref().map(answer::read);
    let only_counts = answer.as_ref().is_some_and(answer::AnswerSpec::only_counts);
    let output_table = match only_counts {
        true => root.table("output"),
        false => root.required("output", "a line `[output]` and its keys below", TomlTable::table),
    };
    let output = output_table.as_ref().map(|table| layout::output(table, only_counts));
    let limits = root.table("limits").map(|table| {
        let allowances = allowance::read(&table, languages);
        (PartialLimits::read(&table), allowances)
    });
    let points = root.table("points").map(|table| points::read(&table)).unwrap_or_default();
    // Read when all else is known.
    root.pass_over(recipe::KEY);
    root.refuse_the_rest();
    let (limits, allowances) = limits.unwrap_or_default();
    let is_one = input.as_ref().is_some_and(layout::LayoutSpec::is_one);
    if let (Some(table), Some(output), true) = (&output_table, &output, is_one) {
        output.refuse_between(table);
    }
    if let (Some(grid), Some(table), Some(side)) = (&grid, &input_table, &input) {
        side.agree_with(grid, table);
    }
    if let (Some(grid), Some(table), Some(side)) = (&grid, &output_table, &output) {
        side.agree_with(grid, table);
    }
    let input = input?.layout;
    let output =
        if only_counts { output.map_or(layout::only_a_count(), |side| side.layout) } else { output?.layout };
    let (grid, mut answer) = (grid?, answer?);
    let (accept, replies) = (answer.accept?, answer.replies.clone());
    let output = Layout { lead: answer.lead.take(), ..output? };
    let format = Format { shapes: grid.shapes, symbols: grid.symbols?, input: input?, output, replies };
    if let (Some(answer), Some(input)) = (&answer_table, &input_table) {
        let tables = texts::SpecTables { input, output: output_table.as_ref(), answer };
        texts::agree_with(&format, accept, &tables);
    }
    Some(Problem {
        id: id.to_owned(),
        name: name?.value,
        source: source.map(|source| source.value),
        format,
        accept,
        limits: limits.or(defaults),
        allowances,
        points,
    })
}

#[cfg(test)]
mod tests;
