//! Grids from the recipes of a problem: one grid is made of each recipe, or read from a stored
//! case, and varied by random symmetries.

use std::fs;
use std::sync::OnceLock;

use crate::authoring::stress::draft::{Draft, DraftGrid};
use crate::authoring::stress::seed_grids;
use crate::authoring::stress::source::blanks::ShapeTools;
use crate::model::{Case, GridTask, Recipe, RecipeKind};
use crate::spec::puzzles_of_file;
use gridjudge_grid::Value;
use gridjudge_grid::make::{GridKind, GridMaker, SeededRng};

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
