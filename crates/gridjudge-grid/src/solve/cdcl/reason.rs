//! Why literals are true, and which clause cannot be. Data only.

use super::clauses::Clause;
use super::literal::Literal;

/// Why a literal is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AssignmentReason {
    /// It was decided, assumed, or is so for good.
    None,
    /// This literal is true and implies it.
    Implied(Literal),
    /// It is the first of this clause, and the others are false.
    Clause(Clause),
}

/// A clause whose literals are all false.
pub(super) enum Conflict {
    Pair(Literal, Literal),
    Clause(Clause),
}
