//! Removes clues from a complete grid as long as it has one solution, and counts
//! solutions for the makers.

use std::sync::Arc;

use crate::house_map::{HouseMap, PlacedValues};
use crate::solve::Solver;
use crate::solve::nine::{BatchSolver, NinePuzzle, PuzzleOutcome, SingleSolver};
use crate::{BLANK, Shape, Value};

/// The share of groups blanked at once at the start, as a fraction: this many can
/// nearly always be removed.
const FIRST_STRIDE: (usize, usize) = (4, 9);

/// Cells that are blanked together.
pub(super) type CellGroups = Arc<[Vec<usize>]>;

/// How the questions whether a grid has one solution are answered.
#[derive(PartialEq, Eq)]
pub(super) enum ProofMode {
    /// One by one.
    Alone,
    /// For many grids at once, which takes a quarter of the time.
    Together,
}

/// A grid from which clues are being removed. Groups of cells are blanked one after the
/// other; a group stays if the grid would have more than one solution without it. The
/// caller answers the [questions](Self::question), so that those of many grids can be
/// answered side by side.
///
/// Three shortcuts save questions without changing the result. Many groups are tried at
/// once: if all of them can be removed together, each of them can, because additional
/// clues never add solutions. No question is asked if the other clues leave the cell no
/// other value, or its value no other cell. And none is asked if the clue is the last
/// one that forbids a swap of two values.
pub(super) struct ClueRemoval {
    map: Arc<HouseMap>,
    cells: Vec<Value>,
    /// The values of the clues in each house.
    taken: PlacedValues,
    /// Swaps of two values; used only if that is faster than asking more questions.
    swaps: Option<UnavoidableSets>,
    groups: CellGroups,
    /// The order in which groups are tried.
    order: Vec<usize>,
    next: usize,
    /// How many groups to try at once.
    stride: usize,
    /// The groups of the latest question.
    plan: Vec<usize>,
    /// The place in the order after these groups.
    end: usize,
    clues: usize,
    /// The least number of clues that must be left.
    least: usize,
    /// The grid of the latest question.
    asked: Vec<Value>,
}

impl ClueRemoval {
    /// Starts with a complete grid.
    pub(super) fn new(
        map: &Arc<HouseMap>,
        full: Vec<Value>,
        groups: &CellGroups,
        order: Vec<usize>,
        least: usize,
        proofs: ProofMode,
    ) -> Self {
        let mut taken = PlacedValues::new();
        for (&value, houses) in full.iter().zip(&map.houses_of) {
            taken.add(houses, 1 << (value - 1));
        }
        let stride = (order.len() * FIRST_STRIDE.0 / FIRST_STRIDE.1).max(1);
        let mut new = Self {
            map: Arc::clone(map),
            clues: full.len(),
            asked: full.clone(),
            // With cages or inequalities, the grid after a swap may break one, and then
            // is not a second solution.
            swaps: (proofs == ProofMode::Alone && map.arithmetic.is_none())
                .then(|| UnavoidableSets::find(map, &full)),
            cells: full,
            taken,
            groups: Arc::clone(groups),
            order,
            next: 0,
            stride,
            plan: Vec::with_capacity(stride),
            end: 0,
            least,
        };
        new.prepare();
        new
    }

    /// The next grid whose solutions must be counted; `None` when there is nothing left
    /// to try.
    pub(super) fn question(&self) -> Option<&[Value]> {
        (!self.plan.is_empty()).then_some(&self.asked)
    }

    /// Handles the answer to the question: whether the grid has one solution.
    pub(super) fn answer(&mut self, is_unique: bool) {
        if is_unique {
            self.apply_plan();
        } else {
            self.discard_plan();
            if self.plan.len() == 1 {
                self.next = self.end;
            }
        }
        self.stride = self.stride.min(self.plan.len()) / 4 + 1;
        self.prepare();
    }

    /// The grid with the clues that are left.
    pub(super) fn into_cells(self) -> Vec<Value> {
        self.cells
    }

    /// Prepares the next question.
    fn prepare(&mut self) {
        self.plan_next();
        while self.is_forced() {
            self.apply_plan();
            self.plan_next();
        }
        self.asked.copy_from_slice(&self.cells);
        for &group in &self.plan {
            for &cell in &self.groups[group] {
                self.asked[cell] = BLANK;
            }
        }
    }

    /// Plans to blank the next groups, up to `stride` of them. Skips groups that cannot
    /// be removed after those before them.
    fn plan_next(&mut self) {
        self.plan.clear();
        self.end = self.next;
        let mut spare = self.clues - self.least;
        while self.end < self.order.len() && self.plan.len() < self.stride {
            let group = self.order[self.end];
            self.end += 1;
            let cells = &self.groups[group];
            if cells.len() <= spare
                && self.swaps.as_mut().is_none_or(|swaps| swaps.blank(cells))
            {
                spare -= cells.len();
                self.plan.push(group);
            }
        }
    }

    /// Discards the plan.
    fn discard_plan(&mut self) {
        if let Some(swaps) = &mut self.swaps {
            for &group in &self.plan {
                swaps.restore(&self.groups[group]);
            }
        }
    }

    /// Blanks the groups of the plan.
    fn apply_plan(&mut self) {
        for &group in &self.plan {
            for &cell in &self.groups[group] {
                self.taken
                    .remove(&self.map.houses_of[cell], 1 << (self.cells[cell] - 1));
                self.cells[cell] = BLANK;
            }
            self.clues -= self.groups[group].len();
        }
        self.next = self.end;
    }

    /// Whether the plan is one cell whose value follows directly from the other clues.
    fn is_forced(&mut self) -> bool {
        let [group] = self.plan[..] else {
            return false;
        };
        let [cell] = self.groups[group][..] else {
            return false;
        };
        let map = &*self.map;
        let houses = &map.houses_of[cell];
        let bit = 1 << (self.cells[cell] - 1);
        self.taken.remove(houses, bit);
        let all = (1 << map.values) - 1;
        let is_forced = all & !self.taken.around(houses) == bit
            || houses[..map.depth].iter().any(|&house| {
                map.houses[usize::from(house)].iter().all(|&other| {
                    other == cell
                        || self.cells[other] != BLANK
                        || self.taken.around(&map.houses_of[other]) & bit != 0
                })
            });
        self.taken.add(houses, bit);
        is_forced
    }
}

// Finds swaps of two values that turn one complete grid into another: sets of cells
// with these values that contain, of every house, both cells or neither. As long as one
// of these cells is a clue, the swap is forbidden; if none is, there are at least two
// solutions.

/// The mark of a cell and value without a swap.
const NONE: u16 = u16::MAX;

/// The swaps of a complete grid, and the number of clues that forbid each.
struct UnavoidableSets {
    /// For each cell and each other value, the swap with that value that the cell is
    /// part of.
    of_cell: Vec<u16>,
    /// The number of other values: the order less one.
    others: usize,
    /// For each swap, how many of its cells are clues.
    clues: Vec<u16>,
}

impl UnavoidableSets {
    /// The smallest swaps of a complete grid, in which every cell is a clue.
    fn find(map: &HouseMap, full: &[Value]) -> Self {
        let others = map.order - 1;
        let mut new = Self {
            of_cell: vec![NONE; full.len() * others],
            others,
            clues: Vec::new(),
        };
        let mut place = vec![0; map.houses.len() * map.order];
        for (number, house) in map.houses.iter().enumerate() {
            for &cell in house {
                place[number * map.order + usize::from(full[cell]) - 1] = cell
            }
        }
        let mut open = Vec::new();
        for (cell, &value) in full.iter().enumerate() {
            for other in value + 1..=map.order as Value {
                if new.of_cell[new.index(cell, value, other)] == NONE {
                    open.push((cell, value, other));
                    new.gather(map, &place, &mut open);
                }
            }
        }
        new
    }

    /// Adds a swap of a cell and all cells that must be swapped with it.
    fn gather(
        &mut self,
        map: &HouseMap,
        place: &[usize],
        open: &mut Vec<(usize, Value, Value)>,
    ) {
        // Order 25 has 300 pairs of values and at most 12 swaps of each, so the number
        // fits.
        let number = self.clues.len() as u16;
        let mut cells = 0;
        while let Some((cell, value, other)) = open.pop() {
            let index = self.index(cell, value, other);
            if std::mem::replace(&mut self.of_cell[index], number) == number {
                continue;
            }
            cells += 1;
            for &house in &map.houses_of[cell][..map.depth] {
                let partner =
                    place[usize::from(house) * map.order + usize::from(other) - 1];
                if self.of_cell[self.index(partner, other, value)] == NONE {
                    open.push((partner, other, value));
                }
            }
        }
        self.clues.push(cells);
    }

    fn index(&self, cell: usize, value: Value, other: Value) -> usize {
        self.others * cell + usize::from(other) - 1 - usize::from(other > value)
    }

    /// Removes these clues from the counts, unless that would allow a swap. Returns
    /// whether it did.
    fn blank(&mut self, cells: &[usize]) -> bool {
        let mut allows = false;
        for &cell in cells {
            for &swap in &self.of_cell[self.others * cell..][..self.others] {
                self.clues[usize::from(swap)] -= 1;
                allows |= self.clues[usize::from(swap)] == 0;
            }
        }
        if allows {
            self.restore(cells);
        }
        !allows
    }

    /// Adds these clues to the counts again.
    fn restore(&mut self, cells: &[usize]) {
        for &cell in cells {
            for &swap in &self.of_cell[self.others * cell..][..self.others] {
                self.clues[usize::from(swap)] += 1;
            }
        }
    }
}

// Counts the solutions of grids for the makers, which need this all the time.

/// Counts the solutions of grids of one shape.
pub(super) enum SolutionCounter {
    /// For plain 9x9 grids, one by one or many side by side.
    Nine(Box<NineEngine>),
    /// For all other shapes.
    Any(Solver),
}

pub(super) struct NineEngine {
    single: SingleSolver,
    batch: BatchSolver,
    puzzles: Vec<NinePuzzle>,
    outcomes: Vec<PuzzleOutcome>,
}

impl SolutionCounter {
    pub(super) fn new(shape: &Shape) -> Self {
        if !shape.is_plain_nine() {
            return Self::Any(Solver::new(shape));
        }
        Self::Nine(Box::new(NineEngine {
            single: SingleSolver::default(),
            batch: BatchSolver::default(),
            puzzles: Vec::new(),
            outcomes: Vec::new(),
        }))
    }

    /// Whether the grid is known to have exactly one solution. False if the grid is too
    /// hard to decide.
    pub(super) fn is_unique(&mut self, cells: &[Value]) -> bool {
        self.count(cells, 2) == Some(1)
    }

    /// Like [`Self::is_unique`], for many grids. The answers are in the order of the
    /// grids.
    pub(super) fn are_unique<'g>(
        &mut self,
        grids: impl Iterator<Item = &'g [Value]>,
    ) -> Vec<bool> {
        match self {
            Self::Any(_) => grids.map(|cells| self.is_unique(cells)).collect(),
            Self::Nine(nine) => {
                nine.puzzles.clear();
                nine.puzzles.extend(grids.map(puzzle));
                nine.batch.solve(&nine.puzzles, 2, &mut nine.outcomes);
                nine.outcomes
                    .iter()
                    .map(|outcome| outcome.count == 1)
                    .collect()
            }
        }
    }

    /// The number of solutions, at most `limit`; `None` if the search was stopped.
    pub(super) fn count(&mut self, cells: &[Value], limit: usize) -> Option<usize> {
        match self {
            Self::Nine(nine) => {
                let mut count = 0;
                nine.single
                    .search(&puzzle(cells), limit, |_| count += 1)
                    .ok()
                    .map(|()| count)
            }
            Self::Any(solver) => Some(solver.count(cells, limit as u64).ok()? as usize),
        }
    }

    /// A solution of a grid; `None` if there is none or the search was stopped.
    pub(super) fn solution(&mut self, cells: &[Value]) -> Option<Vec<Value>> {
        match self {
            Self::Nine(nine) => {
                let outcome = nine.single.outcome(&puzzle(cells), 1).ok()?;
                (outcome.count == 1).then(|| outcome.first.to_vec())
            }
            Self::Any(solver) => solver.solutions(cells, 1).ok()?.pop(),
        }
    }
}

/// A grid as the fast engines need it.
fn puzzle(cells: &[Value]) -> NinePuzzle {
    std::array::from_fn(|cell| cells[cell])
}

#[cfg(test)]
mod unavoidable_tests {
    use super::*;
    use crate::make::{GridKind, GridMaker, SeededRng};
    use crate::{GridRules, Shape};

    #[test]
    fn every_swap_turns_a_complete_grid_into_another() {
        for shape in [
            Shape::new(6, 2, 3).unwrap(),
            Shape::new(9, 3, 3).unwrap().with_diagonals(),
        ] {
            let full = GridMaker::new(&shape)
                .make(GridKind::Complete, &mut SeededRng::new(1, &[]))
                .unwrap();
            let map = HouseMap::new(&shape);
            let swaps = UnavoidableSets::find(&map, &full);
            for number in 0..swaps.clues.len() {
                let mut swapped = full.clone();
                let mut cells = 0;
                for (cell, &value) in full.iter().enumerate() {
                    for other in
                        (1..=map.order as Value).filter(|&other| other != value)
                    {
                        if usize::from(swaps.of_cell[swaps.index(cell, value, other)])
                            == number
                        {
                            swapped[cell] = other;
                            cells += 1;
                        }
                    }
                }
                assert!(GridRules::new(&shape).accepts(&swapped) && swapped != full);
                assert_eq!(cells, swaps.clues[number]);
            }
        }
    }
}
