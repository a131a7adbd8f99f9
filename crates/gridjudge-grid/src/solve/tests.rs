//! Tests the solver against a brute-force search, against published counts, and on real
//! grids.

use proptest::prelude::*;

use super::*;
use crate::{GridRules, House, Shape, Value};

/// Bounds that use each of the two searches alone, and both together.
const WAYS: [SearchBounds; 3] = [
    SearchBounds {
        patience: u64::MAX,
        dead_ends: 0,
    },
    SearchBounds {
        patience: 0,
        dead_ends: 1_000_000,
    },
    SearchBounds {
        patience: 20,
        dead_ends: 1_000_000,
    },
];

impl Solver {
    /// A solver for grids with any houses, which does not treat plain grids otherwise.
    pub(super) fn of_houses(order: usize, houses: &[House]) -> Self {
        Self {
            registers: None,
            graph: HouseGraph::new(order * order, order, houses, None),
            ..Self::new(&Shape::latin(order as u64).unwrap())
        }
    }
}

fn boxes(order: u64, rows: u64, columns: u64) -> Shape {
    Shape::new(order, rows, columns).unwrap()
}

/// A jigsaw whose regions wind up and down bands of two rows; the last band has three
/// rows if the order is odd.
fn winding(order: u64) -> Shape {
    let size = order as usize;
    let mut path = vec![];
    for top in (0..size - 1).step_by(2) {
        let bottom = if top + 3 == size { size } else { top + 2 };
        for column in 0..size {
            let down = top..bottom;
            let rows: Vec<_> = if column % 2 == 0 {
                down.collect()
            } else {
                down.rev().collect()
            };
            path.extend(rows.iter().map(|row| row * size + column));
        }
    }
    let mut regions = vec!['?'; size * size];
    for (place, cell) in path.into_iter().enumerate() {
        regions[cell] = char::from(b'a' + (place / size) as u8);
    }
    let map: Vec<String> = regions
        .chunks(size)
        .map(|row| row.iter().collect())
        .collect();
    Shape::jigsaw(order, &map).unwrap()
}

/// Shapes of every kind with this order.
fn shapes(order: u64) -> Vec<Shape> {
    let mut shapes = vec![Shape::latin(order).unwrap()];
    let divisors = (2..order).filter(|rows| order.is_multiple_of(*rows));
    shapes.extend(divisors.map(|rows| boxes(order, rows, order / rows)));
    if order > 3 {
        shapes.push(winding(order));
    }
    let crossed: Vec<_> = shapes
        .iter()
        .filter(|_| order > 3)
        .map(|shape| shape.clone().with_diagonals())
        .collect();
    shapes.extend(crossed);
    shapes
}

/// The first completions in lexicographic order, found cell by cell using only the
/// houses: slow, and independent of the solver.
fn by_brute_force(shape: &Shape, clues: &[Value], most: usize) -> Vec<Vec<Value>> {
    let houses = shape.houses();
    let mut peers = vec![vec![]; clues.len()];
    for house in &houses {
        for &cell in &house.cells {
            peers[cell].extend(house.cells.iter().filter(|&&peer| peer != cell))
        }
    }
    let mut found = vec![];
    if GridRules::new(shape).clashes(clues).next().is_none() {
        complete(
            &mut clues.to_vec(),
            &peers,
            shape.order() as Value,
            most,
            &mut found,
        );
    }
    found
}

fn complete(
    cells: &mut Vec<Value>,
    peers: &[Vec<usize>],
    order: Value,
    most: usize,
    found: &mut Vec<Vec<Value>>,
) {
    let Some(cell) = cells.iter().position(|&value| value == 0) else {
        found.push(cells.clone());
        return;
    };
    for value in 1..=order {
        if found.len() < most && peers[cell].iter().all(|&peer| cells[peer] != value)
        {
            cells[cell] = value;
            complete(cells, peers, order, most, found);
            cells[cell] = 0;
        }
    }
}

#[track_caller]
fn agrees_with_brute_force(shape: &Shape, clues: &[Value]) {
    const MOST: usize = 60;
    let expected = by_brute_force(shape, clues, MOST + 1);
    let is_more = expected.len() > MOST;
    for bounds in WAYS {
        let solver = Solver::new(shape).with_bounds(bounds);
        let mut found = solver.solutions(clues, MOST + 1).unwrap();
        assert_eq!(
            solver.solutions(clues, MOST + 1).unwrap(),
            found,
            "{shape:?} {bounds:?}"
        );
        assert_eq!(
            solver.count(clues, MOST as u64 + 1),
            Ok(expected.len() as u64),
            "{shape:?} {bounds:?}"
        );
        assert_eq!(
            solver.first(clues).unwrap().as_ref(),
            expected.first(),
            "{shape:?} {bounds:?} {clues:?}"
        );
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), expected.len(), "{shape:?} {bounds:?}");
        let rules = GridRules::new(shape);
        let keeps_clues = |cells: &[Value]| {
            cells
                .iter()
                .zip(clues)
                .all(|(cell, clue)| [0, *cell].contains(clue))
        };
        assert!(
            found
                .iter()
                .all(|cells| rules.accepts(cells) && keeps_clues(cells)),
            "{shape:?}"
        );
        let in_order = solver.all_in_order(clues, MOST).unwrap();
        assert_eq!(
            in_order,
            (!is_more).then(|| expected.clone()),
            "{shape:?} {bounds:?}"
        );
    }
}

/// Clues made from a full grid by blanking the cells in `blanks` and writing the values
/// of `errors`; `None` if the shape has no grid.
fn clues(
    shape: &Shape,
    blanks: &[usize],
    errors: &[(usize, Value)],
) -> Option<Vec<Value>> {
    let cells = shape.cells();
    let mut clues = Solver::new(shape)
        .solutions(&vec![0; cells], 1)
        .unwrap()
        .pop()?;
    for blank in blanks {
        clues[blank % cells] = 0;
    }
    for (cell, value) in errors {
        clues[cell % cells] = value % (shape.order() as Value + 1);
    }
    Some(clues)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn each_search_agrees_with_brute_force_on_every_kind_of_grid_up_to_order_nine(
        blanks in proptest::collection::vec(0usize..1000, 0..50),
        errors in proptest::collection::vec((0usize..1000, 0 as Value..26), 0..3),
    ) {
        for shape in (1..=9).flat_map(shapes) {
            if let Some(clues) = clues(&shape, &blanks, &errors) {
                agrees_with_brute_force(&shape, &clues);
            }
        }
    }

    #[test]
    fn each_search_agrees_with_brute_force_on_large_grids(
        blanks in proptest::collection::vec(0usize..1000, 0..60),
        errors in proptest::collection::vec((0usize..1000, 0 as Value..26), 0..2),
    ) {
        for shape in [boxes(10, 2, 5), boxes(12, 3, 4), boxes(16, 4, 4), winding(10), winding(11)] {
            agrees_with_brute_force(&shape, &clues(&shape, &blanks, &errors).unwrap());
        }
    }

    #[test]
    fn rearranging_a_grid_and_renaming_its_symbols_keeps_the_number_of_solutions(
        blanks in proptest::collection::vec(0usize..81, 40..64),
        shift in 0 as Value..9,
    ) {
        let shape = boxes(9, 3, 3);
        let solver = Solver::new(&shape);
        let grid = clues(&shape, &blanks, &[]).unwrap();
        let count = solver.count(&grid, 300).unwrap();
        let renamed = |value: Value| if value == 0 { 0 } else { (value + shift) % 9 + 1 };
        let moved = |from: &dyn Fn(usize, usize) -> usize| -> Vec<Value> {
            (0..81).map(|cell| renamed(grid[from(cell / 9, cell % 9)])).collect()
        };
        for variant in [
            moved(&|row, column| 9 * column + row),
            moved(&|row, column| 9 * ((row + 3) % 9) + column),
            moved(&|row, column| 9 * row + 8 - column),
            moved(&|row, column| 9 * (row / 3 * 3 + (row + 1) % 3) + column),
        ] {
            prop_assert_eq!(solver.count(&variant, 300), Ok(count));
        }
    }
}

fn count(shape: &Shape, first_rows: &[Value]) -> u64 {
    let mut clues = vec![0; shape.cells()];
    clues[..first_rows.len()].copy_from_slice(first_rows);
    Solver::new(shape).count(&clues, u64::MAX).unwrap()
}

#[test]
fn the_number_of_grids_matches_published_counts() {
    let latin = |order| Shape::latin(order).unwrap();
    // OEIS A002860: Latin squares.
    let squares: Vec<_> = (1..=4).map(|order| count(&latin(order), &[])).collect();
    assert_eq!(squares, [1, 2, 12, 576]);
    // Renaming the symbols brings any first row into order, so one first row is counted
    // and multiplied.
    assert_eq!(count(&latin(5), &[1, 2, 3, 4, 5]) * 120, 161_280);
    assert_eq!(count(&boxes(4, 2, 2), &[]), 288);
    assert_eq!(
        count(&boxes(6, 2, 3), &[1, 2, 3, 4, 5, 6]) * 720,
        28_200_960
    );
    assert_eq!(count(&boxes(4, 2, 2).with_diagonals(), &[]), 48);
}

#[test]
fn the_number_of_magic_squares_matches_published_counts() {
    let magic = |order, with_diagonals| Shape::magic(order, with_diagonals).unwrap();
    // OEIS A006052 counts them without turning and mirroring, which make eight of each.
    assert_eq!(
        [1, 3, 4].map(|order| count(&magic(order, true), &[])),
        [1, 8, 880 * 8]
    );
    // OEIS A271103: without the diagonals, counted in the same way.
    assert_eq!(count(&magic(3, false), &[]), 9 * 8);
    // A part of those of order five; the others would take minutes.
    let known = [17, 24, 1, 8, 15, 23, 5, 7, 14];
    assert!(count(&magic(5, true), &known) > 0);
}

#[test]
fn the_number_of_latin_squares_of_order_six_matches_the_published_count() {
    let shape = Shape::latin(6).unwrap();
    let mut clues = vec![0; 36];
    for place in 0..6 {
        (clues[place], clues[6 * place]) = (place as Value + 1, place as Value + 1);
    }
    // Counts reduced squares; the columns and the lower rows may be in any order.
    assert_eq!(
        Solver::new(&shape).count(&clues, u64::MAX).unwrap() * 720 * 120,
        812_851_200
    );
}

#[test]
fn the_number_of_bands_of_order_nine_matches_the_published_count() {
    // Only the houses of the first band; the cells below are in no house and are
    // filled.
    let houses: Vec<_> = boxes(9, 3, 3)
        .houses()
        .into_iter()
        .filter(|house| house.cells.iter().all(|&cell| cell < 27))
        .collect();
    let solver = Solver::of_houses(9, &houses);
    let mut clues = vec![1; 81];
    clues[..27].fill(0);
    for row in 0..3 {
        for column in 0..3 {
            clues[9 * row + column] = (3 * row + column) as Value + 1
        }
    }
    let mut count = 0;
    for (second, third) in [
        (5, 6),
        (5, 7),
        (5, 8),
        (5, 9),
        (6, 7),
        (6, 8),
        (6, 9),
        (7, 8),
        (7, 9),
        (8, 9),
    ] {
        let other: Vec<Value> = (5..=9)
            .filter(|value| ![second, third].contains(value))
            .collect();
        clues[3..6].copy_from_slice(&[4, second, third]);
        clues[6..9].copy_from_slice(&other);
        count += solver.count(&clues, u64::MAX).unwrap();
    }
    // The first box is fixed; the columns within each of the other two may be permuted
    // (36 ways), and these two boxes swapped.
    assert_eq!(count * 72, 2_612_736);
}

#[test]
fn empty_grids_of_every_order_and_kind_are_solved() {
    for shape in (1..=25).flat_map(shapes) {
        let empty = vec![0; shape.cells()];
        let rules = GridRules::new(&shape);
        let Ok(found) = Solver::new(&shape).solutions(&empty, 2) else {
            panic!("{shape:?}")
        };
        assert!(found.iter().all(|cells| rules.accepts(cells)), "{shape:?}");
        // `shapes` leaves out diagonals at orders 2 and 3, which have no solution.
        assert!(shape.order() == 1 || found.len() == 2, "{shape:?}");
    }
}

#[test]
fn contradictory_clues_have_no_solution_in_any_shape() {
    for shape in (2..=25).flat_map(shapes) {
        let order = shape.order();
        let mut clues = vec![0; shape.cells()];
        (clues[0], clues[order - 1]) = (2, 2);
        let solver = Solver::new(&shape);
        assert_eq!(solver.solutions(&clues, 1), Ok(vec![]), "{shape:?}");
        assert_eq!(solver.first(&clues), Ok(None), "{shape:?}");
        // A cell whose houses hold every symbol, without two equal clues in a house.
        let mut clues = vec![0; shape.cells()];
        for (column, clue) in clues.iter_mut().enumerate().take(order).skip(1) {
            *clue = column as Value;
        }
        clues[order * (order - 1)] = order as Value;
        assert_eq!(solver.count(&clues, 1), Ok(0), "{shape:?}");
    }
}

fn grids(text: &str) -> Vec<Vec<Value>> {
    text.lines()
        .map(|line| {
            line.split_whitespace()
                .map(|word| word.parse().unwrap())
                .collect()
        })
        .collect()
}

#[test]
fn grids_of_orders_16_and_25_have_exactly_one_solution() {
    for (order, text, most) in [
        (
            16,
            include_str!("../../benches/data/16x16-gecode-55.txt"),
            55,
        ),
        (
            16,
            include_str!("../../benches/data/16x16-minimal-100.txt"),
            10,
        ),
        (
            25,
            include_str!("../../benches/data/25x25-300clues-3.txt"),
            3,
        ),
    ] {
        let shape = Shape::square(order).unwrap();
        let rules = GridRules::new(&shape);
        for clues in grids(text).iter().take(most) {
            let found = Solver::new(&shape).solutions(clues, 2).unwrap();
            assert!(
                found.len() == 1 && rules.accepts(&found[0]),
                "order {order}: {} found",
                found.len()
            );
        }
    }
}

#[test]
fn hard_puzzles_have_exactly_their_known_solution() {
    for (puzzle, solution) in [
        (
            "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
            "812753649943682175675491283154237896369845721287169534521974368438526917796318452",
        ),
        (
            "103000509002109400000704000300502006060000050700803004000401000009205800804000107",
            "143628579572139468986754231391542786468917352725863914237481695619275843854396127",
        ),
    ] {
        let digits = |text: &str| -> Vec<Value> {
            text.chars()
                .map(|symbol| symbol.to_digit(10).unwrap_or(0) as Value)
                .collect()
        };
        for bounds in WAYS {
            let solver = Solver::new(&boxes(9, 3, 3)).with_bounds(bounds);
            assert_eq!(
                solver.solutions(&digits(puzzle), 2),
                Ok(vec![digits(solution)]),
                "{bounds:?}"
            );
        }
    }
}

#[test]
fn counting_stops_at_the_limit() {
    let solver = Solver::new(&boxes(9, 3, 3));
    let found = solver.solutions(&[0; 81], 5).unwrap();
    assert_eq!(found.len(), 5);
    assert_ne!(found[0], found[1]);
    assert_eq!(solver.count(&[0; 81], 5000), Ok(5000));
    assert_eq!(solver.count(&[0; 81], 0), Ok(0));
}

#[test]
fn the_first_solution_of_an_empty_grid_is_the_lexicographically_smallest_grid() {
    let first = Solver::new(&boxes(9, 3, 3))
        .first(&[0; 81])
        .unwrap()
        .unwrap();
    assert_eq!(
        first[..27],
        [
            1, 2, 3, 4, 5, 6, 7, 8, 9, 4, 5, 6, 7, 8, 9, 1, 2, 3, 7, 8, 9, 1, 2, 3,
            4, 5, 6
        ]
    );
}

#[test]
fn a_search_that_is_stopped_reports_its_dead_ends() {
    let shape = Shape::square(25).unwrap();
    let clues = &grids(include_str!("../../benches/data/25x25-frisch-16.txt"))[0];
    let solver = Solver::new(&shape).with_bounds(SearchBounds {
        patience: 20,
        dead_ends: 50,
    });
    for stopped in [
        solver.solutions(clues, 2).map(|_| ()),
        solver.first(clues).map(|_| ()),
    ] {
        assert_eq!(
            stopped.unwrap_err().to_string(),
            "the solver gave up on this grid after 50 dead ends"
        );
    }
}
