//! Mutants that find what there is to find and say something else: that there is no solution, or one, or several.

use crate::check::Truth;
use crate::model::Accept;
use crate::model::Problem;
use crate::strength::board::Board;
use crate::strength::board::Grid;
use gridjudge_grid::solve::TooHard;

/// What a mutant says wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// Never that there is no solution: it prints the grid as it read it.
    NeverNone,
    /// That there is no solution only where two clues clash.
    NoneByClashes,
    /// Never that there are several.
    NeverSeveral,
    /// That there are several where there is none, and the other way round.
    Swapped,
    /// Too many where there are as many as there may be.
    SeveralAtMost,
    /// Whatever solution it finds in place of the first.
    FoundFirst,
    /// The first solution in place of all.
    OnlyFirst,
    /// All but the last.
    NotTheLast,
    /// The last one twice.
    LastTwice,
    /// All, the last one first.
    Backwards,
    /// Two where there are more.
    NoMoreThanTwo,
    /// A number that fits a byte.
    NumberInAByte,
}

impl Claim {
    /// Whether a program could say this in a problem, and some input show it.
    pub(super) fn fits(self, problem: &Problem) -> bool {
        let replies = &problem.format.replies;
        let most = match problem.accept {
            Accept::All { most } | Accept::Count { most } => most,
            Accept::Unique | Accept::Any | Accept::First => 1,
        };
        let lists = matches!(problem.accept, Accept::All { .. }) && most > 1;
        let counts = matches!(problem.accept, Accept::Count { .. });
        match self {
            Self::NeverNone | Self::NoneByClashes => replies.none.is_some(),
            Self::NeverSeveral => replies.several.is_some(),
            Self::Swapped => replies.none.is_some() && replies.several.is_some(),
            Self::SeveralAtMost => replies.several.is_some() && most > 1,
            Self::FoundFirst => problem.accept == Accept::First,
            Self::OnlyFirst | Self::NotTheLast | Self::Backwards => lists,
            Self::LastTwice => matches!(problem.accept, Accept::All { .. }),
            Self::NoMoreThanTwo => counts && most > 2,
            Self::NumberInAByte => counts && most > 255,
        }
    }

    /// What is said about a grid to which `right` is the right answer.
    ///
    /// # Errors
    /// [`TooHard`] if the reference solver gives up.
    pub(super) fn say(
        self,
        problem: &Problem,
        board: &Board,
        grid: &Grid,
        right: &Truth,
    ) -> Result<Truth, TooHard> {
        let solutions = |limit: usize| board.solver.solutions(&grid.clues, limit);
        Ok(match (self, right) {
            (Self::NeverNone, Truth::None) => Truth::One(grid.clues.clone()),
            (Self::NoneByClashes, Truth::None) if !board.has_clash(&grid.clues) => {
                Truth::One(grid.clues.clone())
            }
            (Self::NeverSeveral, Truth::Several) => match problem.accept {
                Accept::Count { most } => Truth::Count(most),
                Accept::All { most } => Truth::All(solutions(usize::try_from(most).unwrap_or(usize::MAX))?),
                _ => solutions(1)?.pop().map_or(Truth::None, Truth::One),
            },
            (Self::Swapped, Truth::None) => Truth::Several,
            (Self::Swapped, Truth::Several) => Truth::None,
            (Self::SeveralAtMost, _) if number(right) == Some(most(problem)) => Truth::Several,
            (Self::FoundFirst, Truth::One(_)) => solutions(1)?.pop().map_or(Truth::None, Truth::One),
            (Self::OnlyFirst, Truth::All(all)) => Truth::All(all[..all.len().min(1)].to_vec()),
            (Self::NotTheLast, Truth::All(all)) if all.len() > 1 => Truth::All(all[..all.len() - 1].to_vec()),
            (Self::LastTwice, Truth::All(all)) => Truth::All(all.iter().chain(all.last()).cloned().collect()),
            (Self::Backwards, Truth::All(all)) => Truth::All(all.iter().rev().cloned().collect()),
            (Self::NoMoreThanTwo, Truth::Count(count)) => Truth::Count(*count.min(&2)),
            (Self::NumberInAByte, Truth::Count(count)) => Truth::Count(count % 256),
            _ => right.clone(),
        })
    }
}

fn number(said: &Truth) -> Option<u64> {
    match said {
        Truth::All(all) => Some(all.len() as u64),
        Truth::Count(count) => Some(*count),
        Truth::One(_) | Truth::None | Truth::Several => None,
    }
}

fn most(problem: &Problem) -> u64 {
    match problem.accept {
        Accept::All { most } | Accept::Count { most } => most,
        Accept::Unique | Accept::Any | Accept::First => 1,
    }
}
