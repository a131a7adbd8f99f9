//! Search that learns from its mistakes: finds out whether clauses can all be true, and how. Knows literals, not grids.
//!
//! Decides variables until a clause breaks, derives from that clause and the reasons of its literals a new one that
//! forbids the cause, takes back as many decisions as that makes obsolete, and goes on. This is conflict-driven clause
//! learning (Marques-Silva and Sakallah 1996) with watched literals, decisions by recent activity, saved phases,
//! minimised clauses and restarts by glue (Audemard and Simon 2009, 2012). It reads no clock and draws no lots: the same clauses,
//! added in the same order, give the same models.

mod activity_heap;
mod analyze;
mod clauses;
pub(super) mod literal;
mod propagate;
mod restarts;
mod trail;

use activity_heap::ActivityHeap;
use clauses::Clause;
use clauses::ClauseStore;
use literal::Literal;
use restarts::RestartPolicy;
use trail::Trail;

/// What became of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SatResult {
    /// There is a model: [`CdclSolver::is_true`] tells it until the next call.
    Model,
    /// There is none under the assumptions.
    Nothing,
    /// The allowance was used up.
    GaveUp,
}

/// Why a literal is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AssignmentReason {
    /// It was decided, assumed, or is so for good.
    None,
    /// This literal is true and implies it.
    Implied(Literal),
    /// It is the first of this clause, and the others are false.
    Clause(Clause),
}

/// A clause whose literals are all false.
enum Conflict {
    Pair(Literal, Literal),
    Clause(Clause),
}

/// Clauses, what is assigned now, and what was learned.
#[derive(Clone, Debug)]
pub(super) struct CdclSolver {
    store: ClauseStore,
    /// For each literal, those that it implies.
    implied: Vec<Vec<Literal>>,
    /// Kept for its memory.
    open: Vec<Literal>,
    trail: Trail,
    order: ActivityHeap,
    phases: Vec<bool>,
    restarts: RestartPolicy,
    blame: analyze::AnalysisScratch,
    model: Vec<bool>,
    /// Whether the clauses contradict each other whatever is assumed.
    is_broken: bool,
}

impl CdclSolver {
    /// A search over this many variables, without clauses.
    pub(super) fn new(variables: usize) -> Self {
        Self {
            store: ClauseStore::new(variables),
            implied: vec![Vec::new(); 2 * variables],
            open: Vec::new(),
            trail: Trail::new(variables),
            order: ActivityHeap::new(variables),
            phases: vec![false; variables],
            restarts: RestartPolicy::default(),
            blame: analyze::AnalysisScratch::new(variables),
            model: vec![false; variables],
            is_broken: false,
        }
    }

    /// Demands that one of these literals be true.
    pub(super) fn demand(&mut self, literals: &[Literal]) {
        self.take_back_to(0);
        if literals.iter().any(|&literal| self.is(literal, 1)) {
            return;
        }
        let open: Vec<_> = literals.iter().copied().filter(|&literal| self.is(literal, 0)).collect();
        match open[..] {
            [] => self.is_broken = true,
            [only] => {
                self.trail.assign(only, AssignmentReason::None);
                self.is_broken |= self.follow().is_some();
            }
            [one, other] => self.pair(one, other),
            _ => {
                self.store.add(&open, 0);
            }
        }
    }

    fn pair(&mut self, one: Literal, other: Literal) {
        self.implied[(!one).index()].push(other);
        self.implied[(!other).index()].push(one);
    }

    /// Demands that exactly one of these literals be true: at least three, and none known yet.
    pub(super) fn demand_exactly_one(&mut self, literals: &[Literal]) {
        debug_assert!(literals.len() > 2 && literals.iter().all(|&literal| self.is(literal, 0)));
        self.store.add(literals, 0);
        for literal in literals {
            self.order.favour(literal.variable(), 0.5f64.powi(literals.len() as i32));
        }
        for (place, &one) in literals.iter().enumerate() {
            for &other in &literals[place + 1..] {
                self.pair(!one, !other);
            }
        }
    }

    /// Whether the latest model says so.
    pub(super) fn is_true(&self, literal: Literal) -> bool {
        self.model[literal.variable()] == literal.says_true()
    }

    /// The decisions and assumptions that led to the latest model: no other model keeps them all.
    pub(super) fn decided(&self) -> Vec<Literal> {
        self.trail.decisions.iter().map(|&place| self.trail.literals[place]).collect()
    }

    /// Looks for a model in which the assumptions are true. Each conflict takes one from the allowance.
    pub(super) fn solve(&mut self, assumptions: &[Literal], allowance: &mut u64) -> SatResult {
        self.take_back_to(0);
        while !self.is_broken {
            if let Some(conflict) = self.follow() {
                if self.trail.decisions.is_empty() {
                    self.is_broken = true;
                    break;
                }
                if *allowance == 0 {
                    return SatResult::GaveUp;
                }
                *allowance -= 1;
                self.learn(&conflict);
            } else if self.restarts.are_due() {
                self.restart();
            } else {
                let literal = match assumptions.get(self.trail.depth()) {
                    Some(&assumption) if self.is(assumption, -1) => break,
                    Some(&assumption) => assumption,
                    None => match self.next_decision() {
                        Some(literal) => literal,
                        None => return self.found(),
                    },
                };
                self.decide(literal);
            }
        }
        SatResult::Nothing
    }

    fn found(&mut self) -> SatResult {
        for (variable, is_true) in self.model.iter_mut().enumerate() {
            *is_true = self.trail.truth(Literal::of(variable)) == 1;
        }
        SatResult::Model
    }

    fn is(&self, literal: Literal, truth: i8) -> bool {
        self.trail.truth(literal) == truth
    }

    fn restart(&mut self) {
        self.take_back_to(0);
        self.restarts.restarted();
        if self.restarts.should_forget(self.store.learned()) {
            // No reason may name a clause that moves.
            self.trail.forget_reasons();
            self.store.forget_half();
        }
    }

    fn next_decision(&mut self) -> Option<Literal> {
        loop {
            let variable = self.order.pop()?;
            if self.is(Literal::of(variable), 0) {
                return Some(Literal::new(variable, self.phases[variable]));
            }
        }
    }

    /// Assumptions that are true already are levels of their own without a literal's being assigned.
    fn decide(&mut self, literal: Literal) {
        self.trail.decisions.push(self.trail.literals.len());
        if self.is(literal, 0) {
            self.trail.assign(literal, AssignmentReason::None);
        }
    }

    /// Takes decisions back until this many are left.
    fn take_back_to(&mut self, level: usize) {
        let Some(&start) = self.trail.decisions.get(level) else { return };
        while self.trail.literals.len() > start
            && let Some(literal) = self.trail.literals.pop()
        {
            self.trail.open(literal);
            self.phases[literal.variable()] = literal.says_true();
            self.order.put(literal.variable());
        }
        self.trail.decisions.truncate(level);
        self.trail.followed = start;
    }
}

#[cfg(test)]
mod tests;
