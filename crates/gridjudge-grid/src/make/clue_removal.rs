//! Taking clues away as long as one solution is left.

use std::sync::Arc;

use crate::BLANK;
use crate::Value;
use crate::house_map::HouseMap;
use crate::house_map::PlacedValues;
use crate::make::unavoidable::UnavoidableSets;

/// Groups blanked at once at the outset, of nine: so many can nearly always go.
const FIRST_STRIDE: (usize, usize) = (4, 9);

/// Cells that are blanked together.
pub(super) type CellGroups = Arc<[Vec<usize>]>;

/// How questions are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProofMode {
    /// One by one.
    Alone,
    /// Those of many grids at once, which takes a quarter of the time.
    Together,
}

/// A grid under thinning. Groups of cells are blanked one after the other, each unless more than one solution would be
/// left. It asks and is told, so that the proofs of many grids can be led side by side.
///
/// Three things save questions and change nothing. To ask for many groups at once: if all of them may go, each may,
/// because clues that are left only make solutions fewer. Not to ask where the other clues leave the cell no other value,
/// or its value no other cell. And not to ask where the clue is the last one that forbids a swap of two values.
#[derive(Clone, Debug)]
pub(super) struct ClueRemoval {
    map: Arc<HouseMap>,
    cells: Vec<Value>,
    /// The clues that stand in each house.
    taken: PlacedValues,
    /// Looked at where that is quicker than a question more.
    swaps: Option<UnavoidableSets>,
    groups: CellGroups,
    /// The order in which groups are tried.
    order: Vec<usize>,
    next: usize,
    /// How many groups are to be asked for at once.
    stride: usize,
    /// The groups of the latest question.
    plan: Vec<usize>,
    /// Where the order goes on behind them.
    end: usize,
    clues: usize,
    /// Clues that must be left.
    least: usize,
    /// The grid of the latest question.
    asked: Vec<Value>,
}

impl ClueRemoval {
    /// Begins with a complete grid.
    pub(super) fn new(
        map: &Arc<HouseMap>,
        full: Vec<Value>,
        groups: &CellGroups,
        order: Vec<usize>,
        least: usize,
        proofs: ProofMode,
    ) -> Self {
        let mut taken = PlacedValues::new();
        full.iter().zip(&map.houses_of).for_each(|(&value, houses)| taken.add(houses, 1 << (value - 1)));
        let stride = (order.len() * FIRST_STRIDE.0 / FIRST_STRIDE.1).max(1);
        let mut new = Self {
            map: Arc::clone(map),
            clues: full.len(),
            asked: full.clone(),
            // A swap may break a cage or an inequality, and then forbids itself.
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

    /// The grid whose solutions are to be counted next; `None` when there is nothing left to try.
    pub(super) fn question(&self) -> Option<&[Value]> {
        (!self.plan.is_empty()).then_some(&self.asked)
    }

    /// Takes the answer to the question: whether one solution is left.
    pub(super) fn answer(&mut self, is_unique: bool) {
        if is_unique {
            self.settle();
        } else if self.plan.len() == 1 {
            self.put_back();
            self.next = self.end;
        } else {
            self.put_back();
        }
        self.stride = self.stride.min(self.plan.len()) / 4 + 1;
        self.prepare();
    }

    /// The grid as it is now.
    pub(super) fn into_cells(self) -> Vec<Value> {
        self.cells
    }

    /// Makes up the next question.
    fn prepare(&mut self) {
        loop {
            self.draw_up();
            let alone = if let [group] = self.plan[..] { Some(group) } else { None };
            if !alone.is_some_and(|group| self.is_forced(group)) {
                break;
            }
            self.settle();
        }
        self.asked.copy_from_slice(&self.cells);
        for &group in &self.plan {
            self.groups[group].iter().for_each(|&cell| self.asked[cell] = BLANK);
        }
    }

    /// Plans to blank the next groups, as many as the stride says. Groups that cannot go, once those before them have
    /// gone, are passed over.
    fn draw_up(&mut self) {
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

    /// Takes the plan back.
    fn put_back(&mut self) {
        if let Some(swaps) = &mut self.swaps {
            self.plan.iter().for_each(|&group| swaps.restore(&self.groups[group]));
        }
    }

    /// Carries the plan out.
    fn settle(&mut self) {
        for &group in &self.plan {
            for &cell in &self.groups[group] {
                self.taken.remove(&self.map.houses_of[cell], 1 << (self.cells[cell] - 1));
                self.cells[cell] = BLANK;
            }
            self.clues -= self.groups[group].len();
        }
        self.next = self.end;
    }

    /// Whether a group is one cell, whose value follows from the other clues at a glance.
    fn is_forced(&mut self, group: usize) -> bool {
        let [cell] = self.groups[group][..] else { return false };
        let map = &*self.map;
        let houses = &map.houses_of[cell];
        let bit = 1 << (self.cells[cell] - 1);
        self.taken.remove(houses, bit);
        let all = (1 << map.order) - 1;
        let is_only_place = |&house: &u8| {
            let mut cells = map.houses[usize::from(house)].iter();
            cells.all(|&other| {
                other == cell
                    || self.cells[other] != BLANK
                    || self.taken.around(&map.houses_of[other]) & bit != 0
            })
        };
        let is_forced =
            all & !self.taken.around(houses) == bit || houses[..map.depth].iter().any(is_only_place);
        self.taken.add(houses, bit);
        is_forced
    }
}
