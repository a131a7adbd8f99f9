//! Texts that nobody meant, in every format of `tests/formats`: whatever stands in them, reading them ends, with a verdict or
//! a mistake; and in the lists that `gridjudge solve` reads. `PROPTEST_CASES=100000 cargo test --release --test noise` tries
//! more of them.

mod wild;

use std::io;
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use gridjudge::check;
use gridjudge::model::Findings;
use gridjudge_grid::batch::SolveMode;
use gridjudge_grid::batch::puzzle_of;
use gridjudge_grid::batch::stream;
use proptest::prelude::*;
use wild::Wild;
use wild::wild;

static FORMATS: LazyLock<Vec<Wild>> = LazyLock::new(wild);

/// What comes in a byte's place: what means something in some format, and what means nothing in any.
const BYTES: &[u8] = b"\n\n  \t\r0123456789.*?-_#:|+ABPabnozNS\0\x0c\x1b\x7f\xc3\xff";

/// One thing that happens to a text.
#[derive(Clone, Copy, Debug)]
enum Harm {
    Replace(usize, u8),
    Insert(usize, u8),
    Delete(usize),
    /// A piece is left out.
    Cut(usize, usize),
    /// A piece is there again, elsewhere.
    Copy(usize, usize, usize),
}

fn harm() -> impl Strategy<Value = Harm> {
    let (place, byte) = (0..usize::MAX, prop::sample::select(BYTES));
    prop_oneof![
        (place.clone(), byte.clone()).prop_map(|(place, byte)| Harm::Replace(place, byte)),
        (place.clone(), byte).prop_map(|(place, byte)| Harm::Insert(place, byte)),
        place.clone().prop_map(Harm::Delete),
        (place.clone(), place.clone()).prop_map(|(start, end)| Harm::Cut(start, end)),
        (place.clone(), place.clone(), place).prop_map(|(start, end, to)| Harm::Copy(start, end, to)),
    ]
}

impl Harm {
    fn befall(self, text: &mut Vec<u8>) {
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

/// A text after some harm has been done to it.
fn harmed(text: &str, harms: &[Harm]) -> Vec<u8> {
    let mut text = text.as_bytes().to_vec();
    harms.iter().for_each(|harm| harm.befall(&mut text));
    text
}

/// What is found in an output; `None` if the input does not allow to look.
fn findings(wild: &Wild, input: &[u8], output: &[u8], answer: Option<&[u8]>) -> Option<Findings> {
    let Wild { problem, .. } = wild;
    check::output(&problem.task, input, output, answer).ok()
}

fn lines(text: &[u8]) -> u64 {
    text.split(|&byte| byte == b'\n').count() as u64
}

/// Gives a text in pieces of so many bytes.
struct Pieces(Vec<u8>, usize);

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(self.0.len()).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0.drain(..count);
        Ok(count)
    }
}

/// A line of a list of puzzles: a puzzle that some harm has been done to, what looks like one, or any bytes.
fn line() -> impl Strategy<Value = Vec<u8>> {
    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    prop_oneof![
        prop::collection::vec(harm(), 0..4).prop_map(|harms| harmed(PUZZLE, &harms)),
        prop::collection::vec(prop::sample::select(BYTES), 0..100),
        prop::collection::vec(0u8.., 0..200),
    ]
}

/// The answers to a list, and the numbers of the lines that are complained of.
fn answered(list: Vec<u8>, piece: usize, task: SolveMode) -> (Vec<u8>, Vec<u64>) {
    let (mut text, mut complaints) = (Vec::new(), Vec::new());
    let end = stream(Pieces(list, piece), task, 1, |answers| {
        text.extend_from_slice(&answers.text);
        complaints.extend(answers.complaints.iter().map(|complaint| complaint.line));
        ControlFlow::<()>::Continue(())
    });
    assert!(end.is_ok(), "no thread breaks down");
    (text, complaints)
}

/// Whether an answer gives what was wanted.
fn is_given(answer: &[u8]) -> bool {
    answer.len() == 81 && answer.iter().all(|byte| (b'1'..=b'9').contains(byte))
}

proptest! {
    /// With the stored answer and without it, an output is worth the same; and every finding is on a line that there is.
    #[test]
    fn an_output_is_worth_the_same_by_the_answer_and_by_the_solver(
        number in 0..usize::MAX,
        harms in prop::collection::vec(harm(), 1..6),
    ) {
        let wild = &FORMATS[number % FORMATS.len()];
        let output = harmed(&wild.answer, &harms);
        let input = wild.input.as_bytes();
        let by_answer = findings(wild, input, &output, Some(wild.answer.as_bytes())).unwrap();
        let by_solver = findings(wild, input, &output, None).unwrap();
        prop_assert_eq!(by_answer.verdict(), by_solver.verdict(), "{}", wild.name);
        prop_assert_eq!(by_answer.parts_right, by_solver.parts_right, "{}", wild.name);
        for finding in by_answer.listed.iter().chain(&by_solver.listed) {
            let line = finding.line.unwrap_or(1);
            prop_assert!((1..=lines(&output)).contains(&line), "{}: {finding:?}", wild.name);
        }
    }

    /// Where an input has no mistake, outputs can be checked against it.
    #[test]
    fn an_input_is_either_named_as_a_mistake_or_answered(
        number in 0..usize::MAX,
        harms in prop::collection::vec(harm(), 1..4),
    ) {
        let wild = &FORMATS[number % FORMATS.len()];
        let input = harmed(&wild.input, &harms);
        let mistakes = check::mistakes_of_input(&wild.problem.task, input.as_slice()).unwrap();
        let found = findings(wild, &input, wild.answer.as_bytes(), None);
        prop_assert!(!mistakes.is_empty() || found.is_some(), "{}", wild.name);
    }

    #[test]
    fn noise_is_never_accepted(number in 0..usize::MAX, noise in prop::collection::vec(prop::sample::select(BYTES), 0..300)) {
        let wild = &FORMATS[number % FORMATS.len()];
        let found = findings(wild, wild.input.as_bytes(), &noise, None).unwrap();
        prop_assert!(!found.listed.is_empty(), "{}", wild.name);
    }

    /// Whatever the bytes, each line that is not empty and no comment has one answer: a solution, or dots and a complaint.
    #[test]
    fn a_line_of_a_list_is_answered_once_and_complained_of_where_the_answer_is_lacking(
        lines in prop::collection::vec(line(), 1..4),
        piece in 1..300usize,
        is_unique in any::<bool>(),
    ) {
        let list = lines.join(&b'\n');
        let numbered = (1..).zip(list.split(|&byte| byte == b'\n'));
        let asked: Vec<_> =
            numbered.filter_map(|(number, line)| puzzle_of(line).map(|puzzle| (number, puzzle))).collect();
        let task = if is_unique { SolveMode::Unique } else { SolveMode::Any };
        let (text, complaints) = answered(list.clone(), piece, task);
        let answers: Vec<_> = text.split(|&byte| byte == b'\n').collect();
        prop_assert_eq!(answers.len(), asked.len() + 1, "{}", list.escape_ascii());
        let mut lacking = Vec::new();
        for (&answer, (number, puzzle)) in answers.iter().zip(&asked) {
            if is_given(answer) {
                let puzzle = puzzle.expect("what is unreadable has no solution");
                let is_kept = |(&clue, &byte): (&u8, &u8)| clue == 0 || clue == byte - b'0';
                prop_assert!(puzzle.iter().zip(answer).all(is_kept), "{}", list.escape_ascii());
            } else {
                prop_assert_eq!(answer, [b'.'; 81]);
                lacking.push(*number);
            }
        }
        prop_assert_eq!(complaints, lacking, "{}", list.escape_ascii());
    }
}
