//! Defines the errors that the text of a grid may have, and their messages. Says nothing of the
//! grid's rules.

use std::fmt;

use crate::CellSpacing;
use crate::format::code_points::{beyond_ascii, difference_of_characters};

/// An error in a text, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The kind of error.
    pub kind: ParseErrorKind,
    /// Row of the grid, from 1, if the error is in one.
    pub row: Option<usize>,
    /// Column of the grid, from 1, if the error is in one.
    pub column: Option<usize>,
    /// Line of the text, from 0 at its start.
    pub line: u64,
    /// Byte of the text, from 0 at its start.
    pub byte: usize,
}

/// The kinds of errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseErrorKind {
    /// The text of a cell is not a symbol of the problem.
    UnknownSymbol(String),
    /// A cell is blank in a grid that must be complete.
    Blank(char),
    /// The region map of the grid has an error.
    InMap(Box<ParseError>),
    /// The text of a cell is not a number of a value with walls.
    UnknownWalls(String),
    /// The text of a cell of a map does not name a region.
    UnknownRegion(String),
    /// A row has too few or too many cells.
    CellCount {
        /// Cells found.
        found: usize,
        /// The order of the grid.
        expected: usize,
    },
    /// A row has too many cells, of which not all were counted.
    TooManyCells {
        /// Cells counted; the row has more.
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
    /// A grid that should have one line has none, or several. (With a region map: a wrong number of
    /// lines.)
    LineCount {
        /// Lines found.
        found: usize,
        /// Lines expected.
        expected: usize,
    },
    /// The words in place of a grid are none that the problem knows.
    UnknownText {
        /// The texts that may stand there.
        expected: Vec<String>,
        /// The text found.
        found: String,
    },
    /// The line that belongs before a solution is missing.
    MissingLead {
        /// The missing line.
        expected: String,
    },
    /// A wrong line stands where a line should say whether there is a solution.
    WrongLead {
        /// The lines that may stand there.
        expected: Vec<String>,
        /// The line found.
        found: String,
    },
    /// A line has the right words with wrong white space between them.
    WordSpacing {
        /// The right line.
        expected: String,
        /// The line found.
        found: String,
    },
    /// A line has the right meaning, but is written differently.
    WrongWords {
        /// The right line.
        expected: String,
        /// The line found.
        found: String,
    },
    /// A line is right except that it names another case.
    WrongCase {
        /// The right line.
        expected: String,
        /// The line found.
        found: String,
    },
    /// The cells of a row are right, but not the spacing between them. Holds the expected spacing.
    Spacing(CellSpacing),
    /// A grid begins without its banner.
    MissingBanner {
        /// The banner.
        expected: String,
    },
    /// Another text stands in place of the banner.
    WrongBanner {
        /// The banner.
        expected: String,
        /// The text found.
        found: String,
    },
    /// A banner has the right words with wrong white space between them.
    BannerSpacing {
        /// The banner.
        expected: String,
        /// The text found.
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

/// A byte order mark, as messages quote it.
const BYTE_ORDER_MARK: &str = "\\u{feff}";

impl fmt::Display for ParseError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self
            .row
            .map_or("the line".to_owned(), |row| format!("row {row}"));
        match (&self.kind, self.column) {
            (ParseErrorKind::InMap(error), _) => write!(out, "in the map, {error}"),
            (ParseErrorKind::UnknownWalls(found), column) => {
                let column = column.unwrap_or(0);
                write!(
                    out,
                    "{row}, column {column} is `{found}`, which is not a value with its walls"
                )
            }
            (ParseErrorKind::UnknownRegion(found), column) => {
                write!(
                    out,
                    "{row}, column {} is `{found}`, which names no region",
                    column.unwrap_or(0)
                )
            }
            (ParseErrorKind::UnknownSymbol(found), Some(column)) if found == BYTE_ORDER_MARK => {
                write!(
                    out,
                    "{row}, column {column} is a byte order mark, which is not a symbol of this problem"
                )
            }
            (ParseErrorKind::UnknownSymbol(found), Some(column)) => {
                let named = named(found);
                write!(
                    out,
                    "{row}, column {column} is `{found}`{named}, which is not a symbol of this problem"
                )
            }
            (ParseErrorKind::UnknownSymbol(found), None) => {
                write!(out, "{row} holds `{found}`{}", named(found))
            }
            (ParseErrorKind::Blank(symbol), column) => {
                write!(
                    out,
                    "{row}, column {} is still blank (`{symbol}`)",
                    column.unwrap_or(0)
                )
            }
            (ParseErrorKind::CellCount { found, expected }, _) => {
                write!(
                    out,
                    "{row} has {found} {}, expected {expected}",
                    plural(*found as u64, "cell")
                )
            }
            (ParseErrorKind::TooManyCells { counted, expected }, _) => {
                write!(
                    out,
                    "{row} has more than {counted} cells, expected {expected}"
                )
            }
            (ParseErrorKind::RowCount { found, expected }, _) => {
                write!(
                    out,
                    "the grid has {found} {}, expected {expected}",
                    plural(*found as u64, "row")
                )
            }
            (ParseErrorKind::LineCount { found, expected }, _) => {
                write!(
                    out,
                    "the grid has {found} {}, expected {expected}",
                    plural(*found as u64, "line")
                )
            }
            (ParseErrorKind::UnknownText { expected, found }, _) => {
                let named = named(found);
                write!(
                    out,
                    "`{found}`{named} is neither a row nor `{}`",
                    expected.join("` nor `")
                )
            }
            (ParseErrorKind::MissingLead { expected }, _) => {
                write!(out, "the line `{expected}` is missing")
            }
            (ParseErrorKind::WrongLead { expected, found }, _) => {
                let difference = difference(found, &expected[0]);
                write!(
                    out,
                    "the line is `{found}`, expected `{}`{difference}",
                    expected.join("` or `")
                )
            }
            (ParseErrorKind::WordSpacing { expected, found }, _) => {
                write!(
                    out,
                    "the line is `{found}`, expected `{expected}`: the white space differs"
                )
            }
            (ParseErrorKind::WrongWords { expected, found }, _) => {
                write!(
                    out,
                    "the line is `{found}`, expected `{expected}`{}",
                    difference(found, expected)
                )
            }
            (ParseErrorKind::WrongCase { expected, found }, _) => {
                write!(
                    out,
                    "the line is `{found}`, expected `{expected}`: the number of the case differs"
                )
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
                write!(
                    out,
                    "the banner is `{found}`, expected `{expected}`{}",
                    difference(found, expected)
                )
            }
            (ParseErrorKind::BannerSpacing { expected, found }, _) => {
                write!(
                    out,
                    "the banner is `{found}`, expected `{expected}`: the white space differs"
                )
            }
            (
                ParseErrorKind::BannerPlace {
                    banner,
                    is_alone: true,
                },
                _,
            ) => {
                write!(out, "the banner `{banner}` must be on a line of its own")
            }
            (
                ParseErrorKind::BannerPlace {
                    banner,
                    is_alone: false,
                },
                _,
            ) => {
                write!(
                    out,
                    "the banner `{banner}` stands alone, expected what follows on its line"
                )
            }
        }
    }
}

/// The code point of a single character beyond ASCII, or of the first such in a text, in brackets.
fn named(found: &str) -> String {
    beyond_ascii(found.as_bytes()).map_or(String::new(), |named| match found.chars().nth(1) {
        None => {
            let point = named.rsplit(" is ").next().unwrap_or_default();
            format!(" ({})", point.replace(" (", ", ").replace(')', ""))
        }
        Some(_) => format!(" ({named})"),
    })
}

/// Names the first characters that differ, if one of them may look like the other.
fn difference(found: &str, expected: &str) -> String {
    difference_of_characters(found.as_bytes(), expected.as_bytes())
        .map_or(String::new(), |said| format!(": {said}"))
}

/// `word`, with an s unless `number` is 1.
fn plural(number: u64, word: &str) -> String {
    format!("{word}{}", if number == 1 { "" } else { "s" })
}
