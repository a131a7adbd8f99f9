//! Mutants that are right on most grids and stumble over grids of one kind: they find no completion
//! of them.

use gridjudge_grid::solve::Solver;
use gridjudge_grid::{BLANK, HouseKind, Value};

use crate::authoring::strength::answering;
use crate::authoring::strength::{CaseGrid, MutantContext, summed_lines};
use crate::check::ExpectedAnswer;
use crate::model::{Accept, GridTask};

/// The grids that a mutant does not solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SpecialCaseFault {
    /// Grids without a blank: the mutant prints the blanks of an answer that it never filled.
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
        match self {
            Self::Empty => may_have_several,
            // A program that must search for several solutions does not stumble over them.
            Self::SeveralSolutions => may_have_several && answering::may_stop_at_first(task),
            Self::ThousandSolutions => {
                may_have_several && answering::may_stop_at_first(task) && shape.order() > 4
            }
            Self::MostBlanks => most_blanks(task).is_some(),
            Self::FullHouse(kind) | Self::EmptyHouse(kind) => shape
                .houses()
                .iter()
                .chain(&summed_lines(shape))
                .any(|house| house.kind == kind),
            Self::SmallestOrder | Self::LargestOrder => task.format.shapes.len() > 1,
            _ => true,
        }
    }

    /// Whether the mutant stumbles over this grid.
    pub(super) fn meets(self, task: &GridTask, board: &MutantContext, grid: &CaseGrid) -> bool {
        let clues = &grid.clues[..];
        let blanks = grid.blanks();
        let has_house = |kind, is_such: &dyn Fn(Value) -> bool| {
            board
                .of_kind(kind)
                .any(|house| house.cells.iter().all(|&cell| is_such(clues[cell])))
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
            Self::SymbolNotGiven => {
                (1..=board.shape.values()).any(|value| !clues.contains(&(value as Value)))
            }
            Self::SeveralSolutions => has_more_than(1, &board.solver, clues),
            Self::ThousandSolutions => has_more_than(ROOM_FOR_SOLUTIONS, &board.solver, clues),
            Self::SmallestOrder => grid.board == 0,
            Self::LargestOrder => grid.board + 1 == task.format.shapes.len(),
        }
    }

    /// The mutant's answer to a grid that it stumbles over.
    pub(super) fn say(self, task: &GridTask, clues: &[Value]) -> ExpectedAnswer {
        match answering::no_solution(task, clues) {
            ExpectedAnswer::One(_) if self == Self::Complete => {
                ExpectedAnswer::One(vec![BLANK; clues.len()])
            }
            answer => answer,
        }
    }
}

/// The most blanks that a grid of the problem can have; `None` unless that is known and every grid
/// has one solution. A grid with one solution has at least four clues at order four, and at least
/// seventeen at order nine.
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
    solver
        .solutions(clues, count + 1)
        .is_ok_and(|found| found.len() > count)
}
