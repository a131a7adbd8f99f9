//! Makes random inputs, as different from each other as a problem allows: few and many
//! grids, nearly full and nearly empty ones, empty houses, missing symbols, symmetric
//! clues, grids that are hard for a naive search, and grids with no or several
//! solutions where the problem has an answer for them. Chooses which cells of a
//! complete grid are left blank, and changes clues to make grids without solution.
//! Input number `k` depends only on the seed and `k`. Start at [`InputSource::input`].

use std::fs;
use std::sync::{Arc, OnceLock};

use gridjudge_grid::make::{GridKind, GridMaker, SeededRng};
use gridjudge_grid::solve::{SearchBounds, Solver};
use gridjudge_grid::{BLANK, GridCount, House, Layout, OrderPlace, Value};
use parking_lot::Mutex;

use crate::authoring::stress::{
    Draft, DraftGrid, SeedGrid, SeedGrids, ShapeSymmetries, seed_grids,
};
use crate::model::{Case, GridTask, Recipe, RecipeKind};
use crate::proof;
use crate::spec::puzzles_of_file;

/// Inputs made from one set of seed grids, before another set is made.
const INPUTS_PER_SEED_SET: u64 = 4096;

/// How often an input is drawn until the problem allows it. From draw `PLAIN_FROM` on,
/// inputs have only grids of the kind `Mixed`, which every problem allows.
const DRAWS: u64 = 6;
const PLAIN_FROM: u64 = 4;

/// The most solutions of grids with several, even if the problem allows more, so that
/// outputs stay small.
const MOST_SOLUTIONS: u64 = 200;

/// The largest order to which `MOST_SOLUTIONS` applies, and the limit for larger
/// orders, where the first of more solutions is hard to find.
const LARGEST_OPEN: usize = 9;
const MOST_SOLUTIONS_OF_LARGE: u64 = 20;

/// Bounds for the solver that counts solutions. A grid that exceeds them gets some
/// clues back, because inputs should be random, not hard.
const BOUNDS: SearchBounds = SearchBounds {
    patience: 20,
    dead_ends: 200,
};

/// Bounds for the solvers that compute answers. A grid that exceeds them, which takes a
/// second at order 25, is not used, because it would hold up the search.
const ANSWER_BOUNDS: SearchBounds = SearchBounds {
    patience: 20,
    dead_ends: 20_000,
};

/// The paths of random numbers for different purposes.
const INPUT: u64 = 0;
const SEED_SET: u64 = 1;
const RECIPE: u64 = 2;

/// Makes the random inputs of one problem. Many threads may use it at once.
pub struct InputSource<'a> {
    /// The task for which the inputs are made.
    pub task: &'a GridTask,
    seed: u64,
    recipes: &'a [Recipe],
    stored: &'a [Case],
    /// The grid of each recipe, made on first use; `None` if it cannot be made.
    made: Vec<OnceLock<Option<Vec<Value>>>>,
    /// The solvers that compute the answers, one for each shape of the problem.
    solvers: Vec<Solver>,
    /// For each shape of the problem.
    tools: Vec<ShapeTools>,
    /// The two sets that were made last.
    seed_sets: Mutex<Vec<Arc<SeedGridSets>>>,
}

/// A numbered set of seed grids for all shapes.
struct SeedGridSets {
    number: u64,
    /// For each shape of the problem, made on first use.
    of_shapes: Vec<OnceLock<SeedGrids>>,
}

/// A kind of random grids.
enum GridFlavour {
    /// Few clues.
    Sparse,
    /// Any number of clues.
    Mixed,
    /// Blank houses or symbols.
    Holes,
    /// No blank.
    Complete,
    /// Hard for a naive search.
    Slow,
    /// Made by a recipe of the problem.
    Recipe,
    /// With several solutions, or one.
    Open,
    /// Without solution, in most cases.
    Broken,
}

impl<'a> InputSource<'a> {
    /// The inputs of a problem for a seed. Grids of recipes that are slow to make are
    /// read from the `stored` cases, if the recipes' cases are among them.
    pub fn new(
        task: &'a GridTask,
        recipes: &'a [Recipe],
        stored: &'a [Case],
        seed: u64,
    ) -> Self {
        let tools = |shape| ShapeTools {
            symmetries: ShapeSymmetries::for_shape(shape),
            solver: Solver::new(shape).with_bounds(BOUNDS),
            houses: shape.houses(),
        };
        Self {
            task,
            seed,
            recipes,
            stored,
            made: recipes.iter().map(|_| OnceLock::new()).collect(),
            solvers: proof::solvers_of(task, ANSWER_BOUNDS),
            tools: task.format.shapes.iter().map(tools).collect(),
            seed_sets: Mutex::default(),
        }
    }

    /// The input with this number; `None` if no legal one was found.
    pub fn input(&self, number: u64) -> Option<Draft> {
        let seed_sets = self.seed_sets(number / INPUTS_PER_SEED_SET);
        (0..DRAWS).find_map(|draw| {
            let mut rng = SeededRng::new(self.seed, &[INPUT, number, draw]);
            let grids = self.grids(&seed_sets, draw >= PLAIN_FROM, &mut rng)?;
            self.draft(grids)
        })
    }

    /// The input with these grids; `None` if the problem does not allow it, or a solver
    /// gives up.
    pub fn draft(&self, grids: Vec<DraftGrid>) -> Option<Draft> {
        Draft::from_grids(self.task, &self.solvers, grids)
    }

    /// A random grid of a shape. It depends only on the seed and `number`.
    pub(super) fn grid_of_shape(
        &self,
        shape: usize,
        number: u64,
    ) -> Option<DraftGrid> {
        let mut rng = SeededRng::new(self.seed, &[INPUT, u64::MAX, number]);
        self.grid(&self.seed_sets(0), shape, false, &mut rng)
    }

    /// The symmetries of a shape.
    pub(super) fn symmetries_of(&self, shape: usize) -> &ShapeSymmetries {
        &self.tools[shape].symmetries
    }

    /// The set of seed grids with this number.
    fn seed_sets(&self, number: u64) -> Arc<SeedGridSets> {
        let mut known = self.seed_sets.lock();
        if let Some(seed_sets) =
            known.iter().find(|seed_sets| seed_sets.number == number)
        {
            return Arc::clone(seed_sets);
        }
        let of_shapes = self.tools.iter().map(|_| OnceLock::new()).collect();
        let made = Arc::new(SeedGridSets { number, of_shapes });
        known.push(Arc::clone(&made));
        // Other threads may still use the previous set. A thread that is further behind
        // makes its set again.
        if known.len() > 2 {
            known.remove(0);
        }
        made
    }

    fn grids(
        &self,
        seed_sets: &SeedGridSets,
        is_plain: bool,
        rng: &mut SeededRng,
    ) -> Option<Vec<DraftGrid>> {
        let input = &self.task.format.input;
        let is_mixed = input.order_at(OrderPlace::Case).is_some();
        let shapes = self.tools.len();
        let mut shape = rng.below(shapes);
        let order = self.task.format.shapes[shape].order() as u64;
        let count = number_of_grids(input, order * order, rng);
        (0..count)
            .map(|_| {
                if is_mixed {
                    shape = rng.below(shapes);
                }
                self.grid(seed_sets, shape, is_plain, rng)
            })
            .collect()
    }

    fn grid(
        &self,
        seed_sets: &SeedGridSets,
        shape: usize,
        is_plain: bool,
        rng: &mut SeededRng,
    ) -> Option<DraftGrid> {
        use GridFlavour::*;
        let seed_grids = seed_sets.of_shapes[shape].get_or_init(|| {
            SeedGrids::make(
                &self.task.format.shapes[shape],
                self.may_be_broken(),
                self.seed,
                &[SEED_SET, seed_sets.number],
            )
        });
        let seed_grid = seed_grids
            .unique
            .get(rng.below(seed_grids.unique.len().max(1)))?;
        let flavour = if is_plain { Mixed } else { self.flavour(rng) };
        let tools = &self.tools[shape];
        let cells = match flavour {
            Slow if !seed_grids.slow.is_empty() => {
                let cells = seed_grids.slow[rng.below(seed_grids.slow.len())].clone();
                return Some(DraftGrid { shape, cells });
            }
            Recipe => {
                let made = self.grid_of_recipe(seed_sets.number, rng);
                if made.is_some() {
                    return made;
                }
                mixed(seed_grid, rng)
            }
            Sparse | Slow => sparse(tools, seed_grid, rng),
            Mixed => mixed(seed_grid, rng),
            Holes => holes(tools, seed_grid, 1, rng),
            Complete => seed_grid.solution.clone(),
            Open => {
                let order = self.task.format.shapes[shape].order();
                holes(tools, seed_grid, self.most_solutions(order), rng)
            }
            Broken => {
                let hidden = seed_grids
                    .unsolvable
                    .get(rng.below(3 * seed_grids.unsolvable.len().max(1)));
                hidden
                    .cloned()
                    .unwrap_or_else(|| altered(&mixed(seed_grid, rng), rng))
            }
        };
        let cells = tools.symmetries.shuffled(&cells, rng);
        Some(DraftGrid { shape, cells })
    }

    // Grids from the recipes of a problem: one grid is made of each recipe, or read from
    // a stored case, and varied by random symmetries.

    /// A grid of a random recipe, under a random symmetry. Grids that are slow for a
    /// naive search are used unchanged, because a symmetry would spoil them, and only
    /// after the first set of seed grids is used up, because most programs fail before
    /// that.
    fn grid_of_recipe(
        &self,
        set_number: u64,
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
            // Slow grids also take long to make, so a stored one is used if there is
            // one, and a faster one otherwise.
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
            self.tools[shape].symmetries.shuffled(made.as_ref()?, rng)
        };
        Some(DraftGrid { shape, cells })
    }

    /// The first grid of this shape in the first case of a recipe; `None` if that is
    /// not stored.
    fn stored(&self, recipe: &Recipe, shape: usize) -> Option<Vec<Value>> {
        let name = recipe.case(1);
        let case = self.stored.iter().find(|case| case.name == name)?;
        Draft::grids_of(self.task, &fs::read(&case.input).ok()?)
            .ok()?
            .into_iter()
            .find(|grid| grid.shape == shape)
            .map(|grid| grid.cells)
    }

    /// Whether the problem has an answer for grids without solution.
    fn may_be_broken(&self) -> bool {
        let replies = &self.task.format.replies;
        replies.may_clash() && replies.may_lack_solutions()
    }

    fn flavour(&self, rng: &mut SeededRng) -> GridFlavour {
        use GridFlavour::*;
        let may_be_open = self.task.may_have_several();
        let weights = [
            (Sparse, 4),
            (Mixed, 6),
            (Holes, 6),
            (Complete, 1),
            (Slow, 1),
            (Recipe, if self.recipes.is_empty() { 0 } else { 18 }),
            (Open, if may_be_open { 5 } else { 0 }),
            (Broken, if self.may_be_broken() { 3 } else { 0 }),
        ];
        let mut drawn = rng.below(weights.iter().map(|(_, weight)| weight).sum());
        for (flavour, weight) in weights {
            if drawn < weight {
                return flavour;
            }
            drawn -= weight;
        }
        Mixed
    }

    /// The most solutions that a random grid may have.
    fn most_solutions(&self, order: usize) -> u64 {
        let is_large = order > LARGEST_OPEN;
        let default = if is_large {
            MOST_SOLUTIONS_OF_LARGE
        } else {
            MOST_SOLUTIONS
        };
        match self.task.accept.most() {
            Some(most) if self.task.format.replies.several.is_none() => {
                most.min(default)
            }
            None if !is_large => u64::MAX,
            _ => default,
        }
    }
}

// Chooses how many grids an input holds.

/// The most cells of an input.
const MOST_CELLS: u64 = 20_000;

/// A random number of grids. Most inputs are small, so that many can be run; some are
/// large, and some as large as allowed.
fn number_of_grids(input: &Layout, cells: u64, rng: &mut SeededRng) -> u64 {
    if matches!(input.count, GridCount::One | GridCount::AsInput) {
        return 1;
    }
    let room = (MOST_CELLS / cells.max(1)).max(1);
    let most = input.count.most().min(room);
    let mut between =
        |least: u64, most: u64| least + rng.below((most - least + 1) as usize) as u64;
    let count = match between(1, 1000) {
        1..=550 => 1,
        551..=850 => between(2, 4),
        851..=960 => between(5, 12),
        961..=992 => between(13, 40),
        993..=996 if input.may_be_empty => 0,
        _ => most,
    };
    count.min(most)
}

/// What is needed to make random grids of one shape.
struct ShapeTools {
    symmetries: ShapeSymmetries,
    solver: Solver,
    houses: Vec<House>,
}

/// A grid with few clues: those of the seed grid, or, if that is complete, what is left
/// when 30 to 60 percent of its cells are blanked.
fn sparse(
    tools: &ShapeTools,
    seed_grid: &SeedGrid,
    rng: &mut SeededRng,
) -> Vec<Value> {
    if seed_grid.clues.contains(&BLANK) {
        return seed_grid.clues.clone();
    }
    let mut blanks = rng.order(seed_grid.clues.len());
    blanks.truncate(seed_grid.clues.len() * (30 + rng.below(31)) / 100);
    with_blanks(tools, &seed_grid.solution, blanks, 1)
}

/// The clues of a seed grid and a random share of its other cells.
fn mixed(seed_grid: &SeedGrid, rng: &mut SeededRng) -> Vec<Value> {
    let share = rng.below(101);
    seed_grid
        .clues
        .iter()
        .zip(&seed_grid.solution)
        .map(|(&clue, &value)| {
            if clue == BLANK && rng.below(100) < share {
                value
            } else {
                clue
            }
        })
        .collect()
}

/// A grid in which some houses, or all places of some symbols, are blank, and some
/// other cells. Clues are restored while there are more than `most` solutions.
fn holes(
    tools: &ShapeTools,
    seed_grid: &SeedGrid,
    most: u64,
    rng: &mut SeededRng,
) -> Vec<Value> {
    let solution = &seed_grid.solution;
    let mut is_blank = vec![false; solution.len()];
    let is_by_symbols = rng.below(3) == 0;
    for _ in 0..=rng.below(3) {
        if is_by_symbols {
            let value = solution[rng.below(solution.len())];
            for (blank, &found) in is_blank.iter_mut().zip(solution) {
                *blank |= found == value;
            }
        } else {
            let house = &tools.houses[rng.below(tools.houses.len())];
            for &cell in &house.cells {
                is_blank[cell] = true;
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

/// The complete grid with these cells blank. The last quarter of them is filled again
/// while the grid has more than `most` solutions, or they cannot be counted within
/// bounds.
fn with_blanks(
    tools: &ShapeTools,
    solution: &[Value],
    mut blanks: Vec<usize>,
    most: u64,
) -> Vec<Value> {
    loop {
        let mut cells = solution.to_vec();
        for &cell in &blanks {
            cells[cell] = BLANK;
        }
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
fn altered(cells: &[Value], rng: &mut SeededRng) -> Vec<Value> {
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

#[cfg(test)]
mod tests;
