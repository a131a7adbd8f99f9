//! Reads the task of completing grids from `[grid]`, `[input]`, `[answer]` and `[output]`, and
//! checks that they agree.

use crate::keys::KeyTable;
use crate::model::GridTask;
use crate::spec::problem::{answer, grid, layout, region_map, texts};
use gridjudge_grid::{Format, Layout};

/// Reads the task. `None` after a mistake, which has been noted.
pub(super) fn read(root: &KeyTable<'_>) -> Option<GridTask> {
    let grid_table = root.required(
        "grid",
        "a line `[grid]` and its keys below",
        KeyTable::table,
    );
    let grid = grid_table.as_ref().and_then(grid::read);
    let input_table = root.required(
        "input",
        "a line `[input]` and its keys below",
        KeyTable::table,
    );
    let input = input_table.as_ref().map(layout::input);
    let answer_table = root.required(
        "answer",
        "a line `[answer]` and its keys below",
        KeyTable::table,
    );
    let answer = answer_table.as_ref().map(answer::read);
    let without_grids = answer.as_ref().and_then(answer::AnswerSpec::without_grids);
    let output_table = match without_grids {
        Some(_) => root.table("output"),
        None => root.required(
            "output",
            "a line `[output]` and its keys below",
            KeyTable::table,
        ),
    };
    let output = output_table
        .as_ref()
        .map(|table| layout::output(table, without_grids));
    let is_one = input.as_ref().is_some_and(layout::LayoutSpec::is_one);
    if let (Some(table), Some(output), true) = (&output_table, &output, is_one) {
        output.refuse_between(table);
    }
    if let (Some(grid), Some(table), Some(side)) = (&grid, &input_table, &input) {
        side.agree_with(grid, table);
        side.layout
            .iter()
            .for_each(|layout| region_map::agree_with(grid, layout, table));
    }
    if let (Some(grid), Some(table), Some(side)) = (&grid, &output_table, &output) {
        side.agree_with(grid, table);
    }
    let input = input?.layout;
    let output = if without_grids.is_some() {
        output.map_or(layout::without_grids(), |side| side.layout)
    } else {
        output?.layout
    };
    let grid = grid?;
    let mut answer = answer?;
    let accept = answer.accept?;
    let replies = answer.replies.clone();
    let output = Layout {
        lead: answer.lead.take(),
        ..output?
    };
    let format = Format {
        shapes: grid.shapes,
        symbols: grid.symbols?,
        input: input?,
        output,
        replies,
    };
    if let (Some(answer), Some(input)) = (&answer_table, &input_table) {
        let tables = texts::SpecTables {
            input,
            output: output_table.as_ref(),
            answer,
        };
        texts::agree_with(&format, accept, &tables);
    }
    Some(GridTask { format, accept })
}
