//! Mutants that find the right solutions and reply wrongly: for example, that there is no solution,
//! or one.

use crate::authoring::strength::answering;
use crate::authoring::strength::context::{CaseGrid, MutantContext};
use crate::check::ExpectedAnswer;
use crate::model::{Accept, GridTask};
use gridjudge_grid::format::{PuzzleKind, ReplyKind};
use gridjudge_grid::solve::TooHard;

/// What is wrong with the replies of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClaimFault {
    /// Never says that there is no solution; prints the grid as it read it.
    NeverNone,
    /// Says that there is no solution only where two clues clash.
    NoneByClashes,
    /// Never says that there are several solutions.
    NeverSeveral,
    /// Says that there are several solutions where there is none, and the other way round.
    Swapped,
    /// Never says that clues clash.
    NeverInvalid,
    /// Says that clues clash where there is no solution, and the other way round.
    InvalidForNone,
    /// Never says that a grid is complete.
    NeverComplete,
    /// Says that there are too many solutions where there are exactly as many as allowed.
    SeveralAtMost,
    /// Prints any solution it finds in place of the first in reading order.
    FoundFirst,
    /// Prints the first solution in place of all.
    OnlyFirst,
    /// Prints all solutions except the last.
    NotTheLast,
    /// Prints the last solution twice.
    LastTwice,
    /// Prints all solutions, the last one first.
    Backwards,
    /// Counts two solutions where there are more.
    NoMoreThanTwo,
    /// Counts solutions modulo 256.
    NumberInAByte,
}

impl ClaimFault {
    /// Whether a program for this problem can have this fault, and some input shows it.
    pub(super) fn applies_to(self, task: &GridTask) -> bool {
        let replies = &task.format.replies;
        let most = most(task);
        let lists = matches!(task.accept, Accept::All { .. }) && most > 1;
        let counts = matches!(task.accept, Accept::Count { .. }) || task.accept.shows_one_of_many();
        match self {
            Self::NeverNone | Self::NoneByClashes => replies.none.is_some(),
            Self::NeverSeveral => replies.several.is_some(),
            Self::Swapped => replies.none.is_some() && replies.several.is_some(),
            Self::NeverInvalid => replies.invalid.is_some(),
            Self::InvalidForNone => replies.invalid.is_some() && replies.none.is_some(),
            Self::NeverComplete => {
                replies.complete.is_some() && replies.line_for(PuzzleKind::One).is_some()
            }
            Self::SeveralAtMost => replies.several.is_some() && most > 1,
            Self::FoundFirst => matches!(task.accept, Accept::First | Accept::FirstCounted { .. }),
            Self::OnlyFirst | Self::NotTheLast | Self::Backwards => lists,
            Self::LastTwice => matches!(task.accept, Accept::All { .. }),
            Self::NoMoreThanTwo => counts && most > 2,
            Self::NumberInAByte => counts && most > 255,
        }
    }

    /// The mutant's answer to a grid whose right answer is `right`.
    ///
    /// # Errors
    /// Returns [`TooHard`] if the reference solver gives up.
    pub(super) fn say(
        self,
        task: &GridTask,
        board: &MutantContext,
        grid: &CaseGrid,
        right: &ExpectedAnswer,
    ) -> Result<ExpectedAnswer, TooHard> {
        let solutions = |limit: usize| board.solver.solutions(&grid.clues, limit);
        if let ExpectedAnswer::Reply(right) = right
            && let Some(answer) = self.wrong_reply(task, board, grid, *right)
        {
            return Ok(answer);
        }
        Ok(match (self, right) {
            (Self::NeverNone, ExpectedAnswer::Reply(ReplyKind::None)) => {
                ExpectedAnswer::One(grid.clues.clone())
            }
            (Self::NoneByClashes, ExpectedAnswer::Reply(ReplyKind::None))
                if !board.has_clash(&grid.clues) =>
            {
                ExpectedAnswer::One(grid.clues.clone())
            }
            (Self::NeverSeveral, ExpectedAnswer::Reply(ReplyKind::Several)) => match task.accept {
                Accept::Count { most } => ExpectedAnswer::Count(most),
                Accept::All { most } => {
                    ExpectedAnswer::All(solutions(usize::try_from(most).unwrap_or(usize::MAX))?)
                }
                Accept::FirstCounted { most } | Accept::AnyCounted { most } => {
                    ExpectedAnswer::Counted {
                        count: most,
                        shown: board.solver.first(&grid.clues)?.into_iter().collect(),
                    }
                }
                _ => solutions(1)?
                    .pop()
                    .map_or(ExpectedAnswer::Reply(ReplyKind::None), ExpectedAnswer::One),
            },
            (Self::Swapped, ExpectedAnswer::Reply(ReplyKind::None)) => {
                ExpectedAnswer::Reply(ReplyKind::Several)
            }
            (Self::Swapped, ExpectedAnswer::Reply(ReplyKind::Several)) => {
                ExpectedAnswer::Reply(ReplyKind::None)
            }
            (Self::SeveralAtMost, _) if right.number() == Some(most(task)) => {
                ExpectedAnswer::Reply(ReplyKind::Several)
            }
            (Self::FoundFirst, ExpectedAnswer::One(_)) => solutions(1)?
                .pop()
                .map_or(ExpectedAnswer::Reply(ReplyKind::None), ExpectedAnswer::One),
            (Self::FoundFirst, ExpectedAnswer::Counted { count, .. }) => ExpectedAnswer::Counted {
                count: *count,
                shown: solutions(1)?,
            },
            (Self::OnlyFirst, ExpectedAnswer::All(all)) => {
                ExpectedAnswer::All(all[..all.len().min(1)].to_vec())
            }
            (Self::NotTheLast, ExpectedAnswer::All(all)) if all.len() > 1 => {
                ExpectedAnswer::All(all[..all.len() - 1].to_vec())
            }
            (Self::LastTwice, ExpectedAnswer::All(all)) => {
                ExpectedAnswer::All(all.iter().chain(all.last()).cloned().collect())
            }
            (Self::Backwards, ExpectedAnswer::All(all)) => {
                ExpectedAnswer::All(all.iter().rev().cloned().collect())
            }
            (Self::NoMoreThanTwo, ExpectedAnswer::Count(count)) => {
                ExpectedAnswer::Count(*count.min(&2))
            }
            (Self::NumberInAByte, ExpectedAnswer::Count(count)) => {
                ExpectedAnswer::Count(count % 256)
            }
            (Self::NoMoreThanTwo, ExpectedAnswer::Counted { count, shown }) => {
                ExpectedAnswer::Counted {
                    count: *count.min(&2),
                    shown: shown.clone(),
                }
            }
            (Self::NumberInAByte, ExpectedAnswer::Counted { count, shown }) => {
                ExpectedAnswer::Counted {
                    count: count % 256,
                    shown: shown.clone(),
                }
            }
            _ => right.clone(),
        })
    }
}

impl ClaimFault {
    /// The reply that the mutant gives in place of the right one, if it replaces one reply by
    /// another.
    fn wrong_reply(
        self,
        task: &GridTask,
        board: &MutantContext,
        grid: &CaseGrid,
        right: ReplyKind,
    ) -> Option<ExpectedAnswer> {
        let is_word = task.accept == Accept::Word;
        match (self, right) {
            (Self::NeverInvalid, ReplyKind::Invalid)
                if is_word && task.format.replies.none.is_none() =>
            {
                Some(answering::word(task, PuzzleKind::One))
            }
            (Self::NeverInvalid, ReplyKind::Invalid) => {
                Some(answering::no_solution(task, &grid.clues))
            }
            (Self::InvalidForNone, ReplyKind::Invalid) => {
                Some(ExpectedAnswer::Reply(ReplyKind::None))
            }
            (Self::InvalidForNone, ReplyKind::None) => {
                Some(ExpectedAnswer::Reply(ReplyKind::Invalid))
            }
            (Self::NeverComplete, ReplyKind::Complete)
            | (Self::NeverNone, ReplyKind::None)
            | (Self::NeverSeveral, ReplyKind::Several)
                if is_word =>
            {
                Some(answering::word(task, PuzzleKind::One))
            }
            (Self::NoneByClashes, ReplyKind::None) if is_word && !board.has_clash(&grid.clues) => {
                Some(answering::word(task, PuzzleKind::One))
            }
            _ => None,
        }
    }
}

fn most(task: &GridTask) -> u64 {
    task.accept.most().unwrap_or(1)
}
