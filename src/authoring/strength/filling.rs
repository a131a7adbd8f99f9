//! Mutants that know the rules and fill grids badly: they stop too early, or do not undo what they
//! tried.

use gridjudge_grid::{BLANK, HouseKind, Value};

use crate::authoring::strength::answering;
use crate::authoring::strength::{FoundGrids, GaveUp, MutantContext, MutantSearch, Singles};
use crate::check::ExpectedAnswer;
use crate::model::{Accept, GridTask};

/// What a mutant does wrong when it fills a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FillingFault {
    /// Places singles of these kinds, and leaves the rest blank.
    Only(Singles),
    /// Guesses the first candidate of the cell with the fewest, and never revises a guess.
    Greedy,
    /// Searches correctly, but stops after this many guesses.
    Guesses(u64),
    /// Writes the first symbol that no clue forbids.
    AgainstCluesOnly,
    /// Leaves symbols that it tried in its tables of these houses when it backtracks.
    KeepsTable(HouseKind),
    /// Leaves symbols that it tried in the cells when it backtracks, and then treats them as clues.
    KeepsCell,
    /// Treats the first clue as a blank.
    FreesFirstClue,
    /// Treats the last clue as a blank.
    FreesLastClue,
}

/// The most symbols that an untidy search places before it stops without a result.
const MOST_STEPS: u64 = 1_000_000;

/// The smallest order at which grids with one solution are known to take many guesses.
const GUESSING_ORDER: usize = 9;

impl FillingFault {
    /// Whether a program for this problem can have this fault, and some input shows it.
    pub(super) fn applies_to(self, task: &GridTask) -> bool {
        let shape = task.format.shape();
        match self {
            Self::Guesses(_) => shape.order() >= GUESSING_ORDER && answering::needs_solutions(task),
            Self::FreesFirstClue | Self::FreesLastClue => true,
            _ if !answering::may_stop_at_first(task) => false,
            // These know only houses, so with cages or inequalities they would have a second fault.
            Self::KeepsTable(_) | Self::KeepsCell | Self::AgainstCluesOnly
                if shape.arithmetic().is_some() =>
            {
                false
            }
            Self::KeepsTable(kind) => shape.houses().iter().any(|house| house.kind == kind),
            // Singles solve every grid of order four with boxes and one solution.
            Self::Only(_) => shape.order() > 4 || task.may_have_several(),
            // At order four, any guess leads to a solution, though not always to the first in
            // reading order.
            Self::Greedy => shape.order() > 4 || task.accept == Accept::First,
            Self::AgainstCluesOnly | Self::KeepsCell => true,
        }
    }

    /// The mutant's answer to a grid.
    ///
    /// # Errors
    /// Returns [`GaveUp`] if the program would not finish in time.
    pub(super) fn fill(
        self,
        task: &GridTask,
        board: &MutantContext,
        clues: &[Value],
    ) -> Result<ExpectedAnswer, GaveUp> {
        let search = &board.search;
        match self {
            Self::Guesses(most) => {
                answering::answer(task, clues, search.has_clash(clues), |clues, limit| {
                    let found = search.explore(search.start(clues), Singles::Naked, most, limit);
                    FoundGrids {
                        gave_up: false,
                        ..found
                    }
                })
            }
            Self::FreesFirstClue | Self::FreesLastClue => {
                let mut given = (0..clues.len()).filter(|&cell| clues[cell] != BLANK);
                let cell = if self == Self::FreesFirstClue {
                    given.next()
                } else {
                    given.next_back()
                };
                let mut freed = clues.to_vec();
                cell.into_iter().for_each(|cell| freed[cell] = BLANK);
                search.answer(task, &freed)
            }
            _ => Ok(self
                .only(board, clues)
                .map_or_else(|| answering::no_solution(task, clues), ExpectedAnswer::One)),
        }
    }

    /// The grid that the mutant ends with, for faults that end with one grid; `None` if its search
    /// fails.
    fn only(self, board: &MutantContext, clues: &[Value]) -> Option<Vec<Value>> {
        let search = &board.search;
        match self {
            Self::Only(singles) => {
                let mut state = search.start(clues);
                search.conclude(&mut state, singles).then(|| state.values())
            }
            Self::Greedy => greedy(search, clues),
            Self::AgainstCluesOnly => Some(UntidySearch::new(board, clues, self).by_clues(clues)),
            _ => {
                let mut walk = UntidySearch::new(board, clues, self);
                walk.on_from(0).then_some(walk.cells)
            }
        }
    }
}

fn greedy(search: &MutantSearch, clues: &[Value]) -> Option<Vec<Value>> {
    let mut state = search.start(clues);
    while search.conclude(&mut state, Singles::Naked) {
        let Some(cell) = state.narrowest() else {
            return Some(state.values());
        };
        let bit = state.choices(cell).next()?;
        state = state.with(cell, bit);
    }
    None
}

/// A search in reading order with a table for each house, as beginners write it, which does not
/// undo everything.
struct UntidySearch {
    cells: Vec<Value>,
    /// The values in each house: bit `v - 1` stands for value `v`.
    tables: Vec<u32>,
    kinds: Vec<HouseKind>,
    houses_of: Vec<Vec<usize>>,
    all: u32,
    untidy: FillingFault,
    /// How many more symbols may be placed.
    steps: u64,
}

impl UntidySearch {
    fn new(board: &MutantContext, clues: &[Value], untidy: FillingFault) -> Self {
        let mut houses_of = vec![Vec::new(); board.shape.cells()];
        let mut tables = vec![0; board.houses.len()];
        for (number, house) in board.houses.iter().enumerate() {
            for &cell in &house.cells {
                houses_of[cell].push(number);
                tables[number] |= mask(clues[cell]);
            }
        }
        let kinds = board.houses.iter().map(|house| house.kind).collect();
        Self {
            cells: clues.to_vec(),
            tables,
            kinds,
            houses_of,
            all: (1 << board.shape.values()) - 1,
            untidy,
            steps: MOST_STEPS,
        }
    }

    fn candidates(&self, cell: usize) -> u32 {
        self.houses_of[cell]
            .iter()
            .fold(self.all, |left, &house| left & !self.tables[house])
    }

    fn by_clues(&self, clues: &[Value]) -> Vec<Value> {
        clues
            .iter()
            .enumerate()
            .map(|(cell, &clue)| match self.candidates(cell) {
                mask if clue == BLANK && mask != 0 => mask.trailing_zeros() as Value + 1,
                _ => clue,
            })
            .collect()
    }

    /// Fills the blanks from a cell on; `false` if no symbol leads to a result. Usually this ends
    /// soon, because each backtracking leaves a symbol behind in a table or a cell. Tables of
    /// diagonals slow it down less, because few cells are on a diagonal; hence the bound on steps.
    fn on_from(&mut self, from: usize) -> bool {
        let Some(cell) = (from..self.cells.len()).find(|&cell| self.cells[cell] == BLANK) else {
            return true;
        };
        for value in 1..=self.all.count_ones() as Value {
            if self.candidates(cell) & mask(value) == 0 || self.steps == 0 {
                continue;
            }
            self.steps -= 1;
            self.cells[cell] = value;
            self.houses_of[cell]
                .iter()
                .for_each(|&house| self.tables[house] |= mask(value));
            if self.on_from(cell + 1) {
                return true;
            }
            self.undo(cell, value);
        }
        false
    }

    fn undo(&mut self, cell: usize, value: Value) {
        if self.untidy != FillingFault::KeepsCell {
            self.cells[cell] = BLANK;
        }
        for &house in &self.houses_of[cell] {
            if self.untidy != FillingFault::KeepsTable(self.kinds[house]) {
                self.tables[house] &= !mask(value);
            }
        }
    }
}

fn mask(value: Value) -> u32 {
    if value == BLANK { 0 } else { 1 << (value - 1) }
}
