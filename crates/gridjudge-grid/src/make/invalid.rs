//! Makes grids in which two clues clash and nothing else is wrong.

use crate::house_map::HouseMap;
use crate::make::rng::SeededRng;
use crate::{Arithmetic, ArithmeticBreach, ArithmeticNarrowing, BLANK, Value};

/// Changes a complete grid so that exactly two clues clash. Half of the grids keep all cells that
/// do not clash with these two; the others keep fewer, down to a third.
pub(super) fn invalid(map: &HouseMap, mut cells: Vec<Value>, rng: &mut SeededRng) -> Vec<Value> {
    let house = &map.houses[rng.below(map.houses.len())];
    let places = rng.order(house.len());
    let kept = house[places[0]];
    let changed = house[places[1]];
    let value = cells[kept];
    cells[changed] = value;
    for &peer in map.peers[changed].iter().filter(|&&peer| peer != kept) {
        if cells[peer] == value {
            cells[peer] = BLANK;
        }
    }
    if rng.below(2) == 0 {
        let blanks = rng.below(2 * cells.len() / 3 + 1);
        let others = rng
            .order(cells.len())
            .into_iter()
            .filter(|&cell| cell != kept && cell != changed);
        others.take(blanks).for_each(|cell| cells[cell] = BLANK);
    }
    let demands = map.arithmetic.as_ref().map(ArithmeticNarrowing::demands);
    while let Some(cell) =
        demands.and_then(|demands| broken_elsewhere(demands, &cells, [kept, changed]))
    {
        cells[cell] = BLANK;
    }
    cells
}

/// A cell in a broken cage or inequality, other than the two that clash; `None` if there is none.
fn broken_elsewhere(demands: &Arithmetic, cells: &[Value], clashing: [usize; 2]) -> Option<usize> {
    demands.breaches(cells).find_map(|breach| {
        let involved = match breach {
            ArithmeticBreach::Repeated { first, second, .. } => vec![first, second],
            ArithmeticBreach::Target { cage, .. } => demands.cages[cage].cells.clone(),
            ArithmeticBreach::NotLess(pair) => vec![pair.less, pair.greater],
        };
        involved.into_iter().find(|cell| !clashing.contains(cell))
    })
}
