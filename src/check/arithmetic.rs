//! Describes broken cages and inequalities: which cells they have, what these hold, and what they
//! must hold.

use crate::check::location::Location;
use crate::model::{CellPosition, Finding, FindingRule};
use gridjudge_grid::format::GridBlock;
use gridjudge_grid::{ArithmeticBreach, Cage, CageOperation, Format, Shape, Value};

impl Location<'_> {
    /// The finding about a broken cage or inequality. A wrong result of a cage is reported at its
    /// first cell, where its target is usually written.
    pub(crate) fn breach(&self, block: &GridBlock, breach: &ArithmeticBreach) -> Finding {
        let cages = self
            .shape
            .arithmetic()
            .map_or(&[][..], |arithmetic| &arithmetic.cages);
        let sum_rule = if self.shape.is_magic() {
            FindingRule::Sum
        } else {
            FindingRule::Cage
        };
        let (cell, other, rule) = match *breach {
            ArithmeticBreach::Target { cage, .. } => (cages[cage].cells[0], None, sum_rule),
            ArithmeticBreach::Repeated { first, second, .. } => {
                (second, Some(first), FindingRule::Cage)
            }
            ArithmeticBreach::NotLess(pair) => {
                (pair.less, Some(pair.greater), FindingRule::Inequality)
            }
        };
        let message = breach_text(breach, self.format, self.shape, &block.cells);
        Finding {
            other: other.map(|cell| {
                let (row, column) = self.shape.place(cell);
                CellPosition {
                    row: row as u64 + 1,
                    column: column as u64 + 1,
                }
            }),
            ..self.at_cell(block, cell, rule, &message)
        }
    }
}

/// A breach in words: `cage of row 1 columns 1 to 3 sums to 14, must be 15`, or in a magic square
/// `row 1 sums to 14, must be 15`.
pub(crate) fn breach_text(
    breach: &ArithmeticBreach,
    format: &Format,
    shape: &Shape,
    cells: &[Value],
) -> String {
    let cages = shape
        .arithmetic()
        .map_or(&[][..], |arithmetic| &arithmetic.cages);
    let place = |cell| cell_text(shape, cell, ", ");
    let symbol = |value| format.symbols.symbol(value);
    match *breach {
        ArithmeticBreach::Target { cage, result } => {
            let number = cage;
            let cage = &cages[cage];
            let line = if shape.is_magic() {
                shape.lines().into_iter().nth(number)
            } else {
                None
            };
            let name = line.map_or_else(
                || cage_text(shape, cage),
                |line| line.kind.name(line.number),
            );
            format!(
                "{name} {} {result}, must be {}",
                comes_to(cage),
                cage.target
            )
        }
        ArithmeticBreach::Repeated {
            cage,
            value,
            first,
            second,
        } => format!(
            "{} has two {}s, at {} and {}",
            cage_text(shape, &cages[cage]),
            symbol(value),
            cell_text(shape, first, " "),
            cell_text(shape, second, " ")
        ),
        ArithmeticBreach::NotLess(pair) => format!(
            "{} must be less than {}: {} is not less than {}",
            place(pair.less),
            place(pair.greater),
            symbol(cells[pair.less]),
            symbol(cells[pair.greater])
        ),
    }
}

/// The verb between a cage and its result.
fn comes_to(cage: &Cage) -> &'static str {
    match cage.operation {
        _ if cage.cells.len() == 1 => "is",
        CageOperation::Sum => "sums to",
        CageOperation::Product => "multiplies to",
        CageOperation::Difference => "subtracts to",
        CageOperation::Quotient => "divides to",
    }
}

fn cell_text(shape: &Shape, cell: usize, between: &str) -> String {
    let (row, column) = shape.place(cell);
    format!("row {}{between}column {}", row + 1, column + 1)
}

/// A cage by its cells: `cage of row 1 columns 1 to 3 and row 2 column 1`.
fn cage_text(shape: &Shape, cage: &Cage) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &cell in &cage.cells {
        let begins_row = shape.place(cell).1 == 0;
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == cell && !begins_row => *last = cell,
            _ => runs.push((cell, cell)),
        }
    }
    let runs = runs
        .into_iter()
        .map(|(first, last)| match shape.place(last).1 + 1 {
            _ if first == last => cell_text(shape, first, " "),
            column => {
                let (row, from) = shape.place(first);
                let between = if last == first + 1 { "and" } else { "to" };
                format!("row {} columns {} {between} {column}", row + 1, from + 1)
            }
        });
    let runs: Vec<_> = runs.collect();
    match runs.split_last() {
        Some((last, [])) => format!("cage of {last}"),
        Some((last, before)) => format!("cage of {} and {last}", before.join(", ")),
        None => "cage".to_owned(),
    }
}
