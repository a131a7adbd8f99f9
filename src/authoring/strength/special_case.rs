//! Mutants that are right on most grids and stumble over a kind of grid: they find no completion of it.

use crate::authoring::strength::answering;
use crate::authoring::strength::context::CaseGrid;
use crate::authoring::strength::context::MutantContext;
use crate::check::ExpectedAnswer;
use crate::model::Accept;
use crate::model::GridTask;
use gridjudge_grid::BLANK;
use gridjudge_grid::HouseKind;
use gridjudge_grid::Value;
use gridjudge_grid::solve::Solver;

/// The grids that a mutant does not solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SpecialCaseFault {
    /// Those without a blank: it prints the blanks of an answer it never filled.
    Complete,
    /// Those without a clue.
    Empty,
    /// Those whose first cell is a clue.
    FirstCellGiven,
    /// Those whose last cell is a clue.
    LastCellGiven,
    /// Those with exactly one blank.
    OneBlank,
    /// Those with as many blanks as a grid with one solution can have.
    MostBlanks,
    /// Those with a house of a kind that has no blank, and a blank elsewhere.
    FullHouse(HouseKind),
    /// Those with a house of a kind that has no clue.
    EmptyHouse(HouseKind),
    /// Those in which some symbol is not among the clues.
    SymbolNotGiven,
    /// Those with more than one solution.
    SeveralSolutions,
    /// Those with more solutions than it has room for.
    ThousandSolutions,
    /// Those of the smallest order.
    SmallestOrder,
    /// Those of the largest order.
    LargestOrder,
}

/// Solutions that a program which lists them all has room for.
const ROOM_FOR_SOLUTIONS: usize = 1000;

impl SpecialCaseFault {
    /// Whether there are such grids in a problem.
    pub(super) fn fits(self, task: &GridTask) -> bool {
        let shape = task.format.shape();
        let may_have_several = task.may_have_several();
        match self {
            Self::Empty => may_have_several,
            // Who looks for others anyway does not stumble over them.
            Self::SeveralSolutions => may_have_several && answering::may_take_any(task),
            Self::ThousandSolutions => may_have_several && answering::may_take_any(task) && shape.order() > 4,
            Self::MostBlanks => most_blanks(task).is_some(),
            Self::FullHouse(kind) | Self::EmptyHouse(kind) => {
                shape.houses().iter().any(|house| house.kind == kind)
            }
            Self::SmallestOrder | Self::LargestOrder => task.format.shapes.len() > 1,
            _ => true,
        }
    }

    /// Whether a grid is one of them.
    pub(super) fn meets(self, task: &GridTask, board: &MutantContext, grid: &CaseGrid) -> bool {
        let (clues, blanks) = (&grid.clues[..], grid.blanks());
        let has_house = |kind, is_such: &dyn Fn(Value) -> bool| {
            board.of_kind(kind).any(|house| house.cells.iter().all(|&cell| is_such(clues[cell])))
        };
        match self {
            Self::Complete => blanks == 0,
            Self::Empty => blanks == clues.len(),
            Self::FirstCellGiven => clues.first() != Some(&BLANK),
            Self::LastCellGiven => clues.last() != Some(&BLANK),
            Self::OneBlank => blanks == 1,
            Self::MostBlanks => most_blanks(task).is_some_and(|most| blanks >= most),
            Self::FullHouse(kind) => blanks > 0 && has_house(kind, &|value| value != BLANK),
            Self::EmptyHouse(kind) => has_house(kind, &|value| value == BLANK),
            Self::SymbolNotGiven => (1..=board.shape.order()).any(|value| !clues.contains(&(value as Value))),
            Self::SeveralSolutions => has_more_than(1, &board.solver, clues),
            Self::ThousandSolutions => has_more_than(ROOM_FOR_SOLUTIONS, &board.solver, clues),
            Self::SmallestOrder => grid.board == 0,
            Self::LargestOrder => grid.board + 1 == task.format.shapes.len(),
        }
    }

    /// What is said about a grid that it stumbles over.
    pub(super) fn say(self, task: &GridTask, clues: &[Value]) -> ExpectedAnswer {
        match answering::nothing(task, clues) {
            ExpectedAnswer::One(_) if self == Self::Complete => ExpectedAnswer::One(vec![BLANK; clues.len()]),
            nothing => nothing,
        }
    }
}

/// The most blanks that a grid with one solution can have, where that is known and promised: a grid of order four has
/// four clues at least, one of order nine seventeen.
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

fn has_more_than(count: usize, solver: &Solver, clues: &[Value]) -> bool {
    solver.solutions(clues, count + 1).is_ok_and(|found| found.len() > count)
}
