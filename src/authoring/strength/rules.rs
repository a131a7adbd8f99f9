//! Mutants that know the wrong rules: their search uses other houses, symbols, cages or
//! inequalities than the problem's.

use gridjudge_grid::{
    BLANK, Cage, CageOperation, House, HouseKind, Inequality, Shape,
};

use crate::authoring::strength::{GaveUp, MutantSearch, answering};
use crate::model::GridTask;

use RulesFault::*;

/// What a mutant gets wrong about the rules.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum RulesFault {
    /// Does not know houses of a kind.
    Without(HouseKind),
    /// Does not know the last two houses of a kind. Missing only one changes nothing,
    /// because the others imply it.
    WithoutTwo(HouseKind),
    /// Does not know the house of a kind with this number. Only diagonals are not
    /// implied by the others.
    WithoutOne(HouseKind, usize),
    /// Takes the boxes of a square shape for the regions of a map.
    BoxesForRegions,
    /// Takes the rows of a box for its columns.
    BoxesTurned,
    /// Does not know four boxes that form a rectangle. Fewer boxes, or four others, are
    /// implied by the rest.
    WithoutFourBoxes,
    /// Does not look at the last cell of each house of a kind.
    Short(HouseKind),
    /// Does not know the results of cages with this operation.
    WithoutCages(CageOperation),
    /// Subtracts the later cell from the earlier, and divides the earlier by the later,
    /// never the other way round.
    CagesOneWay,
    /// Allows a symbol in a cage twice.
    CagesMayRepeat,
    /// Does not know inequalities.
    WithoutInequalities,
    /// Never writes the first symbol.
    NoFirstSymbol,
    /// Never writes the last symbol.
    NoLastSymbol,
}

/// The largest order at which all grids can be counted.
const SMALL_ORDER: usize = 4;

impl RulesFault {
    /// Whether a program for this problem can have this fault, and some input shows it.
    pub(super) fn applies_to(self, task: &GridTask) -> bool {
        let finds_fewer = matches!(self, NoFirstSymbol | NoLastSymbol | CagesOneWay);
        if finds_fewer && !answering::needs_solutions(task) {
            return false;
        }
        task.format.shapes.iter().any(|shape| self.shows_in(shape))
    }

    /// Whether the fault shows in some grid of this shape. In small grids some rules
    /// follow from the others.
    fn shows_in(self, shape: &Shape) -> bool {
        let may_show = match self {
            NoFirstSymbol | NoLastSymbol => return true,
            WithoutTwo(_) => shape.order() > 2,
            // At order four the rectangle holds all boxes.
            WithoutFourBoxes => shape.order() > 4,
            BoxesForRegions => shape.is_jigsaw() && other_boxes(shape).is_some(),
            BoxesTurned => !shape.is_jigsaw(),
            CagesMayRepeat => has_loose_cage(shape),
            _ => true,
        };
        let houses: Vec<_> = shape
            .houses()
            .into_iter()
            .map(|house| house.cells)
            .collect();
        if !may_show
            || self.houses(shape) == houses
                && self.with_its_arithmetic(shape) == *shape
        {
            return false;
        }
        if shape.order() > SMALL_ORDER {
            return true;
        }
        let empty = vec![BLANK; shape.cells()];
        let all = |search: MutantSearch, limit: usize| {
            let found = search.solve(&empty, limit);
            found.unwrap_or_else(|GaveUp(found)| found)
        };
        let right = all(MutantSearch::for_shape(shape, &houses), usize::MAX);
        let wrong = all(self.search(shape), right.len() + 1);
        wrong.len() != right.len() || wrong.iter().any(|grid| !right.contains(grid))
    }

    /// The lists of cells that the program takes for houses.
    fn houses(self, shape: &Shape) -> Vec<Vec<usize>> {
        let mut houses: Vec<_> = shape
            .houses()
            .iter()
            .filter_map(|house| self.seen(house, shape))
            .collect();
        if let (BoxesForRegions | BoxesTurned, Some(other)) =
            (self, other_boxes(shape))
        {
            let boxes = other
                .houses()
                .into_iter()
                .filter(|house| house.kind == HouseKind::Box);
            houses.extend(boxes.map(|house| house.cells));
        }
        houses
    }

    /// The search of a program with this fault.
    pub(super) fn search(self, shape: &Shape) -> MutantSearch {
        let known = self.with_its_arithmetic(shape);
        let mut search = MutantSearch::for_shape(&known, &self.houses(shape));
        match self {
            NoFirstSymbol => search.tries &= !1,
            NoLastSymbol => search.tries &= !(1 << (shape.values() - 1)),
            _ => {}
        }
        search
    }

    /// The shape with the cages and inequalities that the program knows.
    fn with_its_arithmetic(self, shape: &Shape) -> Shape {
        let mut known = shape.arithmetic().cloned().unwrap_or_default();
        if shape.is_magic() {
            let lines = shape.lines();
            let sums = known
                .cages
                .into_iter()
                .zip(&lines)
                .filter(|(_, line)| self.seen(line, shape).is_some());
            let may_repeat = self == Without(HouseKind::Square);
            known.cages = sums.map(|(cage, _)| Cage { may_repeat, ..cage }).collect();
            return shape.clone().with_arithmetic(known);
        }
        match self {
            WithoutCages(operation) => {
                known.cages.retain(|cage| cage.operation != operation)
            }
            CagesOneWay => {
                let pairs =
                    known.cages.iter().filter(|cage| cage.operation.is_of_two());
                let turned = pairs.map(|cage| Inequality {
                    less: cage.cells[1],
                    greater: cage.cells[0],
                });
                known.inequalities.extend(turned);
            }
            CagesMayRepeat => {
                for cage in &mut known.cages {
                    cage.may_repeat = true;
                }
            }
            WithoutInequalities => known.inequalities.clear(),
            _ => {}
        }
        shape.clone().with_arithmetic(known)
    }

    /// The cells of a house that the program looks at.
    fn seen(self, house: &House, shape: &Shape) -> Option<Vec<usize>> {
        let is_left_out = match self {
            Without(kind) => house.kind == kind,
            WithoutTwo(kind) => {
                house.kind == kind && house.number + 2 > shape.order()
            }
            WithoutOne(kind, number) => house.kind == kind && house.number == number,
            BoxesForRegions => house.kind == HouseKind::Region,
            BoxesTurned => {
                house.kind == HouseKind::Box && other_boxes(shape).is_some()
            }
            WithoutFourBoxes => {
                house.kind == HouseKind::Box
                    && !is_outside_the_rectangle(house, shape)
            }
            _ => false,
        };
        let cells = match self {
            Short(kind) if house.kind == kind => {
                &house.cells[..house.cells.len() - 1]
            }
            _ => &house.cells,
        };
        (!is_left_out).then(|| cells.to_vec())
    }
}

/// Whether some cage forbids a repetition that no house forbids.
fn has_loose_cage(shape: &Shape) -> bool {
    let houses = shape.houses();
    let cages = shape
        .arithmetic()
        .into_iter()
        .flat_map(|known| &known.cages);
    let mut pairs = cages.filter(|cage| !cage.may_repeat).flat_map(|cage| {
        let cells = cage.cells.iter();
        cells.flat_map(|one| cage.cells.iter().map(move |other| [one, other]))
    });
    pairs.any(|pair| {
        !houses
            .iter()
            .any(|house| pair.iter().all(|cell| house.cells.contains(cell)))
    })
}

/// A shape of the same order with other boxes: boxes with rows and columns swapped, or
/// square boxes in place of the regions of a map. `None` if there is none.
fn other_boxes(shape: &Shape) -> Option<Shape> {
    let order = shape.order() as u64;
    match shape.boxes() {
        Some((rows, columns)) if rows != columns => {
            Shape::new(order, columns as u64, rows as u64).ok()
        }
        None if shape.is_jigsaw() && order > 1 => Shape::square(order).ok(),
        _ => None,
    }
}

/// Whether a box is outside the last two bands or outside the last two stacks.
fn is_outside_the_rectangle(house: &House, shape: &Shape) -> bool {
    let first = house.cells[0];
    let last = house.cells[house.cells.len() - 1];
    let (top, left) = shape.place(first);
    let (bottom, right) = shape.place(last);
    let rows = bottom + 1 - top;
    let columns = right + 1 - left;
    top + 2 * rows < shape.order() || left + 2 * columns < shape.order()
}
