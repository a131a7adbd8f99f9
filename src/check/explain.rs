//! Turning what was found into sentences with a place: from flaws, clashes and changed clues to findings.

use crate::check::window::Origin;
use crate::model::Finding;
use crate::model::Kind;
use crate::model::Place;
use crate::model::Rule;
use gridjudge_grid::Clash;
use gridjudge_grid::Format;
use gridjudge_grid::HouseKind;
use gridjudge_grid::Shape;
use gridjudge_grid::Value;
use gridjudge_grid::WhiteSpace;
use gridjudge_grid::flaw::Flaw;
use gridjudge_grid::flaw::FlawKind;
use gridjudge_grid::flaw::plural;
use gridjudge_grid::text::Block;

/// Where a grid stands in an output: what all findings about it share.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    pub(crate) format: &'a Format,
    pub(crate) shape: &'a Shape,
    /// Number of the grid, from 1.
    pub(crate) grid: u64,
    /// Whether the input holds more than one.
    pub(crate) one_of_many: bool,
    /// Number of the solution among those given for the grid, from 1, where several may be.
    pub(crate) solution: Option<u64>,
    /// Where the piece of the output begins that it was read from.
    pub(crate) origin: Origin<'a>,
}

impl Site<'_> {
    /// A finding about this grid without a place inside it; `line` and `byte` count from where it was read.
    pub(crate) fn finding(&self, rule: Rule, line: u64, byte: usize, message: &str) -> Finding {
        let grid = match (self.one_of_many, self.solution) {
            (true, Some(solution)) => format!("grid {}, solution {solution}: ", self.grid),
            (true, None) => format!("grid {}: ", self.grid),
            (false, Some(solution)) => format!("solution {solution}: "),
            (false, None) => String::new(),
        };
        let (line, byte) = self.origin.place(line, byte);
        Finding {
            kind: Kind::Wrong,
            grid: Some(self.grid),
            row: None,
            column: None,
            other: None,
            rule: Some(rule),
            line: Some(line + 1),
            byte: Some(byte),
            message: grid + message,
        }
    }

    /// What a flaw of the text amounts to.
    pub(crate) fn flaw(&self, flaw: &Flaw) -> Finding {
        let rule = match flaw.kind {
            FlawKind::UnknownSymbol(_) => Rule::Symbol,
            FlawKind::Blank(_) => Rule::Blank,
            FlawKind::CellCount { .. } | FlawKind::TooManyCells { .. } => Rule::Cells,
            FlawKind::RowCount { .. } | FlawKind::LineCount { .. } => Rule::Rows,
            FlawKind::UnknownText { .. } | FlawKind::MissingLead { .. } | FlawKind::WrongLead { .. } => {
                Rule::Claim
            }
            FlawKind::Spacing(_) | FlawKind::WordSpacing { .. } => Rule::Spacing,
            FlawKind::WrongWords { .. } => Rule::Count,
            FlawKind::MissingBanner { .. } | FlawKind::WrongBanner { .. } | FlawKind::BannerPlace { .. } => {
                Rule::Banner
            }
        };
        let is_strict = self.format.output.white_space == WhiteSpace::Strict;
        Finding {
            kind: if rule == Rule::Spacing && is_strict { Kind::Presentation } else { Kind::Wrong },
            row: flaw.row.map(|row| row as u64),
            column: flaw.column.map(|column| column as u64),
            ..self.finding(rule, flaw.line, flaw.byte, &flaw.to_string())
        }
    }

    /// Several blank cells in one finding: a program that prints the puzzle back has one thing wrong with it.
    pub(crate) fn blanks(&self, first: &Flaw, others: usize) -> Finding {
        let Finding { message, .. } = self.flaw(first);
        let message = match others {
            0 => message,
            others => format!("{message}, and {others} more {} too", plural(others as u64, "cell")),
        };
        Finding { message, ..self.flaw(first) }
    }

    /// A text that is right but for white space, which agrees with what is expected up to a byte.
    pub(crate) fn presentation(&self, text: &[u8], same: usize) -> Finding {
        let line = text[..same].iter().filter(|&&byte| byte == b'\n').count() as u64;
        let message = "right but for white space, which must be exact here";
        Finding { kind: Kind::Presentation, ..self.finding(Rule::Spacing, line, same, message) }
    }

    /// A clue that the output has overwritten.
    pub(crate) fn changed_clue(&self, block: &Block, cell: usize, clue: Value) -> Finding {
        let (row, column) = self.shape.place(cell);
        let symbol = |value| self.format.symbols.symbol(value);
        let message = format!(
            "row {}, column {} is {}, but its clue is {}",
            row + 1,
            column + 1,
            symbol(block.cells[cell]),
            symbol(clue)
        );
        self.at_cell(block, cell, Rule::Clue, &message)
    }

    /// Two equal symbols in a house.
    pub(crate) fn clash(&self, block: &Block, clash: &Clash) -> Finding {
        let rule = match clash.kind {
            HouseKind::Row => Rule::Row,
            HouseKind::Column => Rule::Column,
            HouseKind::Box => Rule::Box,
            HouseKind::Region => Rule::Region,
            HouseKind::Diagonal => Rule::Diagonal,
        };
        let (row, column) = self.shape.place(clash.first);
        let other = Place { row: row as u64 + 1, column: column as u64 + 1 };
        let message = clash_text(clash, self.format, self.shape);
        Finding { other: Some(other), ..self.at_cell(block, clash.second, rule, &message) }
    }

    /// A valid completion that differs from the one the problem promises is the only one.
    pub(crate) fn other_solution(&self, block: &Block, cell: usize, promised: Value) -> Finding {
        let (row, column) = self.shape.place(cell);
        let symbol = |value| self.format.symbols.symbol(value);
        let message = format!(
            "a valid completion, but not the promised one: row {}, column {} is {}, expected {} (the case has more \
             than one solution; tell its setter)",
            row + 1,
            column + 1,
            symbol(block.cells[cell]),
            symbol(promised)
        );
        self.at_cell(block, cell, Rule::Solution, &message)
    }

    /// A valid completion where only the first one counts.
    pub(crate) fn not_first(&self, block: &Block, cell: usize, promised: Value) -> Finding {
        let (row, column) = self.shape.place(cell);
        let symbol = |value| self.format.symbols.symbol(value);
        let message = format!(
            "a valid completion, but not the first: row {}, column {} is {}, and {} is possible there",
            row + 1,
            column + 1,
            symbol(block.cells[cell]),
            symbol(promised)
        );
        self.at_cell(block, cell, Rule::First, &message)
    }

    fn at_cell(&self, block: &Block, cell: usize, rule: Rule, message: &str) -> Finding {
        let (row, column) = self.shape.place(cell);
        let (line, byte) = block.places[cell];
        Finding {
            row: Some(row as u64 + 1),
            column: Some(column as u64 + 1),
            ..self.finding(rule, line, byte, message)
        }
    }
}

/// A clash in words: `row 9 has two 6s, at columns 8 and 9`.
pub(crate) fn clash_text(clash: &Clash, format: &Format, shape: &Shape) -> String {
    let symbol = format.symbols.symbol(clash.value);
    let (first, second) = (shape.place(clash.first), shape.place(clash.second));
    let house = format!("{} has two {symbol}s", clash.kind.name(clash.number));
    match clash.kind {
        HouseKind::Row => format!("{house}, at columns {} and {}", first.1 + 1, second.1 + 1),
        HouseKind::Column | HouseKind::Diagonal => {
            format!("{house}, at rows {} and {}", first.0 + 1, second.0 + 1)
        }
        HouseKind::Box | HouseKind::Region => format!(
            "{house}, at row {} column {} and row {} column {}",
            first.0 + 1,
            first.1 + 1,
            second.0 + 1,
            second.1 + 1
        ),
    }
}
