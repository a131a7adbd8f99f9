//! A case that a recipe has made, in memory.

use crate::authoring::generate::measure::CaseMetrics;

/// A case that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedCase {
    /// Group and file, as `secret/minimal-07`.
    pub name: String,
    /// The input.
    pub input: Vec<u8>,
    /// Its answer, proven.
    pub answer: Vec<u8>,
    /// What its grids are like.
    pub measure: CaseMetrics,
}
