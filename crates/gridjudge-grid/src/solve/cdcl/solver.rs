//! What a search knows at any moment, and the steps that change it: decide, and take decisions back. Knows nothing of how
//! it goes on from there, which is in [`search`](super::search).

use super::activity_heap::ActivityHeap;
use super::analysis_scratch::AnalysisScratch;
use super::clauses::ClauseStore;
use super::literal::Literal;
use super::reason::AssignmentReason;
use super::restarts::RestartPolicy;
use super::trail::Trail;

/// Clauses, what is assigned now, and what was learned.
#[derive(Clone, Debug)]
pub(crate) struct CdclSolver {
    pub(super) store: ClauseStore,
    /// For each literal, those that it implies.
    pub(super) implied: Vec<Vec<Literal>>,
    /// Kept for its memory.
    pub(super) open: Vec<Literal>,
    pub(super) trail: Trail,
    pub(super) order: ActivityHeap,
    pub(super) phases: Vec<bool>,
    pub(super) restarts: RestartPolicy,
    pub(super) blame: AnalysisScratch,
    pub(super) model: Vec<bool>,
    /// Whether the clauses contradict each other whatever is assumed.
    pub(super) is_broken: bool,
}

impl CdclSolver {
    /// A search over this many variables, without clauses.
    pub(crate) fn new(variables: usize) -> Self {
        Self {
            store: ClauseStore::new(variables),
            implied: vec![Vec::new(); 2 * variables],
            open: Vec::new(),
            trail: Trail::new(variables),
            order: ActivityHeap::new(variables),
            phases: vec![false; variables],
            restarts: RestartPolicy::default(),
            blame: AnalysisScratch::new(variables),
            model: vec![false; variables],
            is_broken: false,
        }
    }

    /// Whether the latest model says so.
    pub(crate) fn is_true(&self, literal: Literal) -> bool {
        self.model[literal.variable()] == literal.says_true()
    }

    /// The decisions and assumptions that led to the latest model: no other model keeps them all.
    pub(crate) fn decided(&self) -> Vec<Literal> {
        self.trail.decisions.iter().map(|&place| self.trail.literals[place]).collect()
    }

    pub(super) fn pair(&mut self, one: Literal, other: Literal) {
        self.implied[(!one).index()].push(other);
        self.implied[(!other).index()].push(one);
    }

    pub(super) fn is(&self, literal: Literal, truth: i8) -> bool {
        self.trail.truth(literal) == truth
    }

    /// Assumptions that are true already are levels of their own without a literal's being assigned.
    pub(super) fn decide(&mut self, literal: Literal) {
        self.trail.decisions.push(self.trail.literals.len());
        if self.is(literal, 0) {
            self.trail.assign(literal, AssignmentReason::None);
        }
    }

    /// Takes decisions back until this many are left.
    pub(super) fn take_back_to(&mut self, level: usize) {
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
