//! What is assigned, in which order, since which decision and why.

use super::literal::Literal;
use super::reason::AssignmentReason;

/// Assigned literals, oldest first.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    /// For each literal: 1 if it is true, -1 if it is false, 0 if that is open.
    truth: Vec<i8>,
    /// For each variable. One record, because both are always written together.
    causes: Vec<AssignmentCause>,
    pub(super) literals: Vec<Literal>,
    /// Where among the literals each decision stands.
    pub(super) decisions: Vec<usize>,
    /// How many of the literals have been followed up.
    pub(super) followed: usize,
}

/// Where an assignment comes from.
#[derive(Clone, Copy, Debug)]
struct AssignmentCause {
    reason: AssignmentReason,
    /// The number of decisions below.
    level: u32,
}

impl Trail {
    /// Nothing is assigned.
    pub(super) fn new(variables: usize) -> Self {
        Self {
            truth: vec![0; 2 * variables],
            causes: vec![AssignmentCause { reason: AssignmentReason::None, level: 0 }; variables],
            literals: Vec::with_capacity(variables),
            decisions: Vec::new(),
            followed: 0,
        }
    }

    /// 1 for a literal that is true, -1 for one that is false, 0 for an open one.
    #[inline(always)]
    pub(super) fn truth(&self, literal: Literal) -> i8 {
        self.truth[literal.index()]
    }

    pub(super) fn reason(&self, variable: usize) -> AssignmentReason {
        self.causes[variable].reason
    }

    pub(super) fn level(&self, variable: usize) -> u32 {
        self.causes[variable].level
    }

    /// How many decisions there are now.
    pub(super) fn depth(&self) -> usize {
        self.decisions.len()
    }

    #[inline(always)]
    pub(super) fn assign(&mut self, literal: Literal, reason: AssignmentReason) {
        self.truth[literal.index()] = 1;
        self.truth[(!literal).index()] = -1;
        self.causes[literal.variable()] = AssignmentCause { reason, level: self.decisions.len() as u32 };
        self.literals.push(literal);
    }

    /// Opens a literal again that is taken from the trail.
    pub(super) fn open(&mut self, literal: Literal) {
        self.truth[literal.index()] = 0;
        self.truth[(!literal).index()] = 0;
    }

    /// Drops the reasons: what is true for good is never explained.
    pub(super) fn forget_reasons(&mut self) {
        for literal in &self.literals {
            self.causes[literal.variable()].reason = AssignmentReason::None;
        }
    }
}
