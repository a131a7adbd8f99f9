//! What can be wrong with the text of a grid, before anybody asks whether the grid itself is right.

use std::fmt;

use crate::grid::Cells;

/// One thing wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// What is wrong.
    pub kind: FlawKind,
    /// Row of the grid, from 1.
    pub row: Option<usize>,
    /// Column of the grid, from 1.
    pub column: Option<usize>,
    /// Line of the text, from 0 at its start.
    pub line: u64,
    /// Byte of the text, from 0 at its start.
    pub byte: usize,
}

/// The kinds of flaws.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlawKind {
    /// A cell holds something that is no symbol of the problem.
    UnknownSymbol(String),
    /// A cell was left blank where none may be.
    Blank(char),
    /// A row has too few or too many cells.
    CellCount {
        /// Cells found.
        found: usize,
        /// The order of the grid.
        expected: usize,
    },
    /// A grid has too few or too many rows.
    RowCount {
        /// Rows found.
        found: usize,
        /// The order of the grid.
        expected: usize,
    },
    /// The cells of a row are right, but not what stands between them.
    Spacing(Cells),
    /// A grid begins without its banner.
    MissingBanner {
        /// The banner.
        expected: String,
    },
    /// Something else stands where a banner should.
    WrongBanner {
        /// The banner.
        expected: String,
        /// What stands there.
        found: String,
    },
}

impl fmt::Display for Flaw {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.row.unwrap_or(0);
        match (&self.kind, self.column) {
            (FlawKind::UnknownSymbol(found), Some(column)) => {
                write!(out, "row {row}, column {column} is `{found}`, which is no symbol of this problem")
            }
            (FlawKind::UnknownSymbol(found), None) => write!(out, "row {row} holds `{found}`"),
            (FlawKind::Blank(symbol), column) => {
                write!(out, "row {row}, column {} is still blank (`{symbol}`)", column.unwrap_or(0))
            }
            (FlawKind::CellCount { found, expected }, _) => {
                write!(out, "row {row} has {found} {}, expected {expected}", plural(*found as u64, "cell"))
            }
            (FlawKind::RowCount { found, expected }, _) => {
                write!(out, "the grid has {found} {}, expected {expected}", plural(*found as u64, "row"))
            }
            (FlawKind::Spacing(Cells::Joined), _) => {
                write!(out, "row {row} has spaces between its cells, expected none")
            }
            (FlawKind::Spacing(Cells::Spaced), _) => {
                write!(out, "row {row} has no spaces between its cells, expected one")
            }
            (FlawKind::MissingBanner { expected }, _) => write!(out, "the banner `{expected}` is missing"),
            (FlawKind::WrongBanner { expected, found }, _) => {
                write!(out, "the banner is `{found}`, expected `{expected}`")
            }
        }
    }
}

/// `word`, with an s unless there is one of it.
pub fn plural(number: u64, word: &str) -> String {
    format!("{word}{}", if number == 1 { "" } else { "s" })
}
