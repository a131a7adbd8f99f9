//! Tests that every kind of grid has the promised properties, and that the same seed
//! gives the same grid.

use super::*;
use crate::naive::{NaiveSearch, NaiveSearcher};
use crate::solve::Solver;
use crate::{BLANK, GridRules, Shape, Value};

const KINDS: [GridKind; 13] = [
    GridKind::Complete,
    GridKind::Clues(30),
    GridKind::Minimal,
    GridKind::Symmetric(Symmetry::HalfTurn),
    GridKind::Symmetric(Symmetry::QuarterTurn),
    GridKind::Seventeen,
    GridKind::Rated(Rating::Easy),
    GridKind::Rated(Rating::Medium),
    GridKind::Rated(Rating::Extreme),
    GridKind::Slow {
        search: NaiveSearch::Backwards,
        nodes: 20_000,
    },
    GridKind::Several { least: 3, most: 20 },
    GridKind::Unsolvable,
    GridKind::Invalid,
];

fn nine() -> Shape {
    Shape::new(9, 3, 3).unwrap()
}

fn line(cells: &[Value]) -> String {
    cells
        .iter()
        .map(|&value| char::from(b'0' + value))
        .collect()
}

fn solutions(shape: &Shape, cells: &[Value], limit: usize) -> usize {
    Solver::new(shape).solutions(cells, limit).unwrap().len()
}

fn single_cells(shape: &Shape) -> Vec<Vec<usize>> {
    (0..shape.cells()).map(|cell| vec![cell]).collect()
}

#[track_caller]
fn is_minimal(shape: &Shape, cells: &[Value], groups: &[Vec<usize>]) {
    assert_eq!(solutions(shape, cells, 2), 1, "{cells:?}");
    for group in groups.iter().filter(|group| cells[group[0]] != BLANK) {
        let mut fewer = cells.to_vec();
        for &cell in group {
            fewer[cell] = BLANK;
        }
        assert_eq!(
            solutions(shape, &fewer, 2),
            2,
            "{cells:?} without {group:?}"
        );
    }
}

#[test]
fn a_seed_makes_the_known_grid_of_each_kind() {
    let mut maker = GridMaker::new(&nine());
    let made: Vec<_> = KINDS
        .iter()
        .map(|&kind| line(&maker.make(kind, &mut SeededRng::new(1, &[])).unwrap()))
        .collect();
    let known = [
        "972561483135948267864273519548617932793825146621439758419382675356794821287156394",
        "000001480030048000000270510048010900700005100600000058410080670006790000080050000",
        "000001480030048000000270010048010900700000000600000008410080670006790000080050000",
        "000561403005040060000200009048000030703000106020000750400002000050090800207156000",
        "002060400030048060800003009048617000790805046000439750400300005050790020007050300",
        "000700000000100004860000000000450007000060000003000002201000000000000680090000500",
        "000008000010600070007000030420009000600500900000000004000200300940000800870060400",
        "680050000000900080000000930000704000027806500900001870370605000200000000506000001",
        "000001480030048000000270010048010900700000000600000008410080670006790000080050000",
        "000070800002004000000001600301000050000890000000600000500000043980000000000000000",
        "000001480030008000000270010048010900700000000600000008410080670006790000080050000",
        "030402600000000005904507000308000010006805090700900000000000030450008060060090800",
        "072061483130900267864270510548000902793800146021439050416302075006704821287106390",
    ];
    assert_eq!(made, known);
}

#[test]
fn minimal_grids_of_every_shape_are_minimal() {
    let jigsaw = ["AABB", "ACBB", "ACDD", "CCDD"];
    for shape in [
        Shape::new(4, 2, 2).unwrap(),
        Shape::latin(5).unwrap(),
        Shape::new(6, 2, 3).unwrap(),
        nine(),
        nine().with_diagonals(),
        Shape::jigsaw(4, &jigsaw).unwrap(),
    ] {
        let mut maker = GridMaker::new(&shape);
        for seed in 0..3 {
            let cells = maker
                .make(GridKind::Minimal, &mut SeededRng::new(seed, &[]))
                .unwrap();
            is_minimal(&shape, &cells, &single_cells(&shape));
        }
    }
}

#[test]
fn symmetric_grids_have_their_symmetry_and_no_superfluous_group_of_clues() {
    let mut maker = GridMaker::new(&nine());
    for (name, symmetry) in Symmetry::ALL {
        let cells = maker
            .make(GridKind::Symmetric(symmetry), &mut SeededRng::new(5, &[]))
            .unwrap();
        let groups = symmetry.groups(9);
        let is_whole = |group: &Vec<usize>| {
            group
                .iter()
                .all(|&cell| (cells[cell] == BLANK) == (cells[group[0]] == BLANK))
        };
        assert!(groups.iter().all(is_whole), "{name}");
        is_minimal(&nine(), &cells, &groups);
    }
}

#[test]
fn complete_grids_of_every_shape_keep_the_rules() {
    for shape in [
        Shape::new(1, 1, 1).unwrap(),
        Shape::latin(7).unwrap(),
        Shape::new(12, 3, 4).unwrap(),
        Shape::new(16, 4, 4).unwrap(),
        Shape::square(25).unwrap(),
        nine().with_diagonals(),
    ] {
        let cells = GridMaker::new(&shape)
            .make(GridKind::Complete, &mut SeededRng::new(3, &[]))
            .unwrap();
        assert!(GridRules::new(&shape).accepts(&cells), "{shape:?}");
    }
}

#[test]
fn grids_have_the_requested_numbers_of_clues_and_solutions() {
    let mut maker = GridMaker::new(&nine());
    for seed in 0..2 {
        let rng = || SeededRng::new(seed, &[]);
        let clues = maker.make(GridKind::Clues(26), &mut rng()).unwrap();
        assert_eq!(clues.iter().filter(|&&value| value != BLANK).count(), 26);
        assert_eq!(solutions(&nine(), &clues, 2), 1);
        let seventeen = maker.make(GridKind::Seventeen, &mut rng()).unwrap();
        assert_eq!(
            seventeen.iter().filter(|&&value| value != BLANK).count(),
            17
        );
        assert_eq!(solutions(&nine(), &seventeen, 2), 1);
        let several = maker
            .make(GridKind::Several { least: 5, most: 9 }, &mut rng())
            .unwrap();
        assert!((5..=9).contains(&solutions(&nine(), &several, 10)));
        let none = maker.make(GridKind::Unsolvable, &mut rng()).unwrap();
        assert_eq!(solutions(&nine(), &none, 1), 0);
        assert!(!maker.rater.singles_refute(&none));
    }
}

#[test]
fn a_slow_grid_is_slow_for_the_search_it_was_made_for() {
    let mut maker = GridMaker::new(&nine());
    let searcher = NaiveSearcher::new(&nine());
    for search in NaiveSearch::ALL {
        let nodes = if search.is_narrowing() || search == NaiveSearch::FullestRow {
            10_000
        } else {
            300_000
        };
        let cells = maker
            .make(
                GridKind::Slow { search, nodes },
                &mut SeededRng::new(2, &[]),
            )
            .unwrap();
        assert_eq!(
            searcher.search(search, &cells, nodes).nodes,
            nodes,
            "{}",
            search.name()
        );
        assert_eq!(solutions(&nine(), &cells, 2), 1);
    }
}

#[test]
fn a_grid_that_cannot_be_made_is_refused_with_the_reason() {
    let mut small = GridMaker::new(&Shape::new(4, 2, 2).unwrap());
    let refused = |maker: &mut GridMaker, kind| {
        maker
            .make(kind, &mut SeededRng::new(1, &[]))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refused(&mut small, GridKind::Seventeen),
        "grids of this kind are 9x9, with boxes of 3x3 and no other regions"
    );
    assert_eq!(
        refused(&mut small, GridKind::Clues(3)),
        "no grid with 3 clues and one solution was found; the one with the fewest had 4"
    );
    assert_eq!(
        refused(&mut small, GridKind::Rated(Rating::Extreme)),
        "none of 2000 minimal grids was rated extreme"
    );
    assert_eq!(
        refused(&mut small, GridKind::Unsolvable),
        "no grid without a solution was found that singles alone do not refute"
    );
    for (order, attempts) in [(14, 2000), (15, 100)] {
        let maker = GridMaker::new(&Shape::latin(order).unwrap());
        assert_eq!(maker.attempts(), attempts);
    }
    // Both ends of the second diagonal are in one region, and no complete grid exists.
    let impossible = Shape::jigsaw(4, &["AABA", "CBBD", "CCBD", "ACDD"])
        .unwrap()
        .with_diagonals();
    assert_eq!(
        refused(&mut GridMaker::new(&impossible), GridKind::Complete),
        "no complete grid of this shape was found"
    );
}

#[test]
fn grids_made_together_equal_those_made_alone() {
    let mut maker = GridMaker::new(&nine());
    let rng = || (0..5).map(|number| SeededRng::new(9, &[number]));
    for kind in [
        GridKind::Minimal,
        GridKind::Symmetric(Symmetry::HalfTurn),
        GridKind::Seventeen,
    ] {
        let together = maker
            .make_many(kind, &mut rng().collect::<Vec<_>>())
            .unwrap();
        let alone: Vec<_> = rng()
            .map(|mut rng| maker.make(kind, &mut rng).unwrap())
            .collect();
        assert_eq!(together, alone);
    }
}

#[test]
fn an_invalid_grid_has_one_pair_of_clues_that_clash() {
    let shape = nine();
    let rules = crate::GridRules::new(&shape);
    let mut maker = GridMaker::new(&shape);
    let grids: Vec<_> = (0..40)
        .map(|seed| {
            maker
                .make(GridKind::Invalid, &mut SeededRng::new(seed, &[]))
                .unwrap()
        })
        .collect();
    let mut alone = vec![];
    for cells in &grids {
        assert_eq!(rules.clashing_pairs(cells).len(), 1, "{cells:?}");
        let clashes: Vec<_> = rules.clashes(cells).map(|clash| clash.kind).collect();
        if let [kind] = clashes[..] {
            alone.push(kind);
        }
    }
    for kind in [
        crate::HouseKind::Row,
        crate::HouseKind::Column,
        crate::HouseKind::Box,
    ] {
        assert!(alone.contains(&kind), "{alone:?}");
    }
    let one = GridMaker::new(&Shape::latin(1).unwrap())
        .make(GridKind::Invalid, &mut SeededRng::new(1, &[]));
    assert_eq!(one, Err(crate::make::MakeError::Invalid));
}
