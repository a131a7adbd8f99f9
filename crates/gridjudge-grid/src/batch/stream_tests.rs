//! Tests the answers to whole texts.

use super::*;
use crate::batch::{LineError, PuzzleError};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// The answers and the mistakes for a text.
fn answered(
    text: &str,
    task: SolveMode,
    threads: usize,
) -> (String, Vec<(u64, PuzzleError)>) {
    let mut written = vec![];
    let mut mistakes = vec![];
    let input = io::Cursor::new(text.as_bytes().to_vec());
    let end = stream(input, task, threads, |answers| {
        written.extend_from_slice(&answers.text);
        mistakes.extend(
            answers
                .mistakes
                .into_iter()
                .map(|mistake| (mistake.line, mistake.problem)),
        );
        ControlFlow::<()>::Continue(())
    });
    assert!(end.unwrap().is_continue());
    (String::from_utf8(written).unwrap(), mistakes)
}

fn dots() -> String {
    ".".repeat(81)
}

#[test]
fn every_line_that_should_be_a_puzzle_is_answered_in_its_place() {
    let clash = PUZZLE.replace("79", "77");
    let impossible = format!("12345678{}9{}", ".".repeat(9), ".".repeat(63));
    let empty = dots();
    let text = format!(
        "# list\n{PUZZLE}\n\n{clash}\r\n{impossible}\n12\n{empty} # many\n{PUZZLE}"
    );
    let (written, mistakes) = answered(&text, SolveMode::Any, 2);
    let lines: Vec<_> = written.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[5]), (6, SOLUTION, SOLUTION));
    assert!(lines[1..4].iter().all(|line| *line == empty));
    assert!(!lines[4].contains('.'));
    assert_eq!(
        mistakes.iter().map(|mistake| mistake.0).collect::<Vec<_>>(),
        [4, 5, 6]
    );
    assert_eq!(
        mistakes[0].1.to_string(),
        "the clues contradict each other: row 9 has two 7s"
    );
    assert_eq!(mistakes[1].1, PuzzleError::NoSolution);
    assert_eq!(mistakes[2].1, PuzzleError::Unreadable(LineError::Cells(2)));
}

#[test]
fn a_grid_with_several_solutions_is_a_mistake_only_if_a_unique_one_was_wanted() {
    let text = format!("{PUZZLE}\n{}\n", dots());
    assert_eq!(answered(&text, SolveMode::Any, 1).1, []);
    let unique = (
        format!("{SOLUTION}\n{}\n", dots()),
        vec![(2, PuzzleError::Several)],
    );
    assert_eq!(answered(&text, SolveMode::Unique, 1), unique);
    let counted = answered(&format!("{text}x\n"), SolveMode::Count(7), 1);
    assert_eq!(
        counted,
        (
            "1\n7\n?\n".to_owned(),
            vec![(3, PuzzleError::Unreadable(LineError::Cells(1)))]
        )
    );
}

#[test]
fn order_and_line_numbers_are_right_over_many_blocks_with_any_number_of_threads() {
    let text: String = (0..20_000)
        .map(|line| {
            if line % 777 == 5 {
                "?\n".to_owned()
            } else {
                format!("{PUZZLE}\n")
            }
        })
        .collect();
    let expected: String =
        (0..20_000).map(|line| if line % 777 == 5 { dots() } else { SOLUTION.to_owned() } + "\n").collect();
    let wrong: Vec<u64> = (0..20_000)
        .filter(|line| line % 777 == 5)
        .map(|line| line + 1)
        .collect();
    for threads in [1, 2, 5] {
        let (written, mistakes) = answered(&text, SolveMode::Any, threads);
        assert!(written == expected, "{threads} threads");
        assert_eq!(
            mistakes.iter().map(|mistake| mistake.0).collect::<Vec<_>>(),
            wrong
        );
    }
}

#[test]
fn stopping_takes_effect_at_once_on_an_endless_text() {
    let mut blocks = 0;
    let end = stream(io::repeat(b'\n'), SolveMode::Any, 2, |_| {
        blocks += 1;
        if blocks == 3 {
            ControlFlow::Break("enough")
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!((end.unwrap(), blocks), (ControlFlow::Break("enough"), 3));
}

#[test]
fn a_text_is_answered_up_to_the_place_where_reading_fails() {
    struct Broken(bool);
    impl Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if std::mem::replace(&mut self.0, true) {
                return Err(io::Error::other("gone"));
            }
            buffer[..2].copy_from_slice(b"1\n");
            Ok(2)
        }
    }
    let mut puzzles = 0;
    let end = stream(Broken(false), SolveMode::Any, 1, |answers| {
        puzzles += answers.puzzles;
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(
        (end.unwrap_err().to_string().as_str(), puzzles),
        ("gone", 1)
    );
}
