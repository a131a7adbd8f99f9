//! Turns collections of puzzles in the layouts in which they are published into lists
//! of one puzzle a line, and parses a line. A line of the list has the number of the
//! line on which its puzzle begins. Start at [`PuzzleText::new`].

use std::collections::BTreeSet;
use std::io::{self, BufRead, Cursor, ErrorKind, Read};

use crate::batch::text_lines::{Encoding, TextLines, encoding_of};
use crate::solve::nine::NinePuzzle;

/// The bytes by which the layout of a text is recognised.
const HEAD: usize = 1 << 16;

/// Lines without a puzzle after which a text is not taken for a collection.
const MOST_OTHER_LINES: usize = 3;

/// A text as a list of one puzzle a line.
pub enum PuzzleText {
    /// It is one, or its first line looks like a mistaken one.
    List(Box<dyn Read + Send>),
    /// It holds no puzzles; its first line that is not a comment.
    NoPuzzles(String),
}

impl PuzzleText {
    /// Recognises the layout of a text. Reads no more of it than the first read returns
    /// if `is_live`, so that what is typed is answered at once.
    ///
    /// # Errors
    /// Returns the error of the input.
    pub fn new(
        mut input: impl Read + Send + 'static,
        is_live: bool,
    ) -> io::Result<Self> {
        let mut head = vec![0; HEAD];
        let mut length = 0;
        while length < HEAD {
            match input.read(&mut head[length..]) {
                Ok(0) => break,
                Ok(more) => length += more,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            if is_live {
                break;
            }
        }
        head.truncate(length);
        let is_whole = length < HEAD && !is_live;
        let encoding = encoding_of(&head);
        let has_lone_breaks = head
            .windows(2)
            .any(|pair| pair[0] == b'\r' && pair[1] != b'\n');
        let mut puzzles = head.split(|byte| *byte == b'\n').filter_map(puzzle_of);
        // The first line that is neither empty nor a comment is a puzzle.
        let is_plain = encoding == Encoding::Bytes
            && !has_lone_breaks
            && puzzles.next().is_none_or(|puzzle| puzzle.is_ok());
        let all = head.clone();
        let text = Cursor::new(head).chain(input);
        if is_plain {
            return Ok(Self::List(Box::new(text)));
        }
        Ok(match collection_of(encoding, all, is_whole) {
            Ok(collection) => Self::List(Box::new(ListReader {
                lines: TextLines::new(encoding, text),
                collection,
                list: Cursor::default(),
            })),
            Err(line) => Self::NoPuzzles(line),
        })
    }
}

/// Recognises a text that is not a plain list by its beginning. Returns the reader of a
/// collection; `None` for a list.
///
/// # Errors
/// Returns the first line of a text that holds no puzzles.
fn collection_of(
    encoding: Encoding,
    head: Vec<u8>,
    is_whole: bool,
) -> Result<Option<CollectionReader>, String> {
    let mut lines = TextLines::new(encoding, Cursor::new(head));
    let mut reader = CollectionReader::default();
    let mut list = vec![];
    let mut first = None;
    let mut others = 0;
    while let Ok(Some(line)) = lines.next() {
        if !line.trim_ascii().is_empty() && !is_comment(&line) {
            others += 1;
            first.get_or_insert(line.clone());
        }
        reader.read(&line, &mut list);
    }
    if is_whole {
        reader.end_grid(&mut list);
    }
    let has_puzzle = list
        .split(|byte| *byte == b'\n')
        .filter_map(puzzle_of)
        .any(|puzzle| puzzle.is_ok());
    let first = first.unwrap_or_default();
    // What begins with such bytes is no text.
    let is_text = !first.contains(&0);
    if has_puzzle {
        Ok(Some(CollectionReader::default()))
    } else if is_text && (others <= MOST_OTHER_LINES || cells_in(&first).len() > 40) {
        Ok(None)
    } else {
        let most = if is_text { 60 } else { 8 };
        Err(String::from_utf8_lossy(&first).chars().take(most).collect())
    }
}

/// A text that is read as a list, with the line breaks of Unix.
struct ListReader {
    lines: TextLines,
    /// Finds the puzzles, unless the text is a list but for its line breaks or
    /// encoding.
    collection: Option<CollectionReader>,
    list: Cursor<Vec<u8>>,
}

impl ListReader {
    /// Reads lines until there are enough, or until one more would have to be waited
    /// for.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        self.list.set_position(0);
        let list = self.list.get_mut();
        list.clear();
        while list.is_empty()
            || list.len() < wanted && !self.lines.bytes.buffer().is_empty()
        {
            let line = self.lines.next()?;
            match (&mut self.collection, line) {
                (Some(collection), Some(line)) => collection.read(&line, list),
                (None, Some(line)) => {
                    list.extend(line);
                    list.push(b'\n');
                }
                (collection, None) => {
                    if let Some(collection) = collection {
                        collection.end_grid(list);
                    }
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

impl Read for ListReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.list.fill_buf()?.is_empty() {
            self.fill(buffer.len())?;
        }
        self.list.read(buffer)
    }
}

/// How the puzzles of a collection are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PuzzleLayout {
    /// Each on a line, perhaps among other columns.
    Lines,
    /// In nine lines each, perhaps with empty lines between boxes.
    Grids { has_gaps: bool },
}

/// Finds the puzzles of a collection, line by line.
#[derive(Default)]
struct CollectionReader {
    /// The cells of the rows of the current grid.
    cells: Vec<u8>,
    rows: usize,
    /// The lines since its first row.
    lines: usize,
    /// Whether a row does not have nine cells.
    is_ragged: bool,
    /// Whether an empty line follows its third or sixth row.
    has_gaps: bool,
    /// Whether the lines are of a section that holds no puzzle, such as the marks of a
    /// player.
    is_in_other_section: bool,
    /// Known from the first puzzle on.
    layout: Option<PuzzleLayout>,
    /// The first words of the lines before the first puzzle. Other lines that begin
    /// with one are headings, too.
    headings: BTreeSet<Vec<u8>>,
}

impl CollectionReader {
    /// Reads a line. Writes a line for it, sooner or later.
    fn read(&mut self, line: &[u8], list: &mut Vec<u8>) {
        let text = without_mark(line).trim_ascii();
        let is_section = text.starts_with(b"[");
        if is_section {
            let name = text.to_ascii_lowercase();
            self.is_in_other_section = !name.starts_with(b"[puzzle");
        }
        if is_section || self.is_in_other_section || is_comment(text) {
            self.end_grid(list);
            list.push(b'\n');
        } else if text.is_empty() || self.is_border(text) {
            if self.rows > 0 && (!text.is_empty() || self.may_have_gap()) {
                self.lines += 1;
                self.has_gaps |= text.is_empty();
            } else {
                self.end_grid(list);
                list.push(b'\n');
            }
        } else if let Some(row) = self.row_in(text) {
            self.is_ragged |= row.len() != 9;
            self.cells.extend(row);
            self.rows += 1;
            self.lines += 1;
            if self.rows == 9 {
                self.end_grid(list);
            }
        } else {
            self.end_grid(list);
            self.read_puzzle(text, list);
            list.push(b'\n');
        }
    }

    /// Reads a line that is no part of a grid. A wrong one is left to be reported.
    fn read_puzzle(&mut self, text: &[u8], list: &mut Vec<u8>) {
        let first = text.split(|byte| !byte.is_ascii_alphabetic()).next();
        let first = first.unwrap_or_default();
        match puzzle_in(text) {
            Ok(puzzle) => {
                list.extend(puzzle);
                self.layout.get_or_insert(PuzzleLayout::Lines);
            }
            Err(wrong) => {
                let is_expected = self.layout == Some(PuzzleLayout::Lines)
                    && !self.headings.contains(first);
                if is_expected || looks_like_a_puzzle(text) {
                    list.extend(wrong);
                } else if self.layout.is_none() && !first.is_empty() {
                    self.headings.insert(first.to_vec());
                }
            }
        }
    }

    /// Whether an empty line may be between the boxes of the current grid.
    fn may_have_gap(&self) -> bool {
        self.rows.is_multiple_of(3)
            && self.layout != Some(PuzzleLayout::Grids { has_gaps: false })
    }

    /// The cells of a row of a grid, of which at least one has nine. Within a grid, a
    /// row may also have too few or too many, or something among them that is none.
    fn row_in(&self, text: &[u8]) -> Option<Vec<u8>> {
        if self.layout == Some(PuzzleLayout::Lines) {
            return None;
        }
        let cells = cells_in(text);
        let plain = without_separators(text);
        let is_row = cells.len() == 9
            || (7..=12).contains(&cells.len()) && looks_like_a_puzzle(text)
            || self.rows > 0 && !cells.is_empty() && cells.len() < 81
            || self.rows > 0
                && plain.len() <= 12
                && 2 * digits_and_dots(&plain) > plain.len();
        is_row.then_some(if cells.is_empty() { plain } else { cells })
    }

    /// Ends a grid. A wrong one is left to be reported as a wrong line.
    fn end_grid(&mut self, list: &mut Vec<u8>) {
        let has_all = self.rows == 9 && !self.is_ragged;
        if has_all {
            let has_gaps = self.has_gaps;
            self.layout.get_or_insert(PuzzleLayout::Grids { has_gaps });
        } else if self.cells.len() == 81 {
            // It must not be read as one.
            self.cells.pop();
        }
        list.append(&mut self.cells);
        list.extend(std::iter::repeat_n(b'\n', self.lines));
        self.rows = 0;
        self.lines = 0;
        self.is_ragged = false;
        self.has_gaps = false;
    }

    /// Whether a line is drawn around or between boxes. Nine hyphens may be a row of
    /// blanks.
    fn is_border(&self, text: &[u8]) -> bool {
        let shown = String::from_utf8_lossy(text);
        let strokes = shown
            .chars()
            .filter(|letter| "-=".contains(*letter) || is_box_drawing(*letter))
            .count();
        if strokes < 3
            || !shown.chars().all(|letter| {
                "-=+*|:.'`_ ".contains(letter) || is_box_drawing(letter)
            })
        {
            return false;
        }
        let hyphens = text.iter().filter(|byte| **byte == b'-').count();
        let is_row = hyphens == 9
            && text.iter().all(|byte| matches!(byte, b'-' | b'|' | b' '));
        let has_other_blanks =
            self.cells.iter().any(|cell| matches!(cell, b'.' | b'0'));
        !is_row || has_other_blanks && self.cells.len().is_multiple_of(27)
    }
}

fn is_box_drawing(letter: char) -> bool {
    ('\u{2500}'..='\u{257f}').contains(&letter)
}

/// The cells of a line that holds nothing but cells and what separates them; empty if
/// there is anything else.
fn cells_in(text: &[u8]) -> Vec<u8> {
    let mut cells = Vec::with_capacity(81);
    for letter in String::from_utf8_lossy(text).chars() {
        match u8::try_from(letter) {
            Ok(byte) if value_of(byte) != NONE => cells.push(byte),
            Ok(b'x' | b'X') => cells.push(b'.'),
            Ok(byte) if is_separator(byte) => {}
            _ if is_box_drawing(letter) => {}
            _ => return vec![],
        }
    }
    cells
}

/// The puzzle in a line: one of its columns, or all of its cells. A column with blanks
/// comes before a solution.
///
/// # Errors
/// Returns what is to be reported in its place.
fn puzzle_in(text: &[u8]) -> Result<Vec<u8>, Vec<u8>> {
    let columns = text
        .split(|&byte| is_separator(byte) || byte == b':')
        .filter(|column| column.len() > 40)
        .map(|column| (column, cells_in(column)));
    let best = columns.min_by_key(|(_, cells)| {
        let has_blanks = cells.iter().any(|cell| !(b'1'..=b'9').contains(cell));
        (cells.is_empty(), !has_blanks)
    });
    let (raw, cells) = best.unwrap_or_else(|| (text, cells_in(text)));
    if cells.len() == 81 {
        return Ok(cells);
    }
    let wrong = if cells.is_empty() {
        without_separators(raw)
    } else {
        cells
    };
    Err(if puzzle_of(&wrong).is_none() {
        b"?".to_vec()
    } else {
        wrong
    })
}

/// Whether a byte separates cells or columns.
fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b",;|!\"'".contains(&byte)
}

fn without_separators(text: &[u8]) -> Vec<u8> {
    let bytes = text.iter().copied();
    bytes.filter(|&byte| !is_separator(byte)).collect()
}

fn digits_and_dots(text: &[u8]) -> usize {
    let cells = text
        .iter()
        .filter(|byte| byte.is_ascii_digit() || **byte == b'.');
    cells.count()
}

/// Whether a line that is none was meant as a puzzle or as a row.
fn looks_like_a_puzzle(text: &[u8]) -> bool {
    let most = text
        .split(|byte| {
            byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b'"')
        })
        .map(digits_and_dots)
        .max()
        .unwrap_or(0);
    most > 40 || (7..=12).contains(&most) && cells_in(text).len() == most
}

// Parses a line of a list of puzzles.

/// Why a line is not a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// It does not have 81 cells.
    #[error("expected 81 cells, found {0}")]
    Cells(usize),
    /// It has something that is neither a digit nor a blank.
    #[error(
        "unexpected `{}` at row {}, column {}",
        byte.escape_ascii(),
        cell / 9 + 1,
        cell % 9 + 1
    )]
    Symbol {
        /// The byte.
        byte: u8,
        /// Its cell, from 0.
        cell: usize,
    },
}

/// The puzzle at the start of a line; `None` if the line is empty or a comment.
/// Anything may follow the puzzle after white space, `,`, `;`, `|` or `#`. Blanks are
/// `0`, `.`, `*`, `_`, `?` and `-`.
///
/// # Errors
/// Returns [`LineError`] if the line is not a puzzle.
pub fn puzzle_of(line: &[u8]) -> Option<Result<NinePuzzle, LineError>> {
    if let Some((cells, rest)) = line.split_first_chunk()
        && rest.first().is_none_or(|&byte| is_end(byte))
        && let Some(puzzle) = values(cells)
    {
        return Some(Ok(puzzle));
    }
    // Not a plain puzzle: something is wrong, or there is a byte order mark or an
    // indent.
    let line = without_mark(line).trim_ascii_start();
    let word = line.split(|&byte| is_end(byte)).next().unwrap_or_default();
    if line.is_empty() || is_comment(line) {
        return None;
    }
    let Ok(cells) = <&NinePuzzle>::try_from(word) else {
        return Some(Err(LineError::Cells(word.len())));
    };
    let wrong = cells.iter().position(|&byte| value_of(byte) == NONE);
    Some(match wrong {
        None => Ok(cells.map(value_of)),
        Some(cell) => {
            let byte = cells[cell];
            Err(LineError::Symbol { byte, cell })
        }
    })
}

/// A line without the byte order mark at its start.
fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
}

/// Whether a line is a comment in one of the styles of puzzle files.
fn is_comment(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    [&b"#"[..], b"//", b"%", b";"]
        .iter()
        .any(|start| line.starts_with(start))
}

/// Whether a byte ends a puzzle.
fn is_end(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b'|' | b'#')
}

/// The mark of a byte without a value.
const NONE: u8 = 0xff;

/// The values of 81 cells; `None` if one is unreadable. The loop has no branch, so that
/// the compiler can process many cells at a time.
fn values(cells: &[u8; 81]) -> Option<NinePuzzle> {
    let mut puzzle = [0; 81];
    let mut worst = 0;
    for (value, &byte) in puzzle.iter_mut().zip(cells) {
        *value = value_of(byte);
        worst = worst.max(*value);
    }
    (worst != NONE).then_some(puzzle)
}

#[inline(always)]
fn value_of(byte: u8) -> u8 {
    let digit = byte.wrapping_sub(b'0');
    let is_blank = (byte == b'.')
        | (byte == b'*')
        | (byte == b'_')
        | (byte == b'?')
        | (byte == b'-');
    let other = if is_blank { 0 } else { NONE };
    if digit <= 9 { digit } else { other }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    /// The puzzles of a text by their lines, with dots for blanks; other lines as they
    /// are.
    fn list(text: &[u8]) -> Vec<(usize, String)> {
        let mut list = String::new();
        let PuzzleText::List(mut reader) =
            PuzzleText::new(io::Cursor::new(text.to_vec()), false).unwrap()
        else {
            return vec![];
        };
        reader.read_to_string(&mut list).unwrap();
        list.split('\n')
            .enumerate()
            .map(|(number, line)| (number + 1, line.to_owned()))
            .filter(|(_, line)| !line.is_empty() && !is_comment(line.as_bytes()))
            .collect()
    }

    fn rows(puzzle: &str, separator: &str) -> Vec<String> {
        puzzle
            .as_bytes()
            .chunks(9)
            .map(|row| {
                let cells: Vec<String> = row
                    .iter()
                    .map(|cell| char::from(*cell).to_string())
                    .collect();
                cells.join(separator)
            })
            .collect()
    }

    /// The rows with lines between boxes.
    fn boxed(border: &str, bar: &str) -> String {
        let rows: Vec<String> = rows(PUZZLE, "")
            .iter()
            .map(|row| {
                format!(
                    "{bar}{}{bar}{}{bar}{}{bar}",
                    &row[..3],
                    &row[3..6],
                    &row[6..]
                )
            })
            .collect();
        let bands: Vec<String> = rows.chunks(3).map(|band| band.join("\n")).collect();
        format!(
            "{border}\n{}\n{border}\n",
            bands.join(&format!("\n{border}\n"))
        )
    }

    #[test]
    fn collections_in_their_usual_layouts_are_read() {
        let nine = rows(PUZZLE, "").join("\n");
        let ss: Vec<String> = rows(PUZZLE, "")
            .iter()
            .map(|row| format!("{}|{}|{}", &row[..3], &row[3..6], &row[6..]))
            .collect();
        let ss: Vec<String> = ss.chunks(3).map(|band| band.join("\n")).collect();
        let spread: Vec<String> =
            PUZZLE.chars().map(|cell| cell.to_string()).collect();
        for (text, line) in [
            (format!("[Puzzle]\n{nine}\n"), 2),
            (
                format!(
                    "[Puzzle]\r\n{}\r\n[State]\r\n{}\r\n",
                    nine.replace('\n', "\r\n"),
                    rows(SOLUTION, "").join("\r\n")
                ),
                2,
            ),
            (format!("#AAnn\n#DDaily\n{nine}"), 3),
            (ss.join("\n-----------\n"), 1),
            (
                format!(
                    "*-----------*\n{}\n*-----------*\n",
                    ss.join("\n|---+---+---|\n")
                ),
                2,
            ),
            (boxed("+---+---+---+", "|"), 2),
            (
                boxed("\u{2554}\u{2550}\u{2550}\u{2550}\u{2557}", "\u{2551}"),
                2,
            ),
            (format!("Grid 01\n{}\n", nine.replace('.', "0")), 2),
            (rows(PUZZLE, " ").join("\n"), 1),
            (rows(PUZZLE, ",").join("\n"), 1),
            (
                format!("{}\n\n{}\n\n{}\n", &nine[..29], &nine[30..59], &nine[60..]),
                1,
            ),
            (
                format!("id,puzzle,solution,clues\n1,{PUZZLE},{SOLUTION},30\n"),
                2,
            ),
            (format!("solution,puzzle\n{SOLUTION},{PUZZLE}\n"), 2),
            (
                format!("\"quizzes\",\"solutions\"\n\"{PUZZLE}\",\"{SOLUTION}\"\n"),
                2,
            ),
            (format!("quizzes;solutions\n{PUZZLE};{SOLUTION}\n"), 2),
            (format!("0a1b2c3d4e5f {PUZZLE} 1.2\n"), 1),
            (format!("17: {PUZZLE}\n"), 1),
            (format!("{}\n", spread.join(" ")), 1),
            (format!("{}\n", PUZZLE.replace('.', "x")), 1),
            (format!("{}\n", PUZZLE.replace('.', "X")), 1),
            (format!("// easy\n% easy\n; easy\n# easy\n{PUZZLE}\n"), 5),
        ] {
            let shown: Vec<_> = list(text.as_bytes())
                .iter()
                .map(|(line, puzzle)| (*line, puzzle.replace('0', ".")))
                .collect();
            let right = [(line, PUZZLE.to_owned())];
            // A plain list is read as it is.
            let is_plain = shown.len() == 1 && shown[0].1.starts_with(PUZZLE);
            assert!(
                is_plain && shown[0].0 == line || shown == right,
                "{text}: {shown:?}"
            );
        }
    }

    #[test]
    fn rows_of_hyphens_are_blanks_where_hyphens_are() {
        let puzzle = format!("{}{}", "-".repeat(27), &PUZZLE[27..].replace('.', "-"));
        assert_eq!(list(rows(&puzzle, "").join("\n").as_bytes()), [(1, puzzle)]);
    }

    #[test]
    fn line_breaks_of_any_system_and_utf_16_lose_no_puzzle() {
        let both = [(1, PUZZLE.to_owned()), (2, SOLUTION.to_owned())];
        for breaks in ["\n", "\r\n", "\r"] {
            let text = format!("{PUZZLE}{breaks}{SOLUTION}{breaks}");
            let found: Vec<_> = list(text.as_bytes());
            assert_eq!(
                found
                    .iter()
                    .map(|(at, line)| (*at, line.trim().to_owned()))
                    .collect::<Vec<_>>(),
                both
            );
            for mark in ["\u{feff}", ""] {
                let units: Vec<u16> =
                    format!("{mark}{text}").encode_utf16().collect();
                let little: Vec<u8> =
                    units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
                let big: Vec<u8> =
                    units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                assert_eq!(
                    (list(&little), list(&big)),
                    (both.to_vec(), both.to_vec()),
                    "{breaks:?}"
                );
            }
        }
        let long = format!("{PUZZLE}\r").repeat(5000);
        assert_eq!(list(long.as_bytes()).len(), 5000);
    }

    #[test]
    fn what_is_wrong_in_a_collection_is_not_lost() {
        let nine = rows(PUZZLE, "");
        let short = format!(
            "[Puzzle]\n{}\n[Puzzle]\n{}\n",
            nine[..8].join("\n"),
            nine.join("\n")
        );
        assert_eq!(
            list(short.as_bytes()),
            [(2, PUZZLE[..72].to_owned()), (11, PUZZLE.to_owned())]
        );
        let csv = format!("id,puzzle\n1,{}\n2,{PUZZLE}\n", &PUZZLE[1..]);
        let found = list(csv.as_bytes());
        assert_eq!(
            (found.len(), found[0].0, &found[1]),
            (2, 2, &(3, PUZZLE.to_owned()))
        );
    }

    #[test]
    fn a_wrong_line_among_puzzles_keeps_its_place() {
        let spaced = rows(PUZZLE, "")
            .concat()
            .split("")
            .collect::<Vec<_>>()
            .join(" ");
        let csv = |puzzle: &str, id: &str| format!("{id},{puzzle},{SOLUTION}");
        for (layout, wrong, reported) in [
            (spaced.clone(), spaced.trim_end()[..160].to_owned(), 80),
            (spaced.clone(), "some text".to_owned(), 8),
            (spaced.clone(), spaced.replacen('5', "A", 1), 81),
            (format!("\"{PUZZLE}\""), "\"\"".to_owned(), 1),
            (csv(PUZZLE, "1"), "2,".to_owned(), 1),
            (csv(PUZZLE, "1"), csv(&PUZZLE[1..], "5"), 80),
            (format!("1,{PUZZLE}"), format!("5,{}", &PUZZLE[1..]), 80),
        ] {
            let text =
                format!("id,puzzle\n{layout}\n{wrong}\nid,puzzle\n# x\n{layout}\n");
            let found = list(text.as_bytes());
            let lines: Vec<_> = found.iter().map(|(line, _)| *line).collect();
            assert_eq!(lines, [2, 3, 6], "{wrong}");
            assert_eq!(found[1].1.len(), reported, "{wrong}");
            assert!(
                puzzle_of(found[1].1.as_bytes()).unwrap().is_err(),
                "{wrong}"
            );
        }
    }

    #[test]
    fn a_wrong_grid_spoils_no_other() {
        let nine = rows(PUZZLE, "");
        let whole = nine.join("\n");
        let spread: Vec<_> = nine.chunks(3).map(|band| band.join("\n")).collect();
        let spread = spread.join("\n\n");
        for (right, wrong) in [
            (&whole, whole.replacen("98....6.", "98....6", 1)),
            (&whole, whole.replacen("98....6.", "98....6..", 1)),
            (&whole, whole.replacen("98....6.", "9A....6.", 1)),
            (
                &whole,
                whole
                    .replacen(".98....6.", "98....6.", 1)
                    .replacen("53..", "53...", 1),
            ),
            (&whole, nine[..8].join("\n")),
            (&whole, nine[..6].join("\n")),
            (&whole, nine[..3].join("\n")),
            (&whole, whole[1..].to_owned()),
            (&spread, spread.replacen("98....6.", "98....6", 1)),
        ] {
            for between in ["\n", "Grid 01\n"] {
                let text = format!("{right}\n{between}{wrong}\n{between}{right}\n");
                let found = list(text.as_bytes());
                let first = right.lines().count() + 2;
                let last = first + wrong.lines().count() + 1;
                assert_eq!(found[0], (1, PUZZLE.to_owned()), "{text}");
                assert_eq!(found[1].0, first, "{text}");
                assert!(puzzle_of(found[1].1.as_bytes()).unwrap().is_err(), "{text}");
                assert_eq!(found[2..], [(last, PUZZLE.to_owned())], "{text}");
            }
        }
    }

    #[test]
    fn a_text_without_puzzles_is_recognised_by_its_first_lines() {
        let text: String = (0..2000).map(|row| format!("{row},x,y\n")).collect();
        let found =
            PuzzleText::new(io::Cursor::new(text.into_bytes()), false).unwrap();
        assert!(matches!(found, PuzzleText::NoPuzzles(line) if line == "0,x,y"));
        // One wrong line is reported as such.
        assert_eq!(list(b"123\n"), [(1, "123".to_owned())]);
    }
}

#[cfg(test)]
mod line_tests {
    use super::*;

    const DIGITS: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    #[track_caller]
    fn reads(line: &[u8]) {
        let expected: Vec<_> = DIGITS
            .bytes()
            .map(|byte| if byte == b'.' { 0 } else { byte - b'0' })
            .collect();
        assert_eq!(
            puzzle_of(line).unwrap().unwrap().to_vec(),
            expected,
            "{}",
            line.escape_ascii()
        );
    }

    #[test]
    fn every_usual_blank_character_is_read_as_blank() {
        for blank in ["0", ".", "*", "_", "?", "-"] {
            reads(DIGITS.replace('.', blank).as_bytes());
        }
    }

    #[test]
    fn text_around_a_puzzle_is_ignored() {
        for (before, after) in [
            ("", "\r"),
            ("", " # easy"),
            ("", ",1.5,1.2"),
            ("", "\t3"),
            ("  ", ";x"),
            ("\u{feff}", ""),
            ("", "|a"),
        ] {
            reads(format!("{before}{DIGITS}{after}").as_bytes());
        }
    }

    #[test]
    fn empty_lines_and_comments_are_no_puzzles() {
        for line in [
            "",
            "\r",
            "   ",
            "# 81 cells follow",
            " #",
            "// easy",
            "% easy",
            "; easy",
        ] {
            assert_eq!(puzzle_of(line.as_bytes()), None, "{line:?}");
        }
    }

    #[test]
    fn an_unreadable_line_is_refused_with_the_reason() {
        let short = &DIGITS[..80];
        assert_eq!(puzzle_of(short.as_bytes()), Some(Err(LineError::Cells(80))));
        assert_eq!(
            puzzle_of(format!("{DIGITS}1").as_bytes()),
            Some(Err(LineError::Cells(82)))
        );
        assert_eq!(puzzle_of(b",1"), Some(Err(LineError::Cells(0))));
        let letter = DIGITS.replace('5', "x");
        assert_eq!(
            puzzle_of(letter.as_bytes()),
            Some(Err(LineError::Symbol {
                byte: b'x',
                cell: 0
            }))
        );
        let umlaut = format!("{}\u{e4}{}", &DIGITS[..40], &DIGITS[42..]);
        assert_eq!(
            puzzle_of(umlaut.as_bytes()),
            Some(Err(LineError::Symbol {
                byte: 0xc3,
                cell: 40
            }))
        );
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_read_as_a_puzzle_have_81_cells(line in proptest::collection::vec(0u8.., 0..200)) {
            if let Some(Ok(puzzle)) = puzzle_of(&line) {
                proptest::prop_assert!(line.len() >= 81 && puzzle.iter().all(|&value| value <= 9));
            }
        }

        #[test]
        fn a_changed_byte_is_read_or_reported(at in 0usize..81, byte in 0u8..) {
            let mut line = DIGITS.as_bytes().to_vec();
            line[at] = byte;
            match puzzle_of(&line) {
                Some(Ok(puzzle)) => proptest::prop_assert_eq!(puzzle[at], value_of(byte)),
                Some(Err(LineError::Symbol { byte: found, cell })) => {
                    proptest::prop_assert_eq!((found, cell), (byte, at));
                }
                Some(Err(LineError::Cells(found))) => proptest::prop_assert!(found < 81),
                None => proptest::prop_assert!(at == 0 && matches!(byte, b'#' | b'%' | b';')),
            }
        }
    }
}
