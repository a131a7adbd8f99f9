//! Memory for the analysis of conflicts, kept between them.

use super::literal::Literal;
use super::trail::Trail;

/// What is kept between conflicts for the sake of its memory.
#[derive(Clone, Debug)]
pub(super) struct AnalysisScratch {
    /// For each variable, what is known of it in the conflict at hand.
    pub(super) marks: Vec<VariableMark>,
    marked: Vec<usize>,
    /// For each level the latest clause for whose glue it was counted.
    counted: Vec<u64>,
    clauses: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VariableMark {
    None,
    /// It takes part in the conflict.
    Seen,
    /// It follows from what takes part.
    Implied,
    /// It does not.
    Free,
}

impl AnalysisScratch {
    pub(super) fn new(variables: usize) -> Self {
        Self {
            marks: vec![VariableMark::None; variables],
            marked: Vec::new(),
            // Assumptions that were true already are levels as well.
            counted: vec![0; 2 * variables + 1],
            clauses: 0,
        }
    }

    pub(super) fn mark(&mut self, variable: usize, mark: VariableMark) {
        self.marks[variable] = mark;
        self.marked.push(variable);
    }

    pub(super) fn wipe(&mut self) {
        for variable in self.marked.drain(..) {
            self.marks[variable] = VariableMark::None;
        }
    }

    /// The glue of a clause: of how many levels its literals are. Clauses with little glue come into play often.
    pub(super) fn glue(&mut self, literals: impl Iterator<Item = Literal>, trail: &Trail) -> u32 {
        self.clauses += 1;
        let mut glue = 0;
        for literal in literals {
            let counted = &mut self.counted[trail.level(literal.variable()) as usize];
            glue += u32::from(*counted != self.clauses);
            *counted = self.clauses;
        }
        glue
    }
}
