//! Random inputs, as unlike each other as a problem allows: few and many grids, nearly full and nearly empty ones, empty
//! houses, missing symbols, symmetric clues, grids that are hard for a naive search, and such without or with several
//! solutions where there is an answer to them. Input number `k` depends on the seed and `k` alone. Start at
//! [`InputSource::input`].

mod blanks;
mod recipes;
mod size;

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::OnceLock;
use std::sync::PoisonError;

use crate::authoring::stress::draft::Draft;
use crate::authoring::stress::draft::DraftGrid;
use crate::authoring::stress::seed_grids::SeedGrid;
use crate::authoring::stress::seed_grids::SeedGrids;
use crate::authoring::stress::source::blanks::ShapeTools;
use crate::authoring::stress::source::recipes::RecipeSource;
use crate::authoring::stress::symmetries::ShapeSymmetries;
use crate::model::Case;
use crate::model::GridTask;
use crate::model::Recipe;
use crate::proof;
use gridjudge_grid::OrderPlace;
use gridjudge_grid::make::SeededRng;
use gridjudge_grid::solve::SearchBounds;
use gridjudge_grid::solve::Solver;

/// Inputs made of one stock, before another is made.
const INPUTS_OF_A_STOCK: u64 = 4096;

/// How often an input is drawn until the problem allows it. The last draws hold nothing that it could refuse.
const DRAWS: u64 = 6;
const TAME_FROM: u64 = 4;

/// The most solutions of grids that are to have several, where more are allowed: an output is to stay small.
const MOST_SOLUTIONS: u64 = 200;

/// The same for grids whose order is larger than this: where there are more, the first is hard to find.
const LARGEST_OPEN: usize = 9;
const MOST_SOLUTIONS_OF_LARGE: u64 = 20;

/// A grid that takes more dead ends than this gets clues back: it is to be random, not hard.
const BOUNDS: SearchBounds = SearchBounds { patience: 20, dead_ends: 200 };

/// A grid that takes more than this, a second at order 25, has no answer here: it would hold up the search.
const ANSWER_BOUNDS: SearchBounds = SearchBounds { patience: 20, dead_ends: 20_000 };

/// The paths of random numbers for different purposes.
const INPUT: u64 = 0;
const STOCK: u64 = 1;

/// Where random inputs of one problem come from. May be asked from many threads at once.
pub struct InputSource<'a> {
    task: &'a GridTask,
    seed: u64,
    dishes: RecipeSource<'a>,
    /// Say what the right answers are.
    solvers: Vec<Solver>,
    /// For each shape of the problem.
    makings: Vec<ShapeTools>,
    /// Those in use.
    stocks: Mutex<Vec<Arc<SeedGridSets>>>,
}

/// The stocks of one number.
struct SeedGridSets {
    number: u64,
    /// For each shape of the problem, made when it is first needed.
    of_shapes: Vec<OnceLock<SeedGrids>>,
}

/// What a grid is to be like.
#[derive(Clone, Copy, Debug)]
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
    /// As a recipe of the problem says.
    Recipe,
    /// With several solutions, or one.
    Open,
    /// Without solution, or nearly so.
    Broken,
}

impl<'a> InputSource<'a> {
    /// The inputs of a problem that come of a seed.
    pub fn new(task: &'a GridTask, recipes: &'a [Recipe], seed: u64) -> Self {
        let making = |shape| ShapeTools {
            turns: ShapeSymmetries::of(shape),
            solver: Solver::new(shape).with_bounds(BOUNDS),
            houses: shape.houses(),
        };
        Self {
            task,
            seed,
            dishes: RecipeSource::new(task, recipes, seed),
            solvers: proof::solvers_of(task, ANSWER_BOUNDS),
            makings: task.format.shapes.iter().map(making).collect(),
            stocks: Mutex::default(),
        }
    }

    /// The same, but what is slow to make is taken from these cases, if they hold what recipes have made.
    pub fn with_stored(self, stored: &'a [Case]) -> Self {
        Self { dishes: self.dishes.with_stored(stored), ..self }
    }

    /// What the inputs are for.
    pub fn task(&self) -> &'a GridTask {
        self.task
    }

    /// The input of this number; `None` if no legal one was found.
    pub fn input(&self, number: u64) -> Option<Draft> {
        let stocks = self.stocks(number / INPUTS_OF_A_STOCK);
        (0..DRAWS).find_map(|draw| {
            let mut rng = SeededRng::new(self.seed, &[INPUT, number, draw]);
            let grids = self.grids(&stocks, draw >= TAME_FROM, &mut rng)?;
            self.draft(grids)
        })
    }

    /// The input of these grids, if the problem allows it.
    pub fn draft(&self, grids: Vec<DraftGrid>) -> Option<Draft> {
        Draft::of(self.task, &self.solvers, grids)
    }

    /// A grid of a shape that an input may hold, of the same seed for the same number.
    pub(super) fn grid_of_shape(&self, shape: usize, number: u64) -> Option<DraftGrid> {
        let mut rng = SeededRng::new(self.seed, &[INPUT, u64::MAX, number]);
        self.grid(&self.stocks(0), shape, false, &mut rng)
    }

    /// Another guise of each grid that one step leads to.
    pub(super) fn turns_of(&self, shape: usize) -> &ShapeSymmetries {
        &self.makings[shape].turns
    }

    /// The stocks of this number.
    fn stocks(&self, number: u64) -> Arc<SeedGridSets> {
        let mut known = self.stocks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stocks) = known.iter().find(|stocks| stocks.number == number) {
            return Arc::clone(stocks);
        }
        let of_shapes = self.makings.iter().map(|_| OnceLock::new()).collect();
        known.push(Arc::new(SeedGridSets { number, of_shapes }));
        // Other threads may still be at the one before. Who is further behind makes his anew.
        if known.len() > 2 {
            known.remove(0);
        }
        Arc::clone(&known[known.len() - 1])
    }

    fn grids(&self, stocks: &SeedGridSets, is_tame: bool, rng: &mut SeededRng) -> Option<Vec<DraftGrid>> {
        let input = &self.task.format.input;
        let is_mixed = input.order_line.is_some_and(|order| order.place == OrderPlace::Case);
        let shapes = self.makings.len();
        let mut shape = rng.below(shapes);
        let order = self.task.format.shapes[shape].order() as u64;
        let count = size::number_of_grids(input, order * order, rng);
        let grids = (0..count).map(|_| {
            if is_mixed {
                shape = rng.below(shapes);
            }
            self.grid(stocks, shape, is_tame, rng)
        });
        grids.collect()
    }

    fn grid(
        &self,
        stocks: &SeedGridSets,
        shape: usize,
        is_tame: bool,
        rng: &mut SeededRng,
    ) -> Option<DraftGrid> {
        let stock = stocks.of_shapes[shape].get_or_init(|| {
            SeedGrids::make(
                &self.task.format.shapes[shape],
                self.may_be_broken(),
                self.seed,
                &[STOCK, stocks.number],
            )
        });
        let item = stock.unique.get(rng.below(stock.unique.len().max(1)))?;
        let flavour = if is_tame { GridFlavour::Mixed } else { self.flavour(rng) };
        let making = &self.makings[shape];
        let cells = match flavour {
            GridFlavour::Slow if !stock.slow.is_empty() => stock.slow[rng.below(stock.slow.len())].clone(),
            GridFlavour::Recipe => {
                let dish = self.dishes.grid(stocks.number, &self.makings, rng);
                return dish.or_else(|| self.plain(making, shape, item, rng));
            }
            GridFlavour::Sparse | GridFlavour::Slow => {
                making.turns.shuffled(&blanks::sparse(making, item, rng), rng)
            }
            GridFlavour::Mixed => return self.plain(making, shape, item, rng),
            GridFlavour::Holes => making.turns.shuffled(&blanks::holes(making, item, 1, rng), rng),
            GridFlavour::Complete => making.turns.shuffled(&item.solution, rng),
            GridFlavour::Open => {
                let order = self.task.format.shapes[shape].order();
                making.turns.shuffled(&blanks::holes(making, item, self.most_solutions(order), rng), rng)
            }
            GridFlavour::Broken => {
                let hidden = stock.unsolvable.get(rng.below(3 * stock.unsolvable.len().max(1)));
                let cells =
                    hidden.cloned().unwrap_or_else(|| blanks::altered(&blanks::mixed(item, rng), rng));
                making.turns.shuffled(&cells, rng)
            }
        };
        Some(DraftGrid { shape, cells })
    }

    fn plain(
        &self,
        making: &ShapeTools,
        shape: usize,
        item: &SeedGrid,
        rng: &mut SeededRng,
    ) -> Option<DraftGrid> {
        Some(DraftGrid { shape, cells: making.turns.shuffled(&blanks::mixed(item, rng), rng) })
    }

    /// Whether there is an answer to grids without solution.
    fn may_be_broken(&self) -> bool {
        let replies = &self.task.format.replies;
        replies.may_clash() && replies.may_lack_solutions()
    }

    fn flavour(&self, rng: &mut SeededRng) -> GridFlavour {
        let may_be_open = self.task.may_have_several();
        let weights = [
            (GridFlavour::Sparse, 4),
            (GridFlavour::Mixed, 6),
            (GridFlavour::Holes, 6),
            (GridFlavour::Complete, 1),
            (GridFlavour::Slow, 1),
            (GridFlavour::Recipe, if self.dishes.is_empty() { 0 } else { 18 }),
            (GridFlavour::Open, if may_be_open { 5 } else { 0 }),
            (GridFlavour::Broken, if self.may_be_broken() { 3 } else { 0 }),
        ];
        let mut drawn = rng.below(weights.iter().map(|(_, weight)| weight).sum());
        for (flavour, weight) in weights {
            if drawn < weight {
                return flavour;
            }
            drawn -= weight;
        }
        GridFlavour::Mixed
    }

    /// The most solutions that a grid may be given.
    fn most_solutions(&self, order: usize) -> u64 {
        let is_large = order > LARGEST_OPEN;
        let usual = if is_large { MOST_SOLUTIONS_OF_LARGE } else { MOST_SOLUTIONS };
        match self.task.accept.most() {
            Some(most) if self.task.format.replies.several.is_none() => most.min(usual),
            None if !is_large => u64::MAX,
            _ => usual,
        }
    }
}

#[cfg(test)]
mod tests;
