//! Mutants that are right but slow. Their steps are counted, not timed: a search that needs more
//! steps on a case than a tight program makes within the time limit is too slow on every machine.

use std::fmt;
use std::time::Duration;

use gridjudge_grid::naive::NaiveSearch;
use gridjudge_grid::{BLANK, Value};

use crate::authoring::strength::answering;
use crate::authoring::strength::{CaseGrid, MutantContext};
use crate::model::GridTask;

/// Candidates that a tight compiled search in a fixed order places in a second.
const STEPS_A_SECOND: u64 = 150_000_000;

/// Candidates that a tight compiled search places in a second if it examines every blank cell
/// before each one.
const CHOSEN_STEPS_A_SECOND: u64 = 15_000_000;

/// Why a mutant is slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlowFault {
    /// Searches naively.
    Naive(NaiveSearch),
    /// Writes symbols into all blanks before it checks the rules.
    EveryFilling,
}

/// The smallest order at which some grids take a naive search long.
const LONG_ORDER: usize = 9;

/// The smallest order at which grids with a solution are known that take long even for a search
/// that always picks the cell with the fewest candidates.
const LONG_CHOSEN_ORDER: usize = 16;

/// A slow mutant needs more steps than the time limit allows.
pub(super) struct TooSlow {
    allowed: u64,
    limit: Duration,
}

impl fmt::Display for TooSlow {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millions = self.allowed / 1_000_000;
        write!(
            out,
            "takes more than {millions} million steps, too many for {:?}",
            self.limit
        )
    }
}

impl SlowFault {
    /// Whether some input of a problem can show that the mutant is slow.
    pub(super) fn applies_to(self, task: &GridTask) -> bool {
        let order = task.format.shape().order();
        let may_have_none = task.format.replies.none.is_some();
        match self {
            _ if !answering::needs_solutions(task) => false,
            // The cost of a step is known only for searches that use nothing but houses.
            _ if task
                .format
                .shapes
                .iter()
                .any(|shape| shape.arithmetic().is_some()) =>
            {
                false
            }
            Self::Naive(naive) if naive.is_narrowing() => {
                order >= LONG_CHOSEN_ORDER || order >= LONG_ORDER && may_have_none
            }
            Self::Naive(_) => order >= LONG_ORDER,
            Self::EveryFilling => order > 2,
        }
    }

    /// Counts the steps that the mutant takes to find the first solution of each grid.
    ///
    /// # Errors
    /// Returns [`TooSlow`] if there are more than the time limit allows.
    pub(super) fn spend(
        self,
        limit: Duration,
        boards: &[MutantContext],
        grids: &[CaseGrid],
    ) -> Result<(), TooSlow> {
        let allowed = u128::from(self.steps_a_second()) * limit.as_millis() / 1000;
        let allowed = u64::try_from(allowed).unwrap_or(u64::MAX);
        let mut left = allowed;
        for grid in grids {
            let steps = self.steps(&boards[grid.board], &grid.clues, left);
            left = steps
                .and_then(|steps| left.checked_sub(steps))
                .ok_or(TooSlow { allowed, limit })?;
        }
        Ok(())
    }

    fn steps_a_second(self) -> u64 {
        match self {
            Self::Naive(naive) if naive.is_narrowing() => CHOSEN_STEPS_A_SECOND,
            Self::Naive(_) | Self::EveryFilling => STEPS_A_SECOND,
        }
    }

    /// The steps for one grid; `None` if there are more than `left`.
    fn steps(self, board: &MutantContext, clues: &[Value], left: u64) -> Option<u64> {
        // `EveryFilling` counts with a search by rows. That finds the first solution in reading
        // order, which is also the first right filling; and where it is too slow, trying every
        // filling is slower still.
        let naive = if let Self::Naive(naive) = self {
            naive
        } else {
            NaiveSearch::Rows
        };
        let counted = board.searcher.search(naive, clues, left);
        match self {
            _ if counted.exhausted => None,
            Self::Naive(_) => Some(counted.nodes),
            Self::EveryFilling => {
                let largest = vec![board.shape.values() as Value; clues.len()];
                fillings_before(
                    board.shape.values(),
                    clues,
                    counted.solution.as_ref().unwrap_or(&largest),
                )
            }
        }
    }
}

/// How many ways to fill the blanks come before `answer`, if the blanks are counted up like the
/// digits of a number; `None` if there are more than a `u64` can count.
fn fillings_before(values: usize, clues: &[Value], answer: &[Value]) -> Option<u64> {
    let filled = clues.iter().zip(answer).filter(|(clue, _)| **clue == BLANK);
    filled
        .map(|(_, &value)| u64::from(value) - 1)
        .try_fold(0u64, |number, digit| {
            number.checked_mul(values as u64)?.checked_add(digit)
        })
}
