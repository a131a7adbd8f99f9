//! Words the proof that a word is the right one for a grid.

use crate::check::arithmetic::breach_text;
use crate::check::context::ShapeContext;
use crate::check::expected_answer::{contradiction, difference, row_text};
use crate::check::location::clash_text;
use crate::check::word::kind_of;
use gridjudge_grid::format::PuzzleKind;
use gridjudge_grid::{BLANK, Format, Template, Value};

/// Why `expected` is the word for a grid and not `reply`, as a clause that follows `but`; `None` if
/// there is no proof.
pub(super) fn proof(
    format: &Format,
    context: &ShapeContext,
    clues: &[Value],
    reply: Option<&Template>,
    expected: &Template,
) -> Option<String> {
    let replies = &format.replies;
    let kind = kind_of(context.solver(), replies, clues).ok()?;
    if replies.line_for(kind) != Some(expected) {
        return None;
    }
    match kind {
        PuzzleKind::Invalid => clash(format, context, clues),
        PuzzleKind::Complete => Some("no cell is blank, and no rule is broken".to_owned()),
        PuzzleKind::None => {
            let why = contradiction(format, &context.shape, &context.rules, clues);
            Some(format!("there is no solution: {why}"))
        }
        _ if !replies.ask_for_solutions() => Some("no two of its clues clash".to_owned()),
        PuzzleKind::Several => {
            let found = context.solver().solutions(clues, 2).ok()?;
            let cells = difference(format, &context.shape, found.first()?, found.get(1)?);
            Some(format!("there are several solutions: {cells}"))
        }
        PuzzleKind::One => {
            let solution = context.solver().solutions(clues, 1).ok()?.pop()?;
            let blank = clues.iter().position(|&clue| clue == BLANK)?;
            let row = row_text(
                format,
                &context.shape,
                &solution,
                context.shape.place(blank).0,
            );
            let says_several = reply.is_some() && reply == replies.line_for(PuzzleKind::Several);
            let only = if says_several { "only one" } else { "a" };
            Some(format!("there is {only} solution: its {row}"))
        }
    }
}

/// The first clues that clash or break a cage or an inequality, in words.
pub(super) fn clash(format: &Format, context: &ShapeContext, clues: &[Value]) -> Option<String> {
    if let Some(clash) = context.rules.clashes(clues).next() {
        return Some(clash_text(&clash, format, &context.shape));
    }
    let breach = context.rules.breaches(clues).into_iter().next()?;
    Some(breach_text(&breach, format, &context.shape, clues))
}
