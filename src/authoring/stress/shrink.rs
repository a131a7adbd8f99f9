//! Simplifies an input that fails as far as possible, without changing how it fails. A step is kept
//! if the problem allows the new input, and it has the same symptom and is simpler; the steps are
//! repeated until none helps. Nothing is random: the same input always shrinks to the same result.
//! Start at [`Shrinker::shrink`].
//!
//! An input is *simpler* than another if it has fewer grids; on a tie, if it has fewer cells; on a
//! further tie, if its grids are easier to take in at a glance, because they are nearly full or
//! nearly empty. The measure for that is the number of blanks or three times the number of clues,
//! whichever is less; for a grid without solution, which cannot be filled, three times the number
//! of clues. On a last tie, the grids are compared cell by cell, a blank before every symbol: so
//! blanks move to the top, and symbols are named in order.

mod form;
mod grids;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::authoring::stress::delta_debugging::fewest;
use crate::authoring::stress::draft::DraftGrid;
use crate::authoring::stress::failing_input::FailingInput;
use crate::authoring::stress::input_runner::{InputRunner, Symptom};
use crate::authoring::stress::source::InputSource;
use gridjudge_grid::solve::{SearchBounds, Solver};
use gridjudge_grid::{BLANK, Shape, Value};
use gridjudge_sandbox::{Fault, Stopwatch};

/// How many blanks in a nearly full grid weigh as much as one clue in a nearly empty one.
const CLUE_WEIGHT: usize = 3;

/// Bounds of the search after which the solution of a grid counts as unknown.
const BOUNDS: SearchBounds = SearchBounds {
    patience: 20,
    dead_ends: 2_000,
};

/// How much may be spent on shrinking.
#[derive(Clone, Copy, Debug)]
pub struct ShrinkBudget {
    /// Runs of the program.
    pub runs: u64,
    /// Wall time.
    pub time: Option<Duration>,
}

/// Why shrinking ended before every step had been tried.
enum ShrinkEnd {
    /// The budget is spent.
    Spent,
    /// It was interrupted.
    Interrupted,
    /// The judge failed.
    Failed(Fault),
}

/// The result of shrinking.
#[derive(Clone, Debug)]
pub struct ShrinkResult {
    /// The simplest failing input that was found.
    pub failure: FailingInput,
    /// The number of runs that shrinking took.
    pub runs: u64,
    /// Whether every step was tried.
    pub is_done: bool,
    /// Whether the input failed in the same way when it was run once more at the end.
    pub is_reproducible: bool,
}

/// Shrinks one input.
pub struct Shrinker<'a> {
    source: &'a InputSource<'a>,
    runner: &'a InputRunner<'a>,
    interrupted: &'a AtomicBool,
    budget: ShrinkBudget,
    watch: Stopwatch,
    /// For each shape of the problem.
    solvers: Vec<Solver>,
    symptom: Symptom,
    best: FailingInput,
    runs: u64,
    /// Fingerprints of inputs that do not fail in this way.
    harmless: HashSet<u64>,
}

/// A sort key of inputs, smaller for simpler ones: grids, cells, a measure of the clues or blanks,
/// and the grids.
type InputWeight<'g> = (usize, usize, usize, &'g [DraftGrid]);

impl<'a> Shrinker<'a> {
    /// Prepares to shrink an input that fails.
    pub fn new(
        source: &'a InputSource<'a>,
        runner: &'a InputRunner<'a>,
        interrupted: &'a AtomicBool,
        budget: ShrinkBudget,
        failure: FailingInput,
    ) -> Self {
        let shapes = &source.task().format.shapes;
        Self {
            source,
            runner,
            interrupted,
            budget,
            watch: Stopwatch::start(),
            solvers: shapes
                .iter()
                .map(|shape| Solver::new(shape).with_bounds(BOUNDS))
                .collect(),
            symptom: failure.outcome.symptom(),
            best: failure,
            runs: 0,
            harmless: HashSet::new(),
        }
    }

    /// Shrinks the input until no step helps, the budget is spent, or shrinking is interrupted.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the judge fails.
    pub fn shrink(mut self) -> Result<ShrinkResult, Fault> {
        let is_done = match self.all_steps() {
            Ok(()) => true,
            Err(ShrinkEnd::Spent | ShrinkEnd::Interrupted) => false,
            Err(ShrinkEnd::Failed(fault)) => return Err(fault),
        };
        let is_reproducible = self.fails_again()?;
        Ok(ShrinkResult {
            failure: self.best,
            runs: self.runs,
            is_done,
            is_reproducible,
        })
    }

    fn all_steps(&mut self) -> Result<(), ShrinkEnd> {
        loop {
            let before = self.best.draft.grids.clone();
            self.fewer_grids()?;
            self.smaller_grids()?;
            for place in 0..self.best.draft.grids.len() {
                self.fewer_blanks_or_clues(place)?;
            }
            for place in 0..self.best.draft.grids.len() {
                self.canonical_form(place)?;
            }
            if self.best.draft.grids == before {
                return Ok(());
            }
        }
    }

    /// Runs the simplest input once more, to detect failures that occur only sometimes.
    fn fails_again(&mut self) -> Result<bool, Fault> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Ok(true);
        }
        self.runs += self.runner.runs_of_an_input();
        match self.runner.judge(&self.best.draft) {
            Ok(outcome) => Ok(outcome.symptom() == self.symptom),
            Err(_) if self.interrupted.load(Ordering::Relaxed) || self.is_time_up() => Ok(true),
            Err(fault) => Err(fault),
        }
    }

    fn is_time_up(&self) -> bool {
        self.watch.is_past(self.budget.time)
    }

    /// Looks for a grid with few blanks by adding clues of a solution. If more blanks than the
    /// order are left, also looks for a grid with few clues, which is kept if it is simpler.
    fn fewer_blanks_or_clues(&mut self, place: usize) -> Result<(), ShrinkEnd> {
        let grid = self.best.draft.grids[place].clone();
        let cells_that = |are_blank: bool| -> Vec<usize> {
            (0..grid.cells.len())
                .filter(|&cell| (grid.cells[cell] == BLANK) == are_blank)
                .collect()
        };
        if let Some(solution) = self.solution(&grid) {
            self.keep_few_cells(place, cells_that(true), |blanks| {
                let mut cells = solution.clone();
                blanks.iter().for_each(|&cell| cells[cell] = BLANK);
                cells
            })?;
            if self.best.draft.grids[place].blanks() <= self.shape_of(&grid).order() {
                return Ok(());
            }
        }
        self.keep_few_cells(place, cells_that(false), |clues| {
            let mut cells = vec![BLANK; grid.cells.len()];
            clues
                .iter()
                .for_each(|&cell| cells[cell] = grid.cells[cell]);
            cells
        })
    }

    /// Looks for few of `cells` from which `made` makes a grid, for the grid at `place`, that still
    /// fails.
    fn keep_few_cells(
        &mut self,
        place: usize,
        cells: Vec<usize>,
        made: impl Fn(&[usize]) -> Vec<Value>,
    ) -> Result<(), ShrinkEnd> {
        let grids = self.best.draft.grids.clone();
        self.keep_few(cells, |few| {
            let mut grids = grids.clone();
            grids[place].cells = made(few);
            grids
        })
    }

    /// Looks for few of `things` from which `made` makes an input that still fails. That input
    /// becomes the best if it is simpler, also when the search ends early.
    fn keep_few<T: Clone>(
        &mut self,
        things: Vec<T>,
        made: impl Fn(&[T]) -> Vec<DraftGrid>,
    ) -> Result<(), ShrinkEnd> {
        let mut latest = None;
        let ended = fewest(things, &mut |few| {
            let failure = self.fails(made(few))?;
            let fails = failure.is_some();
            latest = failure.or(latest.take());
            Ok(fails)
        });
        if let Some(failure) = latest {
            self.keep_if_simpler(failure);
        }
        ended.map(drop)
    }

    /// Runs an input, if the problem allows it. Returns it with its outcome if it fails in the same
    /// way.
    fn fails(&mut self, grids: Vec<DraftGrid>) -> Result<Option<FailingInput>, ShrinkEnd> {
        if grids == self.best.draft.grids {
            return Ok(Some(self.best.clone()));
        }
        let Some(draft) = self.source.draft(grids) else {
            return Ok(None);
        };
        let fingerprint = fingerprint(&draft.input);
        if self.harmless.contains(&fingerprint) {
            return Ok(None);
        }
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(ShrinkEnd::Interrupted);
        }
        if self.runs >= self.budget.runs || self.is_time_up() {
            return Err(ShrinkEnd::Spent);
        }
        self.runs += self.runner.runs_of_an_input();
        let outcome = match self.runner.judge(&draft) {
            Ok(outcome) => outcome,
            Err(_) if self.interrupted.load(Ordering::Relaxed) => {
                return Err(ShrinkEnd::Interrupted);
            }
            // The run was cut short.
            Err(_) if self.is_time_up() => return Err(ShrinkEnd::Spent),
            Err(fault) => return Err(ShrinkEnd::Failed(fault)),
        };
        if outcome.symptom() == self.symptom {
            return Ok(Some(FailingInput {
                number: self.best.number,
                draft,
                outcome,
            }));
        }
        self.harmless.insert(fingerprint);
        Ok(None)
    }

    fn keep_if_simpler(&mut self, failure: FailingInput) -> bool {
        let is_simpler = self.weight(&failure.draft.grids) < self.weight(&self.best.draft.grids);
        if is_simpler {
            self.best = failure;
        }
        is_simpler
    }

    fn weight<'g>(&self, grids: &'g [DraftGrid]) -> InputWeight<'g> {
        let cells = grids.iter().map(|grid| grid.cells.len()).sum();
        let measure = grids.iter().map(|grid| match self.solution(grid) {
            Some(_) => grid.blanks().min(CLUE_WEIGHT * grid.clues()),
            None => CLUE_WEIGHT * grid.clues(),
        });
        (grids.len(), cells, measure.sum(), grids)
    }

    /// A solution of a grid; `None` if there is none, or it is not found within bounds.
    fn solution(&self, grid: &DraftGrid) -> Option<Vec<Value>> {
        self.solvers[grid.shape]
            .solutions(&grid.cells, 1)
            .ok()?
            .pop()
    }

    fn shape_of(&self, grid: &DraftGrid) -> &Shape {
        &self.source.task().format.shapes[grid.shape]
    }
}

fn fingerprint(input: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    hasher.finish()
}
