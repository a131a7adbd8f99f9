//! Texts in place of grids, and grids in place of texts: a wrong claim in either
//! direction comes with its proof.

use gridjudge_grid::{
    CellSpacing, Format, GridCount, Layout, Replies, Shape, Symbols, WhiteSpace,
};

use crate::check::grid::grid_output;
use crate::model::{Accept, Findings};

const ONE: &str = "....\n2341\n4123\n3214\n";
const ONE_SOLVED: &str = "1432\n2341\n4123\n3214\n";
const TWO: &str = "12..\n34..\n21..\n43..\n";
const TWO_FIRST: &str = "1234\n3412\n2143\n4321\n";
const TWO_OTHER: &str = "1243\n3421\n2134\n4312\n";
const NONE: &str = "123.\n...4\n....\n....\n";
const NONE_FILLED: &str = "1234\n3414\n2143\n4321\n";

fn format(none: Option<&str>, several: Option<&str>) -> Format {
    let layout = Layout::bare(GridCount::UntilEnd { most: 9 }, CellSpacing::Joined);
    Format {
        shapes: vec![Shape::new(4, 2, 2).unwrap()],
        symbols: Symbols::characters("1234", "."),
        output: Layout {
            count: GridCount::AsInput,
            ..layout.clone()
        },
        input: layout,
        replies: Replies {
            none: none.map(Into::into),
            several: several.map(Into::into),
            ..Replies::default()
        },
    }
}

fn described(findings: &Findings) -> Vec<String> {
    findings
        .listed
        .iter()
        .map(|finding| match finding.rule {
            Some(rule) => {
                format!("{} {rule}: {}", finding.line.unwrap(), finding.message)
            }
            None => finding.message.clone(),
        })
        .collect()
}

/// Findings of an output, which must be the same with the stored answer and without.
#[track_caller]
fn finds(accept: Accept, input: &str, answer: &str, out: &str, expected: &[&str]) {
    let several = (accept == Accept::Unique).then_some("MANY");
    let format = format(Some("NO"), several);
    for answer in [Some(answer.as_bytes()), None] {
        let findings =
            grid_output(&format, accept, input.as_bytes(), out.as_bytes(), answer)
                .unwrap();
        assert_eq!(described(&findings), expected, "{answer:?}");
    }
}

#[test]
fn right_texts_and_right_grids_are_accepted() {
    let input = [ONE, TWO, NONE].concat();
    let answer = format!("{ONE_SOLVED}MANY\nNO\n");
    finds(Accept::Unique, &input, &answer, &answer, &[]);
    finds(
        Accept::Unique,
        &input,
        &answer,
        &answer.replace('\n', " \n\n"),
        &[],
    );
    let any = format!("{ONE_SOLVED}{TWO_OTHER}NO\n");
    finds(
        Accept::Any,
        &input,
        &format!("{ONE_SOLVED}{TWO_FIRST}NO\n"),
        &any,
        &[],
    );
}

#[test]
fn a_wrong_claim_of_no_solution_is_answered_with_a_solution() {
    let message = ["1 claim: `NO`, but there is a solution: its row 1 is `1432`"];
    finds(Accept::Unique, ONE, ONE_SOLVED, "NO\n", &message);
    finds(Accept::First, ONE, ONE_SOLVED, "NO\n", &message);
    finds(Accept::Any, ONE, ONE_SOLVED, "NO\n", &message);
    let cells = "row 2, column 3 may be 1 or 2, row 2, column 4 may be 2 or 1";
    let message = format!("1 claim: `NO`, but there are several solutions: {cells}");
    finds(Accept::Unique, TWO, "MANY\n", "NO\n", &[&message]);
}

#[test]
fn a_wrong_claim_of_several_solutions_is_answered_with_the_only_one_or_why_there_is_none()
 {
    let message =
        ["1 claim: `MANY`, but there is only one solution: its row 1 is `1432`"];
    finds(Accept::Unique, ONE, ONE_SOLVED, "MANY\n", &message);
    let message = [
        "1 claim: `MANY`, but there is no solution: its clues leave no symbol for row 1, column 4",
    ];
    finds(Accept::Unique, NONE, "NO\n", "MANY\n", &message);
}

#[test]
fn a_grid_where_a_text_belongs_is_judged_as_well() {
    let none = "there is no solution: its clues leave no symbol for row 1, column 4; expected `NO`";
    finds(
        Accept::Any,
        NONE,
        "NO\n",
        NONE_FILLED,
        &[
            &format!("1 claim: {none}"),
            "2 row: row 2 has two 4s, at columns 2 and 4",
            "2 column: column 4 has two 4s, at rows 1 and 2",
        ],
    );
    let cells = "row 2, column 3 may be 1 or 2, row 2, column 4 may be 2 or 1; expected `MANY`";
    let message =
        format!("1 claim: a valid completion, but not the only one: {cells}");
    finds(Accept::Unique, TWO, "MANY\n", TWO_FIRST, &[&message]);
}

#[test]
fn a_text_that_is_nearly_right_is_quoted_and_the_next_grid_still_judged() {
    let input = [NONE, ONE].concat();
    let answer = format!("NO\n{ONE_SOLVED}");
    for (text, quoted) in
        [("no", "no"), ("No!", "No!"), ("none at all", "none at all")]
    {
        let message = format!(
            "1 claim: grid 1: `{quoted}` is neither a row nor `NO` nor `MANY`"
        );
        finds(
            Accept::Unique,
            &input,
            &answer,
            &format!("{text}\n{ONE_SOLVED}"),
            &[&message],
        );
    }
}

#[test]
fn a_broken_grid_before_a_text_does_not_hide_it() {
    let input = [ONE, NONE].concat();
    let answer = format!("{ONE_SOLVED}NO\n");
    let message = ["3 rows: grid 1: the grid has 3 rows, expected 4"];
    finds(
        Accept::Unique,
        &input,
        &answer,
        "1432\n2341\n4123\nNO\n",
        &message,
    );
}

#[test]
fn a_valid_completion_that_is_not_the_first_names_the_first_cell_that_differs() {
    let message = [
        "1 first: a valid completion, but not the first: row 1, column 3 is 4, and 3 is possible there",
    ];
    finds(Accept::First, TWO, TWO_FIRST, TWO_OTHER, &message);
    finds(Accept::First, TWO, TWO_FIRST, TWO_FIRST, &[]);
}

#[test]
fn a_text_is_written_exactly_where_white_space_is_strict() {
    let mut format = format(Some("NO"), None);
    format.output.white_space = WhiteSpace::Strict;
    for (out, expected) in [
        ("NO\n", "AC"),
        ("NO", "AC"),
        ("NO \n", "PE"),
        ("\nNO\n", "PE"),
        ("no\n", "WA"),
    ] {
        let findings = grid_output(
            &format,
            Accept::Any,
            NONE.as_bytes(),
            out.as_bytes(),
            Some(&b"NO\n"[..]),
        );
        assert_eq!(findings.unwrap().verdict().code(), expected, "{out:?}");
    }
}

#[test]
fn a_text_for_which_the_problem_has_no_words_is_read_as_a_broken_grid() {
    let format = format(None, None);
    let findings = grid_output(
        &format,
        Accept::Any,
        ONE.as_bytes(),
        &b"NO\n"[..],
        Some(ONE_SOLVED.as_bytes()),
    )
    .unwrap();
    assert_eq!(
        described(&findings),
        [
            "1 symbol: row 1, column 1 is `N`, which is not a symbol of this problem",
            "1 rows: the grid has 1 row, expected 4"
        ]
    );
}

#[test]
fn a_text_and_a_grid_are_one_answer() {
    let input = [ONE, NONE].concat();
    let answer = format!("{ONE_SOLVED}NO\n");
    let message =
        ["1 claim: grid 1: `NO`, but there is a solution: its row 1 is `1432`"];
    finds(
        Accept::Unique,
        &input,
        &answer,
        &format!("NO\n{answer}"),
        &message,
    );
    let input = [NONE, ONE].concat();
    let answer = format!("NO\n{ONE_SOLVED}");
    let out = format!("NO\n{NONE_FILLED}{ONE_SOLVED}");
    let message = ["1 rows: grid 1: `NO` and a grid, expected one of them"];
    finds(Accept::Unique, &input, &answer, &out, &message);
}

#[test]
fn a_row_of_wrong_symbols_is_no_text() {
    let input = [ONE, NONE].concat();
    let answer = format!("{ONE_SOLVED}NO\n");
    let symbol = |row: usize, found: &str| {
        format!(
            "{row} symbol: grid 1: row {row}, column 1 is `{found}`, which is not a symbol of this problem"
        )
    };
    let letters = "adcb\nbcda\ndabc\ncbad\nNO\n";
    let messages = [(1, "a"), (2, "b"), (3, "d"), (4, "c")]
        .map(|(row, found)| symbol(row, found));
    finds(
        Accept::Unique,
        &input,
        &answer,
        letters,
        &messages.each_ref().map(String::as_str),
    );
    finds(
        Accept::Unique,
        &input,
        &answer,
        &answer.replace("1432", "0000"),
        &[&symbol(1, "0")],
    );
}

#[test]
fn a_case_that_breaks_the_promise_of_the_problem_is_called_that() {
    let findings = grid_output(
        &format(Some("NO"), None),
        Accept::Unique,
        TWO.as_bytes(),
        TWO_FIRST.as_bytes(),
        None::<&[u8]>,
    )
    .unwrap();
    assert_eq!(
        described(&findings),
        [
            "1 solution: a valid completion, but not the only one: row 2, column 3 may be 1 or 2, row 2, column 4 may be 2 or 1 (the case has more than one solution; tell its setter)"
        ]
    );
}
