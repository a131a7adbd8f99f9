//! Chooses which cells of a complete grid are left blank, and changes clues to make grids without
//! solution.

use std::fs;
use std::sync::OnceLock;

use gridjudge_grid::make::{GridKind, GridMaker, SeededRng};
use gridjudge_grid::solve::Solver;
use gridjudge_grid::{BLANK, House, Value};

use crate::authoring::stress::seed_grids;
use crate::authoring::stress::{Draft, DraftGrid, SeedGrid, ShapeSymmetries};
use crate::model::{Case, GridTask, Recipe, RecipeKind};
use crate::spec::puzzles_of_file;

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

// Grids from the recipes of a problem: one grid is made of each recipe, or read from a stored
// case, and varied by random symmetries.

/// The path of random numbers for recipes. Other paths are in `source.rs`.
const RECIPE: u64 = 2;

/// The recipes of a problem, and a grid of each.
pub(super) struct RecipeSource<'a> {
    task: &'a GridTask,
    recipes: &'a [Recipe],
    stored: &'a [Case],
    seed: u64,
    /// The grid of each recipe, made on first use; `None` if it cannot be made.
    made: Vec<OnceLock<Option<Vec<Value>>>>,
}

impl<'a> RecipeSource<'a> {
    pub(super) fn new(task: &'a GridTask, recipes: &'a [Recipe], seed: u64) -> Self {
        let made = recipes.iter().map(|_| OnceLock::new()).collect();
        Self {
            task,
            recipes,
            stored: &[],
            seed,
            made,
        }
    }

    pub(super) fn with_stored(self, stored: &'a [Case]) -> Self {
        Self { stored, ..self }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.recipes.is_empty()
    }

    /// A grid of a random recipe, under a random symmetry. Grids that are slow for a naive search
    /// are used unchanged, because a symmetry would spoil them, and only after the first set of
    /// seed grids is used up, because most programs fail before that.
    pub(super) fn grid(
        &self,
        set_number: u64,
        tools: &[ShapeTools],
        rng: &mut SeededRng,
    ) -> Option<DraftGrid> {
        let place = rng.below(self.recipes.len());
        let recipe = &self.recipes[place];
        let is_slow = matches!(recipe.kind, RecipeKind::Made(GridKind::Slow { .. }));
        if set_number == 0 && is_slow {
            return None;
        }
        let shapes = &self.task.format.shapes;
        let shape = shapes
            .iter()
            .position(|shape| shape.order() == recipe.order)?;
        let made = self.made[place].get_or_init(|| {
            // Slow grids also take long to make, so a stored one is used if there is one, and a
            // faster one otherwise.
            let stored = is_slow.then(|| self.stored(recipe, shape)).flatten();
            let rng = &mut SeededRng::new(self.seed, &[RECIPE, place as u64]);
            stored.or_else(|| match &recipe.kind {
                RecipeKind::Made(kind) => GridMaker::new(&shapes[shape])
                    .make(seed_grids::quickly_made(*kind), rng)
                    .ok(),
                RecipeKind::Collection(file) => {
                    let mut puzzles = puzzles_of_file(file).ok()?;
                    Some(puzzles.swap_remove(rng.below(puzzles.len())))
                }
            })
        });
        let cells = if is_slow {
            made.clone()?
        } else {
            tools[shape].symmetries.shuffled(made.as_ref()?, rng)
        };
        Some(DraftGrid { shape, cells })
    }

    /// The first grid of this shape in the first case of a recipe; `None` if that is not stored.
    fn stored(&self, recipe: &Recipe, shape: usize) -> Option<Vec<Value>> {
        let name = recipe.case(1);
        let case = self.stored.iter().find(|case| case.name == name)?;
        let grids = Draft::grids_of(self.task, &fs::read(&case.input).ok()?).ok()?;
        grids
            .into_iter()
            .find(|grid| grid.shape == shape)
            .map(|grid| grid.cells)
    }
}
