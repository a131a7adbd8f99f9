//! Random inputs, as unlike each other as a problem allows: few and many grids, nearly full and nearly empty ones, empty
//! houses, missing symbols, symmetric clues, grids that are hard for a naive search, and such without or with several
//! solutions where there is an answer to them. Input number `k` depends on the seed and `k` alone. Start at
//! [`Source::input`].

mod blanks;
mod dishes;
mod size;

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::OnceLock;
use std::sync::PoisonError;

use crate::model::Accept;
use crate::model::Case;
use crate::model::Problem;
use crate::model::Recipe;
use crate::proof;
use crate::stress::draft::Draft;
use crate::stress::draft::Grid;
use crate::stress::source::blanks::Making;
use crate::stress::source::dishes::Dishes;
use crate::stress::stock::Item;
use crate::stress::stock::Stock;
use crate::stress::turns::Turns;
use gridjudge_grid::OrderPlace;
use gridjudge_grid::make::Dice;
use gridjudge_grid::solve::Bounds;
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
const BOUNDS: Bounds = Bounds { patience: 20, dead_ends: 200 };

/// A grid that takes more than this, a second at order 25, has no answer here: nobody wants to wait for one.
const ANSWER_BOUNDS: Bounds = Bounds { patience: 20, dead_ends: 20_000 };

/// What different dice are thrown for.
const INPUT: u64 = 0;
const STOCK: u64 = 1;

/// Where random inputs of one problem come from. May be asked from many threads at once.
pub struct Source<'a> {
    problem: &'a Problem,
    seed: u64,
    dishes: Dishes<'a>,
    /// Say what the right answers are.
    solvers: Vec<Solver>,
    /// For each shape of the problem.
    makings: Vec<Making>,
    /// Those in use.
    stocks: Mutex<Vec<Arc<Stocks>>>,
}

/// The stocks of one number.
struct Stocks {
    number: u64,
    /// For each shape of the problem, made when it is first needed.
    of_shapes: Vec<OnceLock<Stock>>,
}

/// What a grid is to be like.
#[derive(Clone, Copy, Debug)]
enum Flavour {
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

impl<'a> Source<'a> {
    /// The inputs of a problem that come of a seed.
    pub fn new(problem: &'a Problem, recipes: &'a [Recipe], seed: u64) -> Self {
        let making = |shape| Making {
            turns: Turns::of(shape),
            solver: Solver::new(shape).with_bounds(BOUNDS),
            houses: shape.houses(),
        };
        Self {
            problem,
            seed,
            dishes: Dishes::new(problem, recipes, seed),
            solvers: proof::solvers_of(problem, ANSWER_BOUNDS),
            makings: problem.format.shapes.iter().map(making).collect(),
            stocks: Mutex::default(),
        }
    }

    /// The same, but what is slow to make is taken from these cases, if they hold what recipes have made.
    pub fn with_stored(self, stored: &'a [Case]) -> Self {
        Self { dishes: self.dishes.with_stored(stored), ..self }
    }

    /// The problem.
    pub fn problem(&self) -> &'a Problem {
        self.problem
    }

    /// The input of this number; `None` if no legal one was found.
    pub fn input(&self, number: u64) -> Option<Draft> {
        let stocks = self.stocks(number / INPUTS_OF_A_STOCK);
        (0..DRAWS).find_map(|draw| {
            let mut dice = Dice::new(self.seed, &[INPUT, number, draw]);
            let grids = self.grids(&stocks, draw >= TAME_FROM, &mut dice)?;
            self.draft(grids)
        })
    }

    /// The input of these grids, if the problem allows it.
    pub fn draft(&self, grids: Vec<Grid>) -> Option<Draft> {
        Draft::of(self.problem, &self.solvers, grids)
    }

    /// A grid of a shape that an input may hold, of the same seed for the same number.
    pub(super) fn grid_of_shape(&self, shape: usize, number: u64) -> Option<Grid> {
        let mut dice = Dice::new(self.seed, &[INPUT, u64::MAX, number]);
        self.grid(&self.stocks(0), shape, false, &mut dice)
    }

    /// Another guise of each grid that one step leads to.
    pub(super) fn turns_of(&self, shape: usize) -> &Turns {
        &self.makings[shape].turns
    }

    /// The stocks of this number.
    fn stocks(&self, number: u64) -> Arc<Stocks> {
        let mut known = self.stocks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stocks) = known.iter().find(|stocks| stocks.number == number) {
            return Arc::clone(stocks);
        }
        let of_shapes = self.makings.iter().map(|_| OnceLock::new()).collect();
        known.push(Arc::new(Stocks { number, of_shapes }));
        // Other threads may still be at the one before. Who is further behind makes his anew.
        if known.len() > 2 {
            known.remove(0);
        }
        Arc::clone(&known[known.len() - 1])
    }

    fn grids(&self, stocks: &Stocks, is_tame: bool, dice: &mut Dice) -> Option<Vec<Grid>> {
        let input = &self.problem.format.input;
        let is_mixed = input.order_line.is_some_and(|order| order.place == OrderPlace::Case);
        let shapes = self.makings.len();
        let mut shape = dice.below(shapes);
        let order = self.problem.format.shapes[shape].order() as u64;
        let count = size::number_of_grids(input, order * order, dice);
        let grids = (0..count).map(|_| {
            if is_mixed {
                shape = dice.below(shapes);
            }
            self.grid(stocks, shape, is_tame, dice)
        });
        grids.collect()
    }

    fn grid(&self, stocks: &Stocks, shape: usize, is_tame: bool, dice: &mut Dice) -> Option<Grid> {
        let stock = stocks.of_shapes[shape].get_or_init(|| {
            Stock::make(
                &self.problem.format.shapes[shape],
                self.may_be_broken(),
                self.seed,
                &[STOCK, stocks.number],
            )
        });
        let item = stock.unique.get(dice.below(stock.unique.len().max(1)))?;
        let flavour = if is_tame { Flavour::Mixed } else { self.flavour(dice) };
        let making = &self.makings[shape];
        let cells = match flavour {
            Flavour::Slow if !stock.slow.is_empty() => stock.slow[dice.below(stock.slow.len())].clone(),
            Flavour::Recipe => {
                let dish = self.dishes.grid(stocks.number, &self.makings, dice);
                return dish.or_else(|| self.plain(making, shape, item, dice));
            }
            Flavour::Sparse | Flavour::Slow => {
                making.turns.shuffled(&blanks::sparse(making, item, dice), dice)
            }
            Flavour::Mixed => return self.plain(making, shape, item, dice),
            Flavour::Holes => making.turns.shuffled(&blanks::holes(making, item, 1, dice), dice),
            Flavour::Complete => making.turns.shuffled(&item.solution, dice),
            Flavour::Open => {
                let order = self.problem.format.shapes[shape].order();
                making.turns.shuffled(&blanks::holes(making, item, self.most_solutions(order), dice), dice)
            }
            Flavour::Broken => {
                let hidden = stock.unsolvable.get(dice.below(3 * stock.unsolvable.len().max(1)));
                let cells =
                    hidden.cloned().unwrap_or_else(|| blanks::altered(&blanks::mixed(item, dice), dice));
                making.turns.shuffled(&cells, dice)
            }
        };
        Some(Grid { shape, cells })
    }

    fn plain(&self, making: &Making, shape: usize, item: &Item, dice: &mut Dice) -> Option<Grid> {
        Some(Grid { shape, cells: making.turns.shuffled(&blanks::mixed(item, dice), dice) })
    }

    /// Whether there is an answer to grids without solution.
    fn may_be_broken(&self) -> bool {
        let replies = &self.problem.format.replies;
        replies.none.is_some() || replies.count.is_some()
    }

    fn flavour(&self, dice: &mut Dice) -> Flavour {
        let replies = &self.problem.format.replies;
        let may_be_open = self.problem.accept != Accept::Unique || replies.several.is_some();
        let weights = [
            (Flavour::Sparse, 4),
            (Flavour::Mixed, 6),
            (Flavour::Holes, 6),
            (Flavour::Complete, 1),
            (Flavour::Slow, 1),
            (Flavour::Recipe, if self.dishes.is_empty() { 0 } else { 18 }),
            (Flavour::Open, if may_be_open { 5 } else { 0 }),
            (Flavour::Broken, if self.may_be_broken() { 3 } else { 0 }),
        ];
        let mut drawn = dice.below(weights.iter().map(|(_, weight)| weight).sum());
        for (flavour, weight) in weights {
            if drawn < weight {
                return flavour;
            }
            drawn -= weight;
        }
        Flavour::Mixed
    }

    /// The most solutions that a grid may be given.
    fn most_solutions(&self, order: usize) -> u64 {
        let is_large = order > LARGEST_OPEN;
        let usual = if is_large { MOST_SOLUTIONS_OF_LARGE } else { MOST_SOLUTIONS };
        match self.problem.accept {
            Accept::All { most } | Accept::Count { most }
                if self.problem.format.replies.several.is_none() =>
            {
                most.min(usual)
            }
            Accept::All { .. } | Accept::Count { .. } => usual,
            _ if is_large => usual,
            _ => u64::MAX,
        }
    }
}

#[cfg(test)]
mod tests;
