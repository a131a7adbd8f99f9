//! An input on which a program fails, found or brought.

use crate::authoring::stress::draft::Draft;
use crate::authoring::stress::input_runner::InputOutcome;

/// An input that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailingInput<I = Draft> {
    /// Its number among the random ones; none for one that was given.
    pub number: Option<u64>,
    /// The input.
    pub draft: I,
    /// What came of it.
    pub outcome: InputOutcome,
}
