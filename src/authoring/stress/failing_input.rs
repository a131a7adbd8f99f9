//! An input on which a program fails, found by a search or given by the user.

use crate::authoring::stress::draft::Draft;
use crate::authoring::stress::input_runner::InputOutcome;

/// An input that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailingInput<I = Draft> {
    /// Its number among the random inputs; `None` if the user gave it.
    pub number: Option<u64>,
    /// The input.
    pub draft: I,
    /// The outcome of the input.
    pub outcome: InputOutcome,
}
