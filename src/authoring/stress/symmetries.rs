//! Changes of a grid that leave it the same puzzle in another guise: lines change places, the grid is turned over, symbols
//! change names. Which changes a shape allows is not known but found out: those that leave every house a house.

use std::collections::BTreeSet;

use gridjudge_grid::BLANK;
use gridjudge_grid::Shape;
use gridjudge_grid::Value;
use gridjudge_grid::make::SeededRng;

/// A change of places: for each cell of the new grid, the cell of the old one that comes there.
type CellPermutation = Vec<usize>;

/// The changes of one shape.
pub(super) struct ShapeSymmetries {
    order: usize,
    turns: Vec<CellPermutation>,
    /// Whether symbols may change names. Not where they are added up or compared.
    may_rename: bool,
}

impl ShapeSymmetries {
    /// The changes that a shape allows, of those that lead to all others: two lines, two bands or two stacks change
    /// places, rows become columns, the grid is seen in a mirror.
    pub(super) fn of(shape: &Shape) -> Self {
        let order = shape.order();
        if shape.arithmetic().is_some() {
            return Self { order, turns: Vec::new(), may_rename: false };
        }
        let houses: BTreeSet<Vec<usize>> = shape.houses().into_iter().map(|house| house.cells).collect();
        let keeps_houses = |turn: &CellPermutation| {
            houses.iter().all(|house| {
                let mut turned: Vec<_> = house.iter().map(|&cell| turn[cell]).collect();
                turned.sort_unstable();
                houses.contains(&turned)
            })
        };
        let mut turns: Vec<CellPermutation> = candidates(shape).into_iter().filter(keeps_houses).collect();
        turns.retain(|turn| turn.iter().enumerate().any(|(new, &old)| new != old));
        Self { order, turns, may_rename: true }
    }

    /// Another guise of a grid, by chance.
    pub(super) fn shuffled(&self, cells: &[Value], rng: &mut SeededRng) -> Vec<Value> {
        if !self.may_rename {
            return cells.to_vec();
        }
        let mut names: Vec<Value> = (1..=self.order).map(|value| value as Value).collect();
        rng.shuffle(&mut names);
        let mut cells = renamed(cells, &names);
        let mut next = cells.clone();
        if !self.turns.is_empty() {
            for _ in 0..2 * self.order {
                let turn = &self.turns[rng.below(self.turns.len())];
                next.iter_mut().zip(turn).for_each(|(new, old)| *new = cells[*old]);
                std::mem::swap(&mut cells, &mut next);
            }
        }
        cells
    }

    /// The grids that one change of places leads to.
    pub(super) fn neighbours(&self, cells: &[Value]) -> impl Iterator<Item = Vec<Value>> {
        self.turns.iter().map(move |turn| turned(cells, turn))
    }
}

/// The grid whose symbols are named in the order in which they come.
pub(super) fn in_order_of_appearance(cells: &[Value], order: usize) -> Vec<Value> {
    let mut names = vec![BLANK; order];
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

/// The grid in which two values have changed names.
pub(super) fn swapped(cells: &[Value], one: Value, other: Value) -> Vec<Value> {
    let swap = |value: Value| match value {
        value if value == one => other,
        value if value == other => one,
        value => value,
    };
    cells.iter().map(|&value| swap(value)).collect()
}

fn renamed(cells: &[Value], names: &[Value]) -> Vec<Value> {
    cells.iter().map(|&value| if value == BLANK { BLANK } else { names[usize::from(value) - 1] }).collect()
}

fn turned(cells: &[Value], turn: &CellPermutation) -> Vec<Value> {
    turn.iter().map(|&old| cells[old]).collect()
}

fn candidates(shape: &Shape) -> Vec<CellPermutation> {
    let order = shape.order();
    let last = order - 1;
    let mapped = |old: &dyn Fn(usize, usize) -> (usize, usize)| -> CellPermutation {
        let cell = |(row, column): (usize, usize)| order * row + column;
        (0..shape.cells()).map(|new| cell(old(new / order, new % order))).collect()
    };
    let mut turns = vec![
        mapped(&|row, column| (column, row)),
        mapped(&|row, column| (last - row, column)),
        mapped(&|row, column| (row, last - column)),
    ];
    // Lines one by one, and as many together as a box has.
    let (box_rows, box_columns) = shape.boxes().unwrap_or((1, 1));
    for (height, is_row) in [(1, true), (1, false), (box_rows, true), (box_columns, false)] {
        let blocks = order / height;
        for first in 0..blocks {
            for second in first + 1..blocks {
                let line = |line: usize| match line / height {
                    block if block == first => second * height + line % height,
                    block if block == second => first * height + line % height,
                    _ => line,
                };
                turns.push(mapped(&|row, column| {
                    if is_row { (line(row), column) } else { (row, line(column)) }
                }));
            }
        }
    }
    turns.sort_unstable();
    turns.dedup();
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridjudge_grid::GridRules;
    use gridjudge_grid::make::GridKind;
    use gridjudge_grid::make::GridMaker;

    fn jigsaw() -> Shape {
        Shape::jigsaw(4, &["aabb", "aabc", "ddcc", "ddbc"])
            .unwrap_or_else(|_| Shape::jigsaw(4, &["aaab", "acbb", "ccbd", "cddd"]).unwrap())
    }

    #[test]
    fn a_shape_has_as_many_changes_as_its_houses_allow() {
        let count = |shape: Shape| ShapeSymmetries::of(&shape).turns.len();
        // Of 9x9: nine pairs of rows and of columns inside bands, three pairs of bands and of stacks, three mirrors.
        assert_eq!(count(Shape::new(9, 3, 3).unwrap()), 9 + 9 + 3 + 3 + 3);
        // Boxes that are no squares do not let rows become columns.
        assert_eq!(count(Shape::new(6, 2, 3).unwrap()), 3 + 6 + 3 + 1 + 2);
        assert_eq!(count(Shape::latin(5).unwrap()), 10 + 10 + 3);
        // What moves a single line moves it off a diagonal.
        assert_eq!(count(Shape::new(9, 3, 3).unwrap().with_diagonals()), 3);
        assert_eq!(count(Shape::latin(1).unwrap()), 0);
    }

    #[test]
    fn another_guise_of_a_right_grid_is_right() {
        let shapes = [
            Shape::new(9, 3, 3).unwrap(),
            Shape::new(6, 2, 3).unwrap(),
            Shape::new(9, 3, 3).unwrap().with_diagonals(),
            Shape::latin(5).unwrap(),
            jigsaw(),
        ];
        for shape in shapes {
            let mut rng = SeededRng::new(3, &[]);
            let full = GridMaker::new(&shape).make(GridKind::Complete, &mut rng).unwrap();
            let (rules, turns) = (GridRules::new(&shape), ShapeSymmetries::of(&shape));
            for _ in 0..20 {
                let shuffled = turns.shuffled(&full, &mut rng);
                assert!(rules.are_kept_by(&shuffled), "{shape:?}");
                assert!(rules.are_kept_by(&in_order_of_appearance(&shuffled, shape.order())));
            }
            assert!(turns.neighbours(&full).all(|turned| rules.are_kept_by(&turned)));
        }
    }

    #[test]
    fn symbols_are_named_as_they_come_and_two_can_change_names() {
        assert_eq!(in_order_of_appearance(&[0, 3, 1, 3, 0, 2], 4), [0, 1, 2, 1, 0, 3]);
        assert_eq!(swapped(&[0, 3, 1, 3, 2], 3, 1), [0, 1, 3, 1, 2]);
    }
}
