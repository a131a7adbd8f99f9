//! Grids that the recipes of a problem make, or have made at an earlier time: each once, turned by ever other symmetries.

use std::fs;
use std::sync::OnceLock;

use crate::authoring::stress::draft::Draft;
use crate::authoring::stress::draft::DraftGrid;
use crate::authoring::stress::source::blanks::ShapeTools;
use crate::model::Case;
use crate::model::GridTask;
use crate::model::Recipe;
use gridjudge_grid::Value;
use gridjudge_grid::make::GridKind;
use gridjudge_grid::make::GridMaker;
use gridjudge_grid::make::SeededRng;

/// The path of random numbers for recipes. The others are in `source.rs`.
const RECIPE: u64 = 2;

/// The recipes of a problem, and a grid of each.
pub(super) struct RecipeSource<'a> {
    task: &'a GridTask,
    recipes: &'a [Recipe],
    stored: &'a [Case],
    seed: u64,
    /// Made when it is first needed.
    made: Vec<OnceLock<Option<Vec<Value>>>>,
}

impl<'a> RecipeSource<'a> {
    pub(super) fn new(task: &'a GridTask, recipes: &'a [Recipe], seed: u64) -> Self {
        let made = recipes.iter().map(|_| OnceLock::new()).collect();
        Self { task, recipes, stored: &[], seed, made }
    }

    pub(super) fn with_stored(self, stored: &'a [Case]) -> Self {
        Self { stored, ..self }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.recipes.is_empty()
    }

    /// A grid of one of the recipes, under another symmetry unless that would spoil it. Those that are slow for a naive search
    /// come when the first stock is used up: most programs fail before.
    pub(super) fn grid(&self, stock: u64, makings: &[ShapeTools], rng: &mut SeededRng) -> Option<DraftGrid> {
        let place = rng.below(self.recipes.len());
        let recipe = &self.recipes[place];
        let is_slow = matches!(recipe.kind, GridKind::Slow { .. });
        if stock == 0 && is_slow {
            return None;
        }
        let shapes = &self.task.format.shapes;
        let shape = shapes.iter().position(|shape| shape.order() == recipe.order)?;
        let made = self.made[place].get_or_init(|| {
            // What is slow to solve is slow to make.
            let stored = is_slow.then(|| self.stored(recipe, shape)).flatten();
            let rng = &mut SeededRng::new(self.seed, &[RECIPE, place as u64]);
            stored.or_else(|| GridMaker::new(&shapes[shape]).make(recipe.kind, rng).ok())
        });
        let cells = match is_slow {
            true => made.clone()?,
            false => makings[shape].turns.shuffled(made.as_ref()?, rng),
        };
        Some(DraftGrid { shape, cells })
    }

    /// The first grid that a recipe has made at an earlier time, if that was kept.
    fn stored(&self, recipe: &Recipe, shape: usize) -> Option<Vec<Value>> {
        let name = recipe.case(1);
        let case = self.stored.iter().find(|case| case.name == name)?;
        let grids = Draft::grids_of(self.task, &fs::read(&case.input).ok()?).ok()?;
        grids.into_iter().find(|grid| grid.shape == shape).map(|grid| grid.cells)
    }
}
