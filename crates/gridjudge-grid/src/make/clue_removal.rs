//! Removes clues from a complete grid as long as it has one solution. Counts no solutions
//! itself.

use std::sync::Arc;

use crate::house_map::{HouseMap, PlacedValues};
use crate::{BLANK, Value};

/// The share of groups blanked at once at the start, as a fraction: this many can
/// nearly always be removed.
const FIRST_STRIDE: (usize, usize) = (4, 9);

/// Cells that are blanked together.
pub(super) type CellGroups = Arc<[Vec<usize>]>;

/// A grid from which clues are being removed. Groups of cells are blanked one after the
/// other; a group stays if the grid would have more than one solution without it. The
/// caller answers the [questions](Self::question), so that those of many grids can be
/// answered side by side.
///
/// Two shortcuts save questions without changing the result. Many groups are tried at
/// once: if all of them can be removed together, each of them can, because additional
/// clues never add solutions. And no question is asked if the other clues leave the cell
/// no other value, or its value no other cell.
pub(super) struct ClueRemoval {
    map: Arc<HouseMap>,
    /// The grid with the clues that are left.
    pub(super) cells: Vec<Value>,
    /// The values of the clues in each house.
    taken: PlacedValues,
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
        } else if self.plan.len() == 1 {
            self.next = self.end;
        }
        self.stride = self.stride.min(self.plan.len()) / 4 + 1;
        self.prepare();
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
            let cells = self.groups[group].len();
            if cells <= spare {
                spare -= cells;
                self.plan.push(group);
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
