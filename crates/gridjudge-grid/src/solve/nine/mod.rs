//! Solves plain 9x9 grids as fast as the machine allows. Knows values, not texts.
//!
//! Two engines share one board (a word of 27 cells for each digit and band) and one
//! idea: a digit's minirows in a band, and its minicolumns in a stack, form
//! permutations, which can be closed exactly.
//!
//! * [`SingleSolver`] solves one puzzle at a time, with one digit in each lane, and
//!   spreads the search of a hard one over all lanes of the machine's widest registers;
//! * [`BatchSolver`] solves sixteen puzzles in lock-step, one in each lane. It needs at
//!   most a third of the time per puzzle.
//!
//! The outcome of a puzzle is the same on every machine, whatever is solved beside,
//! before or after it. The two engines agree on the number of solutions, and on the
//! solution if there is only one; if there are several, they may find different ones
//! first.

mod digit_board;
mod lanes;
mod registers;
#[cfg(target_arch = "x86_64")]
mod simd;
mod single;
mod sweep;

use std::iter::Enumerate;
use std::slice::Iter;

use digit_board::{BoardBranch, DigitBoard};
pub use digit_board::{NinePuzzle, PuzzleOutcome};
use lanes::{LaneGroup, Lanes, WIDTH};
use registers::RegisterTask;
pub use registers::Registers;
pub use single::SingleSolver;
use sweep::{PropagationEnd, sweep};

// Solves sixteen puzzles in lock-step, each in a lane of its own with its own search; a
// lane that has finished takes the next puzzle. The outcome of a puzzle depends on the
// puzzle only.

/// The search in one lane.
#[derive(Default)]
struct LaneSearch {
    /// The index of the puzzle.
    puzzle: usize,
    forks: Vec<BoardBranch<DigitBoard>>,
}

/// Solves many puzzles, sixteen at a time.
pub struct BatchSolver {
    registers: Registers,
    group: Box<LaneGroup>,
    searches: [LaneSearch; WIDTH],
}

impl Default for BatchSolver {
    fn default() -> Self {
        Self::new(Registers::widest())
    }
}

impl BatchSolver {
    /// A solver that works in these registers.
    pub fn new(registers: Registers) -> Self {
        Self {
            registers,
            group: Box::new(LaneGroup::new()),
            searches: Default::default(),
        }
    }

    /// Counts the solutions of each puzzle up to a limit. Outcomes are in the order of
    /// the puzzles. A few hundred puzzles at a time keep the lanes busy.
    pub fn solve(
        &mut self,
        puzzles: &[NinePuzzle],
        limit: usize,
        outcomes: &mut Vec<PuzzleOutcome>,
    ) {
        outcomes.clear();
        outcomes.resize(puzzles.len(), PuzzleOutcome::NONE);
        if limit > 0 {
            self.registers.run(BatchTask {
                batch: self,
                puzzles,
                limit,
                outcomes,
            });
        }
    }

    /// Puts the next puzzle into a lane; false if there is none.
    #[inline(always)]
    fn begin<V: Lanes>(
        &mut self,
        processor: V::Processor,
        lane: usize,
        waiting: &mut Enumerate<Iter<'_, NinePuzzle>>,
    ) -> bool {
        let Some((number, puzzle)) = waiting.next() else {
            return false;
        };
        self.group.begin(lane, &V::clues(processor, puzzle));
        let search = &mut self.searches[lane];
        search.puzzle = number;
        search.forks.clear();
        true
    }

    /// Makes a guess in a lane in which sweeps make no more progress.
    #[inline(always)]
    fn branch(&mut self, lane: usize) -> bool {
        let mut choice = self.group.choice(lane);
        let guess = choice.next().expect("an open board has something to guess");
        if !choice.is_empty() {
            self.searches[lane].forks.push(BoardBranch {
                board: self.group.board(lane),
                choice,
            });
        }
        self.group.restrict(lane, guess);
        true
    }

    /// Goes back to the last fork and makes the next guess there; false if there is no
    /// fork.
    #[inline(always)]
    fn back(&mut self, lane: usize) -> bool {
        let forks = &mut self.searches[lane].forks;
        let Some(fork) = forks.last_mut() else {
            return false;
        };
        let guess = fork.choice.next().expect("a fork has a guess left");
        self.group.put(lane, &fork.board);
        if fork.choice.is_empty() {
            forks.pop();
        }
        self.group.restrict(lane, guess);
        true
    }
}

/// The work of [`BatchSolver::solve`].
struct BatchTask<'a> {
    batch: &'a mut BatchSolver,
    puzzles: &'a [NinePuzzle],
    limit: usize,
    outcomes: &'a mut [PuzzleOutcome],
}

impl RegisterTask for BatchTask<'_> {
    type Output = ();

    #[inline(always)]
    fn within<V: Lanes>(self, processor: V::Processor) {
        let Self {
            batch,
            puzzles,
            limit,
            outcomes,
        } = self;
        let mut waiting = puzzles.iter().enumerate();
        let mut busy = 0;
        for lane in 0..WIDTH {
            busy |=
                u16::from(batch.begin::<V>(processor, lane, &mut waiting)) << lane;
        }
        while busy != 0 {
            let swept = sweep::<V>(processor, &mut batch.group);
            let mut halted = swept.halted() & busy;
            while halted != 0 {
                let lane = halted.trailing_zeros() as usize;
                halted &= halted - 1;
                let goes_on = match swept.end_in_lane(lane) {
                    PropagationEnd::Failed => batch.back(lane),
                    PropagationEnd::Open => batch.branch(lane),
                    PropagationEnd::Solved => {
                        let outcome = &mut outcomes[batch.searches[lane].puzzle];
                        outcome.add(&V::solution(processor, batch.group.words(lane)));
                        outcome.count < limit && batch.back(lane)
                    }
                };
                if !goes_on && !batch.begin::<V>(processor, lane, &mut waiting) {
                    busy &= !(1 << lane);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
