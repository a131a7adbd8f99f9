//! Makes random complete grids, with cages and inequalities too, and random region
//! maps. Every complete grid is possible, though not all are equally likely.

use crate::house_map::{HouseMap, PlacedValues, value_of};
use crate::make::rate::{self, CandidateGrid, MakeError};
use crate::make::rng::SeededRng;
use crate::solve::Solver;
use crate::{BLANK, Value};

/// The number of values placed per cell before an attempt is abandoned and another
/// started. A 9x9 grid takes 1.6.
const PATIENCE: usize = 6;

/// The number of attempts with each method. For plain 9x9 grids, the first nearly
/// always succeeds.
const ATTEMPTS: usize = 20;

/// A complete grid. With cages and inequalities, gives cell after cell a random value
/// that leaves a solution, until exactly one is left. Only the number of solutions is
/// used, so the result does not depend on the solver's search order.
///
/// # Errors
/// Returns [`MakeError::Full`] if none was found: there may be none of this shape.
pub(super) fn full_grid(
    map: &HouseMap,
    solver: &Solver,
    rng: &mut SeededRng,
) -> Result<Vec<Value>, MakeError> {
    if map.arithmetic.is_none() {
        return (0..ATTEMPTS)
            .find_map(|_| attempt(map, rng))
            .or_else(|| (0..ATTEMPTS).find_map(|_| careful_attempt(map, rng)))
            .ok_or(MakeError::Full);
    }
    let mut cells = vec![BLANK; map.houses_of.len()];
    for cell in rng.order(cells.len()) {
        for value in rng.values(map.values) {
            cells[cell] = value;
            let mut found =
                solver.solutions(&cells, 2).map_err(|_| MakeError::Full)?;
            match found.len() {
                0 => cells[cell] = BLANK,
                1 => return found.pop().ok_or(MakeError::Full),
                _ => break,
            }
        }
        if cells[cell] == BLANK {
            break;
        }
    }
    Err(MakeError::Full)
}

/// Fills cell after cell in reading order, each with a random value that fits.
fn attempt(map: &HouseMap, rng: &mut SeededRng) -> Option<Vec<Value>> {
    let HouseMap {
        order, houses_of, ..
    } = map;
    let all = (1u32 << order) - 1;
    let mut taken = PlacedValues::new();
    // For each filled cell, its value and the values not yet tried.
    let mut filled: Vec<(u32, u32)> = Vec::with_capacity(houses_of.len());
    for _ in 0..PATIENCE * houses_of.len() {
        let Some(houses) = houses_of.get(filled.len()) else {
            return Some(
                filled
                    .into_iter()
                    .map(|(placed, _)| value_of(placed))
                    .collect(),
            );
        };
        let mut left = all & !taken.around(houses);
        while left == 0 {
            let (placed, others) = filled.pop()?;
            taken.remove(&houses_of[filled.len()], placed);
            left = others;
        }
        let placed = rng.bit(left);
        taken.add(&houses_of[filled.len()], placed);
        filled.push((placed, left ^ placed));
    }
    None
}

/// Repeatedly decides a cell with the fewest candidates at random and follows all
/// singles. Large grids and irregular regions need this.
fn careful_attempt(map: &HouseMap, rng: &mut SeededRng) -> Option<Vec<Value>> {
    let empty = vec![0; map.houses_of.len()];
    let mut open: Vec<_> = CandidateGrid::new(map, &empty).into_iter().collect();
    for _ in 0..PATIENCE * empty.len() {
        let mut grid = open.pop()?;
        if rate::singles(map, &mut grid).is_err() {
            continue;
        }
        let Some((cell, mut left)) = grid.narrowest() else {
            return Some(grid.values());
        };
        while left != 0 {
            let bit = rng.bit(left);
            left ^= bit;
            open.push(grid.with(cell, bit));
        }
    }
    None
}

// Makes random region maps: starts with the rows as regions, then lets neighbouring
// regions trade cells repeatedly, keeping each in one piece.

/// The number of trades tried per cell: enough that nothing is left of the rows.
const TRADES: usize = 60;

/// The number of the region of each cell, for a grid of this order. Each region has
/// `order` cells and is in one piece.
pub fn random_regions(order: usize, rng: &mut SeededRng) -> Vec<u8> {
    let cells = order * order;
    // The order fits a byte.
    let mut regions: Vec<u8> = (0..cells).map(|cell| (cell / order) as u8).collect();
    for _ in 0..TRADES * cells {
        let given = rng.below(cells);
        let giver = regions[given];
        let takers: Vec<_> = neighbours(order, given)
            .map(|cell| regions[cell])
            .filter(|&taker| taker != giver)
            .collect();
        if takers.is_empty() {
            continue;
        }
        let taker = takers[rng.below(takers.len())];
        // The cell given in return must touch the giver.
        let back: Vec<_> = (0..cells)
            .filter(|&cell| {
                regions[cell] == taker
                    && neighbours(order, cell)
                        .any(|next| next != given && regions[next] == giver)
            })
            .collect();
        if back.is_empty() {
            continue;
        }
        let back = back[rng.below(back.len())];
        (regions[given], regions[back]) = (taker, giver);
        if ![given, back]
            .iter()
            .all(|&cell| is_in_one_piece(order, &regions, cell))
        {
            (regions[given], regions[back]) = (giver, taker);
        }
    }
    regions
}

/// Whether all cells of the region of `start` can be reached from it within the region.
fn is_in_one_piece(order: usize, regions: &[u8], start: usize) -> bool {
    let mut seen = vec![false; regions.len()];
    let mut open = vec![start];
    let mut count = 0;
    seen[start] = true;
    while let Some(cell) = open.pop() {
        count += 1;
        for next in neighbours(order, cell) {
            if regions[next] == regions[start]
                && !std::mem::replace(&mut seen[next], true)
            {
                open.push(next);
            }
        }
    }
    count == order
}

/// The cells that share a side with this one.
fn neighbours(order: usize, cell: usize) -> impl Iterator<Item = usize> {
    let row = cell / order;
    let column = cell % order;
    [
        (row > 0).then(|| cell - order),
        (column > 0).then(|| cell - 1),
        (column + 1 < order).then_some(cell + 1),
        (row + 1 < order).then_some(cell + order),
    ]
    .into_iter()
    .flatten()
}

#[cfg(test)]
mod random_regions_tests {
    use super::*;
    use crate::Shape;

    #[test]
    fn each_region_is_in_one_piece_and_has_as_many_cells_as_the_grid_has_rows() {
        for order in [1, 2, 5, 9] {
            for seed in 0..10 {
                let regions = random_regions(order, &mut SeededRng::new(seed, &[]));
                assert!(
                    Shape::latin(order as u64)
                        .unwrap()
                        .with_regions(&regions)
                        .is_ok(),
                    "{order} {seed}"
                );
                assert!(
                    (0..order * order)
                        .all(|cell| is_in_one_piece(order, &regions, cell)),
                    "{order} {seed}"
                );
            }
        }
    }

    #[test]
    fn little_is_left_of_the_rows_and_different_seeds_give_different_maps() {
        let map = |seed| random_regions(9, &mut SeededRng::new(seed, &[]));
        let rows_left = |map: &[u8]| {
            map.chunks(9)
                .filter(|row| row.iter().all(|region| *region == row[0]))
                .count()
        };
        assert!((0..10).all(|seed| rows_left(&map(seed)) <= 1));
        assert_ne!(map(1), map(2));
        assert_eq!(map(3), map(3));
    }
}
