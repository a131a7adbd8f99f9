//! From what a search finds to what a program says: in one problem the first solution, in another that there is none, or
//! how many there are.

use crate::check::ExpectedAnswer;
use crate::model::Accept;
use crate::model::GridTask;
use gridjudge_grid::BLANK;
use gridjudge_grid::Value;
use gridjudge_grid::format::PuzzleKind;
use gridjudge_grid::format::ReplyKind;

/// What a search has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FoundGrids {
    /// Completions, as many as were asked for or as there are.
    pub(super) grids: Vec<Vec<Value>>,
    /// Whether it gave up before that.
    pub(super) gave_up: bool,
}

/// A search gave up: the program would not have ended in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GaveUp;

/// What a program says about a grid if it finds what `find` finds, and takes its clues for contradictory or not. `find` gets
/// clues, and how many completions are wanted.
///
/// # Errors
/// [`GaveUp`] if the search did.
pub(super) fn tell(
    task: &GridTask,
    clues: &[Value],
    has_clash: bool,
    find: impl Fn(&[Value], usize) -> FoundGrids,
) -> Result<ExpectedAnswer, GaveUp> {
    if let Some(said) = without_search(task, clues, has_clash) {
        return Ok(said);
    }
    let some = |clues: &[Value], limit| match find(clues, limit) {
        FoundGrids { gave_up: true, .. } => Err(GaveUp),
        FoundGrids { grids, .. } => Ok(grids),
    };
    let wanted = wanted(task);
    let mut grids = some(clues, wanted)?;
    Ok(match task.accept {
        _ if grids.is_empty() => nothing(task, clues),
        Accept::Unique if grids.len() > 1 => ExpectedAnswer::Reply(ReplyKind::Several),
        Accept::Unique | Accept::Any => ExpectedAnswer::One(grids.swap_remove(0)),
        Accept::First => ExpectedAnswer::One(first(clues, grids.swap_remove(0), some)?),
        Accept::Word if grids.len() > 1 => word(task, PuzzleKind::Several),
        Accept::Word => word(task, PuzzleKind::One),
        _ if grids.len() == wanted => ExpectedAnswer::Reply(ReplyKind::Several),
        Accept::All { .. } => {
            grids.sort_unstable();
            ExpectedAnswer::All(grids)
        }
        Accept::FirstCounted { .. } => {
            let count = grids.len() as u64;
            ExpectedAnswer::Counted { count, shown: grids.into_iter().min().into_iter().collect() }
        }
        Accept::AnyCounted { .. } => {
            ExpectedAnswer::Counted { count: grids.len() as u64, shown: grids.into_iter().take(1).collect() }
        }
        Accept::Count { .. } => ExpectedAnswer::Count(grids.len() as u64),
    })
}

/// What a program says of a grid before it looks for completions, if anything.
pub(super) fn without_search(task: &GridTask, clues: &[Value], has_clash: bool) -> Option<ExpectedAnswer> {
    let replies = &task.format.replies;
    if task.accept == Accept::Word {
        return replies.kind_without_solutions(clues, has_clash).map(|kind| word(task, kind));
    }
    (has_clash && replies.invalid.is_some()).then_some(ExpectedAnswer::Reply(ReplyKind::Invalid))
}

/// What a program says that finds no completion. Where there are no words for that, it prints the grid as it read it.
pub(super) fn nothing(task: &GridTask, clues: &[Value]) -> ExpectedAnswer {
    match task.accept {
        _ if task.format.replies.none.is_some() => ExpectedAnswer::Reply(ReplyKind::None),
        Accept::Word => ExpectedAnswer::Reply(ReplyKind::Invalid),
        Accept::All { .. } => ExpectedAnswer::All(Vec::new()),
        Accept::FirstCounted { .. } | Accept::AnyCounted { .. } => {
            ExpectedAnswer::Counted { count: 0, shown: Vec::new() }
        }
        Accept::Count { .. } => ExpectedAnswer::Count(0),
        Accept::Unique | Accept::Any | Accept::First => ExpectedAnswer::One(clues.to_vec()),
    }
}

/// Whether a program for a problem can print one grid and be done, without looking whether there are others.
pub(super) fn may_take_any(task: &GridTask) -> bool {
    let says_several = task.format.replies.several.is_some();
    match task.accept {
        Accept::Any | Accept::First => true,
        Accept::Unique => !says_several,
        Accept::All { .. }
        | Accept::FirstCounted { .. }
        | Accept::AnyCounted { .. }
        | Accept::Count { .. }
        | Accept::Word => false,
    }
}

/// What a program says of such a grid where the answer is a word.
pub(super) fn word(task: &GridTask, kind: PuzzleKind) -> ExpectedAnswer {
    let said = task.format.replies.word_for(kind).unwrap_or(kind.replies()[0]);
    ExpectedAnswer::Reply(said)
}

/// Whether an answer depends on the solutions of a grid, so that who looks for them badly is found out.
pub(super) fn needs_solutions(task: &GridTask) -> bool {
    task.accept != Accept::Word || task.format.replies.ask_for_solutions()
}

/// How many completions a program looks for.
fn wanted(task: &GridTask) -> usize {
    match task.accept {
        Accept::Unique if task.format.replies.several.is_some() => 2,
        Accept::Word => 2,
        Accept::Unique | Accept::Any | Accept::First => 1,
        Accept::All { most }
        | Accept::FirstCounted { most }
        | Accept::AnyCounted { most }
        | Accept::Count { most } => usize::try_from(most).map_or(usize::MAX, |most| most + 1),
    }
}

/// The first completion in reading order, where one is known.
fn first(
    clues: &[Value],
    mut best: Vec<Value>,
    some: impl Fn(&[Value], usize) -> Result<Vec<Vec<Value>>, GaveUp>,
) -> Result<Vec<Value>, GaveUp> {
    let mut fixed = clues.to_vec();
    for cell in (0..clues.len()).filter(|&cell| clues[cell] == BLANK) {
        for value in 1..best[cell] {
            fixed[cell] = value;
            if let Some(smaller) = some(&fixed, 1)?.pop() {
                best = smaller;
                break;
            }
        }
        fixed[cell] = best[cell];
    }
    Ok(best)
}
