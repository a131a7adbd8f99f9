//! Solves one puzzle at a time: [propagates](super::digits) the clues, then guesses. The search of
//! a puzzle that needs many guesses is [spread](crate::solve::nine::single) over the lanes.

use crate::solve::TooHard;
use crate::solve::nine::choice::BranchChoice;
use crate::solve::nine::digit_board::DigitBoard;
use crate::solve::nine::digits::{BandRows, DigitLanes, PropagationEnd, board_of, restrict};
use crate::solve::nine::lane_group::LaneGroup;
use crate::solve::nine::lanes::Lanes;
use crate::solve::nine::registers::RegisterTask;
use crate::solve::nine::sweep::{LaneState, sweep};
use crate::solve::nine::{NinePuzzle, PuzzleOutcome, Registers};

/// The number of guesses after which a puzzle is spread over the lanes. With fewer, puzzles that
/// are nearly done pay for the start of sixteen searches; with more, hard puzzles are spread too
/// late.
const FEW_GUESSES: u32 = 8;

/// The number of dead ends without a solution between them after which a search is stopped. No
/// known grid needs a thousandth of it.
const MOST_DEAD_ENDS: u64 = 1_000_000;

/// Solves one puzzle at a time.
pub struct SingleSolver {
    registers: Registers,
    digits: Box<DigitLanes>,
    forks: Vec<BoardBranch>,
    group: Box<LaneGroup>,
    boards: Vec<DigitBoard>,
    /// The number of dead ends after which a search is stopped.
    pub(super) most_dead_ends: u64,
    /// Dead ends of all searches that were spread over the lanes.
    dead_ends: u64,
}

/// A board with several possible guesses, and the guesses not yet tried.
struct BoardBranch {
    board: BandRows,
    choice: BranchChoice,
}

impl Default for SingleSolver {
    fn default() -> Self {
        Self::new(Registers::widest())
    }
}

impl SingleSolver {
    /// A solver that works in these registers.
    pub fn new(registers: Registers) -> Self {
        let digits = Box::new(DigitLanes::new());
        let group = Box::new(LaneGroup::new());
        Self {
            registers,
            digits,
            forks: Vec::new(),
            group,
            boards: Vec::new(),
            most_dead_ends: MOST_DEAD_ENDS,
            dead_ends: 0,
        }
    }

    /// The dead ends of all searches so far that took more than a few guesses.
    pub fn dead_ends(&self) -> u64 {
        self.dead_ends
    }

    /// Counts the solutions of a puzzle up to a limit.
    ///
    /// # Errors
    /// Returns [`TooHard`] if the search is stopped, which no known grid causes.
    pub fn outcome(&mut self, puzzle: &NinePuzzle, limit: usize) -> Result<PuzzleOutcome, TooHard> {
        let mut outcome = PuzzleOutcome::NONE;
        self.search(puzzle, limit, |solution| {
            if outcome.count == 0 {
                outcome.first = *solution;
            }
            outcome.count += 1;
        })?;
        Ok(outcome)
    }

    /// Passes the solutions of a puzzle one by one to `found`, at most `limit` of them.
    ///
    /// # Errors
    /// Returns [`TooHard`] if the search is stopped, which no known grid causes.
    pub fn search(
        &mut self,
        puzzle: &NinePuzzle,
        limit: usize,
        found: impl FnMut(&NinePuzzle),
    ) -> Result<(), TooHard> {
        match limit {
            0 => Ok(()),
            _ => self.registers.run(SingleTask {
                single: self,
                puzzle,
                limit,
                found,
            }),
        }
    }

    /// Makes a guess on a board on which the rules make no more progress.
    #[inline(always)]
    fn branch(&mut self) {
        let mut choice = self.digits.choice();
        let guess = choice.next().expect("an open board has something to guess");
        if !choice.is_empty() {
            self.forks.push(BoardBranch {
                board: self.digits.board,
                choice,
            });
        }
        restrict(&mut self.digits.board, guess);
    }

    /// Goes back to the last fork and makes the next guess there; false if there is no fork.
    #[inline(always)]
    fn back(&mut self) -> bool {
        let Some(fork) = self.forks.last_mut() else {
            return false;
        };
        let guess = fork.choice.next().expect("a fork has a guess left");
        self.digits.put(&fork.board);
        if fork.choice.is_empty() {
            self.forks.pop();
        }
        restrict(&mut self.digits.board, guess);
        true
    }

    /// Collects everything still to be searched in `boards`.
    fn gather(&mut self) {
        self.boards.clear();
        for fork in &mut self.forks {
            while let Some(guess) = fork.choice.next() {
                let mut board = fork.board;
                restrict(&mut board, guess);
                self.boards.push(board_of(&board));
            }
        }
        self.boards.push(board_of(&self.digits.board));
    }
}

/// The work of [`SingleSolver::search`].
struct SingleTask<'a, F> {
    single: &'a mut SingleSolver,
    puzzle: &'a NinePuzzle,
    limit: usize,
    found: F,
}

impl<F: FnMut(&NinePuzzle)> RegisterTask for SingleTask<'_, F> {
    type Output = Result<(), TooHard>;

    #[inline(always)]
    fn within<V: Lanes>(self, processor: V::Processor) -> Self::Output {
        let Self {
            single,
            puzzle,
            limit,
            mut found,
        } = self;
        let mut left = limit;
        // Returns whether that was the last solution wanted.
        let mut enough = |solution: &NinePuzzle| {
            found(solution);
            left -= 1;
            left == 0
        };
        single.digits.begin(&V::clues(processor, puzzle));
        single.forks.clear();
        let mut guesses = 0;
        loop {
            match single.digits.propagate::<V>(processor) {
                PropagationEnd::Open if guesses == FEW_GUESSES => {
                    single.gather();
                    let SingleSolver {
                        group,
                        boards,
                        most_dead_ends,
                        dead_ends,
                        ..
                    } = single;
                    return spread::<V>(
                        processor,
                        group,
                        boards,
                        *most_dead_ends,
                        dead_ends,
                        enough,
                    );
                }
                PropagationEnd::Open => {
                    guesses += 1;
                    single.branch();
                    continue;
                }
                PropagationEnd::Solved
                    if enough(&V::solution(processor, single.digits.words())) =>
                {
                    return Ok(());
                }
                PropagationEnd::Solved | PropagationEnd::Failed => {}
            }
            if !single.back() {
                return Ok(());
            }
        }
    }
}

// Searches one hard puzzle in all lanes: every lane follows another branch of the search.

/// Searches all boards for solutions and passes each to `enough`, which returns true when no more
/// are wanted. Boards are taken from the end. The same boards give the same solutions in the same
/// order, whatever the registers. Adds the dead ends to `spent`.
///
/// # Errors
/// Returns [`TooHard`] after more dead ends than allowed without a solution between them.
#[inline(always)]
pub(super) fn spread<V: Lanes>(
    processor: V::Processor,
    group: &mut LaneGroup,
    boards: &mut Vec<DigitBoard>,
    most_dead_ends: u64,
    spent: &mut u64,
    mut enough: impl FnMut(&NinePuzzle) -> bool,
) -> Result<(), TooHard> {
    let mut busy = 0_u16;
    let mut dead_ends = 0;
    loop {
        while busy != u16::MAX
            && let Some(board) = boards.pop()
        {
            let lane = busy.trailing_ones() as usize;
            group.put(lane, &board);
            busy |= 1 << lane;
        }
        if busy == 0 {
            return Ok(());
        }
        let swept = sweep::<V>(processor, group);
        let mut halted = swept.halted() & busy;
        while halted != 0 {
            let lane = halted.trailing_zeros() as usize;
            halted &= halted - 1;
            match swept.of(lane) {
                LaneState::Open => {
                    branch(group, lane, boards);
                    continue;
                }
                LaneState::Solved if enough(&V::solution(processor, group.words(lane))) => {
                    return Ok(());
                }
                LaneState::Solved => dead_ends = 0,
                LaneState::Failed if dead_ends == most_dead_ends => {
                    return Err(TooHard { dead_ends });
                }
                LaneState::Failed => {
                    dead_ends += 1;
                    *spent += 1;
                }
            }
            busy &= !(1 << lane);
        }
    }
}

/// Makes a guess in a lane, and adds a board for each other guess to `boards`.
#[inline(always)]
fn branch(group: &mut LaneGroup, lane: usize, boards: &mut Vec<DigitBoard>) {
    let mut choice = group.choice(lane);
    let first = choice.next().expect("an open board has something to guess");
    while let Some(other) = choice.next() {
        let mut board = group.board(lane);
        for (word, cells) in board[3 * other.digit()..].iter_mut().zip(other.cells()) {
            *word &= cells;
        }
        boards.push(board);
    }
    group.restrict(lane, first);
}
