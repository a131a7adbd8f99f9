//! From a broken clause to a learned one: which decisions are to blame.

use super::analysis_scratch::VariableMark;
use super::clauses::Clause;
use super::clauses::KEPT_GLUE;
use super::literal::Literal;
use super::reason::AssignmentReason;
use super::reason::Conflict;
use super::solver::CdclSolver;

impl CdclSolver {
    /// Learns from a broken clause, takes decisions back, and assigns what the learned clause implies.
    pub(super) fn learn(&mut self, conflict: &Conflict) {
        let mut learned = self.cause(conflict);
        self.minimise(&mut learned);
        self.raise_reasons(&learned);
        self.blame.wipe();
        let glue = self.blame.glue(learned.iter().copied(), &self.trail);
        self.restarts.learned(glue);
        self.order.age();
        // The latest of the other literals is watched beside the first, and tells how far to go back.
        let latest = (1..learned.len()).max_by_key(|&place| self.level(learned[place]));
        let back = latest.map_or(0, |place| {
            learned.swap(1, place);
            self.level(learned[1]) as usize
        });
        self.take_back_to(back);
        let reason = match learned[..] {
            [_] => AssignmentReason::None,
            [first, second] => {
                self.pair(first, second);
                AssignmentReason::Implied(!second)
            }
            _ => AssignmentReason::Clause(self.store.add(&learned, glue)),
        };
        self.trail.assign(learned[0], reason);
    }

    fn level(&self, literal: Literal) -> u32 {
        self.trail.level(literal.variable())
    }

    /// The clause that forbids the cause of a conflict: first the negation of the one literal of the latest level by
    /// which all of it passes (the first unique implication point), then what earlier levels contributed.
    fn cause(&mut self, conflict: &Conflict) -> Vec<Literal> {
        let mut learned = vec![Literal::of(0)];
        let mut open = 0;
        match *conflict {
            Conflict::Pair(one, other) => {
                open += self.see(one, &mut learned);
                open += self.see(other, &mut learned);
            }
            Conflict::Clause(clause) => open += self.see_clause(clause, 0, &mut learned),
        }
        let mut place = self.trail.literals.len();
        loop {
            place -= 1;
            let literal = self.trail.literals[place];
            if self.blame.marks[literal.variable()] != VariableMark::Seen {
                continue;
            }
            open -= 1;
            if open == 0 {
                learned[0] = !literal;
                return learned;
            }
            match self.trail.reason(literal.variable()) {
                AssignmentReason::Implied(by) => open += self.see(!by, &mut learned),
                AssignmentReason::Clause(clause) => open += self.see_clause(clause, 1, &mut learned),
                AssignmentReason::None => {
                    unreachable!("only one literal of a level is without a reason, and it is the last")
                }
            }
        }
    }

    fn see_clause(&mut self, clause: Clause, from: usize, learned: &mut Vec<Literal>) -> usize {
        if self.store.glue(clause) > KEPT_GLUE {
            let literals = self.store.literals(clause).iter().map(|&index| Literal::with_index(index));
            let glue = self.blame.glue(literals, &self.trail);
            self.store.improve_glue(clause, glue);
        }
        (from..self.store.length(clause))
            .map(|place| self.see(self.store.literal(clause, place), learned))
            .sum()
    }

    /// Marks a false literal as part of the conflict. Returns 1 if it is of the latest level and has to be traced further.
    fn see(&mut self, literal: Literal, learned: &mut Vec<Literal>) -> usize {
        let (variable, level) = (literal.variable(), self.level(literal) as usize);
        if level == 0 || self.blame.marks[variable] != VariableMark::None {
            return 0;
        }
        self.blame.mark(variable, VariableMark::Seen);
        self.order.raise(variable);
        if level == self.trail.depth() {
            return 1;
        }
        learned.push(literal);
        0
    }

    /// Drops the literals that follow from the others.
    fn minimise(&mut self, learned: &mut Vec<Literal>) {
        let first = learned[0];
        learned.retain(|&literal| literal == first || !self.follows(literal.variable(), 0));
    }

    /// Counts also what implied the literals of a learned clause as part of the conflict: a tenth fewer conflicts.
    fn raise_reasons(&mut self, learned: &[Literal]) {
        for literal in &learned[1..] {
            match self.trail.reason(literal.variable()) {
                AssignmentReason::None => {}
                AssignmentReason::Implied(by) => self.raise_unseen(by.variable()),
                AssignmentReason::Clause(clause) => (1..self.store.length(clause))
                    .for_each(|place| self.raise_unseen(self.store.literal(clause, place).variable())),
            }
        }
    }

    fn raise_unseen(&mut self, variable: usize) {
        if self.blame.marks[variable] == VariableMark::None {
            self.order.raise(variable);
        }
    }

    /// Whether a variable's assignment follows from variables that are marked as seen.
    fn follows(&mut self, variable: usize, depth: u32) -> bool {
        // Deeper chains are rare, and the stack is not ours to fill.
        const DEEPEST: u32 = 200;
        let reason = self.trail.reason(variable);
        if depth > DEEPEST || reason == AssignmentReason::None {
            return false;
        }
        let follows = match reason {
            AssignmentReason::Implied(by) => self.is_covered(by.variable(), depth),
            AssignmentReason::Clause(clause) => (1..self.store.length(clause))
                .all(|place| self.is_covered(self.store.literal(clause, place).variable(), depth)),
            AssignmentReason::None => false,
        };
        if self.blame.marks[variable] == VariableMark::None {
            self.blame.mark(variable, if follows { VariableMark::Implied } else { VariableMark::Free });
        }
        follows
    }

    fn is_covered(&mut self, variable: usize, depth: u32) -> bool {
        self.trail.level(variable) == 0
            || match self.blame.marks[variable] {
                VariableMark::Seen | VariableMark::Implied => true,
                VariableMark::Free => false,
                VariableMark::None => self.follows(variable, depth + 1),
            }
    }
}
