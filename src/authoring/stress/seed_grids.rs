//! Inputs that a search makes or changes, with their grids; and the seed grids from
//! which random ones are made: a few interesting grids, to which the caller applies
//! random symmetries.

use std::collections::BTreeSet;

use gridjudge_grid::format::write;
use gridjudge_grid::make::{GridKind, GridMaker, SeededRng, Symmetry, renamed};
use gridjudge_grid::naive::NaiveSearch;
use gridjudge_grid::solve::Solver;
use gridjudge_grid::{BLANK, Shape, Value};

use crate::check::{InputError, InputGrids};
use crate::model::GridTask;
use crate::proof;

/// The largest order for which minimal grids are made: larger ones take too long.
const LARGEST_MINIMAL: usize = 9;

/// The same for shapes with cages or inequalities, where the solutions of grids with
/// few clues are hard to count.
const LARGEST_CONSTRAINED: usize = 6;

/// The numbers of grids of each kind.
const MINIMAL: u64 = 32;
const SEVENTEEN: u64 = 12;
const LARGE: u64 = 4;
const UNSOLVABLE: u64 = 2;

/// How many nodes a slow grid must cost a naive search: as many as can be reached in
/// some milliseconds. There are fewer for searches whose slow grids must be found among
/// the symmetric forms of a grid. Recipes can ask for more.
const NODES: [u64; 2] = [20_000, 2_000_000];
const NODES_BY_SEARCH: [u64; 2] = [500, 2_000];

/// The grids of one shape.
pub(super) struct SeedGrids {
    /// Grids with one solution. In small orders nearly all are minimal, in large ones
    /// complete.
    pub(super) unique: Vec<SeedGrid>,
    /// Grids that take a naive search long. A symmetry would make them fast, so none is
    /// applied to them.
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
    /// Makes the seed grids of a shape. They depend on the seed and on the path of
    /// random numbers, whose last step is the number of the set. Kinds that cannot be
    /// made are left out.
    pub(super) fn make(
        shape: &Shape,
        may_be_broken: bool,
        seed: u64,
        path: &[u64],
    ) -> Self {
        let mut maker = GridMaker::new(shape);
        let solver = Solver::new(shape);
        let is_small = is_small(shape);
        let mut make = |kind: GridKind, which: u64, count: u64| {
            // Together they are made in a quarter of the time, but if one cannot be
            // made, all are missing.
            let mut all: Vec<_> = (0..count)
                .map(|place| SeededRng::new(seed, &[path, &[which, place]].concat()))
                .collect();
            maker.make_many(kind, &mut all).unwrap_or_default()
        };
        let mut grids = vec![];
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
            vec![]
        };
        let mut slow = vec![];
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

/// Whether minimal grids are made of a shape.
fn is_small(shape: &Shape) -> bool {
    let largest = if shape.arithmetic().is_some() {
        LARGEST_CONSTRAINED
    } else {
        LARGEST_MINIMAL
    };
    shape.order() <= largest
}

/// The same kind of grid, as fast to make as a seed grid: a recipe may ask for days of
/// work, and a search has seconds.
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

// Symmetries: changes of a grid that lead to an equivalent puzzle. Lines are swapped,
// the grid is reflected, symbols are renamed. The symmetries of a shape are found by
// trial: those that map every house to a house.

/// For each cell of the new grid, the cell of the old grid whose value it gets.
type CellPermutation = Vec<usize>;

/// The symmetries of one shape.
pub(super) struct ShapeSymmetries {
    order: usize,
    permutations: Vec<CellPermutation>,
    /// Whether symbols may be renamed: not if they are added up or compared.
    may_rename: bool,
}

impl ShapeSymmetries {
    /// Finds the symmetries of a shape from which all others can be composed: swaps of
    /// two lines, two bands or two stacks, the transposition, and reflections.
    pub(super) fn for_shape(shape: &Shape) -> Self {
        let order = shape.order();
        let has_arithmetic = shape.arithmetic().is_some();
        let mut permutations = if has_arithmetic && !shape.is_magic() {
            vec![]
        } else {
            candidates(shape)
        };
        // All lines of a magic square have the same sum.
        let houses = if shape.is_magic() {
            shape.lines()
        } else {
            shape.houses()
        };
        let houses: BTreeSet<Vec<usize>> =
            houses.into_iter().map(|house| house.cells).collect();
        permutations.retain(|permutation| {
            let changes =
                permutation.iter().enumerate().any(|(new, &old)| new != old);
            changes
                && houses.iter().all(|house| {
                    let mut permuted: Vec<_> =
                        house.iter().map(|&cell| permutation[cell]).collect();
                    permuted.sort_unstable();
                    houses.contains(&permuted)
                })
        });
        Self {
            order,
            permutations,
            may_rename: !has_arithmetic,
        }
    }

    /// Applies random symmetries to a grid.
    pub(super) fn shuffled(
        &self,
        cells: &[Value],
        rng: &mut SeededRng,
    ) -> Vec<Value> {
        let mut cells = cells.to_vec();
        if self.may_rename {
            let mut names: Vec<Value> =
                (1..=self.order).map(|value| value as Value).collect();
            rng.shuffle(&mut names);
            cells = renamed(&cells, &names);
        }
        let mut next = cells.clone();
        if !self.permutations.is_empty() {
            // Without other changes, an even number would leave half of the grids out.
            let further = if self.may_rename { 0 } else { rng.below(2) };
            for _ in 0..2 * self.order + further {
                let permutation =
                    &self.permutations[rng.below(self.permutations.len())];
                for (new, old) in next.iter_mut().zip(permutation) {
                    *new = cells[*old];
                }
                std::mem::swap(&mut cells, &mut next);
            }
        }
        cells
    }

    /// The grids that result from one permutation of cells each.
    pub(super) fn neighbours(
        &self,
        cells: &[Value],
    ) -> impl Iterator<Item = Vec<Value>> {
        self.permutations.iter().map(move |permutation| {
            permutation.iter().map(|&old| cells[old]).collect()
        })
    }
}

/// The grid with its symbols renamed to 1, 2 and so on in order of appearance.
pub(super) fn in_order_of_appearance(cells: &[Value], values: usize) -> Vec<Value> {
    let mut names = vec![BLANK; values];
    let mut next = 1;
    for &value in cells.iter().filter(|&&value| value != BLANK) {
        let name = &mut names[usize::from(value) - 1];
        if *name == BLANK {
            *name = next;
            next += 1;
        }
    }
    renamed(cells, &names)
}

/// The grid with two values swapped.
pub(super) fn swapped(cells: &[Value], one: Value, other: Value) -> Vec<Value> {
    cells
        .iter()
        .map(|&value| match value {
            value if value == one => other,
            value if value == other => one,
            value => value,
        })
        .collect()
}

fn candidates(shape: &Shape) -> Vec<CellPermutation> {
    let order = shape.order();
    let last = order - 1;
    let mapped = |old: &dyn Fn(usize, usize) -> (usize, usize)| -> CellPermutation {
        (0..shape.cells())
            .map(|new| {
                let (row, column) = old(new / order, new % order);
                order * row + column
            })
            .collect()
    };
    let mut permutations = vec![
        mapped(&|row, column| (column, row)),
        mapped(&|row, column| (last - row, column)),
        mapped(&|row, column| (row, last - column)),
    ];
    // Swaps of single lines, and of as many lines as a box has.
    let (box_rows, box_columns) = shape.boxes().unwrap_or((1, 1));
    for (height, is_row) in [
        (1, true),
        (1, false),
        (box_rows, true),
        (box_columns, false),
    ] {
        let blocks = order / height;
        for first in 0..blocks {
            for second in first + 1..blocks {
                let line = |line: usize| match line / height {
                    block if block == first => second * height + line % height,
                    block if block == second => first * height + line % height,
                    _ => line,
                };
                permutations.push(mapped(&|row, column| {
                    if is_row {
                        (line(row), column)
                    } else {
                        (row, line(column))
                    }
                }));
            }
        }
    }
    permutations.sort_unstable();
    permutations.dedup();
    permutations
}

/// One grid of an input.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub struct DraftGrid {
    /// The index of its shape in the problem's format.
    pub shape: usize,
    /// Its clues, row-major, 0 for a blank.
    pub cells: Vec<Value>,
}

impl DraftGrid {
    /// The number of clues.
    pub fn clues(&self) -> usize {
        self.cells.iter().filter(|&&value| value != BLANK).count()
    }

    /// The number of blank cells.
    pub fn blanks(&self) -> usize {
        self.cells.len() - self.clues()
    }
}

/// An input that keeps all promises of its problem, as grids and as texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// Its grids.
    pub grids: Vec<DraftGrid>,
    /// The input.
    pub input: Vec<u8>,
    /// The right answer, from the reference solver.
    pub answer: Vec<u8>,
}

impl Draft {
    /// Writes and solves the input with these grids. Returns `None` if the problem does
    /// not allow this input, or if a solver gives up. `solvers` has one for each shape.
    pub fn from_grids(
        task: &GridTask,
        solvers: &[Solver],
        grids: Vec<DraftGrid>,
    ) -> Option<Self> {
        let format = &task.format;
        if grids.is_empty() && !format.input.may_be_empty {
            return None;
        }
        let placed: Vec<_> = grids
            .iter()
            .map(|grid| (&format.shapes[grid.shape], grid.cells.as_slice()))
            .collect();
        let input = write::input(format, &placed);
        let mut answer = vec![];
        // The answer is computed from the text, like for an input that a setter wrote,
        // and not from `grids`.
        proof::solve_within(None, solvers, task, input.as_bytes(), &mut answer)
            .ok()?;
        Some(Self {
            grids,
            input: input.into_bytes(),
            answer,
        })
    }

    /// Reads the grids of an input.
    ///
    /// # Errors
    /// If it is not in the problem's format.
    pub fn grids_of(
        task: &GridTask,
        mut input: &[u8],
    ) -> Result<Vec<DraftGrid>, InputError> {
        let mut clues = InputGrids::open(&task.format, &mut input)?;
        let mut grids = vec![];
        let mut cells = vec![];
        while let Some(shape) = clues.read_into(&mut cells)? {
            grids.push(DraftGrid {
                shape,
                cells: cells.clone(),
            });
        }
        Ok(grids)
    }
}

#[cfg(test)]
mod symmetries_tests {
    use super::*;
    use gridjudge_grid::GridRules;
    use gridjudge_grid::make::{GridKind, GridMaker};

    fn jigsaw() -> Shape {
        Shape::jigsaw(4, &["aabb", "aabc", "ddcc", "ddbc"]).unwrap_or_else(|_| {
            Shape::jigsaw(4, &["aaab", "acbb", "ccbd", "cddd"]).unwrap()
        })
    }

    #[test]
    fn a_shape_has_as_many_symmetries_as_its_houses_allow() {
        let count =
            |shape: Shape| ShapeSymmetries::for_shape(&shape).permutations.len();
        // Of 9x9: nine pairs of rows and of columns inside bands, three pairs of bands
        // and of stacks, three reflections.
        assert_eq!(count(Shape::new(9, 3, 3).unwrap()), 9 + 9 + 3 + 3 + 3);
        // Boxes that are not square rule out the transposition.
        assert_eq!(count(Shape::new(6, 2, 3).unwrap()), 3 + 6 + 3 + 1 + 2);
        assert_eq!(count(Shape::latin(5).unwrap()), 10 + 10 + 3);
        // Magic squares: the transposition and two reflections, and without diagonals
        // any swap of lines.
        assert_eq!(count(Shape::magic(3, true).unwrap()), 3);
        assert_eq!(count(Shape::magic(4, false).unwrap()), 6 + 6 + 3);
        // Any swap of lines moves cells off the diagonals.
        assert_eq!(count(Shape::new(9, 3, 3).unwrap().with_diagonals()), 3);
        assert_eq!(count(Shape::latin(1).unwrap()), 0);
    }

    #[test]
    fn symmetries_of_a_magic_square_keep_its_numbers() {
        let shape = Shape::magic(3, true).unwrap();
        let rules = GridRules::new(&shape);
        let symmetries = ShapeSymmetries::for_shape(&shape);
        let full = [4, 9, 2, 3, 5, 7, 8, 1, 6];
        let mut rng = SeededRng::new(3, &[]);
        let shuffled: BTreeSet<_> = (0..50)
            .map(|_| symmetries.shuffled(&full, &mut rng))
            .collect();
        assert!(
            shuffled.len() > 4 && shuffled.iter().all(|cells| rules.accepts(cells)),
            "{shuffled:?}"
        );
    }

    #[test]
    fn symmetries_of_a_right_grid_are_right() {
        let shapes = [
            Shape::new(9, 3, 3).unwrap(),
            Shape::new(6, 2, 3).unwrap(),
            Shape::new(9, 3, 3).unwrap().with_diagonals(),
            Shape::latin(5).unwrap(),
            jigsaw(),
        ];
        for shape in shapes {
            let mut rng = SeededRng::new(3, &[]);
            let full = GridMaker::new(&shape)
                .make(GridKind::Complete, &mut rng)
                .unwrap();
            let rules = GridRules::new(&shape);
            let symmetries = ShapeSymmetries::for_shape(&shape);
            for _ in 0..20 {
                let shuffled = symmetries.shuffled(&full, &mut rng);
                assert!(rules.accepts(&shuffled), "{shape:?}");
                assert!(
                    rules.accepts(&in_order_of_appearance(&shuffled, shape.order()))
                );
            }
            assert!(
                symmetries
                    .neighbours(&full)
                    .all(|permuted| rules.accepts(&permuted))
            );
        }
    }

    #[test]
    fn symbols_are_renamed_in_order_of_appearance_and_two_can_be_swapped() {
        assert_eq!(
            in_order_of_appearance(&[0, 3, 1, 3, 0, 2], 4),
            [0, 1, 2, 1, 0, 3]
        );
        assert_eq!(swapped(&[0, 3, 1, 3, 2], 3, 1), [0, 1, 3, 1, 2]);
    }
}
