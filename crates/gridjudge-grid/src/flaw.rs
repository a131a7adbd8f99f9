//! What can be wrong with the text of a grid, before anybody asks whether the grid itself is right.

use std::fmt;

use crate::Cells;

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
    /// A row has more cells than anybody counts.
    TooManyCells {
        /// Cells counted.
        counted: usize,
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
    /// A grid that should stand on one line stands on none, or on more.
    LineCount {
        /// Lines found.
        found: usize,
        /// Lines expected.
        expected: usize,
    },
    /// Words stand in place of a grid, but none that the problem knows.
    UnknownText {
        /// What may stand there.
        expected: Vec<String>,
        /// What stands there.
        found: String,
    },
    /// The line that belongs before a solution is missing.
    MissingLead {
        /// That line.
        expected: String,
    },
    /// Something else stands where a line should say whether there is a solution.
    WrongLead {
        /// What may stand there.
        expected: Vec<String>,
        /// What stands there.
        found: String,
    },
    /// A line says what it should, with other white space between its words.
    WordSpacing {
        /// The line.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A line says what it should, in another way.
    WrongWords {
        /// The line.
        expected: String,
        /// What stands there.
        found: String,
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
    /// A banner stands on a line of its own where it should not, or the other way round.
    BannerPlace {
        /// The banner.
        banner: String,
        /// Whether it should stand on a line of its own.
        is_alone: bool,
    },
}

impl fmt::Display for Flaw {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.row.map_or("the line".to_owned(), |row| format!("row {row}"));
        match (&self.kind, self.column) {
            (FlawKind::UnknownSymbol(found), Some(column)) => {
                write!(out, "{row}, column {column} is `{found}`, which is no symbol of this problem")
            }
            (FlawKind::UnknownSymbol(found), None) => write!(out, "{row} holds `{found}`"),
            (FlawKind::Blank(symbol), column) => {
                write!(out, "{row}, column {} is still blank (`{symbol}`)", column.unwrap_or(0))
            }
            (FlawKind::CellCount { found, expected }, _) => {
                write!(out, "{row} has {found} {}, expected {expected}", plural(*found as u64, "cell"))
            }
            (FlawKind::TooManyCells { counted, expected }, _) => {
                write!(out, "{row} has more than {counted} cells, expected {expected}")
            }
            (FlawKind::RowCount { found, expected }, _) => {
                write!(out, "the grid has {found} {}, expected {expected}", plural(*found as u64, "row"))
            }
            (FlawKind::LineCount { found, expected }, _) => {
                write!(out, "the grid has {found} {}, expected {expected}", plural(*found as u64, "line"))
            }
            (FlawKind::UnknownText { expected, found }, _) => {
                write!(out, "`{found}` is neither a row nor `{}`", expected.join("` nor `"))
            }
            (FlawKind::MissingLead { expected }, _) => write!(out, "the line `{expected}` is missing"),
            (FlawKind::WrongLead { expected, found }, _) => {
                write!(out, "the line is `{found}`, expected `{}`", expected.join("` or `"))
            }
            (FlawKind::WordSpacing { expected, found }, _) => {
                write!(out, "the line is `{found}`, expected `{expected}`: the white space differs")
            }
            (FlawKind::WrongWords { expected, found }, _) => {
                write!(out, "the line is `{found}`, expected `{expected}`")
            }
            (FlawKind::Spacing(Cells::Joined), _) => {
                write!(out, "{row} has spaces between its cells, expected none")
            }
            (FlawKind::Spacing(Cells::Spaced), _) => {
                write!(out, "{row} has no spaces between its cells, expected one")
            }
            (FlawKind::MissingBanner { expected }, _) => write!(out, "the banner `{expected}` is missing"),
            (FlawKind::WrongBanner { expected, found }, _) => {
                write!(out, "the banner is `{found}`, expected `{expected}`")
            }
            (FlawKind::BannerPlace { banner, is_alone: true }, _) => {
                write!(out, "the banner `{banner}` must stand on a line of its own")
            }
            (FlawKind::BannerPlace { banner, is_alone: false }, _) => {
                write!(out, "the banner `{banner}` stands alone, expected what follows on its line")
            }
        }
    }
}

/// `word`, with an s unless there is one of it.
pub fn plural(number: u64, word: &str) -> String {
    format!("{word}{}", if number == 1 { "" } else { "s" })
}
