//! From what a search finds to what a program says: in one problem the first solution, in another that there is none, or
//! how many there are.

use crate::check::ExpectedAnswer;
use crate::model::Accept;
use crate::model::GridTask;
use gridjudge_grid::BLANK;
use gridjudge_grid::Value;

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

/// What a program says about a grid if it finds what `find` finds. That gets clues, and how many completions are wanted.
///
/// # Errors
/// [`GaveUp`] if the search did.
pub(super) fn tell(
    task: &GridTask,
    clues: &[Value],
    find: impl Fn(&[Value], usize) -> FoundGrids,
) -> Result<ExpectedAnswer, GaveUp> {
    let some = |clues: &[Value], limit| match find(clues, limit) {
        FoundGrids { gave_up: true, .. } => Err(GaveUp),
        FoundGrids { grids, .. } => Ok(grids),
    };
    let wanted = wanted(task);
    let mut grids = some(clues, wanted)?;
    Ok(match task.accept {
        _ if grids.is_empty() => nothing(task, clues),
        Accept::Unique if grids.len() > 1 => ExpectedAnswer::Several,
        Accept::Unique | Accept::Any => ExpectedAnswer::One(grids.swap_remove(0)),
        Accept::First => ExpectedAnswer::One(first(clues, grids.swap_remove(0), some)?),
        _ if grids.len() == wanted => ExpectedAnswer::Several,
        Accept::All { .. } => {
            grids.sort_unstable();
            ExpectedAnswer::All(grids)
        }
        Accept::Count { .. } => ExpectedAnswer::Count(grids.len() as u64),
    })
}

/// What a program says that finds no completion. Where there are no words for that, it prints the grid as it read it.
pub(super) fn nothing(task: &GridTask, clues: &[Value]) -> ExpectedAnswer {
    match task.accept {
        _ if task.format.replies.none.is_some() => ExpectedAnswer::None,
        Accept::All { .. } => ExpectedAnswer::All(Vec::new()),
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
        Accept::All { .. } | Accept::Count { .. } => false,
    }
}

/// Whether grids of a problem may have more than one solution.
pub(super) fn may_have_several(task: &GridTask) -> bool {
    task.accept != Accept::Unique || task.format.replies.several.is_some()
}

/// How many completions a program looks for.
fn wanted(task: &GridTask) -> usize {
    match task.accept {
        Accept::Unique if task.format.replies.several.is_some() => 2,
        Accept::Unique | Accept::Any | Accept::First => 1,
        Accept::All { most } | Accept::Count { most } => {
            usize::try_from(most).map_or(usize::MAX, |most| most + 1)
        }
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
