//! Compares the engines with each other and with the general solver, which shares no
//! code with them.

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any};
use proptest::{prop_assert, prop_assert_eq, proptest};

use super::*;
use crate::solve::{Solver, TooHard};
use crate::{GridRules, Shape};

const EASY: &str = include_str!("../../../benches/data/easy.txt");
const MINIMAL: &str = include_str!("../../../benches/data/minimal.txt");
const HARD: &str = include_str!("../../../benches/data/hard.txt");
const IMPOSSIBLE: &str = include_str!("../../../benches/data/impossible.txt");

fn puzzle(line: &str) -> NinePuzzle {
    let values = line
        .bytes()
        .map(|byte| byte.saturating_sub(b'0'))
        .collect::<Vec<_>>();
    values.try_into().unwrap()
}

fn puzzles(list: &str) -> Vec<NinePuzzle> {
    // Without optimisation the engines are slow, and the general solver is even slower.
    let most = if cfg!(debug_assertions) {
        20
    } else {
        usize::MAX
    };
    list.lines()
        .filter(|line| !line.starts_with('#'))
        .take(most)
        .map(puzzle)
        .collect()
}

/// The puzzles with one clue less, which often have several solutions.
fn with_a_clue_less(puzzles: Vec<NinePuzzle>) -> Vec<NinePuzzle> {
    puzzles
        .into_iter()
        .map(|mut puzzle| {
            let clue = puzzle.iter().rposition(|&value| value != 0).unwrap();
            puzzle[clue] = 0;
            puzzle
        })
        .collect()
}

/// Grids that are hard for searches, with their numbers of solutions up to 2: almost
/// empty ones, and obvious and hidden contradictions.
fn edge_cases() -> Vec<(NinePuzzle, usize)> {
    let mut one = [0; 81];
    let mut two_in_a_row = [0; 81];
    let mut row_full = [0; 81];
    one[40] = 5;
    (two_in_a_row[0], two_in_a_row[8]) = (5, 5);
    row_full[..8].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8]);
    row_full[17] = 9;
    let mut same_box = [0; 81];
    let mut same_minirow = [0; 81];
    (same_box[0], same_box[20]) = (3, 3);
    (same_minirow[0], same_minirow[1]) = (3, 3);
    // No two clues clash, but most searches take seconds to minutes on it. Source:
    // norvig.com/sudoku.html
    let norvig = puzzle(
        ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........",
    );
    let solved = SingleSolver::default()
        .outcome(&puzzles(EASY)[0], 1)
        .unwrap()
        .first;
    let mut solved_wrongly = solved;
    solved_wrongly[80] = solved[80] % 9 + 1;
    vec![
        ([0; 81], 2),
        (one, 2),
        (two_in_a_row, 0),
        (row_full, 0),
        (same_box, 0),
        (same_minirow, 0),
        (norvig, 0),
        (solved, 1),
        (solved_wrongly, 0),
    ]
}

/// The general solver, which [`Solver::new`] does not use for plain grids.
fn general() -> Solver {
    Solver::of_houses(9, &plain().houses())
}

fn plain() -> Shape {
    Shape::new(9, 3, 3).unwrap()
}

fn outcomes(
    registers: Registers,
    puzzles: &[NinePuzzle],
    limit: usize,
) -> Vec<PuzzleOutcome> {
    let mut outcomes = vec![];
    BatchSolver::new(registers).solve(puzzles, limit, &mut outcomes);
    outcomes
}

fn single_outcomes(
    registers: Registers,
    puzzles: &[NinePuzzle],
    limit: usize,
) -> Vec<PuzzleOutcome> {
    let mut single = SingleSolver::new(registers);
    puzzles
        .iter()
        .map(|puzzle| single.outcome(puzzle, limit).unwrap())
        .collect()
}

/// Checks both engines against the general solver, in all registers of this machine.
fn agree(puzzles: &[NinePuzzle], limit: usize) {
    let general = general();
    let rules = GridRules::new(&plain());
    let counts: Vec<_> = puzzles
        .iter()
        .map(|puzzle| general.solutions(puzzle, limit).unwrap().len())
        .collect();
    for engine in [outcomes, single_outcomes] {
        let all: Vec<_> = Registers::all()
            .into_iter()
            .map(|registers| engine(registers, puzzles, limit))
            .collect();
        assert!(
            all.iter().all(|outcomes| *outcomes == all[0]),
            "registers differ"
        );
        for ((puzzle, outcome), &count) in puzzles.iter().zip(&all[0]).zip(&counts) {
            assert_eq!(outcome.count, count, "{puzzle:?}");
            let is_right = rules.accepts(&outcome.first);
            let keeps_clues = puzzle
                .iter()
                .zip(&outcome.first)
                .all(|(&clue, &value)| clue == 0 || clue == value);
            assert!(
                if count == 0 {
                    *outcome == PuzzleOutcome::NONE
                } else {
                    is_right && keeps_clues
                },
                "{puzzle:?}"
            );
        }
    }
}

#[test]
fn the_engines_agree_with_the_general_solver_in_all_registers() {
    for list in [EASY, MINIMAL, HARD, IMPOSSIBLE] {
        let puzzles = puzzles(list);
        assert!(!puzzles.is_empty());
        agree(&puzzles, 2);
    }
    agree(&with_a_clue_less(puzzles(MINIMAL)), 50);
    agree(&with_a_clue_less(puzzles(HARD)), 2);
}

#[test]
fn the_puzzles_of_each_list_have_the_expected_number_of_solutions() {
    for (list, count) in [(EASY, 1), (MINIMAL, 1), (HARD, 1), (IMPOSSIBLE, 0)] {
        assert!(
            outcomes(Registers::widest(), &puzzles(list), 2)
                .iter()
                .all(|outcome| outcome.count == count)
        );
    }
}

#[test]
fn edge_cases_are_counted_right() {
    let (puzzles, counts): (Vec<_>, Vec<_>) = edge_cases().into_iter().unzip();
    for registers in Registers::all() {
        for found in [
            outcomes(registers, &puzzles, 2),
            single_outcomes(registers, &puzzles, 2),
        ] {
            assert_eq!(
                found
                    .iter()
                    .map(|outcome| outcome.count)
                    .collect::<Vec<_>>(),
                counts,
                "{registers}"
            );
        }
    }
}

#[test]
fn an_outcome_depends_on_nothing_but_its_puzzle() {
    let mut puzzles: Vec<_> = [EASY, MINIMAL, HARD, IMPOSSIBLE]
        .into_iter()
        .flat_map(puzzles)
        .collect();
    puzzles.extend(with_a_clue_less(puzzles.clone()));
    puzzles.extend(edge_cases().into_iter().map(|(puzzle, _)| puzzle));
    let registers = Registers::widest();
    let together = outcomes(registers, &puzzles, 3);
    puzzles.reverse();
    let mut reversed = outcomes(registers, &puzzles, 3);
    reversed.reverse();
    assert_eq!(reversed, together);
    puzzles.reverse();
    let mut batch = BatchSolver::new(registers);
    let mut alone = vec![];
    for (puzzle, outcome) in puzzles.iter().zip(&together) {
        batch.solve(&[*puzzle], 3, &mut alone);
        assert_eq!(alone, [*outcome]);
    }
}

#[test]
fn a_limit_of_zero_finds_no_solution() {
    assert_eq!(
        outcomes(Registers::widest(), &[[0; 81]], 0),
        [PuzzleOutcome::NONE]
    );
    assert_eq!(
        SingleSolver::default().outcome(&[0; 81], 0),
        Ok(PuzzleOutcome::NONE)
    );
}

#[test]
fn all_solutions_of_a_grid_are_found_each_once() {
    // Three digits of a solved grid are removed, which can be placed in several ways.
    let mut puzzle = SingleSolver::default()
        .outcome(&puzzles(MINIMAL)[0], 1)
        .unwrap()
        .first;
    for value in &mut puzzle {
        *value = if *value <= 3 { 0 } else { *value };
    }
    let mut expected = general().solutions(&puzzle, usize::MAX).unwrap();
    let mut found = vec![];
    let searched = SingleSolver::default().search(&puzzle, usize::MAX, |solution| {
        found.push(solution.to_vec())
    });
    assert_eq!(searched, Ok(()));
    expected.sort();
    found.sort();
    assert!(found.len() > 1);
    assert_eq!(found, expected);
}

#[test]
fn a_search_with_too_many_dead_ends_is_stopped() {
    let mut single = SingleSolver::default();
    single.most_dead_ends = 2;
    // The first puzzle of the list is the hardest; the empty grid has no three dead
    // ends in a row.
    assert_eq!(
        single.outcome(&puzzles(HARD)[0], 2),
        Err(TooHard { dead_ends: 2 })
    );
    assert_eq!(
        single.outcome(&[0; 81], 100).map(|outcome| outcome.count),
        Ok(100)
    );
}

#[test]
fn many_solutions_of_the_empty_grid_all_differ() {
    let mut found = HashSet::new();
    SingleSolver::default()
        .search(&[0; 81], 500, |solution| assert!(found.insert(*solution)))
        .unwrap();
    assert_eq!(found.len(), 500);
}

proptest! {
    // Without optimisation the engines are slow.
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 40 } else { 1000 }))]

    #[test]
    fn grids_of_any_clues_are_counted_right(clues in vec((0usize..81, 1u8..=9), 0..40)) {
        let mut puzzle = [0; 81];
        for (cell, value) in clues {
            puzzle[cell] = value;
        }
        agree(&[puzzle], 2);
    }

    #[test]
    fn parts_of_solved_grids_are_counted_right(
        which in 0usize..20,
        kept in vec(any::<bool>(), 81),
        wrong in vec((0usize..81, 1u8..=9), 0..3),
    ) {
        let mut puzzle = SingleSolver::default().outcome(&puzzles(MINIMAL)[which], 1).unwrap().first;
        for (value, kept) in puzzle.iter_mut().zip(kept) {
            *value = if kept { *value } else { 0 };
        }
        for (cell, value) in wrong {
            puzzle[cell] = value;
        }
        agree(&[puzzle], 4);
    }

    #[test]
    fn a_puzzle_has_as_many_solutions_as_its_mirror_images(
        which in 0usize..20,
        rows in 0usize..6,
        transposed in any::<bool>(),
        shift in 0u8..9,
    ) {
        let original = with_a_clue_less(puzzles(MINIMAL))[which];
        let order = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]][rows];
        let image: NinePuzzle = std::array::from_fn(|cell| {
            let (row, column) = if transposed { (cell % 9, cell / 9) } else { (cell / 9, cell % 9) };
            let moved = 3 * order[row / 3] + order[row % 3];
            match original[9 * moved + column] {
                0 => 0,
                value => (value - 1 + shift) % 9 + 1,
            }
        });
        let count = |puzzle: &NinePuzzle| SingleSolver::default().outcome(puzzle, 20).unwrap().count;
        prop_assert_eq!(count(&original), count(&image));
        let counted = outcomes(Registers::widest(), &[original, image], 20);
        prop_assert_eq!(counted[0].count, counted[1].count);
        prop_assert!(counted[0].count == count(&original));
    }
}

#[test]
fn a_hard_puzzle_costs_the_same_dead_ends_in_all_registers() {
    let spent = |puzzle: &NinePuzzle| {
        Registers::all()
            .into_iter()
            .map(SingleSolver::new)
            .map(|mut single| single.outcome(puzzle, 2).map(|_| single.dead_ends()))
            .collect::<Vec<_>>()
    };
    let hard = spent(&puzzles(HARD)[0]);
    assert!(
        matches!(hard[0], Ok(1..)) && hard.iter().all(|other| *other == hard[0]),
        "{hard:?}"
    );
}
