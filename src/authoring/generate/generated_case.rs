//! A case generated from a recipe, in memory.

use crate::authoring::generate::measure::CaseMetrics;

/// A generated case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedCase {
    /// Group and file, such as `secret/minimal-07`.
    pub name: String,
    /// The input.
    pub input: Vec<u8>,
    /// The answer, proven right.
    pub answer: Vec<u8>,
    /// The properties of its grids.
    pub measure: CaseMetrics,
}
