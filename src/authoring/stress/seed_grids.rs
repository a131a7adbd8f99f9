//! Seed grids, from which random inputs are made: a few interesting grids, to which the caller
//! applies random symmetries.

use gridjudge_grid::make::{GridKind, GridMaker, SeededRng, Symmetry};
use gridjudge_grid::naive::NaiveSearch;
use gridjudge_grid::solve::Solver;
use gridjudge_grid::{Shape, Value};

/// The largest order for which minimal grids are made: larger ones take too long.
const LARGEST_MINIMAL: usize = 9;

/// The same for shapes with cages or inequalities, where the solutions of grids with few clues are
/// hard to count.
const LARGEST_CONSTRAINED: usize = 6;

/// The numbers of grids of each kind.
const MINIMAL: u64 = 32;
const SEVENTEEN: u64 = 12;
const LARGE: u64 = 4;
const UNSOLVABLE: u64 = 2;

/// How many nodes a slow grid must cost a naive search: as many as can be reached in some
/// milliseconds. There are fewer for searches whose slow grids must be found among the symmetric
/// forms of a grid. Recipes can ask for more.
const NODES: [u64; 2] = [20_000, 2_000_000];
const NODES_BY_SEARCH: [u64; 2] = [500, 2_000];

/// The grids of one shape.
pub(super) struct SeedGrids {
    /// Grids with one solution. In small orders nearly all are minimal, in large ones complete.
    pub(super) unique: Vec<SeedGrid>,
    /// Grids that take a naive search long. A symmetry would make them fast, so none is applied to
    /// them.
    pub(super) slow: Vec<Vec<Value>>,
    /// Grids without solution, which only a search can show.
    pub(super) unsolvable: Vec<Vec<Value>>,
}

/// A grid with one solution.
pub(super) struct SeedGrid {
    pub(super) clues: Vec<Value>,
    pub(super) solution: Vec<Value>,
}

impl SeedGrids {
    /// Makes the seed grids of a shape. They depend on the seed and on the path of random numbers,
    /// whose last step is the number of the set. Kinds that cannot be made are left out.
    pub(super) fn make(shape: &Shape, may_be_broken: bool, seed: u64, path: &[u64]) -> Self {
        let mut maker = GridMaker::new(shape);
        let solver = Solver::new(shape);
        let largest = if shape.arithmetic().is_some() {
            LARGEST_CONSTRAINED
        } else {
            LARGEST_MINIMAL
        };
        let is_small = shape.order() <= largest;
        let mut make = |kind: GridKind, which: u64, count: u64| {
            // Together they are made in a quarter of the time, but if one cannot be made, all are
            // missing.
            let mut all: Vec<_> = (0..count)
                .map(|place| SeededRng::new(seed, &[path, &[which, place]].concat()))
                .collect();
            maker.make_many(kind, &mut all).unwrap_or_default()
        };
        let mut grids = Vec::new();
        if is_small {
            grids.extend(make(GridKind::Minimal, 0, MINIMAL));
            for ((_, symmetry), which) in Symmetry::ALL.into_iter().zip(10..) {
                grids.extend(make(GridKind::Symmetric(symmetry), which, 1));
            }
        }
        let is_nine = shape.is_plain_nine();
        if is_nine {
            grids.extend(make(GridKind::Seventeen, 1, SEVENTEEN));
        }
        if grids.is_empty() {
            grids = make(GridKind::Complete, 2, LARGE);
        }
        let unsolvable = if is_small && may_be_broken {
            make(GridKind::Unsolvable, 3, UNSOLVABLE)
        } else {
            Vec::new()
        };
        let mut slow = Vec::new();
        if is_nine {
            // Each set is made for another naive search.
            let number = path.last().map_or(0, |&number| number as usize);
            let search = NaiveSearch::ALL[number % NaiveSearch::ALL.len()];
            for (nodes, which) in nodes_for(search).into_iter().zip(20..) {
                slow.extend(make(GridKind::Slow { search, nodes }, which, 1));
            }
        }
        Self {
            unique: grids
                .into_iter()
                .filter_map(|clues| {
                    let solution = solver.solutions(&clues, 1).ok()?.pop()?;
                    Some(SeedGrid { clues, solution })
                })
                .collect(),
            slow,
            unsolvable,
        }
    }
}

/// The same kind of grid, as fast to make as a seed grid: a recipe may ask for days of work, and a
/// search has seconds.
pub(super) fn quickly_made(kind: GridKind) -> GridKind {
    let GridKind::Slow { search, nodes } = kind else {
        return kind;
    };
    let [_, most] = nodes_for(search);
    GridKind::Slow {
        search,
        nodes: nodes.min(most),
    }
}

fn nodes_for(search: NaiveSearch) -> [u64; 2] {
    match search {
        NaiveSearch::FullestRow
        | NaiveSearch::FewestCandidates
        | NaiveSearch::FewestCandidatesDescending
        | NaiveSearch::FewestCandidatesBackwards
        | NaiveSearch::FewestCandidatesByColumns => NODES_BY_SEARCH,
        _ => NODES,
    }
}
