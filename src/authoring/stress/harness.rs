//! The interface through which a search makes input number `k` and runs programs on it. The
//! implementation for grids is here, the one for inputs that a problem's own programs write is in
//! `generated`.

use crate::authoring::stress::draft::Draft;
use crate::authoring::stress::input_runner::{InputOutcome, InputRunner};
use crate::authoring::stress::source::InputSource;
use gridjudge_sandbox::Fault;

/// Makes and runs inputs of one kind. Many threads may use it at once.
pub trait FuzzHarness: Sync {
    /// The type of the inputs.
    type Input: Send;

    /// Makes the input with this number, which depends only on the seed and the number. Returns
    /// `None` if no input that the problem allows was found.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the input cannot be made.
    fn input(&self, number: u64) -> Result<Option<Self::Input>, Fault>;

    /// Runs the programs on an input.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the judge fails.
    fn judge(&self, input: &Self::Input) -> Result<InputOutcome, Fault>;

    /// Repeats the doubtful trials of `first`, and chooses the trials that count. Nothing else may
    /// run meanwhile.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the judge fails.
    fn judge_again(&self, input: &Self::Input, first: InputOutcome) -> Result<InputOutcome, Fault>;
}

/// Makes and runs inputs of grids.
pub struct GridHarness<'a> {
    /// Makes the inputs.
    pub source: &'a InputSource<'a>,
    /// Runs them.
    pub runner: &'a InputRunner<'a>,
}

impl FuzzHarness for GridHarness<'_> {
    type Input = Draft;

    fn input(&self, number: u64) -> Result<Option<Draft>, Fault> {
        Ok(self.source.input(number))
    }

    fn judge(&self, input: &Draft) -> Result<InputOutcome, Fault> {
        self.runner.judge(input)
    }

    fn judge_again(&self, input: &Draft, first: InputOutcome) -> Result<InputOutcome, Fault> {
        self.runner.judge_again(input, first)
    }
}
