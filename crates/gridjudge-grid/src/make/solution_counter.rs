//! Counts the solutions of grids for the makers, which need this all the time.

use std::fmt;

use crate::solve::Solver;
use crate::solve::nine::{BatchSolver, NinePuzzle, PuzzleOutcome, Registers, SingleSolver};
use crate::{Shape, Value};

/// Counts the solutions of grids of one shape.
pub(super) struct SolutionCounter(CountingEngine);

enum CountingEngine {
    /// For plain 9x9 grids, one by one or many side by side.
    Nine(Box<NineEngine>),
    /// For all other shapes.
    Any(Solver),
}

struct NineEngine {
    single: SingleSolver,
    batch: BatchSolver,
    puzzles: Vec<NinePuzzle>,
    outcomes: Vec<PuzzleOutcome>,
}

impl fmt::Debug for SolutionCounter {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(if matches!(self.0, CountingEngine::Nine(_)) {
            "SolutionCounter(NineEngine)"
        } else {
            "SolutionCounter(Any)"
        })
    }
}

impl SolutionCounter {
    pub(super) fn new(shape: &Shape) -> Self {
        if !shape.is_plain_nine() {
            return Self(CountingEngine::Any(Solver::new(shape)));
        }
        let registers = Registers::widest();
        let single = SingleSolver::new(registers);
        let batch = BatchSolver::new(registers);
        Self(CountingEngine::Nine(Box::new(NineEngine {
            single,
            batch,
            puzzles: Vec::new(),
            outcomes: Vec::new(),
        })))
    }

    /// Whether the grid is known to have exactly one solution. False if the grid is too hard to
    /// decide.
    pub(super) fn is_unique(&mut self, cells: &[Value]) -> bool {
        self.count(cells, 2) == Some(1)
    }

    /// Like [`Self::is_unique`], for many grids. The answers are in the order of the grids.
    pub(super) fn are_unique<'g>(
        &mut self,
        grids: impl Iterator<Item = &'g [Value]>,
        answers: &mut Vec<bool>,
    ) {
        answers.clear();
        match &mut self.0 {
            CountingEngine::Any(solver) => {
                answers.extend(grids.map(|cells| counted(solver, cells, 2) == Some(1)))
            }
            CountingEngine::Nine(nine) => {
                nine.puzzles.clear();
                nine.puzzles.extend(grids.map(puzzle));
                nine.batch.solve(&nine.puzzles, 2, &mut nine.outcomes);
                answers.extend(nine.outcomes.iter().map(|outcome| outcome.count == 1));
            }
        }
    }

    /// The number of solutions, at most `limit`; `None` if the search was stopped.
    pub(super) fn count(&mut self, cells: &[Value], limit: usize) -> Option<usize> {
        match &mut self.0 {
            CountingEngine::Nine(nine) => {
                let mut count = 0;
                nine.single
                    .search(&puzzle(cells), limit, |_| count += 1)
                    .ok()
                    .map(|()| count)
            }
            CountingEngine::Any(solver) => counted(solver, cells, limit),
        }
    }

    /// A solution of a grid; `None` if there is none or the search was stopped.
    pub(super) fn solution(&mut self, cells: &[Value]) -> Option<Vec<Value>> {
        match &mut self.0 {
            CountingEngine::Nine(nine) => {
                let outcome = nine.single.outcome(&puzzle(cells), 1).ok()?;
                (outcome.count == 1).then(|| outcome.first.to_vec())
            }
            CountingEngine::Any(solver) => solver.solutions(cells, 1).ok()?.pop(),
        }
    }
}

fn counted(solver: &Solver, cells: &[Value], limit: usize) -> Option<usize> {
    solver.solutions(cells, limit).ok().map(|found| found.len())
}

/// A grid as the fast engines need it.
fn puzzle(cells: &[Value]) -> NinePuzzle {
    std::array::from_fn(|cell| cells[cell])
}
