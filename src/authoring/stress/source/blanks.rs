//! Which cells of a complete grid are left blank, and how one of the others is spoiled.

use crate::authoring::stress::seed_grids::SeedGrid;
use crate::authoring::stress::symmetries::ShapeSymmetries;
use gridjudge_grid::BLANK;
use gridjudge_grid::House;
use gridjudge_grid::Value;
use gridjudge_grid::make::SeededRng;
use gridjudge_grid::solve::Solver;

/// What is needed to make grids of one shape.
pub(super) struct ShapeTools {
    pub(super) turns: ShapeSymmetries,
    pub(super) solver: Solver,
    pub(super) houses: Vec<House>,
}

/// As few clues as the item has, or, of a complete one, as few as chance gives.
pub(super) fn sparse(making: &ShapeTools, item: &SeedGrid, rng: &mut SeededRng) -> Vec<Value> {
    if item.clues.contains(&BLANK) {
        return item.clues.clone();
    }
    let mut blanks = rng.order(item.clues.len());
    blanks.truncate(item.clues.len() * (30 + rng.below(31)) / 100);
    tamed(making, &item.solution, blanks, 1)
}

/// The clues of an item and some more.
pub(super) fn mixed(item: &SeedGrid, rng: &mut SeededRng) -> Vec<Value> {
    let share = rng.below(101);
    let cells = item.clues.iter().zip(&item.solution);
    cells.map(|(&clue, &value)| if clue == BLANK && rng.below(100) < share { value } else { clue }).collect()
}

/// Some houses blank, or all of some symbols, and a few cells elsewhere; clues come back as long as there are more
/// solutions than there may be.
pub(super) fn holes(making: &ShapeTools, item: &SeedGrid, most: u64, rng: &mut SeededRng) -> Vec<Value> {
    let solution = &item.solution;
    let mut is_blank = vec![false; solution.len()];
    match rng.below(3) {
        0 => {
            for _ in 0..=rng.below(3) {
                let value = solution[rng.below(solution.len())];
                is_blank.iter_mut().zip(solution).for_each(|(blank, &found)| *blank |= found == value);
            }
        }
        _ => {
            for _ in 0..=rng.below(3) {
                let house = &making.houses[rng.below(making.houses.len())];
                house.cells.iter().for_each(|&cell| is_blank[cell] = true);
            }
        }
    }
    let (mut first, mut others): (Vec<_>, Vec<_>) =
        rng.order(solution.len()).into_iter().partition(|&cell| is_blank[cell]);
    // The more solutions there may be, the emptier it may get.
    let share = if most == 1 { rng.below(50) } else { rng.below(101) };
    others.truncate(others.len() * share / 100);
    first.extend(others);
    tamed(making, solution, first, most)
}

/// A complete grid with these cells blank, save the last of them, as many as it takes to have no more solutions than there
/// may be.
fn tamed(making: &ShapeTools, solution: &[Value], mut blanks: Vec<usize>, most: u64) -> Vec<Value> {
    loop {
        let mut cells = solution.to_vec();
        blanks.iter().for_each(|&cell| cells[cell] = BLANK);
        let counted = || making.solver.count(&cells, most.saturating_add(1));
        if most == u64::MAX || blanks.is_empty() || counted().is_ok_and(|count| count <= most) {
            return cells;
        }
        blanks.truncate(blanks.len() * 3 / 4);
    }
}

/// The same clues but one, which is another, if there is any.
pub(super) fn altered(cells: &[Value], rng: &mut SeededRng) -> Vec<Value> {
    let mut cells = cells.to_vec();
    let order = cells.len().isqrt();
    let clues: Vec<_> = (0..cells.len()).filter(|&cell| cells[cell] != BLANK).collect();
    if !clues.is_empty() && order > 1 {
        let cell = clues[rng.below(clues.len())];
        let step = 1 + rng.below(order - 1);
        cells[cell] = ((usize::from(cells[cell]) - 1 + step) % order + 1) as Value;
    }
    cells
}
