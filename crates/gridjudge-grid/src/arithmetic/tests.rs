//! Tests grids with cages and inequalities against their definition: every complete
//! grid of a small shape is tried one by one.

use super::*;
use crate::make::{GridKind, GridMaker, SeededRng};
use crate::naive::{NaiveSearch, NaiveSearcher};
use crate::solve::Solver;
use crate::{BLANK, GridRules, Shape, Value};

fn cage(cells: &[usize], sum: u64) -> Cage {
    Cage {
        cells: cells.to_vec(),
        operation: CageOperation::Sum,
        target: sum,
        may_repeat: false,
    }
}

/// All complete grids of a shape in lexicographic order, using its houses alone.
fn of_houses(shape: &Shape) -> Vec<Vec<Value>> {
    let houses = shape.houses();
    let mut grids = vec![vec![]];
    for cell in 0..shape.cells() {
        let peers: Vec<usize> = houses
            .iter()
            .filter(|house| house.cells.contains(&cell))
            .flat_map(|house| house.cells.iter().copied().filter(|&peer| peer < cell))
            .collect();
        let extended = grids.iter().flat_map(|grid: &Vec<Value>| {
            let values: Vec<_> = (1..=shape.order() as Value)
                .filter(|value| peers.iter().all(|&peer| grid[peer] != *value))
                .collect();
            values
                .into_iter()
                .map(|value| [&grid[..], &[value]].concat())
        });
        grids = extended.collect();
    }
    grids
}

/// Random cages, of consecutive cells in reading order, and inequalities that a
/// complete grid keeps.
fn arithmetic_of(grid: &[Value], order: usize, rng: &mut SeededRng) -> Arithmetic {
    let mut arithmetic = Arithmetic::default();
    let mut from = 0;
    while from < grid.len() {
        let size = 1 + rng.below(4);
        let cells: Vec<_> = (from..grid.len().min(from + size)).collect();
        let (operation, target) = target_of(grid, &cells, rng);
        let mut values: Vec<_> = cells.iter().map(|&cell| grid[cell]).collect();
        values.sort_unstable();
        values.dedup();
        let may_repeat = values.len() < cells.len() || rng.below(4) == 0;
        if rng.below(3) > 0 {
            arithmetic.cages.push(Cage {
                cells,
                operation,
                target,
                may_repeat,
            });
        }
        from += size;
    }
    for cell in 0..grid.len() - order {
        let one = cell;
        let other = cell + order;
        let (less, greater) = if grid[one] < grid[other] {
            (one, other)
        } else {
            (other, one)
        };
        if rng.below(4) == 0 {
            arithmetic.inequalities.push(Inequality { less, greater });
        }
    }
    arithmetic
}

/// A random operation that is possible with these cells, and its result.
fn target_of(
    grid: &[Value],
    cells: &[usize],
    rng: &mut SeededRng,
) -> (CageOperation, u64) {
    let values: Vec<u64> = cells.iter().map(|&cell| u64::from(grid[cell])).collect();
    let least = values.iter().min().unwrap();
    let most = values.iter().max().unwrap();
    match rng.below(4) {
        0 => (CageOperation::Product, values.iter().product()),
        1 if values.len() == 2 => (CageOperation::Difference, most - least),
        2 if values.len() == 2 && most.is_multiple_of(*least) => {
            (CageOperation::Quotient, most / least)
        }
        _ => (CageOperation::Sum, values.iter().sum()),
    }
}

/// Shapes with arithmetic that at least one grid keeps, and all their grids by
/// definition.
fn constrained() -> Vec<(Shape, Vec<Vec<Value>>)> {
    let mut rng = SeededRng::new(7, &[]);
    let mut made = vec![];
    for shape in [
        Shape::latin(4).unwrap(),
        Shape::square(4).unwrap(),
        Shape::latin(3).unwrap(),
    ] {
        let grids = of_houses(&shape);
        for _ in 0..60 {
            let grid = &grids[rng.below(grids.len())];
            let arithmetic = arithmetic_of(grid, shape.order(), &mut rng);
            let kept: Vec<_> = grids
                .iter()
                .filter(|grid| arithmetic.is_kept_by(grid))
                .cloned()
                .collect();
            assert!(kept.contains(grid));
            made.push((shape.clone().with_arithmetic(arithmetic), kept));
        }
    }
    made
}

#[test]
fn the_solver_finds_exactly_the_grids_that_keep_the_arithmetic() {
    for (shape, expected) in constrained() {
        let solver = Solver::new(&shape);
        let empty = vec![BLANK; shape.cells()];
        assert_eq!(
            solver.all_in_order(&empty, 1000).unwrap().as_ref(),
            Some(&expected),
            "{shape:?}"
        );
        assert_eq!(solver.count(&empty, 1000), Ok(expected.len() as u64));
        assert_eq!(solver.first(&empty).unwrap().as_ref(), expected.first());
        let rules = GridRules::new(&shape);
        assert!(
            expected
                .iter()
                .all(|grid| rules.accepts(grid) && rules.breaches(grid).is_empty())
        );
    }
}

#[test]
fn the_naive_searches_find_the_first_and_the_last_grid() {
    for (shape, expected) in constrained() {
        let searcher = NaiveSearcher::new(&shape);
        let empty = vec![BLANK; shape.cells()];
        let found = |naive| searcher.search(naive, &empty, u64::MAX).solution;
        assert_eq!(
            found(NaiveSearch::Rows).as_ref(),
            expected.first(),
            "{shape:?}"
        );
        assert_eq!(
            found(NaiveSearch::RowsDescending).as_ref(),
            expected.last(),
            "{shape:?}"
        );
        for naive in NaiveSearch::ALL {
            assert!(
                expected.contains(&found(naive).unwrap()),
                "{}: {shape:?}",
                naive.name()
            );
        }
    }
}

#[test]
fn clues_that_leave_no_grid_have_no_solution_in_any_search() {
    for (shape, expected) in constrained() {
        let solver = Solver::new(&shape);
        let searcher = NaiveSearcher::new(&shape);
        for cell in 0..shape.cells() {
            for value in 1..=shape.order() as Value {
                let mut clues = vec![BLANK; shape.cells()];
                clues[cell] = value;
                let count =
                    expected.iter().filter(|grid| grid[cell] == value).count();
                assert_eq!(
                    solver.count(&clues, 1000),
                    Ok(count as u64),
                    "{shape:?} {cell} {value}"
                );
                let found = searcher
                    .search(NaiveSearch::FewestCandidates, &clues, u64::MAX)
                    .solution;
                assert_eq!(found.is_some(), count > 0);
            }
        }
    }
}

#[test]
fn made_grids_keep_the_arithmetic_and_minimal_ones_need_every_clue() {
    for (shape, expected) in constrained().into_iter().step_by(5) {
        let mut maker = GridMaker::new(&shape);
        let solver = Solver::new(&shape);
        for seed in 0..4 {
            let mut rng = SeededRng::new(seed, &[]);
            assert!(
                expected.contains(&maker.make(GridKind::Complete, &mut rng).unwrap())
            );
            let minimal = maker.make(GridKind::Minimal, &mut rng).unwrap();
            assert_eq!(solver.count(&minimal, 2), Ok(1), "{shape:?}");
            for cell in (0..minimal.len()).filter(|&cell| minimal[cell] != BLANK) {
                let mut fewer = minimal.clone();
                fewer[cell] = BLANK;
                assert_eq!(solver.count(&fewer, 2), Ok(2), "{shape:?}");
            }
            let invalid = maker.make(GridKind::Invalid, &mut rng).unwrap();
            assert_eq!(
                GridRules::new(&shape).clashing_pairs(&invalid).len(),
                1,
                "{shape:?}"
            );
        }
    }
}

#[test]
fn a_breach_names_the_cage_or_the_cells() {
    let arithmetic = Arithmetic {
        cages: vec![cage(&[0, 1, 4], 6), cage(&[2, 7], 4)],
        inequalities: vec![Inequality {
            less: 3,
            greater: 2,
        }],
    };
    let rules = GridRules::new(&Shape::latin(4).unwrap().with_arithmetic(arithmetic));
    let grid = [2, 1, 2, 3, 4, 3, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(
        rules.breaches(&grid),
        [
            ArithmeticBreach::Target {
                cage: 0,
                result: CageResult::Whole(7)
            },
            ArithmeticBreach::Repeated {
                cage: 1,
                value: 2,
                first: 2,
                second: 7
            },
            ArithmeticBreach::NotLess(Inequality {
                less: 3,
                greater: 2
            }),
        ]
    );
    assert!(!rules.accepts(&grid));
}

#[test]
fn the_result_of_a_cage_follows_from_its_operation() {
    use CageOperation::*;
    let results = |operation, cells: &[usize], grid: &[Value]| {
        let cage = Cage {
            cells: cells.to_vec(),
            operation,
            target: 0,
            may_repeat: true,
        };
        cage.result(grid)
    };
    let whole = |number| Some(CageResult::Whole(number));
    assert_eq!(results(Product, &[0, 1, 2], &[2, 6, 6]), whole(72));
    assert_eq!(results(Product, &[0, 1, 2], &[2, 0, 6]), None);
    assert_eq!(results(Product, &[0; 20], &[25]), whole(u64::MAX));
    assert_eq!(results(Difference, &[0, 1], &[2, 6]), whole(4));
    assert_eq!(results(Difference, &[0, 1], &[6, 2]), whole(4));
    assert_eq!(results(Quotient, &[0, 1], &[2, 6]), whole(3));
    assert_eq!(
        results(Quotient, &[0, 1], &[6, 4]),
        Some(CageResult::Fraction(6, 4))
    );
}

#[test]
fn the_random_shapes_have_cages_with_every_operation() {
    let shapes = constrained();
    let cages = || {
        shapes
            .iter()
            .flat_map(|(shape, _)| &shape.arithmetic().unwrap().cages)
    };
    for operation in CageOperation::ALL {
        for may_repeat in [false, true] {
            let matches = |cage: &&Cage| {
                cage.operation == operation && cage.may_repeat == may_repeat
            };
            assert!(
                cages().filter(matches).count() > 5,
                "{operation:?} {may_repeat}"
            );
        }
    }
}

#[test]
fn cells_of_a_cage_that_share_a_house_clash_once() {
    let arithmetic = Arithmetic {
        cages: vec![cage(&[0, 1], 4)],
        inequalities: vec![],
    };
    let rules = GridRules::new(&Shape::latin(4).unwrap().with_arithmetic(arithmetic));
    let mut grid = vec![BLANK; 16];
    (grid[0], grid[1]) = (2, 2);
    assert_eq!(rules.breaches(&grid), []);
    assert_eq!(rules.clashing_pairs(&grid).len(), 1);
}

#[test]
fn a_usual_grid_with_a_cage_is_not_a_plain_nine() {
    let arithmetic = Arithmetic {
        cages: vec![cage(&[0, 1], 4)],
        inequalities: vec![],
    };
    let shape = Shape::square(9).unwrap();
    assert!(
        shape.is_plain_nine()
            && shape
                .clone()
                .with_arithmetic(Arithmetic::default())
                .is_plain_nine()
    );
    let shape = shape.with_arithmetic(arithmetic);
    assert!(!shape.is_plain_nine());
    let first = Solver::new(&shape).first(&[BLANK; 81]).unwrap().unwrap();
    assert_eq!(first[..2], [1, 3]);
}
