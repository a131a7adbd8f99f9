//! Finds the word that is the right answer to a grid, where the problem asks for words.

use gridjudge_grid::format::{PuzzleKind, ReplyKind};
use gridjudge_grid::solve::{Solver, TooHard};
use gridjudge_grid::{Replies, Value};

/// The kind of a grid, as far as the words of a problem distinguish kinds.
pub(super) fn kind_of(
    solver: &Solver,
    replies: &Replies,
    clues: &[Value],
) -> Result<PuzzleKind, TooHard> {
    if let Some(kind) = replies.kind_without_solutions(clues, solver.has_clash(clues)) {
        return Ok(kind);
    }
    let one = replies.line_for(PuzzleKind::One);
    let is_one_enough = one.is_some() && one == replies.line_for(PuzzleKind::Several);
    Ok(
        match solver
            .solutions(clues, if is_one_enough { 1 } else { 2 })?
            .len()
        {
            0 => PuzzleKind::None,
            1 => PuzzleKind::One,
            _ => PuzzleKind::Several,
        },
    )
}

/// The right word for a grid; if the problem has none, the most specific reply for its kind.
pub(super) fn expected_word(
    solver: &Solver,
    replies: &Replies,
    clues: &[Value],
) -> Result<ReplyKind, TooHard> {
    let kind = kind_of(solver, replies, clues)?;
    Ok(replies.word_for(kind).unwrap_or(kind.replies()[0]))
}
