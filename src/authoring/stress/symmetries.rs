//! Symmetries: changes of a grid that lead to an equivalent puzzle. Lines are swapped, the grid is
//! reflected, symbols are renamed. The symmetries of a shape are found by trial: those that map
//! every house to a house.

use std::collections::BTreeSet;

use gridjudge_grid::make::SeededRng;
use gridjudge_grid::{BLANK, Shape, Value};

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
    /// Finds the symmetries of a shape from which all others can be composed: swaps of two lines,
    /// two bands or two stacks, the transposition, and reflections.
    pub(super) fn of(shape: &Shape) -> Self {
        let order = shape.order();
        let has_arithmetic = shape.arithmetic().is_some();
        if has_arithmetic && !shape.is_magic() {
            return Self {
                order,
                permutations: Vec::new(),
                may_rename: false,
            };
        }
        // All lines of a magic square have the same sum.
        let houses = if shape.is_magic() {
            shape.lines()
        } else {
            shape.houses()
        };
        let houses: BTreeSet<Vec<usize>> = houses.into_iter().map(|house| house.cells).collect();
        let mut permutations: Vec<CellPermutation> = candidates(shape)
            .into_iter()
            .filter(|permutation| {
                houses.iter().all(|house| {
                    let mut permuted: Vec<_> =
                        house.iter().map(|&cell| permutation[cell]).collect();
                    permuted.sort_unstable();
                    houses.contains(&permuted)
                })
            })
            .collect();
        permutations
            .retain(|permutation| permutation.iter().enumerate().any(|(new, &old)| new != old));
        Self {
            order,
            permutations,
            may_rename: !has_arithmetic,
        }
    }

    /// Applies random symmetries to a grid.
    pub(super) fn shuffled(&self, cells: &[Value], rng: &mut SeededRng) -> Vec<Value> {
        let mut cells = cells.to_vec();
        if self.may_rename {
            let mut names: Vec<Value> = (1..=self.order).map(|value| value as Value).collect();
            rng.shuffle(&mut names);
            cells = renamed(&cells, &names);
        }
        let mut next = cells.clone();
        if !self.permutations.is_empty() {
            // Without other changes, an even number would leave half of the grids out.
            let further = if self.may_rename { 0 } else { rng.below(2) };
            for _ in 0..2 * self.order + further {
                let permutation = &self.permutations[rng.below(self.permutations.len())];
                next.iter_mut()
                    .zip(permutation)
                    .for_each(|(new, old)| *new = cells[*old]);
                std::mem::swap(&mut cells, &mut next);
            }
        }
        cells
    }

    /// The grids that result from one permutation of cells each.
    pub(super) fn neighbours(&self, cells: &[Value]) -> impl Iterator<Item = Vec<Value>> {
        self.permutations
            .iter()
            .map(move |permutation| permuted(cells, permutation))
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

fn renamed(cells: &[Value], names: &[Value]) -> Vec<Value> {
    cells
        .iter()
        .map(|&value| {
            if value == BLANK {
                BLANK
            } else {
                names[usize::from(value) - 1]
            }
        })
        .collect()
}

fn permuted(cells: &[Value], permutation: &CellPermutation) -> Vec<Value> {
    permutation.iter().map(|&old| cells[old]).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use gridjudge_grid::GridRules;
    use gridjudge_grid::make::{GridKind, GridMaker};

    fn jigsaw() -> Shape {
        Shape::jigsaw(4, &["aabb", "aabc", "ddcc", "ddbc"])
            .unwrap_or_else(|_| Shape::jigsaw(4, &["aaab", "acbb", "ccbd", "cddd"]).unwrap())
    }

    #[test]
    fn a_shape_has_as_many_symmetries_as_its_houses_allow() {
        let count = |shape: Shape| ShapeSymmetries::of(&shape).permutations.len();
        // Of 9x9: nine pairs of rows and of columns inside bands, three pairs of bands and of
        // stacks, three reflections.
        assert_eq!(count(Shape::new(9, 3, 3).unwrap()), 9 + 9 + 3 + 3 + 3);
        // Boxes that are not square rule out the transposition.
        assert_eq!(count(Shape::new(6, 2, 3).unwrap()), 3 + 6 + 3 + 1 + 2);
        assert_eq!(count(Shape::latin(5).unwrap()), 10 + 10 + 3);
        // Magic squares: the transposition and two reflections, and without diagonals any swap of
        // lines.
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
        let symmetries = ShapeSymmetries::of(&shape);
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
            let symmetries = ShapeSymmetries::of(&shape);
            for _ in 0..20 {
                let shuffled = symmetries.shuffled(&full, &mut rng);
                assert!(rules.accepts(&shuffled), "{shape:?}");
                assert!(rules.accepts(&in_order_of_appearance(&shuffled, shape.order())));
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
