//! What a search needs of one kind of input: how input number `k` is made, and what comes of holding it against programs. Grids
//! have theirs here; inputs by programs of a problem's own have theirs in `generated`.

use crate::authoring::stress::draft::Draft;
use crate::authoring::stress::input_runner::InputOutcome;
use crate::authoring::stress::input_runner::InputRunner;
use crate::authoring::stress::source::InputSource;
use gridjudge_sandbox::Fault;

/// Inputs of one kind, and where they are run. May be asked from many threads at once.
pub trait FuzzHarness: Sync {
    /// An input.
    type Input: Send;

    /// Input number `number`, which depends on the seed and the number alone; none where chance made none that the problem
    /// allows.
    ///
    /// # Errors
    /// A [`Fault`] if what makes inputs fails.
    fn input(&self, number: u64) -> Result<Option<Self::Input>, Fault>;

    /// Runs an input.
    ///
    /// # Errors
    /// A [`Fault`] if the judge fails.
    fn hold(&self, input: &Self::Input) -> Result<InputOutcome, Fault>;

    /// Runs an input again when nothing else runs; of two doubtful trials the one that counts is taken.
    ///
    /// # Errors
    /// A [`Fault`] if the judge fails.
    fn hold_again(&self, input: &Self::Input, first: InputOutcome) -> Result<InputOutcome, Fault>;
}

/// Inputs of grids.
pub struct GridHarness<'a> {
    /// Where inputs come from.
    pub source: &'a InputSource<'a>,
    /// Where they are run.
    pub rig: &'a InputRunner<'a>,
}

impl FuzzHarness for GridHarness<'_> {
    type Input = Draft;

    fn input(&self, number: u64) -> Result<Option<Draft>, Fault> {
        Ok(self.source.input(number))
    }

    fn hold(&self, input: &Draft) -> Result<InputOutcome, Fault> {
        self.rig.hold(input)
    }

    fn hold_again(&self, input: &Draft, first: InputOutcome) -> Result<InputOutcome, Fault> {
        self.rig.hold_again(input, first)
    }
}
