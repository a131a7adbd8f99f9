//! Makes random region maps: starts with the rows as regions, then lets neighbouring regions trade
//! cells repeatedly, keeping each in one piece.

use crate::make::rng::SeededRng;

/// The number of trades tried per cell: enough that nothing is left of the rows.
const TRADES: usize = 60;

/// The number of the region of each cell, for a grid of this order. Each region has `order` cells
/// and is in one piece.
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
                    && neighbours(order, cell).any(|next| next != given && regions[next] == giver)
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
            if regions[next] == regions[start] && !std::mem::replace(&mut seen[next], true) {
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
    let around = [
        (row > 0).then(|| cell - order),
        (column > 0).then(|| cell - 1),
        (column + 1 < order).then_some(cell + 1),
        (row + 1 < order).then_some(cell + order),
    ];
    around.into_iter().flatten()
}

#[cfg(test)]
mod tests {
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
                    (0..order * order).all(|cell| is_in_one_piece(order, &regions, cell)),
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
