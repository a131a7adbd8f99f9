//! Reads the stored answers of a case that are lists of solutions, or their number. Mistakes in
//! them are the setter's, as in inputs.

use std::io::Read;

use crate::check::context::ShapeContext;
use crate::check::expected_answer::ExpectedAnswer;
use crate::check::input_mistake::{InputError, mistake};
use crate::check::items::{ItemKind, ItemPlace, ItemReader};
use crate::check::list_case::fits;
use crate::check::stored_answers;
use crate::check::window::Window;
use gridjudge_grid::Value;

/// Reads the stored answer to one grid.
pub(super) fn read<A: Read>(
    answer: &mut Window<A>,
    grid: u64,
    items: &ItemReader<'_>,
    context: &ShapeContext,
    clues: &[Value],
) -> Result<ExpectedAnswer, InputError> {
    let mut solutions: Vec<Vec<Value>> = Vec::new();
    if grid > 1 {
        stored_answers::pass_separator(answer, &context.reader, grid)?;
    }
    let opening = items.opening(grid, answer.view()?.text);
    answer.advance_lines(opening.bytes, opening.lines)?;
    let line = answer.line;
    let broken =
        |what: &str| InputError::from(mistake(line + 1, format!("grid {grid}: {what}"), None));
    let mut stated = None;
    let mut place = ItemPlace::after(&opening);
    while let Some(item) = items.next(grid, answer.view()?.text, place) {
        place = ItemPlace::OnItsLine;
        match item.kind {
            ItemKind::Solution(block) => {
                let is_ours = fits(context, clues, &block)
                    && solutions.last().is_none_or(|last| *last < block.cells);
                if !is_ours {
                    break;
                }
                solutions.push(block.cells);
            }
            ItemKind::Count {
                number: Some(number),
                ..
            } if stated.is_none() => {
                if !solutions.is_empty() && !items.counts_after() {
                    break;
                }
                stated = Some(number);
            }
            ItemKind::Text(reply, error) if solutions.is_empty() && stated.is_none() => {
                if let Some(error) = error {
                    return Err(broken(&error.to_string()));
                }
                answer.advance_lines(item.bytes, item.lines)?;
                return Ok(ExpectedAnswer::Reply(reply));
            }
            _ => break,
        }
        answer.advance_lines(item.bytes, item.lines)?;
        let is_shown = items.shows_one() && !solutions.is_empty();
        if stated.is_some() && (items.counts_after() || !items.has_solutions() || is_shown) {
            break;
        }
    }
    answer_of(stated, solutions, items).map_err(broken)
}

/// The answer that consists of this number and these solutions, or what is wrong with it.
fn answer_of(
    stated: Option<u64>,
    solutions: Vec<Vec<Value>>,
    items: &ItemReader<'_>,
) -> Result<ExpectedAnswer, &'static str> {
    match stated {
        Some(number) if !items.has_solutions() => Ok(ExpectedAnswer::Count(number)),
        None if solutions.is_empty() || items.count().is_some() => {
            Err("there is no answer that can be read")
        }
        Some(count) if items.shows_one() && solutions.len() as u64 == count.min(1) => {
            Ok(ExpectedAnswer::Counted {
                count,
                shown: solutions,
            })
        }
        Some(_) if items.shows_one() => {
            Err("the solution to be shown is missing, or not the only one")
        }
        Some(number) if number != solutions.len() as u64 => Err("the number of solutions is wrong"),
        _ => Ok(ExpectedAnswer::All(solutions)),
    }
}
