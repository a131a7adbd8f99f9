//! Texts that nobody meant, in every format of `tests/formats`: whatever stands in them, reading them ends, with a verdict or
//! a mistake. `PROPTEST_CASES=100000 cargo test --release --test noise` tries more of them.

mod wild;

use std::sync::LazyLock;

use gridjudge::check;
use gridjudge::model::Findings;
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
    check::output(&problem.format, problem.accept, input, output, answer).ok()
}

fn lines(text: &[u8]) -> u64 {
    text.split(|&byte| byte == b'\n').count() as u64
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
        prop_assert_eq!(by_answer.grids_right, by_solver.grids_right, "{}", wild.name);
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
        let mistakes = check::mistakes_of_input(&wild.problem.format, input.as_slice()).unwrap();
        let found = findings(wild, &input, wild.answer.as_bytes(), None);
        prop_assert!(!mistakes.is_empty() || found.is_some(), "{}", wild.name);
    }

    #[test]
    fn noise_is_never_accepted(number in 0..usize::MAX, noise in prop::collection::vec(prop::sample::select(BYTES), 0..300)) {
        let wild = &FORMATS[number % FORMATS.len()];
        let found = findings(wild, wild.input.as_bytes(), &noise, None).unwrap();
        prop_assert!(!found.listed.is_empty(), "{}", wild.name);
    }
}
