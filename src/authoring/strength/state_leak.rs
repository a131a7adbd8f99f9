//! Mutants that do not reset all their state between grids: something of earlier grids is left.

use gridjudge_grid::format::ReplyKind;
use gridjudge_grid::{BLANK, HouseKind, Value};

use crate::authoring::strength::answering;
use crate::authoring::strength::{
    CaseGrid, FoundGrids, GaveUp, MOST_GUESSES, MutantContext, Singles,
};
use crate::check::ExpectedAnswer;
use crate::model::{Accept, GridTask};

/// What is left of earlier grids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StateLeak {
    /// The clues of all grids so far, in the tables of one kind of houses.
    Clues(HouseKind),
    /// The previous answer, in the tables of all houses.
    Tables,
    /// The previous answer, in the cells that are blank now.
    Cells,
    /// The list of blank cells, which grows.
    Blanks,
    /// The flag that says that a solution was found.
    FoundFlag,
    /// The number of solutions, which grows.
    Number,
}

/// The state that such a program carries over into the next grid.
pub(super) struct LeakedState<'a> {
    leftover: StateLeak,
    task: &'a GridTask,
    /// The grids so far, and the answer to each.
    before: Vec<(&'a CaseGrid, ExpectedAnswer)>,
}

impl StateLeak {
    /// Whether a program for this problem can have this fault, and some input shows it.
    pub(super) fn applies_to(self, task: &GridTask) -> bool {
        match self {
            Self::Clues(_) | Self::Number if task.accept == Accept::Word => false,
            Self::Clues(kind) => task
                .format
                .shape()
                .houses()
                .iter()
                .any(|house| house.kind == kind),
            Self::Number => !answering::may_stop_at_first(task),
            // A program that searches for all solutions undoes everything that it placed.
            Self::Tables | Self::Cells | Self::FoundFlag => answering::may_stop_at_first(task),
            Self::Blanks => true,
        }
    }
}

impl<'a> LeakedState<'a> {
    pub(super) fn new(leftover: StateLeak, task: &'a GridTask) -> Self {
        Self {
            leftover,
            task,
            before: Vec::new(),
        }
    }

    /// The mutant's answer to the next grid, whose right answer is `right`.
    ///
    /// # Errors
    /// Returns [`GaveUp`] if the program would not finish in time.
    pub(super) fn say(
        &mut self,
        board: &MutantContext,
        grid: &'a CaseGrid,
        right: &ExpectedAnswer,
    ) -> Result<ExpectedAnswer, GaveUp> {
        let answer = match self.leftover {
            StateLeak::Number => self.with_old_number(right),
            _ if self.alike(grid).next().is_none() => right.clone(),
            _ => self.fill(board, grid, right)?,
        };
        // `with_old_number` adds up all numbers in `before`, so these must not include earlier
        // sums.
        let kept = if self.leftover == StateLeak::Number {
            right
        } else {
            &answer
        };
        self.before.push((grid, kept.clone()));
        Ok(answer)
    }

    /// The grids of the same shape so far, and the answer to each.
    fn alike(
        &self,
        grid: &CaseGrid,
    ) -> impl DoubleEndedIterator<Item = &(&'a CaseGrid, ExpectedAnswer)> {
        self.before
            .iter()
            .filter(move |(before, _)| before.board == grid.board)
    }

    fn fill(
        &self,
        board: &MutantContext,
        grid: &CaseGrid,
        right: &ExpectedAnswer,
    ) -> Result<ExpectedAnswer, GaveUp> {
        let clues = &grid.clues[..];
        let has_blanks = grid.blanks() > 0;
        let is_full = |answer: &ExpectedAnswer| matches!(answer, ExpectedAnswer::One(cells) if !cells.contains(&BLANK));
        match self.leftover {
            StateLeak::Clues(kind) => self.fill_with_old_clues(kind, board, grid),
            StateLeak::Tables
                if has_blanks && self.alike(grid).any(|(_, answer)| is_full(answer)) =>
            {
                Ok(answering::no_solution(self.task, clues))
            }
            StateLeak::FoundFlag
                if has_blanks
                    && self
                        .alike(grid)
                        .any(|(old, answer)| old.blanks() > 0 && is_full(answer)) =>
            {
                Ok(answering::no_solution(self.task, clues))
            }
            StateLeak::Cells => {
                let old = self
                    .alike(grid)
                    .next_back()
                    .and_then(|(_, answer)| match answer {
                        ExpectedAnswer::One(cells) => Some(cells),
                        _ => None,
                    });
                let filled = old.map(|old| {
                    clues
                        .iter()
                        .zip(old)
                        .map(|(&clue, &old)| if clue == BLANK { old } else { clue })
                        .collect::<Vec<_>>()
                });
                filled.map_or(Ok(right.clone()), |filled| self.solve(board, &filled))
            }
            StateLeak::Blanks => self.solve(
                board,
                &clues
                    .iter()
                    .enumerate()
                    .map(|(cell, &clue)| {
                        if self.alike(grid).any(|(old, _)| old.clues[cell] == BLANK) {
                            BLANK
                        } else {
                            clue
                        }
                    })
                    .collect::<Vec<_>>(),
            ),
            _ => Ok(right.clone()),
        }
    }

    fn solve(&self, board: &MutantContext, clues: &[Value]) -> Result<ExpectedAnswer, GaveUp> {
        board.search.answer(self.task, clues)
    }

    fn fill_with_old_clues(
        &self,
        kind: HouseKind,
        board: &MutantContext,
        grid: &CaseGrid,
    ) -> Result<ExpectedAnswer, GaveUp> {
        let has_clash = board.search.has_clash(&grid.clues);
        answering::answer(
            self.task,
            &grid.clues,
            has_clash,
            |clues, limit| -> FoundGrids {
                let mut start = board.search.start(clues);
                for house in board.of_kind(kind) {
                    let values = self
                        .alike(grid)
                        .flat_map(|(old, _)| house.cells.iter().map(|&cell| old.clues[cell]));
                    let old = values
                        .filter(|&value| value != BLANK)
                        .fold(0, |mask, value| mask | 1 << (value - 1));
                    let blanks = house.cells.iter().filter(|&&cell| clues[cell] == BLANK);
                    blanks.for_each(|&cell| start.forbid(cell, old));
                }
                board
                    .search
                    .explore(start, Singles::All, MOST_GUESSES, limit)
            },
        )
    }

    /// The answer if the solutions of earlier grids are also counted.
    fn with_old_number(&self, right: &ExpectedAnswer) -> ExpectedAnswer {
        let numbers = self.before.iter().map(|(_, answer)| match answer {
            ExpectedAnswer::One(_) => 1,
            answer => answer.number().unwrap_or(0),
        });
        let old: u64 = numbers.sum();
        match (right, self.task.accept) {
            (ExpectedAnswer::Count(count), Accept::Count { most }) if count + old > most => {
                ExpectedAnswer::Reply(ReplyKind::Several)
            }
            (
                ExpectedAnswer::Counted { count, .. },
                Accept::FirstCounted { most } | Accept::AnyCounted { most },
            ) if count + old > most => ExpectedAnswer::Reply(ReplyKind::Several),
            (ExpectedAnswer::Count(count), _) => ExpectedAnswer::Count(count + old),
            (ExpectedAnswer::Counted { count, shown }, _) => ExpectedAnswer::Counted {
                count: count + old,
                shown: shown.clone(),
            },
            (ExpectedAnswer::All(all), Accept::All { most }) if all.len() as u64 + old > most => {
                ExpectedAnswer::Reply(ReplyKind::Several)
            }
            (ExpectedAnswer::One(_), _) if old > 0 => ExpectedAnswer::Reply(ReplyKind::Several),
            _ => right.clone(),
        }
    }
}
