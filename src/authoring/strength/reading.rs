//! Mutants that read some grids or cells of the input wrongly, and mutants that read
//! them well and fill them badly: they stop too early, or do not undo what they tried.

use gridjudge_grid::make::bits;
use gridjudge_grid::{BLANK, GridCount, HouseKind, Shape, Value};

use crate::authoring::strength::{
    GaveUp, MutantContext, MutantSearch, Singles, answering, mask,
};
use crate::authoring::stress::{Draft, DraftGrid};
use crate::check::ExpectedAnswer;
use crate::model::{Accept, GridTask};

use FillingFault::*;
use ReadingFault::*;

/// What a mutant does wrong when it reads the input.
#[derive(Clone, Copy)]
pub(super) enum ReadingFault {
    /// Reads the first row as blank.
    FirstRow,
    /// Reads the last row as blank.
    LastRow,
    /// Reads the last column as blank.
    LastColumn,
    /// Reads the last symbol as a blank.
    LastSymbol,
    /// Reads every blank character except the first as the first symbol.
    OtherBlanks,
    /// Reads only the first grid.
    OnlyFirst,
    /// Reads all grids except the first.
    SkipsFirst,
    /// Reads all grids except the last.
    MissesLast,
    /// Reads the last grid twice.
    LastTwice,
    /// Reads the first grid in place of every grid.
    FirstAgain,
    /// Reads only the first digit of the number of grids.
    OneDigit,
    /// Reads at most one grid less than the maximum.
    RoomForOneTooFew,
    /// Reads the grids before the first empty one.
    EndsAtEmpty,
    /// Reads an empty grid after the last grid.
    BeyondTheEnd,
}

impl ReadingFault {
    /// Whether a program for this problem can have this fault, and some input shows it.
    pub(super) fn applies_to(self, task: &GridTask) -> bool {
        let input = &task.format.input;
        let most = input.count.most();
        match self {
            FirstRow | LastRow | LastColumn | LastSymbol => true,
            // If lines other than rows may hold the same characters, the text does not
            // show which are blanks.
            OtherBlanks => {
                task.format.symbols.blanks().len() > 1
                    && input.banner.is_none()
                    && input.order_line.is_none()
                    && input.comment.is_none()
                    && input.separator.is_none()
            }
            OneDigit => most >= 10 && matches!(input.count, GridCount::First { .. }),
            // With at most two grids, this is the same as `OnlyFirst`.
            RoomForOneTooFew => most > 2,
            EndsAtEmpty => most > 1 && task.may_have_several(),
            BeyondTheEnd => matches!(
                input.count,
                GridCount::Until { .. } | GridCount::UntilEnd { .. }
            ),
            _ => most > 1,
        }
    }

    /// The grids that the mutant reads from an input that holds `grids`.
    pub(super) fn misread(
        self,
        task: &GridTask,
        input: &[u8],
        grids: &[DraftGrid],
    ) -> Vec<DraftGrid> {
        let last = grids.len().saturating_sub(1);
        let all = grids.iter().cloned();
        match self {
            FirstRow => blanked(task, grids, |shape, cell, _| cell < shape.order()),
            LastRow => blanked(task, grids, |shape, cell, _| {
                shape.place(cell).0 == shape.order() - 1
            }),
            LastColumn => blanked(task, grids, |shape, cell, _| {
                shape.place(cell).1 == shape.order() - 1
            }),
            LastSymbol => blanked(task, grids, |shape, _, value| {
                usize::from(value) == shape.values()
            }),
            OtherBlanks => with_other_blanks(task, input).unwrap_or_default(),
            OnlyFirst => all.take(1).collect(),
            SkipsFirst => all.skip(1).collect(),
            MissesLast => grids[..last].to_vec(),
            LastTwice => all.chain(grids.last().cloned()).collect(),
            FirstAgain => all.map(|_| grids[0].clone()).collect(),
            OneDigit => grids[..first_digit(grids.len())].to_vec(),
            RoomForOneTooFew => {
                let room = usize::try_from(task.format.input.count.most() - 1)
                    .unwrap_or(usize::MAX);
                all.take(room).collect()
            }
            EndsAtEmpty => all.take_while(|grid| grid.clues() > 0).collect(),
            BeyondTheEnd => {
                let after = grids.last().map(|grid| DraftGrid {
                    shape: grid.shape,
                    cells: vec![BLANK; grid.cells.len()],
                });
                all.chain(after).collect()
            }
        }
    }
}

/// The grids with some cells blanked. `is_blanked` is given the shape, the cell and its
/// value.
fn blanked(
    task: &GridTask,
    grids: &[DraftGrid],
    is_blanked: impl Fn(&Shape, usize, Value) -> bool,
) -> Vec<DraftGrid> {
    let mut grids = grids.to_vec();
    for grid in &mut grids {
        let shape = &task.format.shapes[grid.shape];
        for (cell, value) in grid.cells.iter_mut().enumerate() {
            if is_blanked(shape, cell, *value) {
                *value = BLANK;
            }
        }
    }
    grids
}

fn first_digit(mut number: usize) -> usize {
    while number >= 10 {
        number /= 10;
    }
    number
}

/// The grids of an input in which all blank characters except the first are replaced by
/// the first symbol.
fn with_other_blanks(task: &GridTask, input: &[u8]) -> Option<Vec<DraftGrid>> {
    let symbols = &task.format.symbols;
    let others = &symbols.blanks().as_bytes()[1..];
    let first = symbols.symbol(1).as_bytes()[0];
    let narrowest = task.format.shapes[0].order();
    let mut text = Vec::with_capacity(input.len());
    for line in input.split_inclusive(|&byte| byte == b'\n') {
        // A shorter line is no row but the number of grids.
        let is_row = line.trim_ascii().len() >= narrowest;
        text.extend(line.iter().map(|byte| {
            if is_row && others.contains(byte) {
                first
            } else {
                *byte
            }
        }));
    }
    Draft::grids_of(task, &text).ok()
}

/// What a mutant does wrong when it fills a grid.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum FillingFault {
    /// Places singles of these kinds, and leaves the rest blank.
    Only(Singles),
    /// Guesses the first candidate of the cell with the fewest, and never revises a
    /// guess.
    Greedy,
    /// Searches correctly, but stops after this many guesses.
    Guesses(u64),
    /// Writes the first symbol that no clue forbids.
    AgainstCluesOnly,
    /// Leaves symbols that it tried in its tables of these houses when it backtracks.
    KeepsTable(HouseKind),
    /// Leaves symbols that it tried in the cells when it backtracks, and then treats
    /// them as clues.
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
            Guesses(_) => {
                shape.order() >= GUESSING_ORDER && answering::needs_solutions(task)
            }
            FreesFirstClue | FreesLastClue => true,
            _ if !answering::may_stop_at_first(task) => false,
            // These know only houses, so with cages or inequalities they would have a
            // second fault.
            KeepsTable(_) | KeepsCell | AgainstCluesOnly
                if shape.arithmetic().is_some() =>
            {
                false
            }
            KeepsTable(kind) => shape.houses().iter().any(|house| house.kind == kind),
            // Singles solve every grid of order four with boxes and one solution.
            Only(_) => shape.order() > 4 || task.may_have_several(),
            // At order four, any guess leads to a solution, though not always to the
            // first in reading order.
            Greedy => shape.order() > 4 || task.accept == Accept::First,
            AgainstCluesOnly | KeepsCell => true,
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
            Guesses(most) => answering::answer(
                task,
                clues,
                search.has_clash(clues),
                |clues, limit| {
                    search
                        .explore(search.start(clues), Singles::Naked, most, limit)
                        .or_else(|GaveUp(found)| Ok(found))
                },
            ),
            FreesFirstClue | FreesLastClue => {
                let mut given = (0..clues.len()).filter(|&cell| clues[cell] != BLANK);
                let cell = if self == FreesFirstClue {
                    given.next()
                } else {
                    given.next_back()
                };
                let mut freed = clues.to_vec();
                if let Some(cell) = cell {
                    freed[cell] = BLANK;
                }
                search.answer(task, &freed)
            }
            _ => Ok(self.only(board, clues).map_or_else(
                || answering::no_solution(task, clues),
                ExpectedAnswer::One,
            )),
        }
    }

    /// The grid that the mutant ends with, for faults that end with one grid; `None` if
    /// its search fails.
    fn only(self, board: &MutantContext, clues: &[Value]) -> Option<Vec<Value>> {
        let search = &board.search;
        match self {
            Only(singles) => {
                let mut state = search.start(clues);
                search.conclude(&mut state, singles).then(|| state.values())
            }
            Greedy => greedy(search, clues),
            AgainstCluesOnly => {
                let tables = UntidySearch::new(board, clues, self);
                let mut cells = clues.to_vec();
                for (cell, value) in cells.iter_mut().enumerate() {
                    let candidates = tables.candidates(cell);
                    if *value == BLANK && candidates != 0 {
                        *value = candidates.trailing_zeros() as Value + 1;
                    }
                }
                Some(cells)
            }
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
        let Some((cell, candidates)) = state.narrowest() else {
            return Some(state.values());
        };
        state = state.with(cell, bits(candidates).last()?);
    }
    None
}

/// A search in reading order with a table for each house, as beginners write it, which
/// does not undo everything.
struct UntidySearch<'a> {
    board: &'a MutantContext,
    cells: Vec<Value>,
    /// The values in each house: bit `v - 1` stands for value `v`.
    tables: Vec<u32>,
    houses_of: Vec<Vec<usize>>,
    untidy: FillingFault,
    /// How many more symbols may be placed.
    steps: u64,
}

impl<'a> UntidySearch<'a> {
    fn new(board: &'a MutantContext, clues: &[Value], untidy: FillingFault) -> Self {
        let mut houses_of = vec![vec![]; board.shape.cells()];
        let mut tables = vec![0; board.houses.len()];
        for (number, house) in board.houses.iter().enumerate() {
            for &cell in &house.cells {
                houses_of[cell].push(number);
                tables[number] |= mask(clues[cell]);
            }
        }
        Self {
            board,
            cells: clues.to_vec(),
            tables,
            houses_of,
            untidy,
            steps: MOST_STEPS,
        }
    }

    fn candidates(&self, cell: usize) -> u32 {
        self.houses_of[cell]
            .iter()
            .fold(self.board.search.tries, |left, &house| {
                left & !self.tables[house]
            })
    }

    /// Fills the blanks from a cell on; `false` if no symbol leads to a result. Usually
    /// this ends soon, because each backtracking leaves a symbol behind in a table or a
    /// cell. Tables of diagonals slow it down less, because few cells are on a
    /// diagonal; hence the bound on steps.
    fn on_from(&mut self, from: usize) -> bool {
        let Some(cell) =
            (from..self.cells.len()).find(|&cell| self.cells[cell] == BLANK)
        else {
            return true;
        };
        for value in 1..=self.board.shape.values() as Value {
            if self.candidates(cell) & mask(value) == 0 || self.steps == 0 {
                continue;
            }
            self.steps -= 1;
            self.cells[cell] = value;
            for &house in &self.houses_of[cell] {
                self.tables[house] |= mask(value);
            }
            if self.on_from(cell + 1) {
                return true;
            }
            if self.untidy != KeepsCell {
                self.cells[cell] = BLANK;
            }
            for &house in &self.houses_of[cell] {
                let kind = self.board.houses[house].kind;
                if self.untidy != KeepsTable(kind) {
                    self.tables[house] &= !mask(value);
                }
            }
        }
        false
    }
}
