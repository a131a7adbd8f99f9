//! Clauses, and the search that learns from its dead ends: the crate `batsat`, which is MiniSat in Rust, held to a number of
//! them. Knows literals, not grids. It uses neither a clock nor, with these options, random numbers: the same clauses, added
//! in the same order, give the same models.

use batsat::Callbacks;
use batsat::Lit;
use batsat::Solver;
use batsat::SolverInterface;
use batsat::SolverOpts;
use batsat::Var;
use batsat::clause::Kind;
use batsat::lbool;

/// The literal that says that a variable is true.
pub(super) fn positive(variable: usize) -> Lit {
    // A grid of order 25 has some twenty thousand variables.
    Lit::new(Var::unsafe_from_idx(variable as u32), true)
}

/// The variable that a literal is about.
pub(super) fn variable(literal: Lit) -> usize {
    literal.var().idx() as usize
}

/// Clauses, and what was learned from them.
pub(super) struct SatSolver {
    solver: Solver<Allowance>,
    /// Kept for its memory.
    clause: Vec<Lit>,
}

/// Conflicts that a search may still run into; `None` once it has run into more.
struct Allowance(Option<u64>);

impl Callbacks for Allowance {
    fn on_new_clause(&mut self, _: &[Lit], kind: Kind) {
        if kind == Kind::Learnt {
            self.0 = self.0.and_then(|left| left.checked_sub(1));
        }
    }

    fn stop(&self) -> bool {
        self.0.is_none()
    }
}

impl SatSolver {
    /// A search over this many variables, without clauses.
    pub(super) fn new(variables: usize) -> Self {
        let mut solver = Solver::new(SolverOpts::default(), Allowance(None));
        for _ in 0..variables {
            solver.new_var_default();
        }
        Self { solver, clause: Vec::new() }
    }

    /// Demands that one of these literals be true.
    pub(super) fn demand(&mut self, literals: impl IntoIterator<Item = Lit>) {
        self.clause.clear();
        self.clause.extend(literals);
        // Clauses that contradict each other by now have no model in any later search.
        self.solver.add_clause_reuse(&mut self.clause);
    }

    /// Demands that exactly one of these literals be true.
    pub(super) fn demand_exactly_one(&mut self, literals: &[Lit]) {
        self.demand(literals.iter().copied());
        for (place, &one) in literals.iter().enumerate() {
            for &other in &literals[place + 1..] {
                self.demand([!one, !other]);
            }
        }
    }

    /// Whether there is a model in which the assumptions are true; `None` if the allowance was used up. Each conflict takes
    /// one from it.
    pub(super) fn solve(&mut self, assumptions: &[Lit], allowance: &mut u64) -> Option<bool> {
        self.solver.cb_mut().0 = Some(*allowance);
        let found = self.solver.solve_limited(assumptions);
        *allowance = self.solver.cb().0.unwrap_or(0);
        (found != lbool::UNDEF).then_some(found == lbool::TRUE)
    }

    /// Whether the latest model says so.
    pub(super) fn is_true(&self, literal: Lit) -> bool {
        self.solver.value_lit(literal) == lbool::TRUE
    }
}

#[cfg(test)]
mod tests;
