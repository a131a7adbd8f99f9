//! Turns the completions that a search finds into the answer that a program prints: in
//! one problem the first solution, in another that there is none, or how many there
//! are.

use gridjudge_grid::format::{PuzzleKind, ReplyKind};
use gridjudge_grid::{BLANK, Value};

use crate::check::ExpectedAnswer;
use crate::model::{Accept::*, GridTask};

/// The completions of a grid: all there are, or as many as were requested.
pub(super) type Completions = Vec<Vec<Value>>;

/// The search gave up after it had found these: the program would not have finished in
/// time.
pub(super) struct GaveUp(pub(super) Completions);

/// The answer of a program that finds the completions of a grid with `find`.
/// `has_clash` says whether the program considers the clues contradictory. `find` is
/// given clues, and how many completions are wanted.
///
/// # Errors
/// Returns [`GaveUp`] if the search gave up.
pub(super) fn answer(
    task: &GridTask,
    clues: &[Value],
    has_clash: bool,
    find: impl Fn(&[Value], usize) -> Result<Completions, GaveUp>,
) -> Result<ExpectedAnswer, GaveUp> {
    if let Some(answer) = without_search(task, clues, has_clash) {
        return Ok(answer);
    }
    let wanted = wanted(task);
    let mut grids = find(clues, wanted)?;
    Ok(match task.accept {
        _ if grids.is_empty() => no_solution(task, clues),
        Unique if grids.len() > 1 => ExpectedAnswer::Reply(ReplyKind::Several),
        Unique | Any => ExpectedAnswer::One(grids.swap_remove(0)),
        First => ExpectedAnswer::One(first(clues, grids.swap_remove(0), find)?),
        Word if grids.len() > 1 => expected_word(task, PuzzleKind::Several),
        Word => expected_word(task, PuzzleKind::One),
        _ if grids.len() == wanted => ExpectedAnswer::Reply(ReplyKind::Several),
        All { .. } => {
            grids.sort_unstable();
            ExpectedAnswer::all(grids)
        }
        FirstCounted { .. } | AnyCounted { .. } | Count { .. } => {
            let count = grids.len() as u64;
            if matches!(task.accept, FirstCounted { .. }) {
                grids.sort_unstable();
            }
            grids.truncate(usize::from(task.accept.shows_one_of_many()));
            ExpectedAnswer::Counted {
                count,
                shown: grids,
            }
        }
    })
}

/// The answer that a program gives without a search for completions; `None` if it needs
/// a search.
pub(super) fn without_search(
    task: &GridTask,
    clues: &[Value],
    has_clash: bool,
) -> Option<ExpectedAnswer> {
    let replies = &task.format.replies;
    if task.accept == Word {
        return replies
            .kind_without_solutions(clues, has_clash)
            .map(|kind| expected_word(task, kind));
    }
    (has_clash && replies.invalid.is_some())
        .then_some(ExpectedAnswer::Reply(ReplyKind::Invalid))
}

/// The answer of a program that finds no completion. If the problem has no reply for
/// that, the program prints the grid as it read it.
pub(super) fn no_solution(task: &GridTask, clues: &[Value]) -> ExpectedAnswer {
    match task.accept {
        _ if task.format.replies.none.is_some() => {
            ExpectedAnswer::Reply(ReplyKind::None)
        }
        Word => ExpectedAnswer::Reply(ReplyKind::Invalid),
        All { .. } | FirstCounted { .. } | AnyCounted { .. } | Count { .. } => {
            ExpectedAnswer::all(vec![])
        }
        Unique | Any | First => ExpectedAnswer::One(clues.to_vec()),
    }
}

/// Whether a program for a problem can stop at the first completion, without searching
/// for others.
pub(super) fn may_stop_at_first(task: &GridTask) -> bool {
    match task.accept {
        Any | First => true,
        Unique => task.format.replies.several.is_none(),
        All { .. }
        | FirstCounted { .. }
        | AnyCounted { .. }
        | Count { .. }
        | Word => false,
    }
}

/// An answer that says how many solutions there are, or lists them all, with another
/// number; other answers as they are.
pub(super) fn with_number(
    answer: &ExpectedAnswer,
    change: impl Fn(u64) -> u64,
) -> ExpectedAnswer {
    let mut answer = answer.clone();
    if let ExpectedAnswer::Counted { count, .. } = &mut answer {
        *count = change(*count);
    }
    answer
}

/// The right reply to a grid of this kind, for problems whose answers are words.
pub(super) fn expected_word(task: &GridTask, kind: PuzzleKind) -> ExpectedAnswer {
    let answer = task
        .format
        .replies
        .word_for(kind)
        .unwrap_or(kind.replies()[0]);
    ExpectedAnswer::Reply(answer)
}

/// Whether an answer depends on the solutions of a grid, so that a faulty search can be
/// detected.
pub(super) fn needs_solutions(task: &GridTask) -> bool {
    let replies = &task.format.replies;
    // With words for complete and invalid grids only, no input has a grid with blanks.
    let has_word = [ReplyKind::None, ReplyKind::One, ReplyKind::Several]
        .iter()
        .any(|kind| replies.text(*kind).is_some());
    task.accept != Word || has_word && replies.ask_for_solutions()
}

/// How many completions a program searches for.
fn wanted(task: &GridTask) -> usize {
    match task.accept {
        Unique if task.format.replies.several.is_some() => 2,
        Word => 2,
        accept => accept.most().map_or(1, |most| {
            usize::try_from(most).map_or(usize::MAX, |most| most + 1)
        }),
    }
}

/// The first completion in reading order. `best` is any completion.
fn first(
    clues: &[Value],
    mut best: Vec<Value>,
    find: impl Fn(&[Value], usize) -> Result<Completions, GaveUp>,
) -> Result<Vec<Value>, GaveUp> {
    let mut fixed = clues.to_vec();
    for cell in (0..clues.len()).filter(|&cell| clues[cell] == BLANK) {
        for value in 1..best[cell] {
            fixed[cell] = value;
            if let Some(smaller) = find(&fixed, 1)?.pop() {
                best = smaller;
                break;
            }
        }
        fixed[cell] = best[cell];
    }
    Ok(best)
}
