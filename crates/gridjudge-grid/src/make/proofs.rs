//! How many solutions a grid has: the question that making grids asks all the time.

use std::fmt;

use crate::Shape;
use crate::Value;
use crate::make::is_plain_nine;
use crate::solve::Solver;
use crate::solve::nine::Batch;
use crate::solve::nine::Outcome;
use crate::solve::nine::Puzzle;
use crate::solve::nine::Registers;
use crate::solve::nine::Single;

/// Proves things of grids of one shape.
pub(super) struct Prover(Engine);

enum Engine {
    /// For plain 9x9 grids, one by one or many side by side.
    Nine(Box<Nine>),
    /// For all others.
    Any(Solver),
}

struct Nine {
    single: Single,
    batch: Batch,
    puzzles: Vec<Puzzle>,
    outcomes: Vec<Outcome>,
}

impl fmt::Debug for Prover {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(if matches!(self.0, Engine::Nine(_)) { "Prover(Nine)" } else { "Prover(Any)" })
    }
}

impl Prover {
    pub(super) fn new(shape: &Shape) -> Self {
        if !is_plain_nine(shape) {
            return Self(Engine::Any(Solver::new(shape)));
        }
        let registers = Registers::widest();
        let (single, batch) = (Single::new(registers), Batch::new(registers));
        Self(Engine::Nine(Box::new(Nine { single, batch, puzzles: Vec::new(), outcomes: Vec::new() })))
    }

    /// Whether the grid is known to have one solution. A grid that is too hard to tell is not.
    pub(super) fn is_unique(&mut self, cells: &[Value]) -> bool {
        self.count(cells, 2) == Some(1)
    }

    /// The same for many grids, in their order.
    pub(super) fn are_unique<'g>(
        &mut self,
        grids: impl Iterator<Item = &'g [Value]>,
        answers: &mut Vec<bool>,
    ) {
        answers.clear();
        match &mut self.0 {
            Engine::Any(solver) => answers.extend(grids.map(|cells| counted(solver, cells, 2) == Some(1))),
            Engine::Nine(nine) => {
                nine.puzzles.clear();
                nine.puzzles.extend(grids.map(puzzle));
                nine.batch.solve(&nine.puzzles, 2, &mut nine.outcomes);
                answers.extend(nine.outcomes.iter().map(|outcome| outcome.count == 1));
            }
        }
    }

    /// The number of solutions, `limit` at most; `None` where the search was given up.
    pub(super) fn count(&mut self, cells: &[Value], limit: usize) -> Option<usize> {
        match &mut self.0 {
            Engine::Nine(nine) => {
                let mut count = 0;
                nine.single.search(&puzzle(cells), limit, |_| count += 1).ok().map(|()| count)
            }
            Engine::Any(solver) => counted(solver, cells, limit),
        }
    }

    /// The solution of a grid that has one.
    pub(super) fn solution(&mut self, cells: &[Value]) -> Option<Vec<Value>> {
        match &mut self.0 {
            Engine::Nine(nine) => {
                let outcome = nine.single.outcome(&puzzle(cells), 1).ok()?;
                (outcome.count == 1).then(|| outcome.first.to_vec())
            }
            Engine::Any(solver) => solver.solutions(cells, 1).ok()?.pop(),
        }
    }
}

fn counted(solver: &Solver, cells: &[Value], limit: usize) -> Option<usize> {
    solver.solutions(cells, limit).ok().map(|found| found.len())
}

/// A grid as the fast engines take it.
fn puzzle(cells: &[Value]) -> Puzzle {
    std::array::from_fn(|cell| cells[cell])
}
