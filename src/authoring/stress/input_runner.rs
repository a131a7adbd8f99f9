//! Runs the submission on one input, and another program if there is one. Every run is
//! a trial like any other, with the same sandbox, limits and checker as in grading.
//! Start at [`FuzzHarness`].

use gridjudge_sandbox::{Fault, Sandbox};

use crate::authoring::stress::{Draft, DraftGrid, InputSource};
use crate::model::{Program, Trial, Verdict};
use crate::run::PlanEntry;
use crate::text::counted;
use crate::trial;

/// A program that is run on inputs.
#[derive(Clone, Copy)]
pub struct FuzzTarget<'a> {
    /// The submission with its problem; its cases are not used.
    pub entry: &'a PlanEntry,
    /// The program that it was compiled to.
    pub program: &'a Program,
}

/// The programs that are run on each input.
#[derive(Clone, Copy)]
pub struct FuzzTargets<'a> {
    /// The submission.
    pub submission: FuzzTarget<'a>,
    /// The program that it is compared with.
    pub against: Option<FuzzTarget<'a>>,
}

/// The outcome of an input.
#[derive(Clone, Debug)]
pub struct InputOutcome {
    /// The trial of the submission.
    pub trial: Trial,
    /// The trial of the other program, if there is one.
    pub against: Option<Trial>,
}

impl InputOutcome {
    /// Whether this is a failure to report: the submission is not accepted, or, if
    /// there is another program, gets another verdict than that one.
    pub fn is_failure(&self) -> bool {
        self.trial.verdict != self.verdict_against().unwrap_or(Verdict::Accepted)
    }

    /// Whether all verdicts are the same. Two inputs that fail in this way are assumed
    /// to show the same bug.
    pub fn is_like(&self, other: &Self) -> bool {
        self.trial.verdict == other.trial.verdict
            && self.verdict_against() == other.verdict_against()
    }

    fn verdict_against(&self) -> Option<Verdict> {
        self.against.as_ref().map(|trial| trial.verdict)
    }
}

// An input on which a program fails, found by a search or given by the user.

/// An input that fails.
#[derive(Clone, Debug)]
pub struct FailingInput<I = Draft> {
    /// Its number among the random inputs; `None` if the user gave it.
    pub number: Option<u64>,
    /// The input.
    pub draft: I,
    /// The outcome of the input.
    pub outcome: InputOutcome,
}

/// The result of shrinking an input of grids, in words.
pub fn size_of_shrunk(found: &[DraftGrid], left: &[DraftGrid], runs: u64) -> String {
    let sizes = (grids(found), grids(left));
    match (runs, found == left) {
        (0, _) => format!("as it was found: {}", sizes.1),
        (_, true) => {
            format!("not made smaller by {}: {}", counted(runs, "run"), sizes.1)
        }
        (_, false) => format!(
            "shrunk from {} to {}, in {}",
            sizes.0,
            sizes.1,
            counted(runs, "run")
        ),
    }
}

/// The size of a text input, in words.
pub fn size_of_text(input: &[u8]) -> String {
    let lines = input.split_inclusive(|byte| *byte == b'\n').count();
    format!(
        "{}, {}",
        counted(lines, "line"),
        counted(input.len(), "byte")
    )
}

/// The size of an input of grids, in words.
fn grids(grids: &[DraftGrid]) -> String {
    let blanks: usize = grids.iter().map(DraftGrid::blanks).sum();
    let blanks = counted(blanks, "blank");
    match grids {
        [] => "no grid".to_owned(),
        [grid] => {
            let order = grid.cells.len().isqrt();
            format!("1 grid of order {order} with {blanks}")
        }
        _ => format!("{} with {blanks}", counted(grids.len(), "grid")),
    }
}

/// Makes input number `k` for a search, and runs programs on it. Many threads may use
/// it at once.
pub trait FuzzHarness: Sync {
    /// The type of the inputs.
    type Input: Send;

    /// Makes the input with this number, which depends only on the seed and the number.
    /// Returns `None` if no input that the problem allows was found.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the input cannot be made.
    fn input(&self, number: u64) -> Result<Option<Self::Input>, Fault>;

    /// The programs.
    fn targets(&self) -> FuzzTargets<'_>;

    /// Runs one of the programs on an input.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the judge fails.
    fn trial(
        &self,
        target: FuzzTarget<'_>,
        input: &Self::Input,
    ) -> Result<Trial, Fault>;

    /// Runs the programs on an input.
    ///
    /// # Errors
    /// As [`Self::trial`].
    fn judge(&self, input: &Self::Input) -> Result<InputOutcome, Fault> {
        let FuzzTargets {
            submission,
            against,
        } = self.targets();
        Ok(InputOutcome {
            trial: self.trial(submission, input)?,
            against: against.map(|other| self.trial(other, input)).transpose()?,
        })
    }

    /// Repeats the doubtful trials of `first`, and chooses the trials that count.
    /// Nothing else may run meanwhile.
    ///
    /// # Errors
    /// As [`Self::trial`].
    fn judge_again(
        &self,
        input: &Self::Input,
        first: InputOutcome,
    ) -> Result<InputOutcome, Fault> {
        let again = |target: FuzzTarget<'_>, first: Trial| {
            let limits = target.entry.limits();
            if !first.is_doubtful(&limits) {
                return Ok(first);
            }
            Ok(first.resolved_by_rerun(self.trial(target, input)?, &limits))
        };
        let targets = self.targets();
        Ok(InputOutcome {
            trial: again(targets.submission, first.trial)?,
            against: targets
                .against
                .zip(first.against)
                .map(|(other, first)| again(other, first))
                .transpose()?,
        })
    }
}

/// Makes inputs of grids in memory, and runs programs on them.
pub struct GridHarness<'a> {
    /// Makes the inputs.
    pub source: &'a InputSource<'a>,
    /// The programs.
    pub targets: FuzzTargets<'a>,
    /// The sandbox in which they run.
    pub sandbox: &'a dyn Sandbox,
}

impl GridHarness<'_> {
    /// The number of runs for one input.
    pub(super) fn runs_of_an_input(&self) -> u64 {
        1 + u64::from(self.targets.against.is_some())
    }
}

impl FuzzHarness for GridHarness<'_> {
    type Input = Draft;

    fn input(&self, number: u64) -> Result<Option<Draft>, Fault> {
        Ok(self.source.input(number))
    }

    fn targets(&self) -> FuzzTargets<'_> {
        self.targets
    }

    fn trial(&self, target: FuzzTarget<'_>, draft: &Draft) -> Result<Trial, Fault> {
        let FuzzTarget { entry, program } = target;
        trial::judge_in_memory(
            &entry.problem,
            program,
            &entry.limits(),
            &draft.input,
            &draft.answer,
            self.sandbox,
        )
    }
}
