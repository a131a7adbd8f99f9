//! Finds swaps of two values that turn one complete grid into another: sets of cells with these
//! values that contain, of every house, both cells or neither. As long as one of these cells is a
//! clue, the swap is forbidden; if none is, there are at least two solutions.

use crate::Value;
use crate::house_map::HouseMap;

/// The mark of a cell and value without a swap.
const NONE: u16 = u16::MAX;

/// The swaps of a complete grid, and the number of clues that forbid each.
#[derive(Clone, Debug)]
pub(super) struct UnavoidableSets {
    /// For each cell and each other value, the swap with that value that the cell is part of.
    of_cell: Vec<u16>,
    /// The number of other values: the order less one.
    others: usize,
    /// For each swap, how many of its cells are clues.
    clues: Vec<u16>,
}

impl UnavoidableSets {
    /// The smallest swaps of a complete grid, in which every cell is a clue.
    pub(super) fn of(map: &HouseMap, full: &[Value]) -> Self {
        let others = map.order - 1;
        let mut new = Self {
            of_cell: vec![NONE; full.len() * others],
            others,
            clues: Vec::new(),
        };
        let mut place = vec![0; map.houses.len() * map.order];
        for (number, house) in map.houses.iter().enumerate() {
            house
                .iter()
                .for_each(|&cell| place[number * map.order + usize::from(full[cell]) - 1] = cell);
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
    fn gather(&mut self, map: &HouseMap, place: &[usize], open: &mut Vec<(usize, Value, Value)>) {
        // Order 25 has 300 pairs of values and at most 12 swaps of each, so the number fits.
        let number = self.clues.len() as u16;
        let mut cells = 0;
        while let Some((cell, value, other)) = open.pop() {
            let index = self.index(cell, value, other);
            if std::mem::replace(&mut self.of_cell[index], number) == number {
                continue;
            }
            cells += 1;
            for &house in &map.houses_of[cell][..map.depth] {
                let partner = place[usize::from(house) * map.order + usize::from(other) - 1];
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

    /// Removes these clues from the counts, unless that would allow a swap. Returns whether it did.
    pub(super) fn blank(&mut self, cells: &[usize]) -> bool {
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
    pub(super) fn restore(&mut self, cells: &[usize]) {
        for &cell in cells {
            for &swap in &self.of_cell[self.others * cell..][..self.others] {
                self.clues[usize::from(swap)] += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
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
            let swaps = UnavoidableSets::of(&map, &full);
            for number in 0..swaps.clues.len() {
                let mut swapped = full.clone();
                let mut cells = 0;
                for (cell, &value) in full.iter().enumerate() {
                    let others = (1..=map.order as Value).filter(|&other| other != value);
                    for other in others {
                        if usize::from(swaps.of_cell[swaps.index(cell, value, other)]) == number {
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
