//! Tests the counts, the budgets and the solutions of the naive searches.

use super::*;
use crate::{BLANK, GridRules, Shape, Value};

fn clues(line: &str) -> Vec<Value> {
    line.bytes()
        .map(|byte| if byte == b'.' { BLANK } else { byte - b'0' })
        .collect()
}

fn nine() -> NaiveSearcher {
    NaiveSearcher::new(&Shape::new(9, 3, 3).unwrap())
}

const EASY: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

#[test]
fn a_grid_without_blanks_costs_no_node() {
    let solved = nine()
        .search(NaiveSearch::Rows, &clues(EASY), u64::MAX)
        .solution
        .unwrap();
    for naive in NaiveSearch::ALL {
        let counted = nine().search(naive, &solved, 0);
        assert_eq!(
            counted,
            SearchCost {
                nodes: 0,
                exhausted: false,
                solution: Some(solved.clone())
            }
        );
    }
}

#[test]
fn every_search_finds_the_solution_with_its_known_number_of_nodes() {
    let known = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let costs: Vec<_> = NaiveSearch::ALL
        .into_iter()
        .map(|naive| {
            let counted = nine().search(naive, &clues(EASY), u64::MAX);
            assert_eq!(counted.solution, Some(clues(known)), "{}", naive.name());
            (naive.name(), counted.nodes)
        })
        .collect();
    let expected = [
        ("rows", 4208),
        ("rows-descending", 474),
        ("bottom-up", 609),
        ("backwards", 1005),
        ("backwards-descending", 556),
        ("columns", 621),
        ("columns-descending", 725),
        ("fullest-row", 291),
        ("fewest-candidates", 51),
        ("fewest-candidates-descending", 51),
        ("fewest-candidates-backwards", 51),
        ("fewest-candidates-by-columns", 51),
    ];
    assert_eq!(costs, expected);
}

#[test]
fn counts_equal_those_of_an_independent_recursive_program() {
    for (puzzle, rows, narrow) in [
        (
            ".45..1......2..87..9.......6..8...................9..48.....2........6...19..4...",
            399_989,
            373,
        ),
        (
            "...8..7.2..3..1.....7.....4..1....3....2..6...8..4.................3..5.62.......",
            145_460,
            22_998,
        ),
    ] {
        let nodes = |naive| nine().search(naive, &clues(puzzle), u64::MAX).nodes;
        assert_eq!(
            (
                nodes(NaiveSearch::Rows),
                nodes(NaiveSearch::FewestCandidates)
            ),
            (rows, narrow),
            "{puzzle}"
        );
    }
}

#[test]
fn a_search_places_no_more_than_its_budget() {
    for naive in NaiveSearch::ALL {
        let nodes = nine().search(naive, &clues(EASY), u64::MAX).nodes;
        let at = nine().search(naive, &clues(EASY), nodes);
        assert!(
            at.nodes == nodes && !at.exhausted && at.solution.is_some(),
            "{}",
            naive.name()
        );
        let below = nine().search(naive, &clues(EASY), nodes - 1);
        assert_eq!(
            below,
            SearchCost {
                nodes: nodes - 1,
                exhausted: true,
                solution: None
            },
            "{}",
            naive.name()
        );
    }
}

#[test]
fn transforming_the_grid_turns_one_search_into_another() {
    let cells = clues(EASY);
    let moved = |from: &dyn Fn(usize, usize) -> usize| -> Vec<Value> {
        (0..81)
            .map(|cell| cells[from(cell / 9, cell % 9)])
            .collect()
    };
    let relabelled: Vec<Value> = cells
        .iter()
        .map(|&value| if value == BLANK { BLANK } else { 10 - value })
        .collect();
    for (naive, same) in [
        (NaiveSearch::RowsDescending, relabelled),
        (
            NaiveSearch::BottomUp,
            moved(&|row, column| 9 * (8 - row) + column),
        ),
        (
            NaiveSearch::Backwards,
            moved(&|row, column| 80 - 9 * row - column),
        ),
        (NaiveSearch::Columns, moved(&|row, column| 9 * column + row)),
    ] {
        let nodes =
            |naive, cells: &[Value]| nine().search(naive, cells, u64::MAX).nodes;
        assert_eq!(
            nodes(NaiveSearch::Rows, &same),
            nodes(naive, &cells),
            "{}",
            naive.name()
        );
    }
}

#[test]
fn a_grid_without_a_solution_is_searched_completely_and_one_with_clashing_clues_not_at_all()
 {
    let searcher = NaiveSearcher::new(&Shape::new(4, 2, 2).unwrap());
    for (line, has_nodes) in [("123....4........", true), ("11..............", false)]
    {
        for naive in NaiveSearch::ALL {
            let counted = searcher.search(naive, &clues(line), u64::MAX);
            assert!(
                counted.solution.is_none() && !counted.exhausted,
                "{}",
                naive.name()
            );
            assert!(has_nodes || counted.nodes == 0, "{}", naive.name());
        }
    }
}

#[test]
fn every_search_solves_empty_grids_of_several_shapes() {
    for (order, rows, columns) in
        [(1, 1, 1), (4, 2, 2), (5, 1, 5), (6, 2, 3), (9, 3, 3)]
    {
        let shape = Shape::new(order, rows, columns).unwrap();
        for naive in NaiveSearch::ALL {
            let counted = NaiveSearcher::new(&shape).search(
                naive,
                &vec![BLANK; shape.cells()],
                100_000,
            );
            let solution = counted
                .solution
                .unwrap_or_else(|| panic!("{} at order {order}", naive.name()));
            assert!(GridRules::new(&shape).accepts(&solution));
        }
    }
}
