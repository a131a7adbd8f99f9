//! Mutants that do not begin each grid afresh: something of the grids before is left.

use crate::check::Truth;
use crate::model::Accept;
use crate::model::Problem;
use crate::strength::board::Board;
use crate::strength::board::Grid;
use crate::strength::search::MOST_GUESSES;
use crate::strength::search::Singles;
use crate::strength::telling;
use crate::strength::telling::Found;
use crate::strength::telling::GaveUp;
use gridjudge_grid::BLANK;
use gridjudge_grid::HouseKind;
use gridjudge_grid::Value;

/// What is left of the grids before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leftover {
    /// The clues of all grids so far, in the tables of one kind of houses.
    Clues(HouseKind),
    /// The answer to the grid before, in the tables of all houses.
    Tables,
    /// The answer to the grid before, in the cells that are blank now.
    Cells,
    /// The list of blank cells, which grows.
    Blanks,
    /// The flag that says that a solution was found.
    FoundFlag,
    /// The number of solutions, which grows.
    Number,
}

/// What such a program still holds when it begins a grid.
pub(super) struct Memory<'a> {
    leftover: Leftover,
    problem: &'a Problem,
    /// The grids so far, and what was said about each.
    before: Vec<(&'a Grid, Truth)>,
}

impl Leftover {
    /// Whether a program could do this on a problem, and some input show it.
    pub(super) fn fits(self, problem: &Problem) -> bool {
        match self {
            Self::Clues(kind) => problem.format.shape().houses().iter().any(|house| house.kind == kind),
            Self::Number => !telling::may_take_any(problem),
            // Who looks for all solutions undoes what it placed.
            Self::Tables | Self::Cells | Self::FoundFlag => telling::may_take_any(problem),
            Self::Blanks => true,
        }
    }
}

impl<'a> Memory<'a> {
    pub(super) fn new(leftover: Leftover, problem: &'a Problem) -> Self {
        Self { leftover, problem, before: Vec::new() }
    }

    /// What is said about the next grid, to which `right` is the right answer.
    ///
    /// # Errors
    /// [`GaveUp`] if the program would not end in time.
    pub(super) fn say(&mut self, board: &Board, grid: &'a Grid, right: &Truth) -> Result<Truth, GaveUp> {
        let said = match self.leftover {
            Leftover::Number => self.with_old_number(right),
            _ if self.alike(grid).next().is_none() => right.clone(),
            _ => self.fill(board, grid, right)?,
        };
        // What an odd table has done to an answer is not followed into the next grid.
        let kept = if self.leftover == Leftover::Number { right } else { &said };
        self.before.push((grid, kept.clone()));
        Ok(said)
    }

    /// The grids of the same shape so far, and what was said about each.
    fn alike(&self, grid: &Grid) -> impl DoubleEndedIterator<Item = &(&'a Grid, Truth)> {
        self.before.iter().filter(move |(before, _)| before.board == grid.board)
    }

    fn fill(&self, board: &Board, grid: &Grid, right: &Truth) -> Result<Truth, GaveUp> {
        let clues = &grid.clues[..];
        let has_blanks = grid.blanks() > 0;
        let is_full = |said: &Truth| matches!(said, Truth::One(cells) if !cells.contains(&BLANK));
        match self.leftover {
            Leftover::Clues(kind) => self.fill_with_old_clues(kind, board, grid),
            Leftover::Tables if has_blanks && self.alike(grid).any(|(_, said)| is_full(said)) => {
                Ok(telling::nothing(self.problem, clues))
            }
            Leftover::FoundFlag
                if has_blanks && self.alike(grid).any(|(old, said)| old.blanks() > 0 && is_full(said)) =>
            {
                Ok(telling::nothing(self.problem, clues))
            }
            Leftover::Cells => {
                let old = self.alike(grid).next_back().and_then(|(_, said)| match said {
                    Truth::One(cells) => Some(cells),
                    _ => None,
                });
                let kept = |(&clue, &old)| if clue == BLANK { old } else { clue };
                let filled = old.map(|old| clues.iter().zip(old).map(kept).collect::<Vec<_>>());
                let search = |clues: &[Value], limit| board.search.solve(clues, limit);
                filled.map_or(Ok(right.clone()), |filled| telling::tell(self.problem, &filled, search))
            }
            Leftover::Blanks => {
                let was_blank = |cell: usize| self.alike(grid).any(|(old, _)| old.clues[cell] == BLANK);
                let freed = |(cell, &clue)| if was_blank(cell) { BLANK } else { clue };
                let freed: Vec<_> = clues.iter().enumerate().map(freed).collect();
                telling::tell(self.problem, &freed, |clues, limit| board.search.solve(clues, limit))
            }
            _ => Ok(right.clone()),
        }
    }

    fn fill_with_old_clues(&self, kind: HouseKind, board: &Board, grid: &Grid) -> Result<Truth, GaveUp> {
        telling::tell(self.problem, &grid.clues, |clues, limit| -> Found {
            let mut outset = board.search.outset(clues);
            for house in board.of_kind(kind) {
                let values =
                    self.alike(grid).flat_map(|(old, _)| house.cells.iter().map(|&cell| old.clues[cell]));
                let old =
                    values.filter(|&value| value != BLANK).fold(0, |mask, value| mask | 1 << (value - 1));
                let blanks = house.cells.iter().filter(|&&cell| clues[cell] == BLANK);
                blanks.for_each(|&cell| outset.forbid(cell, old));
            }
            board.search.explore(outset, Singles::All, MOST_GUESSES, limit)
        })
    }

    /// What is said if the solutions of the grids before are counted as well.
    fn with_old_number(&self, right: &Truth) -> Truth {
        let number = |said: &Truth| match said {
            Truth::One(_) => 1,
            Truth::All(all) => all.len() as u64,
            Truth::Count(count) => *count,
            Truth::None | Truth::Several => 0,
        };
        let old: u64 = self.before.iter().map(|(_, said)| number(said)).sum();
        match (right, self.problem.accept) {
            (Truth::Count(count), Accept::Count { most }) if count + old > most => Truth::Several,
            (Truth::Count(count), _) => Truth::Count(count + old),
            (Truth::All(all), Accept::All { most }) if all.len() as u64 + old > most => Truth::Several,
            (Truth::One(_), _) if old > 0 => Truth::Several,
            _ => right.clone(),
        }
    }
}
