//! What can be wrong with the text of a grid, whether or not the grid itself is right.

use std::fmt;

use crate::CellSpacing;

/// One thing wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What is wrong.
    pub kind: ParseErrorKind,
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
pub enum ParseErrorKind {
    /// A cell holds something that is no symbol of the problem.
    UnknownSymbol(String),
    /// A cell was left blank where none may be.
    Blank(char),
    /// Something is wrong in the map that stands beside a grid.
    InMap(Box<ParseError>),
    /// A cell holds something that is no value with walls.
    UnknownWalls(String),
    /// A cell of a map holds something that names no region.
    UnknownRegion(String),
    /// A row has too few or too many cells.
    CellCount {
        /// Cells found.
        found: usize,
        /// The order of the grid.
        expected: usize,
    },
    /// A row has more cells than are counted.
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
    /// A line says what it should, of another case.
    WrongCase {
        /// The line.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// The cells of a row are right, but not what stands between them.
    Spacing(CellSpacing),
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

impl fmt::Display for ParseError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.row.map_or("the line".to_owned(), |row| format!("row {row}"));
        match (&self.kind, self.column) {
            (ParseErrorKind::InMap(flaw), _) => write!(out, "in the map, {flaw}"),
            (ParseErrorKind::UnknownWalls(found), column) => {
                let column = column.unwrap_or(0);
                write!(out, "{row}, column {column} is `{found}`, which is no value with its walls")
            }
            (ParseErrorKind::UnknownRegion(found), column) => {
                write!(out, "{row}, column {} is `{found}`, which names no region", column.unwrap_or(0))
            }
            (ParseErrorKind::UnknownSymbol(found), Some(column)) => {
                write!(out, "{row}, column {column} is `{found}`, which is no symbol of this problem")
            }
            (ParseErrorKind::UnknownSymbol(found), None) => write!(out, "{row} holds `{found}`"),
            (ParseErrorKind::Blank(symbol), column) => {
                write!(out, "{row}, column {} is still blank (`{symbol}`)", column.unwrap_or(0))
            }
            (ParseErrorKind::CellCount { found, expected }, _) => {
                write!(out, "{row} has {found} {}, expected {expected}", plural(*found as u64, "cell"))
            }
            (ParseErrorKind::TooManyCells { counted, expected }, _) => {
                write!(out, "{row} has more than {counted} cells, expected {expected}")
            }
            (ParseErrorKind::RowCount { found, expected }, _) => {
                write!(out, "the grid has {found} {}, expected {expected}", plural(*found as u64, "row"))
            }
            (ParseErrorKind::LineCount { found, expected }, _) => {
                write!(out, "the grid has {found} {}, expected {expected}", plural(*found as u64, "line"))
            }
            (ParseErrorKind::UnknownText { expected, found }, _) => {
                write!(out, "`{found}` is neither a row nor `{}`", expected.join("` nor `"))
            }
            (ParseErrorKind::MissingLead { expected }, _) => write!(out, "the line `{expected}` is missing"),
            (ParseErrorKind::WrongLead { expected, found }, _) => {
                write!(out, "the line is `{found}`, expected `{}`", expected.join("` or `"))
            }
            (ParseErrorKind::WordSpacing { expected, found }, _) => {
                write!(out, "the line is `{found}`, expected `{expected}`: the white space differs")
            }
            (ParseErrorKind::WrongWords { expected, found }, _) => {
                write!(out, "the line is `{found}`, expected `{expected}`")
            }
            (ParseErrorKind::WrongCase { expected, found }, _) => {
                write!(out, "the line is `{found}`, expected `{expected}`: the number of the case differs")
            }
            (ParseErrorKind::Spacing(CellSpacing::Joined), _) => {
                write!(out, "{row} has spaces between its cells, expected none")
            }
            (ParseErrorKind::Spacing(CellSpacing::Spaced), _) => {
                write!(out, "{row} has no spaces between its cells, expected one")
            }
            (ParseErrorKind::MissingBanner { expected }, _) => {
                write!(out, "the banner `{expected}` is missing")
            }
            (ParseErrorKind::WrongBanner { expected, found }, _) => {
                write!(out, "the banner is `{found}`, expected `{expected}`")
            }
            (ParseErrorKind::BannerPlace { banner, is_alone: true }, _) => {
                write!(out, "the banner `{banner}` must stand on a line of its own")
            }
            (ParseErrorKind::BannerPlace { banner, is_alone: false }, _) => {
                write!(out, "the banner `{banner}` stands alone, expected what follows on its line")
            }
        }
    }
}

/// `word`, with an s unless there is one of it.
fn plural(number: u64, word: &str) -> String {
    format!("{word}{}", if number == 1 { "" } else { "s" })
}
