//! Fuzzes the readers with damaged and random texts: inputs and outputs in every format
//! of `tests/formats`, and the lists that `gridjudge solve` reads. Reading always ends,
//! with a verdict or an error.
//! `PROPTEST_CASES=100000 cargo test --release --test in_process noise` tries more of
//! them.

use std::io;
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use crate::format_examples::{FormatExample, format_examples};
use gridjudge::check;
use gridjudge::model::Findings;
use gridjudge_grid::batch::{SolveMode, puzzle_of, stream};
use proptest::prelude::*;

static FORMATS: LazyLock<Vec<FormatExample>> = LazyLock::new(format_examples);

/// The bytes that replace others or are inserted: some have a meaning in a format, some
/// in none.
const BYTES: &[u8] = b"\n\n  \t\r0123456789.*?-_#:|+ABPabnozNS\0\x0c\x1b\x7f\xc3\xff";

/// One way to damage a text.
#[derive(Clone, Copy, Debug)]
enum Damage {
    Replace(usize, u8),
    Insert(usize, u8),
    Delete(usize),
    /// Removes a piece.
    Cut(usize, usize),
    /// Repeats a piece at another place.
    Copy(usize, usize, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let place = 0..usize::MAX;
    let byte = prop::sample::select(BYTES);
    prop_oneof![
        (place.clone(), byte.clone())
            .prop_map(|(place, byte)| Damage::Replace(place, byte)),
        (place.clone(), byte).prop_map(|(place, byte)| Damage::Insert(place, byte)),
        place.clone().prop_map(Damage::Delete),
        (place.clone(), place.clone())
            .prop_map(|(start, end)| Damage::Cut(start, end)),
        (place.clone(), place.clone(), place)
            .prop_map(|(start, end, to)| Damage::Copy(start, end, to)),
    ]
}

impl Damage {
    fn apply(self, text: &mut Vec<u8>) {
        let length = text.len();
        let piece = |start: usize, end: usize| {
            let start = start % (length + 1);
            start..(start + end % 100).min(length)
        };
        match self {
            _ if text.is_empty() => text.push(b'1'),
            Self::Replace(place, byte) => text[place % length] = byte,
            Self::Insert(place, byte) => text.insert(place % (length + 1), byte),
            Self::Delete(place) => _ = text.remove(place % length),
            Self::Cut(start, end) => _ = text.drain(piece(start, end)),
            Self::Copy(start, end, to) => {
                let copied = text[piece(start, end)].to_vec();
                let to = to % (length + 1);
                text.splice(to..to, copied);
            }
        }
    }
}

/// A text with these damages.
fn damaged(text: &str, damages: &[Damage]) -> Vec<u8> {
    let mut text = text.as_bytes().to_vec();
    for damage in damages {
        damage.apply(&mut text);
    }
    text
}

/// The findings of an output; `None` if the input is invalid, so that no output can be
/// checked against it.
fn findings(
    format_examples: &FormatExample,
    input: &[u8],
    output: &[u8],
    answer: Option<&[u8]>,
) -> Option<Findings> {
    let FormatExample { problem, .. } = format_examples;
    check::output(&problem.task, input, output, answer).ok()
}

fn lines(text: &[u8]) -> u64 {
    text.split(|&byte| byte == b'\n').count() as u64
}

/// A reader that returns a text in pieces of at most this many bytes.
struct Pieces(Vec<u8>, usize);

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(self.0.len()).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0.drain(..count);
        Ok(count)
    }
}

/// A line of a list of puzzles: a damaged puzzle, a random mix of [`BYTES`], or
/// arbitrary bytes.
fn line() -> impl Strategy<Value = Vec<u8>> {
    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    prop_oneof![
        prop::collection::vec(damage(), 0..4)
            .prop_map(|damages| damaged(PUZZLE, &damages)),
        prop::collection::vec(prop::sample::select(BYTES), 0..100),
        prop::collection::vec(0u8.., 0..200),
    ]
}

/// The answers to a list, and the numbers of the lines with a mistake.
fn answered(list: Vec<u8>, piece: usize, task: SolveMode) -> (Vec<u8>, Vec<u64>) {
    let mut text = vec![];
    let mut mistakes = vec![];
    let end = stream(Pieces(list, piece), task, 1, |answers| {
        text.extend_from_slice(&answers.text);
        mistakes.extend(answers.mistakes.iter().map(|mistake| mistake.line));
        ControlFlow::<()>::Continue(())
    });
    assert!(end.is_ok(), "no thread fails");
    (text, mistakes)
}

/// Whether an answer is a filled grid.
fn is_solution(answer: &[u8]) -> bool {
    answer.len() == 81 && answer.iter().all(|byte| (b'1'..=b'9').contains(byte))
}

proptest! {
    /// An output gets the same verdict with the stored answer and without it, and every
    /// finding is on a line that exists.
    #[test]
    fn an_output_gets_the_same_verdict_by_the_answer_and_by_the_solver(
        number in 0..usize::MAX,
        damages in prop::collection::vec(damage(), 1..6),
    ) {
        let format_examples = &FORMATS[number % FORMATS.len()];
        let output = damaged(&format_examples.answer, &damages);
        let input = format_examples.input.as_bytes();
        let by_answer = findings(format_examples, input, &output, Some(format_examples.answer.as_bytes())).unwrap();
        let by_solver = findings(format_examples, input, &output, None).unwrap();
        prop_assert_eq!(by_answer.verdict(), by_solver.verdict(), "{}", format_examples.name);
        prop_assert_eq!(by_answer.parts_right, by_solver.parts_right, "{}", format_examples.name);
        for finding in by_answer.listed.iter().chain(&by_solver.listed) {
            let line = finding.line.unwrap_or(1);
            prop_assert!((1..=lines(&output)).contains(&line), "{}: {finding:?}", format_examples.name);
        }
    }

    /// If an input has no mistake, outputs can be checked against it.
    #[test]
    fn an_input_is_either_reported_as_invalid_or_can_be_checked_against(
        number in 0..usize::MAX,
        damages in prop::collection::vec(damage(), 1..4),
    ) {
        let format_examples = &FORMATS[number % FORMATS.len()];
        let input = damaged(&format_examples.input, &damages);
        let mistakes = check::mistakes_of_input(&format_examples.problem.task, input.as_slice()).unwrap();
        let found = findings(format_examples, &input, format_examples.answer.as_bytes(), None);
        prop_assert!(!mistakes.is_empty() || found.is_some(), "{}", format_examples.name);
    }

    #[test]
    fn noise_is_never_accepted(number in 0..usize::MAX, noise in prop::collection::vec(prop::sample::select(BYTES), 0..300)) {
        let format_examples = &FORMATS[number % FORMATS.len()];
        let found = findings(format_examples, format_examples.input.as_bytes(), &noise, None).unwrap();
        prop_assert!(!found.listed.is_empty(), "{}", format_examples.name);
    }

    /// Each line that is neither empty nor a comment has one answer, whatever its
    /// bytes: a solution, or dots and a mistake.
    #[test]
    fn each_line_of_a_list_has_one_answer_and_a_mistake_if_it_has_no_solution(
        lines in prop::collection::vec(line(), 1..4),
        piece in 1..300usize,
        is_unique in any::<bool>(),
    ) {
        let mut list = lines.join(&b'\n');
        // A carriage return alone is a line break, too.
        for at in 1..list.len() {
            if list[at - 1] == b'\r' && list[at] != b'\n' {
                list[at - 1] = b' ';
            }
        }
        let numbered = (1..).zip(list.split(|&byte| byte == b'\n'));
        let asked: Vec<_> =
            numbered.filter_map(|(number, line)| puzzle_of(line).map(|puzzle| (number, puzzle))).collect();
        let task = if is_unique { SolveMode::Unique } else { SolveMode::Any };
        let (text, mistakes) = answered(list.clone(), piece, task);
        let answers: Vec<_> = text.split(|&byte| byte == b'\n').collect();
        prop_assert_eq!(answers.len(), asked.len() + 1, "{}", list.escape_ascii());
        let mut unsolved = vec![];
        for (&answer, (number, puzzle)) in answers.iter().zip(&asked) {
            if is_solution(answer) {
                let puzzle = puzzle.expect("an unreadable line has no solution");
                let keeps_clue = |(&clue, &byte): (&u8, &u8)| clue == 0 || clue == byte - b'0';
                prop_assert!(puzzle.iter().zip(answer).all(keeps_clue), "{}", list.escape_ascii());
            } else {
                prop_assert_eq!(answer, [b'.'; 81]);
                unsolved.push(*number);
            }
        }
        prop_assert_eq!(mistakes, unsolved, "{}", list.escape_ascii());
    }
}
