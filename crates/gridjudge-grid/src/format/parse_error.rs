//! Defines the errors that the text of a grid may have, and their messages. Says
//! nothing of the grid's rules.

use std::fmt;

use crate::CellSpacing;
use crate::format::lines::{
    TextLine, TextOffset, characters, quoted_bytes, same_but_for_spaces,
};

/// An error in a text, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The kind of error.
    pub kind: ParseErrorKind,
    /// Row of the grid, from 1, if the error is in one.
    pub row: Option<usize>,
    /// Column of the grid, from 1, if the error is in one.
    pub column: Option<usize>,
    /// Its place in the text.
    pub place: TextOffset,
}

impl ParseErrorKind {
    /// The error of this kind in a line, and not in the grid.
    pub fn at(self, place: TextOffset) -> ParseError {
        ParseError {
            kind: self,
            row: None,
            column: None,
            place,
        }
    }
}

/// The kinds of errors. The messages of those in a row or a cell lack their beginning,
/// which says where that is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseErrorKind {
    /// The text of a cell is not a symbol of the problem.
    #[error("{}, which is not a symbol of this problem", symbol(.0))]
    UnknownSymbol(String),
    /// A cell is blank in a grid that must be complete.
    #[error("still blank (`{0}`)")]
    Blank(char),
    /// The region map of the grid has an error.
    #[error("in the map, {0}")]
    InMap(Box<ParseError>),
    /// The text of a cell is not a number of a value with walls.
    #[error("`{0}`, which is not a value with its walls")]
    UnknownWalls(String),
    /// The text of a cell of a map does not name a region.
    #[error("`{0}`, which names no region")]
    UnknownRegion(String),
    /// A row has too few or too many cells.
    #[error("{}, expected {expected}", number_of(*found, "cell"))]
    CellCount {
        /// Cells found.
        found: usize,
        /// The order of the grid.
        expected: usize,
    },
    /// A row has too many cells, of which not all were counted.
    #[error("more than {}, expected {expected}", number_of(*counted, "cell"))]
    TooManyCells {
        /// Cells counted; the row has more.
        counted: usize,
        /// The order of the grid.
        expected: usize,
    },
    /// A grid has too few or too many rows.
    #[error("the grid has {}, expected {expected}", number_of(*found, "row"))]
    RowCount {
        /// Rows found.
        found: usize,
        /// The order of the grid.
        expected: usize,
    },
    /// A grid that should have one line has none, or several. (With a region map: a
    /// wrong number of lines.)
    #[error("the grid has {}, expected {expected}", number_of(*found, "line"))]
    LineCount {
        /// Lines found.
        found: usize,
        /// Lines expected.
        expected: usize,
    },
    /// The words in place of a grid are none that the problem knows.
    #[error("`{found}`{} is neither a row nor `{}`", named(found), expected.join("` nor `"))]
    UnknownText {
        /// The texts that may stand there.
        expected: Vec<String>,
        /// The text found.
        found: String,
    },
    /// The line that belongs before a solution is missing.
    #[error("the line `{expected}` is missing")]
    MissingLead {
        /// The missing line.
        expected: String,
    },
    /// A wrong line stands where a line should say whether there is a solution.
    #[error(
        "the line is `{found}`, expected `{}`{}",
        expected.join("` or `"),
        difference(found, &expected[0])
    )]
    WrongLead {
        /// The lines that may stand there.
        expected: Vec<String>,
        /// The line found.
        found: String,
    },
    /// A line has the right words with wrong white space between them.
    #[error("the line is `{found}`, expected `{expected}`: the white space differs")]
    WordSpacing {
        /// The right line.
        expected: String,
        /// The line found.
        found: String,
    },
    /// A line has the right meaning, but is written differently.
    #[error(
        "the line is `{found}`, expected `{expected}`{}",
        difference(found, expected)
    )]
    WrongWords {
        /// The right line.
        expected: String,
        /// The line found.
        found: String,
    },
    /// A line is right except that it names another case.
    #[error(
        "the line is `{found}`, expected `{expected}`: the number of the case differs"
    )]
    WrongCase {
        /// The right line.
        expected: String,
        /// The line found.
        found: String,
    },
    /// The cells of a row are right, but not the spacing between them. Holds the
    /// expected spacing.
    #[error("{}", spacing(*.0))]
    Spacing(CellSpacing),
    /// Some cells of a row have no white space between them, or a number has some
    /// within. Holds the first and the last column of each group of joined cells.
    #[error("{}", joined(.0))]
    MissingSpaces(Vec<(usize, usize)>),
    /// A grid begins without its banner.
    #[error("the banner `{expected}` is missing")]
    MissingBanner {
        /// The banner.
        expected: String,
    },
    /// Another text stands in place of the banner.
    #[error(
        "the banner is `{found}`, expected `{expected}`{}",
        difference(found, expected)
    )]
    WrongBanner {
        /// The banner.
        expected: String,
        /// The text found.
        found: String,
    },
    /// A banner has the right words with wrong white space between them.
    #[error(
        "the banner is `{found}`, expected `{expected}`: the white space differs"
    )]
    BannerSpacing {
        /// The banner.
        expected: String,
        /// The text found.
        found: String,
    },
    /// A banner stands on a line of its own where it should not, or the other way
    /// round.
    #[error(
        "the banner `{banner}` {}",
        if *is_alone {
            "must be on a line of its own"
        } else {
            "stands alone, expected what follows on its line"
        }
    )]
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
        let kind = &self.kind;
        let row = self
            .row
            .map_or("the line".to_owned(), |row| format!("row {row}"));
        match (kind, self.column) {
            (ParseErrorKind::UnknownSymbol(found), None) => {
                write!(out, "{row} holds `{found}`{}", named(found))
            }
            (
                ParseErrorKind::UnknownWalls(_)
                | ParseErrorKind::UnknownRegion(_)
                | ParseErrorKind::UnknownSymbol(_)
                | ParseErrorKind::Blank(_),
                column,
            ) => write!(out, "{row}, column {} is {kind}", column.unwrap_or(0)),
            (
                ParseErrorKind::CellCount { .. }
                | ParseErrorKind::TooManyCells { .. }
                | ParseErrorKind::Spacing(_)
                | ParseErrorKind::MissingSpaces(_),
                _,
            ) => write!(out, "{row} has {kind}"),
            _ => write!(out, "{kind}"),
        }
    }
}

/// The difference between a line and the expected one with the same meaning: its white
/// space, or the writing of its words or number. `None` if they are equal, ignoring
/// spaces at the ends.
pub fn difference_of_words(
    expected: &str,
    line: &TextLine<'_>,
) -> Option<ParseError> {
    let expected = expected.trim();
    let found = line.text.trim_ascii();
    let is_spacing = same_but_for_spaces(expected.as_bytes(), found);
    let differs = expected.as_bytes() != found;
    let expected = expected.to_owned();
    let found = quoted_bytes(found);
    let kind = if is_spacing {
        ParseErrorKind::WordSpacing { expected, found }
    } else {
        ParseErrorKind::WrongWords { expected, found }
    };
    differs.then_some(kind.at(line.start))
}

/// The code point of a single character beyond ASCII, or of the first such in a text
/// that was quoted, in brackets.
fn named(found: &str) -> String {
    // Only what is no character is escaped by such a number.
    let escaped = found.split(r"\x").nth(1).filter(|digits| *digits >= "8");
    if let Some(digits) = escaped {
        return format!(" (byte 0x{} is not UTF-8)", &digits[..2]);
    }
    beyond_ascii(found.as_bytes()).map_or(String::new(), |named| {
        match found.chars().nth(1) {
            None => {
                let point = code_point(found.as_bytes());
                format!(" ({})", point.replace(" (", ", ").replace(')', ""))
            }
            Some(_) => format!(" ({named})"),
        }
    })
}

/// Names the first characters that differ, if one of them may look like the other.
fn difference(found: &str, expected: &str) -> String {
    difference_of_characters(found.as_bytes(), expected.as_bytes())
        .map_or(String::new(), |said| format!(": {said}"))
}

/// A number of things: `1 cell`, `2 cells`.
fn number_of(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// The wrong spacing between the cells of a row, and the one expected.
fn spacing(expected: CellSpacing) -> &'static str {
    match expected {
        CellSpacing::Joined => "spaces between its cells, expected none",
        CellSpacing::Spaced => "no spaces between its cells, expected one",
    }
}

/// The groups of cells between which a space is missing.
fn joined(groups: &[(usize, usize)]) -> String {
    let said: Vec<_> = groups
        .iter()
        .map(|(first, last)| {
            if last - first == 1 {
                format!("no space between columns {first} and {last}")
            } else {
                format!("no spaces between columns {first} to {last}")
            }
        })
        .collect();
    if said.is_empty() {
        "a space within a number".to_owned()
    } else {
        said.join(" and ")
    }
}

/// The text of a cell in a message.
fn symbol(found: &str) -> String {
    if found == BYTE_ORDER_MARK {
        "a byte order mark".to_owned()
    } else {
        format!("`{found}`{}", named(found))
    }
}

// Names characters by their code points, for messages about a text in which a character
// looks like another.

/// The code points and Unicode names of characters that programs and statements often
/// have in place of plain ones, each on a line.
const NAMES: &str = include_str!("character_names.txt");

/// What the characters of a range are, if they look like plain ones.
const RANGES: [(char, char, &str); 12] = [
    ('\u{b2}', '\u{b3}', "superscript"),
    ('\u{300}', '\u{36f}', "combining"),
    ('\u{370}', '\u{3ff}', "Greek"),
    ('\u{400}', '\u{52f}', "Cyrillic"),
    ('\u{530}', '\u{58f}', "Armenian"),
    ('\u{660}', '\u{669}', "Arabic-Indic digit"),
    ('\u{966}', '\u{96f}', "Devanagari digit"),
    ('\u{1f00}', '\u{1fff}', "Greek"),
    ('\u{2070}', '\u{209f}', "superscript or subscript"),
    ('\u{2150}', '\u{218f}', "number form"),
    ('\u{ff01}', '\u{ff5e}', "full-width"),
    ('\u{1d400}', '\u{1d7ff}', "mathematical"),
];

/// The most bytes of a text that are searched for a difference.
const SEARCHED: usize = 4096;

/// A character by its code point, with its name if it looks like a plain one:
/// `U+2212 MINUS SIGN`, `U+0415 (Cyrillic)`. A byte that belongs to none stands for
/// itself.
fn code_point(bytes: &[u8]) -> String {
    if let [byte @ 0x80..=0xff] = bytes {
        return format!("byte 0x{byte:02x}, which is not UTF-8");
    }
    let text = String::from_utf8_lossy(bytes);
    let letter = text.chars().next().unwrap_or_default();
    let number = format!("U+{:04X}", u32::from(letter));
    let named = NAMES.lines().find(|line| {
        line.split_once(' ')
            .is_some_and(|(known, _)| known == number)
    });
    if let Some(named) = named {
        return named.to_owned();
    }
    match RANGES
        .iter()
        .find(|(first, last, _)| (*first..=*last).contains(&letter))
    {
        Some((.., kind)) => format!("{number} ({kind})"),
        None => number,
    }
}

/// The characters of a text that are searched.
fn searched(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    characters(&text[..text.len().min(SEARCHED)]).map(|(_, letter)| letter)
}

/// Names the first characters in which a text differs from the expected one, by their
/// code points; `None` if both are ASCII, since people can tell those apart. Upper and
/// lower case of a letter are not a difference here.
pub fn difference_of_characters(found: &[u8], expected: &[u8]) -> Option<String> {
    if found.is_ascii() && expected.is_ascii() {
        return None;
    }
    let [mut found, mut expected] = [found, expected].map(searched);
    let mut number = 0;
    loop {
        number += 1;
        let one = found.next();
        let other = expected.next();
        match (one, other) {
            (None, None) => return None,
            (Some(one), Some(other)) if one.eq_ignore_ascii_case(other) => {}
            (one, other)
                if one.is_none_or(|one| one.is_ascii())
                    && other.is_none_or(|other| other.is_ascii()) =>
            {
                return None;
            }
            (one, other) => {
                let found = one.map_or("missing".to_owned(), code_point);
                let expected = other.map_or("none".to_owned(), code_point);
                return Some(format!(
                    "the {} character is {found}, expected {expected}",
                    ordinal(number)
                ));
            }
        }
    }
}

/// Names the first character of a text beyond ASCII by its code point; `None` if there
/// is none.
pub fn beyond_ascii(text: &[u8]) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let (place, letter) = searched(text)
        .enumerate()
        .find(|(_, letter)| !letter.is_ascii())?;
    Some(format!(
        "the {} character is {}",
        ordinal(place + 1),
        code_point(letter)
    ))
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod code_points_tests {
    use super::*;

    #[test]
    fn a_look_alike_is_named_with_what_was_expected() {
        for (found, expected, said) in [
            (
                "\u{2212}5",
                "-5",
                "the 1st character is U+2212 MINUS SIGN, expected U+002D",
            ),
            (
                "Y\u{415}S",
                "yes",
                "the 2nd character is U+0415 (Cyrillic), expected U+0065",
            ),
            (
                "\u{391}",
                "A",
                "the 1st character is U+0391 (Greek), expected U+0041",
            ),
            (
                "cafe\u{301}",
                "caf\u{e9}",
                "the 4th character is U+0065, expected U+00E9",
            ),
            (
                "don\u{2019}t",
                "don't",
                "the 4th character is U+2019 RIGHT SINGLE QUOTATION MARK, expected U+0027",
            ),
            (
                "\u{ff15}",
                "5",
                "the 1st character is U+FF15 (full-width), expected U+0035",
            ),
            (
                "5\u{301}",
                "5",
                "the 2nd character is U+0301 COMBINING ACUTE ACCENT, expected none",
            ),
            (
                "abc",
                "abc\u{e9}",
                "the 4th character is missing, expected U+00E9",
            ),
        ] {
            assert_eq!(
                difference_of_characters(found.as_bytes(), expected.as_bytes())
                    .as_deref(),
                Some(said)
            );
        }
    }

    #[test]
    fn characters_that_people_can_tell_apart_are_not_named() {
        for (found, expected) in
            [("5", "6"), ("\u{e9}", "\u{e9}"), ("x\u{e9}", "y\u{e9}")]
        {
            assert_eq!(
                difference_of_characters(found.as_bytes(), expected.as_bytes()),
                None
            );
        }
        assert_eq!(beyond_ascii(b"abc"), None);
    }

    #[test]
    fn a_byte_that_is_not_utf8_is_named_by_its_value() {
        for (found, expected, said) in [
            (
                &b"caf\xe9"[..],
                "caf\u{e9}".as_bytes(),
                "the 4th character is byte 0xe9, which is not UTF-8, expected U+00E9",
            ),
            (
                "caf\u{e9}".as_bytes(),
                b"caf\xe9",
                "the 4th character is U+00E9, expected byte 0xe9, which is not UTF-8",
            ),
        ] {
            let named = difference_of_characters(found, expected);
            assert_eq!(named.as_deref(), Some(said));
        }
        // Of two texts in the same other code, what differs is told as it is.
        assert_eq!(difference_of_characters(b"\xe9a", b"\xe9e"), None);
        let named = beyond_ascii(b"caf\xe9").unwrap();
        assert_eq!(named, "the 4th character is byte 0xe9, which is not UTF-8");
        let symbol = |cell: &[u8]| {
            ParseErrorKind::UnknownSymbol(quoted_bytes(cell)).to_string()
        };
        assert_eq!(
            symbol(b"\xe9"),
            r"`\xe9` (byte 0xe9 is not UTF-8), which is not a symbol of this problem"
        );
    }

    #[test]
    fn places_are_ordinal_numbers() {
        let places = [1, 2, 3, 4, 11, 12, 13, 21, 112, 123].map(ordinal);
        assert_eq!(
            places,
            [
                "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th",
                "123rd"
            ]
        );
    }
}
