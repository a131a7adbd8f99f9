//! Answers are written in the format of the problem, and each error says what is wrong.

use gridjudge_grid::{
    Arithmetic, Cage, CageOperation, CellSpacing, Format, GridCount, Layout, Replies,
    Symbols,
};

use super::*;
use crate::model::{Case, Task};
use crate::proof::mistake_of_solve_error;

fn task(accept: Accept) -> GridTask {
    let layout = |count| Layout::bare(count, CellSpacing::Joined);
    GridTask {
        format: Format {
            shapes: vec![Shape::new(4, 2, 2).unwrap()],
            symbols: Symbols::characters("1234", "*"),
            input: layout(GridCount::First { most: 10 }),
            output: layout(GridCount::AsInput),
            replies: Replies::default(),
        },
        accept,
    }
}

fn answer(accept: Accept, input: &str) -> Result<String, String> {
    let mut answer = vec![];
    solve_grids(&task(accept), input.as_bytes(), &mut answer)
        .map_err(|refusal| refusal.to_string())?;
    Ok(String::from_utf8(answer).unwrap())
}

#[test]
fn an_answer_is_written_in_the_problems_own_format() {
    let solved = answer(Accept::Unique, "1\n****\n2341\n4123\n3214\n");
    assert_eq!(solved.unwrap(), "1432\n2341\n4123\n3214\n");
}

#[test]
fn each_kind_of_error_says_what_is_wrong() {
    let refused = |input| answer(Accept::Unique, input).unwrap_err();
    assert_eq!(
        refused("2\n****\n2341\n4123\n3214\n12**\n34**\n21**\n43**\n"),
        "grid 2: more than one solution, the problem promises one: row 2, column 3 may be 1 or 2, row 2, column 4 \
         may be 2 or 1"
    );
    assert_eq!(
        refused("1\n123*\n***4\n****\n****\n"),
        "no completion of these clues keeps the rules"
    );
    let task = Task::Grid(task(Accept::Unique));
    let input = "1\n1**1\n****\n****\n****\n";
    let contradiction = check::mistakes_of_input(&task, input.as_bytes()).unwrap();
    assert_eq!(
        contradiction[0].message,
        "the clues contradict each other: row 1 has two 1s, at columns 1 and 4"
    );
}

#[test]
fn rules_that_contradict_each_other_are_not_blamed_on_the_clues() {
    let cage = Cage {
        cells: vec![0, 5, 10, 15],
        operation: CageOperation::Sum,
        target: 5,
        may_repeat: false,
    };
    let mut task = task(Accept::Unique);
    task.format.shapes =
        vec![Shape::new(4, 2, 2).unwrap().with_arithmetic(Arithmetic {
            cages: vec![cage],
            ..Arithmetic::default()
        })];
    let solved = |input: &str| {
        solve_grids(&task, input.as_bytes(), vec![])
            .unwrap_err()
            .to_string()
    };
    for input in ["1\n****\n****\n****\n****\n", "1\n1***\n****\n****\n****\n"] {
        assert_eq!(
            solved(input),
            "no grid keeps the rules of this problem, with or without clues"
        );
    }
    let case = Case {
        name: "a".to_owned(),
        input: "a.in".into(),
        answer: "a.ans".into(),
    };
    let mistake = mistake_of_solve_error(&case, &SolveError::NoGrid);
    let rules = "cages, inequalities, regions or diagonals of [grid]";
    assert!(mistake.remedy.unwrap().contains(rules));
}

#[test]
fn where_any_solution_counts_one_of_several_is_written() {
    assert_eq!(
        answer(Accept::Any, "1\n****\n****\n****\n****\n")
            .unwrap()
            .lines()
            .count(),
        4
    );
}

#[test]
fn the_grids_of_a_case_are_solved_within_a_bound_that_grows_with_its_bytes_only() {
    let GridTask { format, accept } = task(Accept::Count { most: 20_000 });
    let format = Format {
        shapes: vec![Shape::new(9, 3, 3).unwrap()],
        symbols: Symbols::characters("123456789", "*"),
        replies: Replies {
            several: Some("many".into()),
            ..Replies::default()
        },
        ..format
    };
    let task = GridTask { format, accept };
    let solved = |dead_ends, grids: usize| {
        let input = format!("{grids}\n{}", "*********\n".repeat(9 * grids));
        let solvers = solvers_of(&task, SearchBounds::default());
        solve_within(dead_ends, &solvers, &task, input.as_bytes(), io::sink())
            .map_err(|refusal| refusal.to_string())
    };
    let solver = &solvers_of(&task, SearchBounds::default())[0];
    assert_eq!(solver.count(&[0; 81], 20_001), Ok(20_001));
    let cost = solver.effort();
    assert!(
        cost >= 400,
        "50 solutions cost as much as a dead end: {cost}"
    );
    // Four grids have 362 bytes.
    let enough_for_three = 3 * cost - 362 * DEAD_ENDS_OF_A_BYTE;
    assert_eq!(solved(None, 4), Ok(4));
    assert_eq!(solved(Some(enough_for_three + cost), 4), Ok(4));
    assert_eq!(
        solved(Some(enough_for_three), 4),
        Err(format!(
            "the solver gave up after grid 4: the grids up to it take more than {} dead ends",
            3 * cost
        ))
    );
}
