//! Chooses which cells of a complete grid are left blank, and changes clues to make grids without
//! solution.

use crate::authoring::stress::seed_grids::SeedGrid;
use crate::authoring::stress::symmetries::ShapeSymmetries;
use gridjudge_grid::make::SeededRng;
use gridjudge_grid::solve::Solver;
use gridjudge_grid::{BLANK, House, Value};

/// What is needed to make random grids of one shape.
pub(super) struct ShapeTools {
    pub(super) symmetries: ShapeSymmetries,
    pub(super) solver: Solver,
    pub(super) houses: Vec<House>,
}

/// A grid with few clues: those of the seed grid, or, if that is complete, what is left when 30 to
/// 60 percent of its cells are blanked.
pub(super) fn sparse(tools: &ShapeTools, seed_grid: &SeedGrid, rng: &mut SeededRng) -> Vec<Value> {
    if seed_grid.clues.contains(&BLANK) {
        return seed_grid.clues.clone();
    }
    let mut blanks = rng.order(seed_grid.clues.len());
    blanks.truncate(seed_grid.clues.len() * (30 + rng.below(31)) / 100);
    with_blanks(tools, &seed_grid.solution, blanks, 1)
}

/// The clues of a seed grid and a random share of its other cells.
pub(super) fn mixed(seed_grid: &SeedGrid, rng: &mut SeededRng) -> Vec<Value> {
    let share = rng.below(101);
    let cells = seed_grid.clues.iter().zip(&seed_grid.solution);
    cells
        .map(|(&clue, &value)| {
            if clue == BLANK && rng.below(100) < share {
                value
            } else {
                clue
            }
        })
        .collect()
}

/// A grid in which some houses, or all places of some symbols, are blank, and some other cells.
/// Clues are restored while there are more than `most` solutions.
pub(super) fn holes(
    tools: &ShapeTools,
    seed_grid: &SeedGrid,
    most: u64,
    rng: &mut SeededRng,
) -> Vec<Value> {
    let solution = &seed_grid.solution;
    let mut is_blank = vec![false; solution.len()];
    match rng.below(3) {
        0 => {
            for _ in 0..=rng.below(3) {
                let value = solution[rng.below(solution.len())];
                is_blank
                    .iter_mut()
                    .zip(solution)
                    .for_each(|(blank, &found)| *blank |= found == value);
            }
        }
        _ => {
            for _ in 0..=rng.below(3) {
                let house = &tools.houses[rng.below(tools.houses.len())];
                house.cells.iter().for_each(|&cell| is_blank[cell] = true);
            }
        }
    }
    let (mut first, mut others): (Vec<_>, Vec<_>) = rng
        .order(solution.len())
        .into_iter()
        .partition(|&cell| is_blank[cell]);
    // With several solutions allowed, the grid may be emptier.
    let share = if most == 1 {
        rng.below(50)
    } else {
        rng.below(101)
    };
    others.truncate(others.len() * share / 100);
    first.extend(others);
    with_blanks(tools, solution, first, most)
}

/// The complete grid with these cells blank. The last quarter of them is filled again while the
/// grid has more than `most` solutions, or they cannot be counted within bounds.
fn with_blanks(
    tools: &ShapeTools,
    solution: &[Value],
    mut blanks: Vec<usize>,
    most: u64,
) -> Vec<Value> {
    loop {
        let mut cells = solution.to_vec();
        blanks.iter().for_each(|&cell| cells[cell] = BLANK);
        if most == u64::MAX || blanks.is_empty() {
            return cells;
        }
        let counted = tools.solver.count(&cells, most.saturating_add(1));
        if counted.is_ok_and(|count| count <= most) {
            return cells;
        }
        blanks.truncate(blanks.len() * 3 / 4);
    }
}

/// Changes one clue to another symbol, if there is a clue and another symbol.
pub(super) fn altered(cells: &[Value], rng: &mut SeededRng) -> Vec<Value> {
    let mut cells = cells.to_vec();
    let order = cells.len().isqrt();
    let clues: Vec<_> = (0..cells.len())
        .filter(|&cell| cells[cell] != BLANK)
        .collect();
    if !clues.is_empty() && order > 1 {
        let cell = clues[rng.below(clues.len())];
        let step = 1 + rng.below(order - 1);
        cells[cell] = ((usize::from(cells[cell]) - 1 + step) % order + 1) as Value;
    }
    cells
}
