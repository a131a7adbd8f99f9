//! Simplifies an input that fails as far as possible, without changing how it fails. A
//! step is kept if the problem allows the new input, and it gets the same verdicts and is
//! simpler; the steps are repeated until none helps. Nothing is random: the same input
//! always shrinks to the same result. Start at [`Shrinker::shrink`].
//!
//! An input is *simpler* than another if it has fewer grids; on a tie, if it has fewer
//! cells; on a further tie, if its grids are easier to take in at a glance, because
//! they are nearly full or nearly empty. The measure for that is the number of blanks
//! or three times the number of clues, whichever is less; for a grid without solution,
//! which cannot be filled, three times the number of clues. On a last tie, the grids
//! are compared cell by cell, a blank before every symbol: so blanks move to the top,
//! and symbols are named in order.

use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use gridjudge_grid::solve::{SearchBounds, Solver};
use gridjudge_grid::{BLANK, OrderPlace, Shape, Value};
use gridjudge_sandbox::{Fault, Stopwatch};

use crate::authoring::stress::{
    DraftGrid, FailingInput, FuzzHarness, GridHarness, seed_grids,
};

/// How many blanks in a nearly full grid weigh as much as one clue in a nearly empty
/// one.
const CLUE_WEIGHT: usize = 3;

/// Bounds of the search after which the solution of a grid counts as unknown.
const BOUNDS: SearchBounds = SearchBounds {
    patience: 20,
    dead_ends: 2_000,
};

/// How much may be spent on shrinking.
#[derive(Clone, Copy)]
pub struct ShrinkBudget {
    /// Runs of the program.
    pub runs: u64,
    /// Wall time.
    pub time: Option<Duration>,
}

/// Why shrinking ended before every step had been tried.
enum ShrinkEnd {
    /// The budget is spent, or the search was interrupted.
    Stopped,
    /// The judge failed.
    Failed(Fault),
}

/// The result of shrinking.
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
    harness: GridHarness<'a>,
    interrupted: &'a AtomicBool,
    budget: ShrinkBudget,
    watch: Stopwatch,
    /// For each shape of the problem.
    solvers: Vec<Solver>,
    best: FailingInput,
    runs: u64,
    /// Fingerprints of inputs that do not fail in this way.
    harmless: HashSet<u64>,
}

impl<'a> Shrinker<'a> {
    /// Prepares to shrink an input that fails.
    pub fn new(
        harness: GridHarness<'a>,
        interrupted: &'a AtomicBool,
        budget: ShrinkBudget,
        failure: FailingInput,
    ) -> Self {
        let shapes = &harness.source.task.format.shapes;
        Self {
            harness,
            interrupted,
            budget,
            watch: Stopwatch::start(),
            solvers: shapes
                .iter()
                .map(|shape| Solver::new(shape).with_bounds(BOUNDS))
                .collect(),
            best: failure,
            runs: 0,
            harmless: HashSet::new(),
        }
    }

    /// Shrinks the input until no step helps, the budget is spent, or shrinking is
    /// interrupted.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the judge fails.
    pub fn shrink(mut self) -> Result<ShrinkResult, Fault> {
        let is_done = match self.all_steps() {
            Ok(()) => true,
            Err(ShrinkEnd::Stopped) => false,
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
        self.runs += self.harness.runs_of_an_input();
        match self.harness.judge(&self.best.draft) {
            Ok(outcome) => Ok(outcome.is_like(&self.best.outcome)),
            Err(_) if self.has_ended() => Ok(true),
            Err(fault) => Err(fault),
        }
    }

    fn has_ended(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
            || self.watch.is_past(self.budget.time)
    }

    /// Looks for a grid with few blanks by adding clues of a solution. If more blanks
    /// than the order are left, also looks for a grid with few clues, which is kept if
    /// it is simpler.
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
                for &cell in blanks {
                    cells[cell] = BLANK;
                }
                cells
            })?;
            if self.best.draft.grids[place].blanks() <= self.shape_of(&grid).order() {
                return Ok(());
            }
        }
        self.keep_few_cells(place, cells_that(false), |clues| {
            let mut cells = vec![BLANK; grid.cells.len()];
            for &cell in clues {
                cells[cell] = grid.cells[cell];
            }
            cells
        })
    }

    /// Looks for few of `cells` from which `made` makes a grid, for the grid at
    /// `place`, that still fails.
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

    /// Looks for few of `things` from which `made` makes an input that still fails.
    /// That input becomes the best if it is simpler, also when the search ends early.
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

    /// Runs an input, if the problem allows it. Returns it with its outcome if it fails
    /// in the same way.
    fn fails(
        &mut self,
        grids: Vec<DraftGrid>,
    ) -> Result<Option<FailingInput>, ShrinkEnd> {
        if grids == self.best.draft.grids {
            return Ok(Some(self.best.clone()));
        }
        let Some(draft) = self.harness.source.draft(grids) else {
            return Ok(None);
        };
        let hashes = BuildHasherDefault::<DefaultHasher>::default();
        let fingerprint = hashes.hash_one(&draft.input);
        if self.harmless.contains(&fingerprint) {
            return Ok(None);
        }
        if self.runs >= self.budget.runs || self.has_ended() {
            return Err(ShrinkEnd::Stopped);
        }
        self.runs += self.harness.runs_of_an_input();
        let outcome = match self.harness.judge(&draft) {
            Ok(outcome) => outcome,
            // The run was cut short.
            Err(_) if self.has_ended() => return Err(ShrinkEnd::Stopped),
            Err(fault) => return Err(ShrinkEnd::Failed(fault)),
        };
        if outcome.is_like(&self.best.outcome) {
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
        let is_simpler =
            self.weight(&failure.draft.grids) < self.weight(&self.best.draft.grids);
        if is_simpler {
            self.best = failure;
        }
        is_simpler
    }

    /// A sort key of inputs, smaller for simpler ones: grids, cells, a measure of the
    /// clues or blanks, and the grids.
    fn weight<'g>(
        &self,
        grids: &'g [DraftGrid],
    ) -> (usize, usize, usize, &'g [DraftGrid]) {
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
        &self.harness.source.task.format.shapes[grid.shape]
    }
}

// Delta debugging: reduces a list of things that together cause something to few that
// still do. Knows nothing of grids.

/// Returns few of the things, in their order, for which `happens` still holds. It must
/// hold for all of them. No single one of the returned things can be left out. Parts
/// are tried first, then the complements of parts, beginning with halves and going on
/// with ever smaller parts.
///
/// # Errors
/// The first error of `happens`.
fn fewest<T: Clone, E>(
    things: Vec<T>,
    happens: &mut dyn FnMut(&[T]) -> Result<bool, E>,
) -> Result<Vec<T>, E> {
    if things.is_empty() || happens(&[])? {
        return Ok(vec![]);
    }
    let mut left = things;
    let mut parts = 2;
    while left.len() > 1 {
        let size = left.len().div_ceil(parts);
        let complements = (0..left.len()).step_by(size).map(|start| {
            let end = (start + size).min(left.len());
            [&left[..start], &left[end..]].concat()
        });
        if let Some(part) = first(left.chunks(size).map(<[T]>::to_vec), happens)? {
            left = part;
            parts = 2;
        } else if let Some(rest) = first(complements, happens)? {
            left = rest;
            parts = (parts - 1).max(2);
        } else if size == 1 {
            break;
        } else {
            parts = (parts * 2).min(left.len());
        }
    }
    Ok(left)
}

fn first<T, E>(
    candidates: impl Iterator<Item = Vec<T>>,
    happens: &mut dyn FnMut(&[T]) -> Result<bool, E>,
) -> Result<Option<Vec<T>>, E> {
    for candidate in candidates {
        if happens(&candidate)? {
            return Ok(Some(candidate));
        }
    }
    Ok(None)
}

/// How many random grids of each smaller order are tried in place of larger ones.
const SMALLER_GRIDS: u64 = 24;

impl Shrinker<'_> {
    /// Tries the grid that the finding names alone. If it does not fail, looks for few
    /// of all grids that do.
    fn fewer_grids(&mut self) -> Result<(), ShrinkEnd> {
        let grids = self.best.draft.grids.clone();
        let blamed = self
            .best
            .outcome
            .trial
            .findings
            .listed
            .iter()
            .find_map(|finding| finding.grid)
            .and_then(|number| {
                grids.get(usize::try_from(number).ok()?.checked_sub(1)?)
            });
        if let Some(blamed) = blamed.filter(|_| grids.len() > 1)
            && let Some(failure) = self.fails(vec![blamed.clone()])?
        {
            self.keep_if_simpler(failure);
            return Ok(());
        }
        self.keep_few(grids, |grids| grids.to_vec())
    }

    /// Replaces grids by grids of a smaller order. A grid cannot be converted to
    /// another order, so random ones are tried.
    fn smaller_grids(&mut self) -> Result<(), ShrinkEnd> {
        let largest = self
            .best
            .draft
            .grids
            .iter()
            .map(|grid| grid.shape)
            .max()
            .unwrap_or(0);
        let source = self.harness.source;
        let format = &source.task.format;
        // If the whole input has one order, all grids change at once; otherwise they
        // change one at a time.
        let is_mixed = format.input.order_at(OrderPlace::Case).is_some();
        for shape in 0..largest {
            let places = if is_mixed {
                self.best.draft.grids.len()
            } else {
                1
            };
            for place in 0..places {
                for number in 0..SMALLER_GRIDS {
                    let mut grids = self.best.draft.grids.clone();
                    if is_mixed && grids[place].shape <= shape {
                        break;
                    }
                    let last = grids.len() as u64;
                    for (grid, offset) in grids.iter_mut().zip(0..) {
                        if !is_mixed || offset == place as u64 {
                            let new =
                                source.grid_of_shape(shape, number * last + offset);
                            *grid = new.unwrap_or_else(|| grid.clone());
                        }
                    }
                    // A recipe of the problem makes grids of its own order, which may
                    // fail and are no simpler.
                    if let Some(failure) = self.fails(grids)?
                        && self.keep_if_simpler(failure)
                    {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    // Brings a grid closer to a canonical form, as long as it still fails in the same
    // way.

    /// Renames the symbols in order of appearance, and applies symmetries as long as
    /// one leads to a simpler grid.
    fn canonical_form(&mut self, place: usize) -> Result<(), ShrinkEnd> {
        let values = self.shape_of(&self.best.draft.grids[place]).values();
        self.try_cells(place, |cells| {
            seed_grids::in_order_of_appearance(cells, values)
        })?;
        for value in 2..=values as Value {
            for smaller in 1..value {
                self.try_cells(place, |cells| {
                    seed_grids::swapped(cells, smaller, value)
                })?;
            }
        }
        let source = self.harness.source;
        loop {
            let before = self.best.draft.grids[place].clone();
            for permuted in
                source.symmetries_of(before.shape).neighbours(&before.cells)
            {
                let renamed = seed_grids::in_order_of_appearance(&permuted, values);
                if !self.try_cells(place, |_| renamed)?
                    && self.try_cells(place, |_| permuted)?
                {
                    // The names are tried again on their own.
                    self.try_cells(place, |cells| {
                        seed_grids::in_order_of_appearance(cells, values)
                    })?;
                }
                if self.best.draft.grids[place] != before {
                    break;
                }
            }
            if self.best.draft.grids[place] == before {
                return Ok(());
            }
        }
    }

    /// Changes the cells of one grid if that makes it simpler and it still fails.
    /// Returns whether it did.
    fn try_cells(
        &mut self,
        place: usize,
        change: impl FnOnce(&[Value]) -> Vec<Value>,
    ) -> Result<bool, ShrinkEnd> {
        let mut grids = self.best.draft.grids.clone();
        grids[place].cells = change(&grids[place].cells);
        if self.weight(&grids) >= self.weight(&self.best.draft.grids) {
            return Ok(false);
        }
        let failure = self.fails(grids)?;
        Ok(failure.is_some_and(|failure| self.keep_if_simpler(failure)))
    }
}

#[cfg(test)]
mod delta_debugging_tests {
    use super::*;

    /// What [`fewest`] leaves of the numbers below 100, and after how many tries.
    fn left(happens: impl Fn(&[u32]) -> bool) -> (Vec<u32>, u32) {
        let mut tries = 0;
        let all = (0..100).collect();
        let left = fewest(all, &mut |things| {
            tries += 1;
            Ok::<_, ()>(happens(things))
        });
        (left.unwrap(), tries)
    }

    #[test]
    fn only_the_needed_things_are_left() {
        assert_eq!(left(|_| true).0, [0u32; 0]);
        assert_eq!(left(|things| things.contains(&37)).0, [37]);
        assert_eq!(
            left(|things| [3, 50, 98].iter().all(|one| things.contains(one))).0,
            [3, 50, 98]
        );
        assert_eq!(left(|things| things.len() >= 40).0.len(), 40);
        assert_eq!(
            left(|things| things.len() % 2 == 0 && things.contains(&9))
                .0
                .len(),
            2
        );
    }

    #[test]
    fn one_needed_thing_is_found_by_halving() {
        assert!(left(|things| things.contains(&99)).1 < 20);
    }

    #[test]
    fn an_error_ends_the_search() {
        assert_eq!(
            fewest(vec![1, 2], &mut |_: &[u8]| Err("no more")),
            Err("no more")
        );
    }
}
