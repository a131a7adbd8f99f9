//! What a program is compiled from. Plain data, borrowed from whatever describes the program.

use crate::model::{AdditionalSources, Language, Submission};

/// What a submission, a checker or another program of a problem is compiled from.
#[derive(Clone, Copy, Debug)]
pub struct ProgramSource<'a> {
    /// Its source, or an executable.
    pub source: &'a Submission,
    /// The other files that it is compiled from.
    pub additional_sources: &'a AdditionalSources,
    /// Its language; `None` for an executable.
    pub language: Option<&'a Language>,
    /// The most memory that a run of it may use, for languages whose runtime needs to know it.
    pub memory_bytes: u64,
    /// Whether it is a submission: then all its files belong to it. Those of other programs may
    /// only lie beside them.
    pub is_submission: bool,
    /// Whether its source keeps its name in any language, because a program of the problem sees it.
    pub keeps_name: bool,
}
