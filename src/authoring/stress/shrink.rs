//! Makes an input that fails as simple as can be, without changing how it fails. Each step is kept if the new input is one
//! that the problem allows, has the same symptom, and is simpler; the steps are repeated until none helps. Nothing is
//! random: the same input shrinks to the same one. Start at [`Shrinker::shrink`].
//!
//! An input is *simpler* than another if it has fewer grids; of as many, smaller ones; of these, ones that are easier to
//! take in at a glance: nearly full, or all but empty. The blanks of a grid count, or three times its clues, whichever is
//! less. A grid without solution cannot be filled, so there the clues count. Of two that are alike in all this, the one
//! whose cells, row by row, come first, a blank before everything: so blanks go to the top, and symbols are named in
//! order.

mod form;
mod grids;

use std::collections::HashSet;
use std::hash::DefaultHasher;
use std::hash::Hash;
use std::hash::Hasher;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::authoring::stress::delta_debugging::fewest;
use crate::authoring::stress::draft::DraftGrid;
use crate::authoring::stress::failing_input::FailingInput;
use crate::authoring::stress::input_runner::InputRunner;
use crate::authoring::stress::input_runner::Symptom;
use crate::authoring::stress::source::InputSource;
use gridjudge_grid::BLANK;
use gridjudge_grid::Value;
use gridjudge_grid::solve::SearchBounds;
use gridjudge_grid::solve::Solver;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Stopwatch;

/// A clue more in a grid that is all but empty weighs as much as so many blanks more in one that is nearly full.
const CLUES_WEIGH: usize = 3;

/// Dead ends after which a grid counts as one whose solution is not known.
const BOUNDS: SearchBounds = SearchBounds { patience: 20, dead_ends: 2_000 };

/// How much may be spent on shrinking.
#[derive(Clone, Copy, Debug)]
pub struct ShrinkBudget {
    /// Runs of the program.
    pub runs: u64,
    /// Wall time.
    pub time: Option<Duration>,
}

/// Why shrinking ended before there was nothing left to do.
enum ShrinkEnd {
    /// The allowance is spent.
    Spent,
    /// It was interrupted.
    Interrupted,
    /// The judge failed.
    Failed(Fault),
}

/// What came of shrinking.
#[derive(Clone, Debug)]
pub struct ShrinkResult {
    /// The simplest input that was found.
    pub failure: FailingInput,
    /// Runs that it took.
    pub runs: u64,
    /// Whether there was nothing left to try.
    pub is_done: bool,
    /// Whether the last run of all, alone, failed in the same way again.
    pub is_steady: bool,
}

/// Shrinks one input.
pub struct Shrinker<'a> {
    source: &'a InputSource<'a>,
    rig: &'a InputRunner<'a>,
    interrupted: &'a AtomicBool,
    allowance: ShrinkBudget,
    watch: Stopwatch,
    /// For each shape of the problem.
    solvers: Vec<Solver>,
    symptom: Symptom,
    best: FailingInput,
    runs: u64,
    /// Fingerprints of inputs that do not fail so.
    harmless: HashSet<u64>,
}

/// How simple an input is, the simplest first.
type InputWeight<'g> = (usize, usize, usize, &'g [DraftGrid]);

impl<'a> Shrinker<'a> {
    /// Begins with an input that fails.
    pub fn new(
        source: &'a InputSource<'a>,
        rig: &'a InputRunner<'a>,
        interrupted: &'a AtomicBool,
        allowance: ShrinkBudget,
        failure: FailingInput,
    ) -> Self {
        let shapes = &source.task().format.shapes;
        Self {
            source,
            rig,
            interrupted,
            allowance,
            watch: Stopwatch::start(),
            solvers: shapes.iter().map(|shape| Solver::new(shape).with_bounds(BOUNDS)).collect(),
            symptom: failure.outcome.symptom(),
            best: failure,
            runs: 0,
            harmless: HashSet::new(),
        }
    }

    /// Shrinks until nothing helps any more, the allowance is spent, or it is interrupted.
    ///
    /// # Errors
    /// A [`Fault`] if the judge fails.
    pub fn shrink(mut self) -> Result<ShrinkResult, Fault> {
        let is_done = match self.all_steps() {
            Ok(()) => true,
            Err(ShrinkEnd::Spent | ShrinkEnd::Interrupted) => false,
            Err(ShrinkEnd::Failed(fault)) => return Err(fault),
        };
        let is_steady = self.fails_again()?;
        Ok(ShrinkResult { failure: self.best, runs: self.runs, is_done, is_steady })
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

    /// Runs what was found once more. What fails now and then is worth knowing as such.
    fn fails_again(&mut self) -> Result<bool, Fault> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Ok(true);
        }
        self.runs += self.rig.runs_of_an_input();
        match self.rig.hold(&self.best.draft) {
            Ok(outcome) => Ok(outcome.symptom() == self.symptom),
            Err(_) if self.interrupted.load(Ordering::Relaxed) => Ok(true),
            Err(fault) => Err(fault),
        }
    }

    /// A grid with few blanks, by adding clues of a solution; if many blanks are needed, a grid with few clues, if that is
    /// the simpler one.
    fn fewer_blanks_or_clues(&mut self, place: usize) -> Result<(), ShrinkEnd> {
        let grid = self.best.draft.grids[place].clone();
        let cells_that = |are_blank: bool| -> Vec<usize> {
            (0..grid.cells.len()).filter(|&cell| (grid.cells[cell] == BLANK) == are_blank).collect()
        };
        if let Some(solution) = self.solution(&grid) {
            self.few_cells(place, cells_that(true), |blanks| {
                let mut cells = solution.clone();
                blanks.iter().for_each(|&cell| cells[cell] = BLANK);
                cells
            })?;
            if self.best.draft.grids[place].blanks() <= self.order_of(&grid) {
                return Ok(());
            }
        }
        self.few_cells(place, cells_that(false), |clues| {
            let mut cells = vec![BLANK; grid.cells.len()];
            clues.iter().for_each(|&cell| cells[cell] = grid.cells[cell]);
            cells
        })
    }

    /// Looks for few cells of which the cells of a grid are made.
    fn few_cells(
        &mut self,
        place: usize,
        cells: Vec<usize>,
        made: impl Fn(&[usize]) -> Vec<Value>,
    ) -> Result<(), ShrinkEnd> {
        let grids = self.best.draft.grids.clone();
        self.few_of(cells, |few| {
            let mut grids = grids.clone();
            grids[place].cells = made(few);
            grids
        })
    }

    /// Looks for few things of which an input is made, and takes that input if it is simpler than the best, also when the
    /// search is cut short.
    fn few_of<T: Clone>(
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

    /// Runs an input, if the problem allows it, and says whether it fails in the same way.
    fn fails(&mut self, grids: Vec<DraftGrid>) -> Result<Option<FailingInput>, ShrinkEnd> {
        if grids == self.best.draft.grids {
            return Ok(Some(self.best.clone()));
        }
        let Some(draft) = self.source.draft(grids) else { return Ok(None) };
        let mark = mark(&draft.input);
        if self.harmless.contains(&mark) {
            return Ok(None);
        }
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(ShrinkEnd::Interrupted);
        }
        if self.runs >= self.allowance.runs || self.watch.is_past(self.allowance.time) {
            return Err(ShrinkEnd::Spent);
        }
        self.runs += self.rig.runs_of_an_input();
        let outcome = match self.rig.hold(&draft) {
            Ok(outcome) => outcome,
            Err(_) if self.interrupted.load(Ordering::Relaxed) => return Err(ShrinkEnd::Interrupted),
            Err(fault) => return Err(ShrinkEnd::Failed(fault)),
        };
        if outcome.symptom() == self.symptom {
            return Ok(Some(FailingInput { number: self.best.number, draft, outcome }));
        }
        self.harmless.insert(mark);
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
        let glance = grids.iter().map(|grid| match self.solution(grid) {
            Some(_) => grid.blanks().min(CLUES_WEIGH * grid.clues()),
            None => CLUES_WEIGH * grid.clues(),
        });
        (grids.len(), cells, glance.sum(), grids)
    }

    /// A solution of a grid, if there is one that can be found.
    fn solution(&self, grid: &DraftGrid) -> Option<Vec<Value>> {
        self.solvers[grid.shape].solutions(&grid.cells, 1).ok()?.pop()
    }

    fn order_of(&self, grid: &DraftGrid) -> usize {
        self.source.task().format.shapes[grid.shape].order()
    }
}

/// A fingerprint.
fn mark(input: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    hasher.finish()
}
