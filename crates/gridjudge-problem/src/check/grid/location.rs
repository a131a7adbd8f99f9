//! Turns errors, clashes and changed clues into findings, each with a message and a
//! place, and names what is in grids.

use gridjudge_grid::format::parse_error::{ParseError, ParseErrorKind};
use gridjudge_grid::format::{GridBlock, TextOffset};
use gridjudge_grid::{
    ArithmeticBreach, Cage, CageOperation, Clash, Format, HouseKind, Layout,
    RegionMap, RowLayout, Shape, Value,
};

use crate::check::{StreamOrigin, end_of};
use crate::model::{CellPosition, Finding, FindingKind, FindingRule};
use crate::text::{JoinedTexts, plural};

/// Where a grid is in an output: what all findings about it share.
#[derive(Clone, Copy)]
pub(crate) struct Location<'a> {
    pub(crate) wording: GridWording<'a>,
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

impl<'a> Location<'a> {
    /// The same for another piece of output.
    pub(crate) fn at(self, origin: StreamOrigin<'a>) -> Self {
        Self { origin, ..self }
    }

    /// A finding about this grid without a place inside it; `place` counts from where it
    /// was read.
    pub(crate) fn finding(
        &self,
        rule: FindingRule,
        place: TextOffset,
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
        let place = self.origin.place(place);
        Finding {
            grid: Some(self.grid),
            ..finding_outside_grids(rule, place, grid + message.as_ref())
        }
    }

    /// The finding for an error of the text.
    pub(crate) fn parse_error(&self, error: &ParseError) -> Finding {
        use ParseErrorKind::*;

        let rule = match error.kind {
            InMap(_) | UnknownRegion(_) | UnknownWalls(_) => FindingRule::Region,
            UnknownSymbol(_) => FindingRule::Symbol,
            Blank(_) => FindingRule::Blank,
            CellCount { .. } | TooManyCells { .. } => FindingRule::Cells,
            RowCount { .. } | LineCount { .. } => FindingRule::Rows,
            UnknownText { .. }
            | MissingLead { .. }
            | WrongCase { .. }
            | WrongLead { .. } => FindingRule::Claim,
            Spacing(_)
            | MissingSpaces(_)
            | WordSpacing { .. }
            | BannerSpacing { .. } => FindingRule::Spacing,
            WrongWords { .. } => FindingRule::Count,
            MissingBanner { .. } | WrongBanner { .. } | BannerPlace { .. } => {
                FindingRule::Banner
            }
        };
        let is_strict = self.wording.format.output.is_strict();
        Finding {
            kind: if rule == FindingRule::Spacing && is_strict {
                FindingKind::Presentation
            } else {
                FindingKind::Wrong
            },
            row: error.row.map(|row| row as u64),
            column: error.column.map(|column| column as u64),
            ..self.finding(rule, error.place, error.to_string())
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
        Finding {
            kind: FindingKind::Presentation,
            ..self.finding(
                FindingRule::Spacing,
                end_of(&text[..same]),
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
                self.wording.symbol(clue)
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
            other: Some(self.wording.position(clash.first)),
            ..self.at_cell(block, clash.second, rule, self.wording.clash(clash))
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
        let symbol = self.wording.symbol(*right);
        let (rule, message) = if first_counts && right < found {
            (
                FindingRule::First,
                format!(
                    "a valid completion, but not the first: {content}, and {symbol} \
                     is possible there"
                ),
            )
        } else {
            (
                FindingRule::Solution,
                format!(
                    "a valid completion, but not the expected one: {content}, \
                     expected {symbol} (the case has more than one solution; tell its \
                     setter)"
                ),
            )
        };
        Some(self.at_cell(block, cell, rule, message))
    }

    /// A cell, and what it holds.
    fn content(&self, block: &GridBlock, cell: usize) -> String {
        let symbol = self.wording.symbol(block.cells[cell]);
        format!("{} is {symbol}", self.wording.cell(cell, ", "))
    }

    fn at_cell(
        &self,
        block: &GridBlock,
        cell: usize,
        rule: FindingRule,
        message: String,
    ) -> Finding {
        let CellPosition { row, column } = self.wording.position(cell);
        Finding {
            row: Some(row),
            column: Some(column),
            ..self.finding(rule, block.places[cell], message)
        }
    }

    /// The finding about a broken cage or inequality. A wrong result of a cage is
    /// reported at its first cell, where its target is usually written.
    pub(crate) fn breach(
        &self,
        block: &GridBlock,
        breach: &ArithmeticBreach,
    ) -> Finding {
        let sum_rule = if self.wording.shape.is_magic() {
            FindingRule::Sum
        } else {
            FindingRule::Cage
        };
        let (cell, other, rule) = match *breach {
            ArithmeticBreach::Target { cage, .. } => {
                (self.wording.cages()[cage].cells[0], None, sum_rule)
            }
            ArithmeticBreach::Repeated { first, second, .. } => {
                (second, Some(first), FindingRule::Cage)
            }
            ArithmeticBreach::NotLess(pair) => {
                (pair.less, Some(pair.greater), FindingRule::Inequality)
            }
        };
        let message = self.wording.breach(breach, &block.cells);
        Finding {
            other: other.map(|cell| self.wording.position(cell)),
            ..self.at_cell(block, cell, rule, message)
        }
    }
}

/// The message about a grid that has too few or too many rows, or lines.
pub(crate) fn wrong_height(layout: &Layout, found: usize, expected: usize) -> String {
    let has_rows = layout.rows == RowLayout::Lines
        && !layout.region_map.is_some_and(RegionMap::has_lines);
    let kind = if has_rows {
        ParseErrorKind::RowCount { found, expected }
    } else {
        ParseErrorKind::LineCount { found, expected }
    };
    kind.to_string()
}

/// A finding about what belongs to no grid, at this place of the output.
pub(crate) fn finding_outside_grids(
    rule: FindingRule,
    place: TextOffset,
    message: String,
) -> Finding {
    Finding {
        line: Some(place.lines + 1),
        byte: Some(place.bytes as u64),
        ..Finding::unplaced(rule, message)
    }
}

// Names what is in grids: cells, rows, clashes, and broken cages and inequalities with
// what their cells hold and must hold.

/// How messages name what is in grids of a shape.
#[derive(Clone, Copy)]
pub(crate) struct GridWording<'a> {
    pub(crate) format: &'a Format,
    pub(crate) shape: &'a Shape,
}

impl<'a> GridWording<'a> {
    pub(crate) fn symbol(self, value: Value) -> &'a str {
        self.format.symbols.symbol(value)
    }

    /// The row and the column of a cell, from 1.
    fn position(self, cell: usize) -> CellPosition {
        let (row, column) = self.shape.place(cell);
        CellPosition {
            row: row as u64 + 1,
            column: column as u64 + 1,
        }
    }

    /// A cell, with this between its row and its column.
    pub(crate) fn cell(self, cell: usize, between: &str) -> String {
        let CellPosition { row, column } = self.position(cell);
        format!("row {row}{between}column {column}")
    }

    /// A row of a grid as a person would write it, in quotes: `row 3 is 1 4 3 2`.
    pub(crate) fn row(self, cells: &[Value], row: usize) -> String {
        let symbols = cells[row * self.shape.order()..][..self.shape.order()]
            .iter()
            .map(|value| self.symbol(*value));
        let separator = if self.format.symbols.are_characters() {
            ""
        } else {
            " "
        };
        format!("row {} is `{}`", row + 1, symbols.joined(separator))
    }

    /// Two cells in which two solutions differ. Two solutions never differ in fewer
    /// than four cells.
    pub(crate) fn difference(self, one: &[Value], other: &[Value]) -> String {
        one.iter()
            .zip(other)
            .enumerate()
            .filter(|(_, (one, other))| one != other)
            .take(2)
            .map(|(cell, (one, other))| {
                let [one, other] = [one, other].map(|value| self.symbol(*value));
                format!("{} may be {one} or {other}", self.cell(cell, ", "))
            })
            .joined(", ")
    }

    /// A clash: `row 9 has two 6s, at columns 8 and 9`.
    pub(crate) fn clash(self, clash: &Clash) -> String {
        let symbol = self.symbol(clash.value);
        let [first, second] =
            [clash.first, clash.second].map(|cell| self.position(cell));
        let house = format!("{} has two {symbol}s", clash.kind.name(clash.number));
        match clash.kind {
            HouseKind::Row => {
                format!("{house}, at columns {} and {}", first.column, second.column)
            }
            HouseKind::Column | HouseKind::Diagonal => {
                format!("{house}, at rows {} and {}", first.row, second.row)
            }
            HouseKind::Box | HouseKind::Region | HouseKind::Square => format!(
                "{house}, at {} and {}",
                self.cell(clash.first, " "),
                self.cell(clash.second, " ")
            ),
        }
    }

    fn cages(self) -> &'a [Cage] {
        self.shape
            .arithmetic()
            .map_or(&[], |arithmetic| &arithmetic.cages)
    }

    /// A breach: `cage of row 1 columns 1 to 3 sums to 14, must be 15`, or in a magic
    /// square `row 1 sums to 14, must be 15`.
    pub(crate) fn breach(self, breach: &ArithmeticBreach, cells: &[Value]) -> String {
        match *breach {
            ArithmeticBreach::Target {
                cage: number,
                result,
            } => {
                let cage = &self.cages()[number];
                let name = if self.shape.is_magic()
                    && let Some(line) = self.shape.lines().into_iter().nth(number)
                {
                    line.kind.name(line.number)
                } else {
                    self.cage(number)
                };
                let verb = match cage.operation {
                    _ if cage.cells.len() == 1 => "is",
                    CageOperation::Sum => "sums to",
                    CageOperation::Product => "multiplies to",
                    CageOperation::Difference => "subtracts to",
                    CageOperation::Quotient => "divides to",
                };
                format!("{name} {verb} {result}, must be {}", cage.target)
            }
            ArithmeticBreach::Repeated {
                cage,
                value,
                first,
                second,
            } => format!(
                "{} has two {}s, at {} and {}",
                self.cage(cage),
                self.symbol(value),
                self.cell(first, " "),
                self.cell(second, " ")
            ),
            ArithmeticBreach::NotLess(pair) => format!(
                "{} must be less than {}: {} is not less than {}",
                self.cell(pair.less, ", "),
                self.cell(pair.greater, ", "),
                self.symbol(cells[pair.less]),
                self.symbol(cells[pair.greater])
            ),
        }
    }

    /// A cage by its cells: `cage of row 1 columns 1 to 3 and row 2 column 1`.
    fn cage(self, number: usize) -> String {
        let mut runs: Vec<(usize, usize)> = vec![];
        for &cell in &self.cages()[number].cells {
            let begins_row = self.shape.place(cell).1 == 0;
            match runs.last_mut() {
                Some((_, last)) if *last + 1 == cell && !begins_row => *last = cell,
                _ => runs.push((cell, cell)),
            }
        }
        let runs: Vec<_> = runs
            .into_iter()
            .map(|(first, last)| {
                if first == last {
                    return self.cell(first, " ");
                }
                let between = if last == first + 1 { "and" } else { "to" };
                let CellPosition { row, column } = self.position(first);
                let end = self.position(last).column;
                format!("row {row} columns {column} {between} {end}")
            })
            .collect();
        match runs.split_last() {
            Some((last, [])) => format!("cage of {last}"),
            Some((last, before)) => {
                format!("cage of {} and {last}", before.join(", "))
            }
            None => "cage".to_owned(),
        }
    }
}
