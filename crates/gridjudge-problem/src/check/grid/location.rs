//! Turns errors, clashes and changed clues into findings, each with a message and a
//! place.

use gridjudge_grid::format::GridBlock;
use gridjudge_grid::format::parse_error::{ParseError, ParseErrorKind};
use gridjudge_grid::{
    ArithmeticBreach, Cage, CageOperation, Clash, Format, HouseKind, Shape, Value,
};

use crate::check::StreamOrigin;
use crate::model::{CellPosition, Finding, FindingKind, FindingRule};
use crate::text::plural;

/// Where a grid is in an output: what all findings about it share.
#[derive(Clone, Copy)]
pub(crate) struct Location<'a> {
    pub(crate) format: &'a Format,
    pub(crate) shape: &'a Shape,
    /// Number of the grid, from 1.
    pub(crate) grid: u64,
    /// Whether the input holds more than one grid.
    pub(crate) one_of_many: bool,
    /// Number of the solution among those given for the grid, from 1; `None` if it is
    /// not one of a list.
    pub(crate) solution: Option<u64>,
    /// The origin of the piece of output that the grid was read from.
    pub(crate) origin: StreamOrigin<'a>,
}

impl Location<'_> {
    /// A finding about this grid without a place inside it; line and byte count from
    /// where it was read.
    pub(crate) fn finding(
        &self,
        rule: FindingRule,
        place: (u64, usize),
        message: impl AsRef<str>,
    ) -> Finding {
        let grid = match (self.one_of_many, self.solution) {
            (true, Some(solution)) => {
                format!("grid {}, solution {solution}: ", self.grid)
            }
            (true, None) => format!("grid {}: ", self.grid),
            (false, Some(solution)) => format!("solution {solution}: "),
            (false, None) => String::new(),
        };
        let (line, byte) = self.origin.place(place);
        Finding {
            grid: Some(self.grid),
            line: Some(line + 1),
            byte: Some(byte),
            ..Finding::unplaced(rule, grid + message.as_ref())
        }
    }

    /// A finding about what belongs to no grid.
    pub(crate) fn outside_grids(
        &self,
        rule: FindingRule,
        place: (u64, usize),
        message: impl AsRef<str>,
    ) -> Finding {
        let location = Location {
            one_of_many: false,
            ..*self
        };
        Finding {
            grid: None,
            ..location.finding(rule, place, message)
        }
    }

    /// The finding for a error of the text.
    pub(crate) fn parse_error(&self, error: &ParseError) -> Finding {
        let rule = match error.kind {
            ParseErrorKind::InMap(_)
            | ParseErrorKind::UnknownRegion(_)
            | ParseErrorKind::UnknownWalls(_) => FindingRule::Region,
            ParseErrorKind::UnknownSymbol(_) => FindingRule::Symbol,
            ParseErrorKind::Blank(_) => FindingRule::Blank,
            ParseErrorKind::CellCount { .. } | ParseErrorKind::TooManyCells { .. } => {
                FindingRule::Cells
            }
            ParseErrorKind::RowCount { .. } | ParseErrorKind::LineCount { .. } => {
                FindingRule::Rows
            }
            ParseErrorKind::UnknownText { .. }
            | ParseErrorKind::MissingLead { .. }
            | ParseErrorKind::WrongCase { .. }
            | ParseErrorKind::WrongLead { .. } => FindingRule::Claim,
            ParseErrorKind::Spacing(_)
            | ParseErrorKind::WordSpacing { .. }
            | ParseErrorKind::BannerSpacing { .. } => FindingRule::Spacing,
            ParseErrorKind::WrongWords { .. } => FindingRule::Count,
            ParseErrorKind::MissingBanner { .. }
            | ParseErrorKind::WrongBanner { .. }
            | ParseErrorKind::BannerPlace { .. } => FindingRule::Banner,
        };
        let is_strict = self.format.output.is_strict();
        Finding {
            kind: if rule == FindingRule::Spacing && is_strict {
                FindingKind::Presentation
            } else {
                FindingKind::Wrong
            },
            row: error.row.map(|row| row as u64),
            column: error.column.map(|column| column as u64),
            ..self.finding(rule, (error.line, error.byte), error.to_string())
        }
    }

    /// One finding for all blank cells: a program that prints the puzzle back has only
    /// one thing wrong with it.
    pub(crate) fn blanks(&self, first: &ParseError, others: usize) -> Finding {
        let mut finding = self.parse_error(first);
        if others > 0 {
            let cells = plural(others as u64, "cell");
            finding.message += &format!(", and {others} more {cells} too");
        }
        finding
    }

    /// A text that is right except for white space, and as expected up to byte `same`.
    pub(crate) fn presentation(&self, text: &[u8], same: usize) -> Finding {
        let line = text[..same].iter().filter(|&&byte| byte == b'\n').count() as u64;
        Finding {
            kind: FindingKind::Presentation,
            ..self.finding(
                FindingRule::Spacing,
                (line, same),
                "right but for white space, which must be exact here",
            )
        }
    }

    /// A clue that the output has overwritten.
    pub(crate) fn changed_clue(
        &self,
        block: &GridBlock,
        cell: usize,
        clue: Value,
    ) -> Finding {
        self.at_cell(
            block,
            cell,
            FindingRule::Clue,
            format!(
                "{}, but its clue is {}",
                self.content(block, cell),
                self.format.symbols.symbol(clue)
            ),
        )
    }

    /// Two equal symbols in a house.
    pub(crate) fn clash(&self, block: &GridBlock, clash: &Clash) -> Finding {
        let rule = match clash.kind {
            HouseKind::Row => FindingRule::Row,
            HouseKind::Column => FindingRule::Column,
            HouseKind::Box => FindingRule::Box,
            HouseKind::Region => FindingRule::Region,
            HouseKind::Diagonal => FindingRule::Diagonal,
            HouseKind::Square => FindingRule::Square,
        };
        Finding {
            other: Some(position(self.shape, clash.first)),
            ..self.at_cell(
                block,
                clash.second,
                rule,
                clash_text(clash, self.format, self.shape),
            )
        }
    }

    /// A valid completion that differs from the right one: it is not the first, where
    /// that counts, or not the only one, as the problem promises.
    pub(crate) fn other_completion(
        &self,
        block: &GridBlock,
        right: &[Value],
        first_counts: bool,
    ) -> Option<Finding> {
        let (cell, (found, right)) = block
            .cells
            .iter()
            .zip(right)
            .enumerate()
            .find(|(_, (found, right))| found != right)?;
        let content = self.content(block, cell);
        let symbol = self.format.symbols.symbol(*right);
        let (rule, message) = if first_counts && right < found {
            (
                FindingRule::First,
                format!(
                    "a valid completion, but not the first: {content}, and {symbol} is possible \
                     there"
                ),
            )
        } else {
            (
                FindingRule::Solution,
                format!(
                    "a valid completion, but not the expected one: {content}, expected {symbol} \
                     (the case has more than one solution; tell its setter)"
                ),
            )
        };
        Some(self.at_cell(block, cell, rule, message))
    }

    /// A cell, and what it holds.
    fn content(&self, block: &GridBlock, cell: usize) -> String {
        let symbol = self.format.symbols.symbol(block.cells[cell]);
        format!("{} is {symbol}", cell_text(self.shape, cell, ", "))
    }

    fn at_cell(
        &self,
        block: &GridBlock,
        cell: usize,
        rule: FindingRule,
        message: String,
    ) -> Finding {
        let CellPosition { row, column } = position(self.shape, cell);
        Finding {
            row: Some(row),
            column: Some(column),
            ..self.finding(rule, block.places[cell], message)
        }
    }
}

/// A clash in words: `row 9 has two 6s, at columns 8 and 9`.
pub(crate) fn clash_text(clash: &Clash, format: &Format, shape: &Shape) -> String {
    let symbol = format.symbols.symbol(clash.value);
    let first = shape.place(clash.first);
    let second = shape.place(clash.second);
    let house = format!("{} has two {symbol}s", clash.kind.name(clash.number));
    match clash.kind {
        HouseKind::Row => {
            format!("{house}, at columns {} and {}", first.1 + 1, second.1 + 1)
        }
        HouseKind::Column | HouseKind::Diagonal => {
            format!("{house}, at rows {} and {}", first.0 + 1, second.0 + 1)
        }
        HouseKind::Box | HouseKind::Region | HouseKind::Square => format!(
            "{house}, at row {} column {} and row {} column {}",
            first.0 + 1,
            first.1 + 1,
            second.0 + 1,
            second.1 + 1
        ),
    }
}

// Describes broken cages and inequalities: which cells they have, what these hold, and
// what they must hold.

impl Location<'_> {
    /// The finding about a broken cage or inequality. A wrong result of a cage is
    /// reported at its first cell, where its target is usually written.
    pub(crate) fn breach(
        &self,
        block: &GridBlock,
        breach: &ArithmeticBreach,
    ) -> Finding {
        let cages = cages_of(self.shape);
        let sum_rule = if self.shape.is_magic() {
            FindingRule::Sum
        } else {
            FindingRule::Cage
        };
        let (cell, other, rule) = match *breach {
            ArithmeticBreach::Target { cage, .. } => {
                (cages[cage].cells[0], None, sum_rule)
            }
            ArithmeticBreach::Repeated { first, second, .. } => {
                (second, Some(first), FindingRule::Cage)
            }
            ArithmeticBreach::NotLess(pair) => {
                (pair.less, Some(pair.greater), FindingRule::Inequality)
            }
        };
        Finding {
            other: other.map(|cell| position(self.shape, cell)),
            ..self.at_cell(
                block,
                cell,
                rule,
                breach_text(breach, self.format, self.shape, &block.cells),
            )
        }
    }
}

/// A breach in words: `cage of row 1 columns 1 to 3 sums to 14, must be 15`, or in a
/// magic square `row 1 sums to 14, must be 15`.
pub(crate) fn breach_text(
    breach: &ArithmeticBreach,
    format: &Format,
    shape: &Shape,
    cells: &[Value],
) -> String {
    let cages = cages_of(shape);
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

fn cages_of(shape: &Shape) -> &[Cage] {
    shape
        .arithmetic()
        .map_or(&[], |arithmetic| &arithmetic.cages)
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

/// The row and the column of a cell, from 1.
fn position(shape: &Shape, cell: usize) -> CellPosition {
    let (row, column) = shape.place(cell);
    CellPosition {
        row: row as u64 + 1,
        column: column as u64 + 1,
    }
}

fn cell_text(shape: &Shape, cell: usize, between: &str) -> String {
    let CellPosition { row, column } = position(shape, cell);
    format!("row {row}{between}column {column}")
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
    let runs: Vec<_> = runs
        .into_iter()
        .map(|(first, last)| match shape.place(last).1 + 1 {
            _ if first == last => cell_text(shape, first, " "),
            column => {
                let (row, from) = shape.place(first);
                let between = if last == first + 1 { "and" } else { "to" };
                format!("row {} columns {} {between} {column}", row + 1, from + 1)
            }
        })
        .collect();
    match runs.split_last() {
        Some((last, [])) => format!("cage of {last}"),
        Some((last, before)) => format!("cage of {} and {last}", before.join(", ")),
        None => "cage".to_owned(),
    }
}
