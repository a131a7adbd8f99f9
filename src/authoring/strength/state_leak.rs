//! Mutants that are right on most grids: those that do not reset all their state
//! between grids; those that stumble over grids of one kind, of which they find no
//! completion; and those that are slow. Steps are counted, not timed: a search that
//! needs more steps on a case than a tight program makes within the time limit is too
//! slow on every machine.

use std::time::Duration;

use gridjudge_grid::format::ReplyKind;
use gridjudge_grid::naive::NaiveSearch;
use gridjudge_grid::{BLANK, HouseKind, Value};

use crate::authoring::strength::{
    GaveUp, MOST_GUESSES, MutantContext, Singles, answering, houses_and_lines, mask,
};
use crate::authoring::stress::DraftGrid;
use crate::check::ExpectedAnswer;
use crate::model::{Accept, GridTask};

use SlowFault::*;
use SpecialCaseFault::*;
use StateLeak::*;

/// What is left of earlier grids.
#[derive(Clone, Copy, PartialEq)]
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
    before: Vec<(&'a DraftGrid, ExpectedAnswer)>,
}

impl StateLeak {
    /// Whether a program for this problem can have this fault, and some input shows it.
    pub(super) fn applies_to(self, task: &GridTask) -> bool {
        match self {
            Clues(_) | Number if task.accept == Accept::Word => false,
            Clues(kind) => task
                .format
                .shape()
                .houses()
                .iter()
                .any(|house| house.kind == kind),
            Number => !answering::may_stop_at_first(task),
            // A program that searches for all solutions undoes everything that it
            // placed.
            Tables | Cells | FoundFlag => answering::may_stop_at_first(task),
            Blanks => true,
        }
    }
}

impl<'a> LeakedState<'a> {
    pub(super) fn new(leftover: StateLeak, task: &'a GridTask) -> Self {
        Self {
            leftover,
            task,
            before: vec![],
        }
    }

    /// The mutant's answer to the next grid, whose right answer is `right`.
    ///
    /// # Errors
    /// Returns [`GaveUp`] if the program would not finish in time.
    pub(super) fn say(
        &mut self,
        board: &MutantContext,
        grid: &'a DraftGrid,
        right: &ExpectedAnswer,
    ) -> Result<ExpectedAnswer, GaveUp> {
        let answer = match self.leftover {
            Number => self.with_old_number(right),
            _ if self.alike(grid).next().is_none() => right.clone(),
            _ => self.fill(board, grid, right)?,
        };
        // `with_old_number` adds up all numbers in `before`, so these must not include
        // earlier sums.
        let kept = if self.leftover == Number {
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
        grid: &DraftGrid,
    ) -> impl DoubleEndedIterator<Item = &(&'a DraftGrid, ExpectedAnswer)> {
        self.before
            .iter()
            .filter(move |(before, _)| before.shape == grid.shape)
    }

    fn fill(
        &self,
        board: &MutantContext,
        grid: &DraftGrid,
        right: &ExpectedAnswer,
    ) -> Result<ExpectedAnswer, GaveUp> {
        let clues = &grid.cells[..];
        let has_blanks = grid.blanks() > 0;
        match self.leftover {
            Clues(kind) => self.fill_with_old_clues(kind, board, grid),
            Tables | FoundFlag
                if has_blanks
                    && self.alike(grid).any(|(old, answer)| {
                        let is_full =
                            matches!(answer, ExpectedAnswer::One(cells) if !cells.contains(&BLANK));
                        is_full && (self.leftover == Tables || old.blanks() > 0)
                    }) =>
            {
                Ok(answering::no_solution(self.task, clues))
            }
            Cells => {
                let Some((_, ExpectedAnswer::One(old))) = self.alike(grid).next_back()
                else {
                    return Ok(right.clone());
                };
                let filled: Vec<_> = clues
                    .iter()
                    .zip(old)
                    .map(|(&clue, &old)| if clue == BLANK { old } else { clue })
                    .collect();
                board.search.answer(self.task, &filled)
            }
            Blanks => {
                let mut left = clues.to_vec();
                for (cell, clue) in left.iter_mut().enumerate() {
                    if self.alike(grid).any(|(old, _)| old.cells[cell] == BLANK) {
                        *clue = BLANK;
                    }
                }
                board.search.answer(self.task, &left)
            }
            _ => Ok(right.clone()),
        }
    }

    fn fill_with_old_clues(
        &self,
        kind: HouseKind,
        board: &MutantContext,
        grid: &DraftGrid,
    ) -> Result<ExpectedAnswer, GaveUp> {
        let has_clash = board.search.has_clash(&grid.cells);
        answering::answer(
            self.task,
            &grid.cells,
            has_clash,
            |clues: &[Value], limit| {
                let mut start = board.search.start(clues);
                for house in board.of_kind(kind) {
                    let old = self
                        .alike(grid)
                        .flat_map(|(old, _)| {
                            house.cells.iter().map(|&cell| mask(old.cells[cell]))
                        })
                        .fold(0, |all, one| all | one);
                    for &cell in
                        house.cells.iter().filter(|&&cell| clues[cell] == BLANK)
                    {
                        start.candidates[cell] &= !old;
                    }
                }
                board
                    .search
                    .explore(start, Singles::All, MOST_GUESSES, limit)
            },
        )
    }

    /// The answer if the solutions of earlier grids are also counted.
    fn with_old_number(&self, right: &ExpectedAnswer) -> ExpectedAnswer {
        let old: u64 = self
            .before
            .iter()
            .map(|(_, answer)| match answer {
                ExpectedAnswer::One(_) => 1,
                answer => answer.number().unwrap_or(0),
            })
            .sum();
        // It does not find that there is none either.
        let nothing = ExpectedAnswer::all(vec![]);
        let right = match right {
            ExpectedAnswer::Reply(ReplyKind::None)
                if old > 0 && self.task.accept.is_list() =>
            {
                &nothing
            }
            right => right,
        };
        let is_too_many = match (right, right.number(), self.task.accept.most()) {
            (_, Some(number), Some(most)) => number + old > most,
            (ExpectedAnswer::One(_), ..) => old > 0,
            _ => false,
        };
        if is_too_many {
            return ExpectedAnswer::Reply(ReplyKind::Several);
        }
        answering::with_number(right, |number| number + old)
    }
}

/// Candidates that a tight compiled search in a fixed order places in a second.
const STEPS_A_SECOND: u64 = 150_000_000;

/// Candidates that a tight compiled search places in a second if it examines every
/// blank cell before each one.
const CHOSEN_STEPS_A_SECOND: u64 = 15_000_000;

/// Why a mutant is slow.
#[derive(Clone, Copy)]
pub(super) enum SlowFault {
    /// Searches naively.
    Naive(NaiveSearch),
    /// Writes symbols into all blanks before it checks the rules.
    EveryFilling,
}

/// The smallest order at which some grids take a naive search long.
const LONG_ORDER: usize = 9;

/// The smallest order at which grids with a solution are known that take long even for
/// a search that always picks the cell with the fewest candidates.
const LONG_CHOSEN_ORDER: usize = 16;

impl SlowFault {
    /// Whether some input of a problem can show that the mutant is slow.
    pub(super) fn applies_to(self, task: &GridTask) -> bool {
        let order = task.format.shape().order();
        let may_have_none = task.format.replies.none.is_some();
        match self {
            _ if !answering::needs_solutions(task) => false,
            // The cost of a step is known only for searches that use nothing but
            // houses.
            _ if task
                .format
                .shapes
                .iter()
                .any(|shape| shape.arithmetic().is_some()) =>
            {
                false
            }
            Naive(naive) if naive.is_narrowing() => {
                order >= LONG_CHOSEN_ORDER || order >= LONG_ORDER && may_have_none
            }
            Naive(_) => order >= LONG_ORDER,
            EveryFilling => order > 2,
        }
    }

    /// Counts the steps that the mutant takes to find the first solution of each grid.
    ///
    /// # Errors
    /// If there are more than the time limit allows, in words.
    pub(super) fn spend<'g>(
        self,
        limit: Duration,
        boards: &[MutantContext],
        grids: impl Iterator<Item = &'g DraftGrid>,
    ) -> Result<(), String> {
        let a_second = match self {
            Naive(naive) if naive.is_narrowing() => CHOSEN_STEPS_A_SECOND,
            Naive(_) | EveryFilling => STEPS_A_SECOND,
        };
        let allowed = u128::from(a_second) * limit.as_millis() / 1000;
        let allowed = u64::try_from(allowed).unwrap_or(u64::MAX);
        let mut left = allowed;
        for grid in grids {
            let steps = self.steps(&boards[grid.shape], &grid.cells, left);
            left = steps
                .and_then(|steps| left.checked_sub(steps))
                .ok_or_else(|| {
                    let millions = allowed / 1_000_000;
                    format!(
                        "takes more than {millions} million steps, too many for {limit:?}"
                    )
                })?;
        }
        Ok(())
    }

    /// The steps for one grid; `None` if there are more than `most_steps`.
    fn steps(
        self,
        board: &MutantContext,
        clues: &[Value],
        most_steps: u64,
    ) -> Option<u64> {
        // `EveryFilling` counts with a search by rows. That finds the first solution in
        // reading order, which is also the first right filling; and where it is too
        // slow, trying every filling is slower still.
        let naive = if let Naive(naive) = self {
            naive
        } else {
            NaiveSearch::Rows
        };
        let counted = board.searcher.search(naive, clues, most_steps);
        match self {
            _ if counted.exhausted => None,
            Naive(_) => Some(counted.nodes),
            EveryFilling => {
                let values = board.shape.values();
                let largest = vec![values as Value; clues.len()];
                let answer = counted.solution.as_ref().unwrap_or(&largest);
                // The ways to fill the blanks that come before the answer, with the
                // blanks counted up like the digits of a number.
                let mut filled =
                    clues.iter().zip(answer).filter(|(clue, _)| **clue == BLANK);
                filled.try_fold(0u64, |number, (_, &value)| {
                    number
                        .checked_mul(values as u64)?
                        .checked_add(u64::from(value) - 1)
                })
            }
        }
    }
}

/// The grids that a mutant does not solve.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum SpecialCaseFault {
    /// Grids without a blank: the mutant prints the blanks of an answer that it never
    /// filled.
    Complete,
    /// Grids without a clue.
    Empty,
    /// Grids whose first cell is a clue.
    FirstCellGiven,
    /// Grids whose last cell is a clue.
    LastCellGiven,
    /// Grids with exactly one blank.
    OneBlank,
    /// Grids with as many blanks as a grid with one solution can have.
    MostBlanks,
    /// Grids with a blank, but with a house of this kind that has none.
    FullHouse(HouseKind),
    /// Grids with a house of this kind that has no clue.
    EmptyHouse(HouseKind),
    /// Grids in which some symbol is not among the clues.
    SymbolNotGiven,
    /// Grids with more than one solution.
    SeveralSolutions,
    /// Grids with more solutions than the mutant has room for.
    ThousandSolutions,
    /// Grids of the smallest order.
    SmallestOrder,
    /// Grids of the largest order.
    LargestOrder,
}

/// How many solutions a program that lists them all has room for.
const ROOM_FOR_SOLUTIONS: usize = 1000;

impl SpecialCaseFault {
    /// Whether a problem can have such grids.
    pub(super) fn applies_to(self, task: &GridTask) -> bool {
        let shape = task.format.shape();
        let may_have_several = task.may_have_several();
        // A program that must search for several solutions does not stumble over them.
        let stumbles_over_several =
            may_have_several && answering::may_stop_at_first(task);
        match self {
            Empty => may_have_several,
            SeveralSolutions => stumbles_over_several,
            ThousandSolutions => stumbles_over_several && shape.order() > 4,
            MostBlanks => most_blanks(task).is_some(),
            FullHouse(kind) | EmptyHouse(kind) => houses_and_lines(shape)
                .iter()
                .any(|house| house.kind == kind),
            SmallestOrder | LargestOrder => task.format.shapes.len() > 1,
            _ => true,
        }
    }

    /// Whether the mutant stumbles over this grid.
    pub(super) fn meets(
        self,
        task: &GridTask,
        board: &MutantContext,
        grid: &DraftGrid,
    ) -> bool {
        let clues = &grid.cells[..];
        let blanks = grid.blanks();
        let has_house = |kind, is_such: &dyn Fn(Value) -> bool| {
            board
                .of_kind(kind)
                .any(|house| house.cells.iter().all(|&cell| is_such(clues[cell])))
        };
        let has_more_than = |count: usize| {
            let found = board.solver.solutions(clues, count + 1);
            found.is_ok_and(|found| found.len() > count)
        };
        match self {
            Complete => blanks == 0,
            Empty => blanks == clues.len(),
            FirstCellGiven => clues.first() != Some(&BLANK),
            LastCellGiven => clues.last() != Some(&BLANK),
            OneBlank => blanks == 1,
            MostBlanks => most_blanks(task).is_some_and(|most| blanks >= most),
            FullHouse(kind) => blanks > 0 && has_house(kind, &|value| value != BLANK),
            EmptyHouse(kind) => has_house(kind, &|value| value == BLANK),
            SymbolNotGiven => (1..=board.shape.values())
                .any(|value| !clues.contains(&(value as Value))),
            SeveralSolutions => has_more_than(1),
            ThousandSolutions => has_more_than(ROOM_FOR_SOLUTIONS),
            SmallestOrder => grid.shape == 0,
            LargestOrder => grid.shape + 1 == task.format.shapes.len(),
        }
    }

    /// The mutant's answer to a grid that it stumbles over.
    pub(super) fn say(self, task: &GridTask, clues: &[Value]) -> ExpectedAnswer {
        match answering::no_solution(task, clues) {
            ExpectedAnswer::One(_) if self == Complete => {
                ExpectedAnswer::One(vec![BLANK; clues.len()])
            }
            answer => answer,
        }
    }
}

/// The most blanks that a grid of the problem can have; `None` unless that is known and
/// every grid has one solution. A grid with one solution has at least four clues at
/// order four, and at least seventeen at order nine.
fn most_blanks(task: &GridTask) -> Option<usize> {
    let shape = task.format.shape();
    let is_promised = task.accept == Accept::Unique && !task.may_have_several();
    match shape.order() {
        _ if !is_promised => None,
        4 if shape.has_only_boxes(2, 2) => Some(16 - 4),
        9 if shape.has_only_boxes(3, 3) => Some(81 - 17),
        _ => None,
    }
}
