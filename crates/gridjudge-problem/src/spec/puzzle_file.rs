//! Reads a collection of puzzles that a recipe draws from, in any layout that `gridjudge solve`
//! reads.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use gridjudge_grid::batch::{PuzzleError, PuzzleText};
use gridjudge_grid::{Value, batch};

use crate::files;
use crate::mistake::Mistake;
use crate::text::printable;

/// The most puzzles of a file: as many as an input of the largest recipe has grids.
const MOST_PUZZLES: usize = 1_000_000;

/// The most bytes of a line of the list; a longer one is not read as a puzzle.
const LONGEST_LINE: u64 = 1 << 17;

/// What can be done about a file without puzzles.
const LAYOUTS: &str = "write one puzzle a line, or nine rows of nine cells, or a CSV file with a \
                       column of puzzles; docs/solve.md lists what is read";

/// The different puzzles of a file in its order, each with its 81 values, 0 for blank.
///
/// # Errors
/// One mistake if the file cannot be read, holds no puzzles or too many, or one of them cannot be
/// read.
pub fn puzzles_of_file(path: &Path) -> Result<Vec<Vec<Value>>, Mistake> {
    let unreadable = |error: std::io::Error| Mistake::refused(path, &error.into());
    let file = files::open(path).map_err(|error| Mistake::refused(path, &error))?;
    let list = match PuzzleText::new(file, false).map_err(unreadable)? {
        PuzzleText::List(list) => list,
        PuzzleText::NoPuzzles(line) => return Err(no_puzzles(path, &line)),
    };
    let mut list = BufReader::new(list);
    let mut puzzles = Vec::new();
    let mut known = HashSet::new();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if list
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)
            .map_err(unreadable)?
            == 0
        {
            break;
        }
        match batch::puzzle_of(line.trim_ascii_end()) {
            None => {}
            Some(Ok(_)) if puzzles.len() == MOST_PUZZLES => {
                let message = format!("holds more than {MOST_PUZZLES} puzzles");
                return Err(Mistake::of(path, message).with_remedy("divide the file"));
            }
            Some(Ok(puzzle)) if known.insert(puzzle) => puzzles.push(puzzle.to_vec()),
            Some(Ok(_)) => {}
            Some(Err(error)) => {
                let error = PuzzleError::Unreadable(error);
                return Err(Mistake::of(path, error.to_string())
                    .on_line(number)
                    .with_remedy(error.remedy()));
            }
        }
    }
    if puzzles.is_empty() {
        return Err(Mistake::of(path, "holds no puzzles").with_remedy(LAYOUTS));
    }
    Ok(puzzles)
}

/// The mistake in a file of puzzles that begins with another line.
pub fn no_puzzles(name: impl AsRef<Path>, first_line: &str) -> Mistake {
    let message = format!(
        "holds no puzzles; its first line is `{}`",
        printable(first_line)
    );
    Mistake::of(name.as_ref(), message).with_remedy(LAYOUTS)
}

/// What can be done about lines that are no puzzles.
pub fn puzzle_layouts() -> &'static str {
    LAYOUTS
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn read(content: &[u8]) -> Result<Vec<Vec<Value>>, Mistake> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("puzzles");
        fs::write(&path, content).unwrap();
        puzzles_of_file(&path).map_err(|mistake| Mistake {
            path: "puzzles".into(),
            ..mistake
        })
    }

    fn rows(puzzle: &str, between: &str) -> String {
        let rows: Vec<_> = (0..9).map(|row| &puzzle[9 * row..9 * row + 9]).collect();
        rows.join(between) + "\n"
    }

    #[test]
    fn every_layout_that_is_solved_gives_the_same_puzzles() {
        let other: String = PUZZLE.chars().rev().collect();
        let expected: Vec<_> = [PUZZLE, &other]
            .map(|puzzle| {
                batch::puzzle_of(puzzle.as_bytes())
                    .unwrap()
                    .unwrap()
                    .to_vec()
            })
            .into();
        let list = format!("{PUZZLE}\n{other}\n");
        let dots = |puzzle: &str| -> String {
            (0..9)
                .map(|row| {
                    let boxes: Vec<_> = (0..3)
                        .map(|at| &puzzle[9 * row + 3 * at..9 * row + 3 * at + 3])
                        .collect();
                    boxes.join("|")
                        + if row == 2 || row == 5 {
                            "\n-----------\n"
                        } else {
                            "\n"
                        }
                })
                .collect()
        };
        let csv = |end: &str| {
            format!("quizzes,solutions{end}\"{PUZZLE}\",\"1\"{end}\"{other}\",\"2\"{end}")
        };
        let utf16: Vec<_> = "\u{feff}"
            .chars()
            .chain(list.chars())
            .flat_map(|letter| (letter as u16).to_le_bytes())
            .collect();
        for text in [
            list.clone().into_bytes(),
            list.replace('\n', "\r\n").into_bytes(),
            format!(
                "[Puzzle]\n{}[Puzzle]\n{}",
                rows(PUZZLE, "\n"),
                rows(&other, "\n")
            )
            .into_bytes(),
            format!(
                "# first\n{}\n# second\n{}",
                rows(PUZZLE, "\n"),
                rows(&other, "\n")
            )
            .into_bytes(),
            format!("{}\n{}", dots(PUZZLE), dots(&other)).into_bytes(),
            csv("\n").into_bytes(),
            csv("\r\n").into_bytes(),
            utf16,
        ] {
            assert_eq!(
                read(&text).as_ref(),
                Ok(&expected),
                "{}",
                text.escape_ascii()
            );
        }
    }

    #[test]
    fn a_puzzle_that_a_file_has_twice_counts_once() {
        let blanks = PUZZLE.replace('.', "0");
        let text = format!("{PUZZLE}\n{}\n{blanks}\n{PUZZLE}\n", ".".repeat(81));
        let puzzles = read(text.as_bytes()).unwrap();
        assert_eq!(puzzles.len(), 2);
        assert_eq!((puzzles[0][0], puzzles[1][0]), (5, 0));
    }

    #[test]
    fn a_file_that_is_no_collection_is_one_mistake() {
        let prose = "It was a dark night.\n".repeat(1000);
        for (content, said) in [
            (
                prose.as_str(),
                "puzzles: holds no puzzles; its first line is `It was a dark night.`",
            ),
            ("", "puzzles: holds no puzzles"),
            (
                &"\0".repeat(300_000),
                "puzzles: holds no puzzles; its first line is `\\u{0}\\u{0}\\u{0}\\u{0}\\u{0}\\u{0}\\u{0}\\u{0}`",
            ),
            ("# nothing\n", "puzzles: holds no puzzles"),
            (
                &format!("{PUZZLE}\n{}\n", &PUZZLE[1..]),
                "puzzles:2: expected 81 cells, found 80",
            ),
        ] {
            let mistake = read(content.as_bytes()).unwrap_err();
            assert_eq!(mistake.to_string(), said);
            assert!(mistake.remedy.is_some());
        }
    }
}
