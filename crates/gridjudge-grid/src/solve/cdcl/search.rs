//! The search itself: follow, learn from conflicts, restart, decide, until there is a model or none can be.

use super::literal::Literal;
use super::reason::AssignmentReason;
use super::result::SatResult;
use super::solver::CdclSolver;

impl CdclSolver {
    /// Demands that one of these literals be true.
    pub(crate) fn demand(&mut self, literals: &[Literal]) {
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

    /// Demands that exactly one of these literals be true: at least three, and none known yet.
    pub(crate) fn demand_exactly_one(&mut self, literals: &[Literal]) {
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

    /// Looks for a model in which the assumptions are true. Each conflict takes one from the allowance.
    pub(crate) fn solve(&mut self, assumptions: &[Literal], allowance: &mut u64) -> SatResult {
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
}
