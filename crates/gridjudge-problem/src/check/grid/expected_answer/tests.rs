//! The right answer for every way of accepting, and the proof that there is no
//! solution.

use std::rc::Rc;

use gridjudge_grid::format::ReplyKind;
use gridjudge_grid::{CellSpacing, GridCount, Layout, Replies, Shape, Symbols};

use super::*;

fn format() -> Format {
    let layout = Layout::bare(GridCount::One, CellSpacing::Joined);
    Format {
        shapes: vec![Shape::new(4, 2, 2).unwrap()],
        symbols: Symbols::characters("1234", "."),
        input: layout.clone(),
        output: layout,
        replies: Replies {
            none: Some("NO".into()),
            several: Some("MANY".into()),
            ..Replies::default()
        },
    }
}

fn clues(text: &str) -> Vec<Value> {
    text.chars()
        .map(|letter| letter.to_digit(10).unwrap_or(0) as Value)
        .collect()
}

fn answer(accept: Accept, text: &str) -> ExpectedAnswer {
    let format = format();
    expected_answer(&Solver::new(format.shape()), accept, &format, &clues(text))
        .unwrap()
}

const TWO: &str = "12..34..21..43..";
const ONE: &str = "....234141233214";
const NONE: &str = "123....4........";

#[test]
fn each_way_of_accepting_has_its_own_right_answer() {
    let low = clues("1234341221434321");
    let high = clues("1243342121344312");
    let one = clues("1432234141233214");
    for (accept, text, expected) in [
        (Accept::Unique, ONE, ExpectedAnswer::One(one.clone())),
        (
            Accept::Unique,
            TWO,
            ExpectedAnswer::Reply(ReplyKind::Several),
        ),
        (Accept::Unique, NONE, ExpectedAnswer::Reply(ReplyKind::None)),
        (Accept::First, TWO, ExpectedAnswer::One(low.clone())),
        (Accept::First, NONE, ExpectedAnswer::Reply(ReplyKind::None)),
        (Accept::Any, ONE, ExpectedAnswer::One(one.clone())),
        (Accept::Any, NONE, ExpectedAnswer::Reply(ReplyKind::None)),
        (Accept::All { most: 9 }, ONE, ExpectedAnswer::all(vec![one])),
        (
            Accept::All { most: 1 },
            TWO,
            ExpectedAnswer::Reply(ReplyKind::Several),
        ),
        (
            Accept::Count { most: 287 },
            "................",
            ExpectedAnswer::Reply(ReplyKind::Several),
        ),
        (
            Accept::Count { most: 288 },
            "................",
            Counted {
                count: 288,
                shown: vec![],
            },
        ),
        (
            Accept::Count { most: 288 },
            NONE,
            ExpectedAnswer::Reply(ReplyKind::None),
        ),
    ] {
        assert_eq!(answer(accept, text), expected, "{accept:?} {text}");
    }
    let all = answer(Accept::All { most: 99 }, TWO);
    let all = all.listed().unwrap();
    assert_eq!(
        (all.first(), all.last(), all.is_sorted()),
        (Some(&low), Some(&high), true)
    );
}

#[test]
fn the_first_solution_is_the_smallest_of_all() {
    let format = format();
    let solver = Solver::new(format.shape());
    for text in [
        "................",
        "...4............",
        "......4...3.....",
        "4..........1....",
    ] {
        let mut all = solver.solutions(&clues(text), usize::MAX).unwrap();
        all.sort_unstable();
        assert_eq!(
            answer(Accept::First, text),
            ExpectedAnswer::One(all.remove(0)),
            "{text}"
        );
    }
}

#[test]
fn the_proof_that_there_is_no_solution_needs_no_search() {
    let contexts = ShapeContext::of_shapes(&format());
    let proof = |text| {
        let grid = InputGrid {
            number: 1,
            context: Rc::clone(&contexts[0]),
            clues: clues(text),
        };
        grid.contradiction()
    };
    assert_eq!(
        proof("1..1............"),
        "row 1 has two 1s, at columns 1 and 4 in its clues"
    );
    assert_eq!(proof(NONE), "its clues leave no symbol for row 1, column 4");
    assert_eq!(
        proof("....1.......1..."),
        "column 1 has two 1s, at rows 2 and 4 in its clues"
    );
    assert_eq!(
        proof("1.........32.1.."),
        "its clues leave no place for 1 in row 3"
    );
}

#[test]
fn of_several_solutions_the_first_is_written_where_any_counts() {
    for text in [TWO, "................"] {
        assert_eq!(
            answer(Accept::Any, text),
            answer(Accept::First, text),
            "{text}"
        );
    }
}
