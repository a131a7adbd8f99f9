//! Parses a line of a list of puzzles.

use crate::solve::nine::NinePuzzle;

/// Why a line is not a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineError {
    /// It does not have 81 cells.
    Cells(usize),
    /// It has something that is neither a digit nor a blank.
    Symbol {
        /// The byte.
        byte: u8,
        /// Its cell, from 0.
        cell: usize,
    },
}

/// The puzzle at the start of a line; `None` if the line is empty or a comment. Anything may follow
/// the puzzle after white space, `,`, `;`, `|` or `#`. Blanks are `0`, `.`, `*`, `_`, `?` and `-`.
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
    // Not a plain puzzle: something is wrong, or there is a byte order mark or an indent.
    let line = line
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(line)
        .trim_ascii_start();
    let word = line.split(|&byte| is_end(byte)).next().unwrap_or_default();
    if line.is_empty() || is_comment(line) {
        return None;
    }
    Some(read(word))
}

/// Whether a line is a comment in one of the styles of puzzle files.
pub(super) fn is_comment(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    [&b"#"[..], b"//", b"%", b";"]
        .iter()
        .any(|start| line.starts_with(start))
}

fn read(word: &[u8]) -> Result<NinePuzzle, LineError> {
    let cells: &NinePuzzle = word.try_into().map_err(|_| LineError::Cells(word.len()))?;
    values(cells).ok_or_else(|| {
        let bad = cells.iter().position(|&byte| value_of(byte) == NONE);
        let cell = bad.unwrap_or(0);
        LineError::Symbol {
            byte: cells[cell],
            cell,
        }
    })
}

/// Whether a byte ends a puzzle.
fn is_end(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b'|' | b'#')
}

/// The mark of a byte without a value.
const NONE: u8 = 0xff;

/// The values of 81 cells; `None` if one is unreadable. The loop has no branch, so that the
/// compiler can process many cells at a time.
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
    let is_blank =
        (byte == b'.') | (byte == b'*') | (byte == b'_') | (byte == b'?') | (byte == b'-');
    let other = if is_blank { 0 } else { NONE };
    if digit <= 9 { digit } else { other }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGITS: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

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
                None => proptest::prop_assert!(at == 0 && byte == b'#'),
            }
        }
    }
}
