//! Wraps the SAT solver `batsat`, which is MiniSat in Rust, and limits its dead ends (conflicts).
//! Knows literals, not grids. The solver uses neither a clock nor, with these options, random
//! numbers: the same clauses, added in the same order, give the same models.

use batsat::clause::Kind;
use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};

/// The literal that says that a variable is true.
pub(super) fn positive(variable: usize) -> Lit {
    // A grid of order 25 has some twenty thousand variables, so the number fits.
    Lit::new(Var::unsafe_from_idx(variable as u32), true)
}

/// The variable of a literal.
pub(super) fn variable(literal: Lit) -> usize {
    literal.var().idx() as usize
}

/// A SAT solver with its clauses, given and learned.
pub(super) struct SatSolver {
    solver: Solver<Allowance>,
    /// A buffer, kept to reuse its memory.
    clause: Vec<Lit>,
}

/// The conflicts that a search may still have; `None` once it has had more.
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
    /// A solver over this many variables, without clauses.
    pub(super) fn new(variables: usize) -> Self {
        let mut solver = Solver::new(SolverOpts::default(), Allowance(None));
        for _ in 0..variables {
            solver.new_var_default();
        }
        Self {
            solver,
            clause: Vec::new(),
        }
    }

    /// Requires that at least one of these literals is true.
    pub(super) fn demand(&mut self, literals: impl IntoIterator<Item = Lit>) {
        self.clause.clear();
        self.clause.extend(literals);
        // The result is ignored: if the clauses now contradict each other, no later search finds a
        // model.
        self.solver.add_clause_reuse(&mut self.clause);
    }

    /// Requires that exactly one of these literals is true.
    pub(super) fn demand_exactly_one(&mut self, literals: &[Lit]) {
        self.demand(literals.iter().copied());
        for (place, &one) in literals.iter().enumerate() {
            for &other in &literals[place + 1..] {
                self.demand([!one, !other]);
            }
        }
    }

    /// Whether there is a model in which the assumptions are true; `None` if the allowance was used
    /// up. Each conflict takes one from it.
    pub(super) fn solve(&mut self, assumptions: &[Lit], allowance: &mut u64) -> Option<bool> {
        self.solver.cb_mut().0 = Some(*allowance);
        let found = self.solver.solve_limited(assumptions);
        *allowance = self.solver.cb().0.unwrap_or(0);
        (found != lbool::UNDEF).then_some(found == lbool::TRUE)
    }

    /// Whether the literal is true in the latest model.
    pub(super) fn is_true(&self, literal: Lit) -> bool {
        self.solver.value_lit(literal) == lbool::TRUE
    }
}

#[cfg(test)]
mod tests;
