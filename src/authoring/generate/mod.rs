//! Generates cases from recipes in memory: makes every grid, writes it in the problem's
//! format, solves and measures it. Knows nothing of the files on disk. The same recipes
//! give the same bytes with any number of threads, because every grid has its own
//! stream of random numbers. Start at [`generated_cases`].

mod manifest;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use gridjudge_grid::Value;
use gridjudge_grid::format::write;
use gridjudge_grid::make::{GridKind, GridMaker, MakeError, Rater, SeededRng};
use rayon::prelude::*;
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

use crate::authoring::grids_of;
use crate::model::{GridTask, Problem, Recipe, RecipeKind};
use crate::proof;
use crate::spec::{Mistake, Mistakes, puzzles_of_file};
use crate::text::counted;

use manifest::{MadeGrid, columns_of_grids};

pub use manifest::{
    ENDINGS, FILE_NAME, GeneratedCase, Manifest, ManifestEntry, fingerprint,
};

/// Grids that one thread makes at a time: enough to prove them side by side, few enough
/// that every thread gets some.
const GRIDS_PER_BATCH: usize = 256;

/// Is told the name of a recipe, how many of its grids are made, and how many it has.
pub type RecipeProgress<'a> = dyn Fn(&str, usize, usize) + Sync + 'a;

/// Starts the threads on which grids are made and mutants are tested, for the whole
/// process; 0 for one on each core. They start no processes, so no timed run is
/// disturbed.
///
/// # Errors
/// If the threads cannot be started, or were started before.
pub fn start_threads(threads: usize) -> Result<(), ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(threads).build_global()
}

/// Generates the cases of all recipes, in their order, on all threads.
///
/// # Errors
/// If there are recipes and the problem is not one of grids. Otherwise one mistake for
/// every recipe that fails, with the reason, on its line of the problem's `spec`.
pub fn generated_cases(
    problem: &Problem,
    recipes: &[Recipe],
    spec: &Path,
    progress: &RecipeProgress<'_>,
) -> Result<Vec<GeneratedCase>, Mistakes> {
    if recipes.is_empty() {
        return Ok(vec![]);
    }
    let task = grids_of(problem, "generate")?;
    let made = Mistakes::of_all(recipes.iter().map(|recipe| {
        let cases = cases(task, recipe, progress);
        cases.map_err(|RecipeError { message, remedy }| {
            let message = format!("the recipe `{}` fails: {message}", recipe.name);
            let mistake = Mistake::new(spec, message, remedy);
            mistake.on_line(recipe.line).into()
        })
    }))?;
    Ok(made.into_iter().flatten().collect())
}

/// Why a recipe cannot be carried out.
struct RecipeError {
    message: String,
    remedy: String,
}

impl From<MakeError> for RecipeError {
    fn from(why: MakeError) -> Self {
        use MakeError::*;
        let remedy = match why {
            NotNine => "choose another kind",
            Full => {
                "correct the cages, inequalities, regions or diagonals of [grid] if they contradict each other"
            }
            Clues { .. } => "ask for more clues",
            Rated { .. } => "try another seed or another rating",
            Slow { .. } => "ask for fewer nodes, or try another seed",
            Several { .. } => {
                "leave more room between `solutions` and `most_solutions`"
            }
            Invalid => "ask for a larger order",
            Unsolvable => "choose another kind, or ask for order 5 or more",
        };
        Self {
            message: why.to_string(),
            remedy: remedy.to_owned(),
        }
    }
}

fn cases(
    task: &GridTask,
    recipe: &Recipe,
    progress: &RecipeProgress<'_>,
) -> Result<Vec<GeneratedCase>, RecipeError> {
    let grids = made_grids(task, recipe, progress)?;
    let files: Vec<_> = grids.chunks(recipe.grids as usize).zip(1..).collect();
    files
        .into_par_iter()
        .map(|(grids, number)| case(task, recipe, number, grids))
        .collect()
}

/// All grids of a recipe, in the order of its cases.
fn made_grids(
    task: &GridTask,
    recipe: &Recipe,
    progress: &RecipeProgress<'_>,
) -> Result<Vec<MadeGrid>, RecipeError> {
    // The spec rejects recipes whose order the problem does not have, so the fallback
    // is never used.
    let shape = task.format.shape_of_order(recipe.order);
    let shape = shape.unwrap_or(task.format.shape());
    // All grids are made together, because cases may be few and large, or many.
    let places: Vec<_> = (0..recipe.count)
        .flat_map(|case| (0..recipe.grids).map(move |grid| [case, grid]))
        .collect();
    let done = AtomicUsize::new(0);
    let advance = |more: usize| {
        let before = done.fetch_add(more, Ordering::Relaxed);
        progress(&recipe.name, before + more, places.len());
    };
    advance(0);
    let rater = Arc::new(Rater::new(shape));
    let made_grid = |cells| MadeGrid {
        shape: shape.clone(),
        rater: Arc::clone(&rater),
        cells,
    };
    match &recipe.kind {
        RecipeKind::Collection(file) => {
            let grids = drawn(recipe, file, places.len())?;
            advance(grids.len());
            Ok(grids.into_iter().map(made_grid).collect())
        }
        RecipeKind::Made(kind) => {
            let grids_per_batch = match kind {
                // Making these side by side is faster.
                GridKind::Minimal | GridKind::Symmetric(_) => GRIDS_PER_BATCH,
                _ => 1,
            };
            let batches = places.par_chunks(grids_per_batch).map_init(
                || GridMaker::new(shape),
                |maker, places| {
                    let rngs =
                        places.iter().map(|at| SeededRng::new(recipe.seed, at));
                    let mut rngs: Vec<_> = rngs.collect();
                    let made = if task.brings_maps() {
                        rngs.iter_mut()
                            .map(|rng| MadeGrid::with_own_map(shape, *kind, rng))
                            .collect()
                    } else {
                        let all = maker.make_many(*kind, &mut rngs);
                        all.map(|all| all.into_iter().map(made_grid).collect())
                    };
                    advance(places.len());
                    made
                },
            );
            let batches: Result<Vec<Vec<MadeGrid>>, MakeError> = batches.collect();
            Ok(batches?.into_iter().flatten().collect())
        }
    }
}

/// So many puzzles of a file, none of them twice, in an order that depends on the seed
/// of the recipe.
fn drawn(
    recipe: &Recipe,
    file: &Path,
    wanted: usize,
) -> Result<Vec<Vec<Value>>, RecipeError> {
    let mut puzzles = puzzles_of_file(file).map_err(|mistake| RecipeError {
        message: mistake.to_string(),
        remedy: mistake.remedy.unwrap_or_default(),
    })?;
    if puzzles.len() < wanted {
        let held = counted(puzzles.len(), "different puzzle");
        return Err(RecipeError {
            message: format!(
                "{} holds {held}, expected {wanted} or more",
                file.display()
            ),
            remedy: "lower `count` or `grids`".to_owned(),
        });
    }
    SeededRng::new(recipe.seed, &[]).shuffle(&mut puzzles);
    puzzles.truncate(wanted);
    Ok(puzzles)
}

fn case(
    task: &GridTask,
    recipe: &Recipe,
    number: u64,
    grids: &[MadeGrid],
) -> Result<GeneratedCase, RecipeError> {
    let placed: Vec<_> = grids
        .iter()
        .map(|grid| (&grid.shape, grid.cells.as_slice()))
        .collect();
    let input = write::input(&task.format, &placed).into_bytes();
    let mut answer = vec![];
    proof::solve_grids(task, input.as_slice(), &mut answer).map_err(|refusal| {
        RecipeError {
            message: format!("case {number}: {refusal}"),
            remedy: "choose a kind whose grids the problem has an answer for"
                .to_owned(),
        }
    })?;
    Ok(GeneratedCase {
        name: recipe.case(number),
        files: [input, answer],
        columns: columns_of_grids(&recipe.kind, recipe.order, grids),
    })
}

#[cfg(test)]
mod tests;
