//! Mutants that read some grids or cells of the input wrongly.

use gridjudge_grid::{BLANK, GridCount, Shape, Value};

use crate::authoring::strength::CaseGrid;
use crate::check::InputGrids;
use crate::model::GridTask;

/// What a mutant does wrong when it reads the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
        let most = task.format.input.count.most();
        match self {
            Self::FirstRow | Self::LastRow | Self::LastColumn | Self::LastSymbol => true,
            // If lines other than rows may hold the same characters, the text does not show which
            // are blanks.
            Self::OtherBlanks => {
                task.format.symbols.blanks().len() > 1
                    && input.banner.is_none()
                    && input.order_line.is_none()
                    && input.comment.is_none()
                    && input.separator.is_none()
            }
            Self::OneDigit => most >= 10 && matches!(input.count, GridCount::First { .. }),
            // With at most two grids, this is the same as `OnlyFirst`.
            Self::RoomForOneTooFew => most > 2,
            Self::EndsAtEmpty => most > 1 && task.may_have_several(),
            Self::BeyondTheEnd => matches!(
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
        grids: &[CaseGrid],
    ) -> Vec<CaseGrid> {
        let last = grids.len().saturating_sub(1);
        match self {
            Self::FirstRow => blanked(task, grids, |shape, cell, _| cell < shape.order()),
            Self::LastRow => blanked(task, grids, |shape, cell, _| {
                shape.place(cell).0 == shape.order() - 1
            }),
            Self::LastColumn => blanked(task, grids, |shape, cell, _| {
                shape.place(cell).1 == shape.order() - 1
            }),
            Self::LastSymbol => blanked(task, grids, |shape, _, value| {
                usize::from(value) == shape.values()
            }),
            Self::OtherBlanks => with_other_blanks(task, input).unwrap_or_default(),
            Self::OnlyFirst => grids.iter().take(1).cloned().collect(),
            Self::SkipsFirst => grids.iter().skip(1).cloned().collect(),
            Self::MissesLast => grids[..last].to_vec(),
            Self::LastTwice => grids.iter().chain(grids.last()).cloned().collect(),
            Self::FirstAgain => grids
                .iter()
                .filter_map(|_| grids.first())
                .cloned()
                .collect(),
            Self::OneDigit => grids[..first_digit(grids.len())].to_vec(),
            Self::RoomForOneTooFew => {
                let room =
                    usize::try_from(task.format.input.count.most() - 1).unwrap_or(usize::MAX);
                grids.iter().take(room).cloned().collect()
            }
            Self::EndsAtEmpty => grids
                .iter()
                .take_while(|grid| grid.blanks() < grid.clues.len())
                .cloned()
                .collect(),
            Self::BeyondTheEnd => grids
                .iter()
                .cloned()
                .chain(grids.last().map(emptied))
                .collect(),
        }
    }
}

/// The grids with some cells blanked. `is_blanked` is given the shape, the cell and its value.
fn blanked(
    task: &GridTask,
    grids: &[CaseGrid],
    is_blanked: impl Fn(&Shape, usize, Value) -> bool,
) -> Vec<CaseGrid> {
    grids
        .iter()
        .map(|grid| {
            let shape = &task.format.shapes[grid.board];
            CaseGrid {
                board: grid.board,
                clues: grid
                    .clues
                    .iter()
                    .enumerate()
                    .map(|(cell, &value)| {
                        if is_blanked(shape, cell, value) {
                            BLANK
                        } else {
                            value
                        }
                    })
                    .collect(),
            }
        })
        .collect()
}

fn emptied(grid: &CaseGrid) -> CaseGrid {
    CaseGrid {
        board: grid.board,
        clues: vec![BLANK; grid.clues.len()],
    }
}

fn first_digit(mut number: usize) -> usize {
    while number >= 10 {
        number /= 10;
    }
    number
}

/// The grids of an input in which all blank characters except the first are replaced by the first
/// symbol.
fn with_other_blanks(task: &GridTask, input: &[u8]) -> Option<Vec<CaseGrid>> {
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
    let mut clues = InputGrids::open(&task.format, &text[..]).ok()?;
    let mut grids = Vec::new();
    let mut cells = Vec::new();
    while let Some(board) = clues.read_into(&mut cells).ok()? {
        grids.push(CaseGrid {
            board,
            clues: cells.clone(),
        });
    }
    Some(grids)
}
