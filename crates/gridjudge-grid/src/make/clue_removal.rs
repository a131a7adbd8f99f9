//! Removes clues from a complete grid as long as it has one solution.

use std::sync::Arc;

use crate::house_map::{HouseMap, PlacedValues};
use crate::make::unavoidable::UnavoidableSets;
use crate::{BLANK, Value};

/// The share of groups blanked at once at the start, as a fraction: this many can nearly always be
/// removed.
const FIRST_STRIDE: (usize, usize) = (4, 9);

/// Cells that are blanked together.
pub(super) type CellGroups = Arc<[Vec<usize>]>;

/// How the questions whether a grid has one solution are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProofMode {
    /// One by one.
    Alone,
    /// For many grids at once, which takes a quarter of the time.
    Together,
}

/// A grid from which clues are being removed. Groups of cells are blanked one after the other; a
/// group stays if the grid would have more than one solution without it. The caller answers the
/// [questions](Self::question), so that those of many grids can be answered side by side.
///
/// Three shortcuts save questions without changing the result. Many groups are tried at once: if
/// all of them can be removed together, each of them can, because additional clues never add
/// solutions. No question is asked if the other clues leave the cell no other value, or its value
/// no other cell. And none is asked if the clue is the last one that forbids a swap of two values.
#[derive(Clone, Debug)]
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
        full.iter()
            .zip(&map.houses_of)
            .for_each(|(&value, houses)| taken.add(houses, 1 << (value - 1)));
        let stride = (order.len() * FIRST_STRIDE.0 / FIRST_STRIDE.1).max(1);
        let mut new = Self {
            map: Arc::clone(map),
            clues: full.len(),
            asked: full.clone(),
            // With cages or inequalities, the grid after a swap may break one, and then is not a
            // second solution.
            swaps: (proofs == ProofMode::Alone && map.arithmetic.is_none())
                .then(|| UnavoidableSets::of(map, &full)),
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

    /// The next grid whose solutions must be counted; `None` when there is nothing left to try.
    pub(super) fn question(&self) -> Option<&[Value]> {
        (!self.plan.is_empty()).then_some(&self.asked)
    }

    /// Handles the answer to the question: whether the grid has one solution.
    pub(super) fn answer(&mut self, is_unique: bool) {
        if is_unique {
            self.apply_plan();
        } else if self.plan.len() == 1 {
            self.discard_plan();
            self.next = self.end;
        } else {
            self.discard_plan();
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
        loop {
            self.plan_next();
            let alone = if let [group] = self.plan[..] {
                Some(group)
            } else {
                None
            };
            if !alone.is_some_and(|group| self.is_forced(group)) {
                break;
            }
            self.apply_plan();
        }
        self.asked.copy_from_slice(&self.cells);
        for &group in &self.plan {
            self.groups[group]
                .iter()
                .for_each(|&cell| self.asked[cell] = BLANK);
        }
    }

    /// Plans to blank the next groups, up to `stride` of them. Skips groups that cannot be removed
    /// after those before them.
    fn plan_next(&mut self) {
        self.plan.clear();
        self.end = self.next;
        let mut spare = self.clues - self.least;
        while self.end < self.order.len() && self.plan.len() < self.stride {
            let group = self.order[self.end];
            self.end += 1;
            let cells = &self.groups[group];
            if cells.len() <= spare && self.swaps.as_mut().is_none_or(|swaps| swaps.blank(cells)) {
                spare -= cells.len();
                self.plan.push(group);
            }
        }
    }

    /// Discards the plan.
    fn discard_plan(&mut self) {
        if let Some(swaps) = &mut self.swaps {
            self.plan
                .iter()
                .for_each(|&group| swaps.restore(&self.groups[group]));
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

    /// Whether a group is one cell whose value follows directly from the other clues.
    fn is_forced(&mut self, group: usize) -> bool {
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
                let mut cells = map.houses[usize::from(house)].iter();
                cells.all(|&other| {
                    other == cell
                        || self.cells[other] != BLANK
                        || self.taken.around(&map.houses_of[other]) & bit != 0
                })
            });
        self.taken.add(houses, bit);
        is_forced
    }
}
