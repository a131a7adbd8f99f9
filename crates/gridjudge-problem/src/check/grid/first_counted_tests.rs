//! The number of solutions with the first of them: the findings where either is wrong,
//! and that the next grid is found.

use gridjudge_grid::{
    CellSpacing, CountLine, GridCount, Layout, Replies, Separator, Shape, Symbols,
    Template,
};

use super::*;

const ACCEPT: Accept = Accept::FirstCounted { most: 10 };
const INPUT: &str = "12..\n34..\n21..\n43..\n....\n2341\n4123\n3214\n123.\n...4\n....\n....\n....\n....\n....\n....\n";
const FIRST: &str = "1234\n3412\n2143\n4321\n";
const SECOND: &str = "1234\n3421\n2143\n4312\n";
const ONE: &str = "1432\n2341\n4123\n3214\n";

fn format(follows_solutions: bool) -> Format {
    let layout = Layout::bare(GridCount::UntilEnd { most: 9 }, CellSpacing::Joined);
    let template = Template::parse("{count} in all", "count").unwrap();
    Format {
        shapes: vec![Shape::new(4, 2, 2).unwrap()],
        symbols: Symbols::characters("1234", "."),
        output: Layout {
            count: GridCount::AsInput,
            ..layout.clone()
        },
        input: layout,
        replies: Replies {
            several: Some("MANY".into()),
            count: Some(CountLine {
                template,
                follows_solutions,
                has_blank_line: false,
            }),
            ..Replies::default()
        },
    }
}

#[track_caller]
fn finds(follows_solutions: bool, right: &str, out: &str, expected: &[&str]) {
    for answer in [Some(right.as_bytes()), None] {
        let found = grid_output(
            &format(follows_solutions),
            ACCEPT,
            INPUT.as_bytes(),
            out.as_bytes(),
            answer,
        )
        .unwrap();
        let messages: Vec<_> = found
            .listed
            .iter()
            .map(|found| format!("{}: {}", found.line.unwrap(), found.message))
            .collect();
        assert_eq!(messages, expected, "{out}");
        assert_eq!(found.grids, 4);
    }
}

#[test]
fn the_number_of_solutions_stands_before_the_first_or_after_it() {
    let before = format!("4 in all\n{FIRST}1 in all\n{ONE}0 in all\nMANY\n");
    finds(false, &before, &before, &[]);
    let behind = format!("{FIRST}4 in all\n{ONE}1 in all\n0 in all\nMANY\n");
    finds(true, &behind, &behind, &[]);
}

#[test]
fn a_solution_other_than_the_first_is_reported_and_so_is_one_too_many() {
    let right = format!("4 in all\n{FIRST}1 in all\n{ONE}0 in all\nMANY\n");
    let other = "grid 1, solution 1: a valid completion, but not the first: row 2, column 3 is 2, and 1 is possible there";
    for (from, to, message) in [
        (FIRST, SECOND, &[&format!("3: {other}")[..]][..]),
        (
            FIRST,
            &format!("{FIRST}{SECOND}"),
            &[
                "6: grid 1, solution 2: one solution too many: only the first is shown",
            ],
        ),
        (
            FIRST,
            "",
            &["2: grid 1: the first solution is missing (its row 1 is `1234`)"],
        ),
        (
            "4 in all",
            "3 in all",
            &["1: grid 1: the number of solutions is 3, expected 4"],
        ),
        (
            "4 in all\n",
            "",
            &["5: grid 1: the line `4 in all` is missing"],
        ),
        (
            "0 in all",
            "MANY",
            &["11: grid 3: `MANY`, but there is no solution"],
        ),
        (
            "MANY",
            "9 in all",
            &[
                "12: grid 4: there are more solutions than may be shown or counted; expected `MANY`",
            ],
        ),
        (
            ONE,
            "1432\n2341\n4123\n3211\n",
            &[
                "10: grid 2, solution 1: row 4, column 4 is 1, but its clue is 4",
                "10: grid 2, solution 1: row 4 has two 1s, at columns 3 and 4",
                "10: grid 2, solution 1: column 4 has two 1s, at rows 2 and 4",
            ],
        ),
    ] {
        finds(false, &right, &right.replacen(from, to, 1), message);
    }
}

#[test]
fn a_stored_number_without_the_first_solution_is_the_setters_mistake() {
    for (answer, message) in [
        (
            "4 in all\n1 in all\n",
            "grid 1: the solution to be shown is missing, or not the only one",
        ),
        (
            &format!("0 in all\n{FIRST}"),
            "grid 1: the solution to be shown is missing, or not the only one",
        ),
        (FIRST, "grid 1: there is no answer that can be read"),
    ] {
        let found = grid_output(
            &format(false),
            ACCEPT,
            INPUT.as_bytes(),
            FIRST.as_bytes(),
            Some(answer.as_bytes()),
        );
        let error = found.unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn where_any_solution_is_accepted_exactly_one_must_stand_beside_the_number() {
    let any = Accept::AnyCounted { most: 10 };
    let right = format!("4 in all\n{FIRST}1 in all\n{ONE}0 in all\nMANY\n");
    for (from, to, expected) in [
        (FIRST, FIRST, &[][..]),
        (FIRST, SECOND, &[]),
        (
            "1234",
            "1324",
            &["2: grid 1, solution 1: row 1, column 2 is 3, but its clue is 2"],
        ),
        (
            FIRST,
            &format!("{FIRST}{SECOND}"),
            &["6: grid 1, solution 2: one solution too many: only one is shown"],
        ),
        (
            FIRST,
            "",
            &["2: grid 1: one of the solutions must follow, and none does"],
        ),
        (
            "4 in all",
            "3 in all",
            &["1: grid 1: the number of solutions is 3, expected 4"],
        ),
    ] {
        let out = right.replacen(from, to, 1);
        for answer in [Some(right.as_bytes()), None] {
            let found = grid_output(
                &format(false),
                any,
                INPUT.as_bytes(),
                out.as_bytes(),
                answer,
            )
            .unwrap();
            let messages: Vec<_> = found
                .listed
                .iter()
                .take(1)
                .map(|found| format!("{}: {}", found.line.unwrap(), found.message))
                .collect();
            assert_eq!(messages, expected, "{out}");
        }
    }
}

#[test]
fn a_solution_that_fits_the_next_grid_as_well_belongs_to_the_one_that_has_none_yet() {
    let first = "12..\n34..\n21..\n43..\n";
    let separator = Some(Separator {
        line: "-----".into(),
        closes: false,
    });
    for (next, number) in [
        (first, 4),
        ("....\n....\n....\n....\n", 288),
        ("12..\n34..\n21..\n4...\n", 4),
    ] {
        let input = format!("{first}{next}");
        for (separator, line) in [(None, ""), (separator.clone(), "-----\n")] {
            let mut format = format(true);
            format.output.separator = separator;
            let right = format!("{FIRST}4 in all\n{line}{FIRST}{number} in all\n");
            let judged = |accept, out: &str, answer| {
                let found = grid_output(
                    &format,
                    accept,
                    input.as_bytes(),
                    out.as_bytes(),
                    answer,
                )
                .unwrap();
                found
                    .listed
                    .iter()
                    .map(|found| found.message.clone())
                    .collect::<Vec<_>>()
            };
            for accept in [
                Accept::FirstCounted { most: 300 },
                Accept::AnyCounted { most: 300 },
            ] {
                for answer in [Some(right.as_bytes()), None] {
                    assert_eq!(judged(accept, &right, answer), [""; 0], "{right}");
                    let wrong = right.replacen("4 in", "3 in", 1);
                    let message = "grid 1: the number of solutions is 3, expected 4";
                    assert_eq!(judged(accept, &wrong, answer), [message], "{wrong}");
                }
            }
        }
    }
}
