//! Runs the submission on one input, and another program if there is one. Every run is
//! a trial like any other, with the same sandbox, limits and checker as in grading.
//! Writes a page about an input that fails, to be stored beside it and understood
//! months later. Start at [`FuzzHarness`].

use std::fmt::Write;

use gridjudge_sandbox::{Fault, Limits, Sandbox};

use crate::authoring::stress::{Draft, DraftGrid, InputSource};
use crate::model::{Program, Trial, Verdict};
use crate::run::{self, PlanEntry};
use crate::text::{counted, plural};
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputOutcome {
    /// The trial of the submission.
    pub trial: Trial,
    /// The trial of the other program, if there is one.
    pub against: Option<Trial>,
}

/// How an input fails. Two inputs with the same symptom are assumed to show the same
/// bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symptom {
    /// The verdict of the submission.
    pub verdict: Verdict,
    /// The verdict of the other program, if there is one.
    pub against: Option<Verdict>,
}

impl InputOutcome {
    /// The symptom of this outcome.
    pub fn symptom(&self) -> Symptom {
        Symptom {
            verdict: self.trial.verdict,
            against: self.against.as_ref().map(|trial| trial.verdict),
        }
    }
}

impl Symptom {
    /// Whether this is a failure to report: the submission is not accepted, or, if
    /// there is another program, gets another verdict than that one.
    pub fn is_failure(self) -> bool {
        self.verdict != self.against.unwrap_or(Verdict::Accepted)
    }

    /// Whether both programs fail with the same verdict.
    pub fn is_alike(self) -> bool {
        self.against == Some(self.verdict) && self.verdict != Verdict::Accepted
    }
}

impl FuzzTargets<'_> {
    /// The outcome of an input, with `trial` to run one program on it.
    pub(super) fn outcome(
        &self,
        trial: impl Fn(&FuzzTarget<'_>) -> Result<Trial, Fault>,
    ) -> Result<InputOutcome, Fault> {
        let against = |other| trial(other).map(Some);
        let own = trial(&self.submission)?;
        Ok(InputOutcome {
            trial: own,
            against: self.against.as_ref().map_or(Ok(None), against)?,
        })
    }

    /// Repeats the doubtful trials of `first` with nothing else running, and chooses
    /// the trials that count.
    pub(super) fn outcome_again(
        &self,
        first: InputOutcome,
        trial: impl Fn(&FuzzTarget<'_>) -> Result<Trial, Fault>,
    ) -> Result<InputOutcome, Fault> {
        let again = |target: &FuzzTarget<'_>, first: Trial| {
            let limits = target.entry.limits();
            if !first.is_doubtful(&limits) {
                return Ok(first);
            }
            Ok(first.resolved_by_rerun(trial(target)?, &limits))
        };
        let own = again(&self.submission, first.trial)?;
        let against = self
            .against
            .as_ref()
            .zip(first.against)
            .map(|(other, first)| again(other, first))
            .transpose()?;
        Ok(InputOutcome {
            trial: own,
            against,
        })
    }
}

// An input on which a program fails, found by a search or given by the user.

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

/// The contents of the page.
pub struct FailureNote<'a> {
    /// The id of the problem.
    pub problem: &'a str,
    /// The name of the submission in reports.
    pub submission: &'a str,
    /// The name of the program that it was compared with, if any.
    pub against: Option<&'a str>,
    /// Where the input comes from, in words.
    pub origin: &'a str,
    /// The size of the input, and its size before it was shrunk, in words.
    pub size: &'a str,
    /// The outcome of the input.
    pub outcome: &'a InputOutcome,
    /// Further remarks, one sentence each.
    pub remarks: &'a [String],
    /// The limits of the submission's run.
    pub limits: &'a Limits,
    /// The command that repeats the failure.
    pub command: &'a str,
    /// The command that finds the failure again.
    pub search: &'a str,
}

impl FailureNote<'_> {
    /// The finding, in one line.
    pub fn finding(&self) -> String {
        let trial = &self.outcome.trial;
        let why = run::reason_of_trial(trial, self.limits);
        let why = if why.is_empty() {
            String::new()
        } else {
            format!(": {why}")
        };
        let other = self.outcome.against.as_ref().zip(self.against);
        let other = other.map_or_else(String::new, |(other, name)| {
            format!("; {name}: {} ({})", other.verdict, other.verdict.meaning())
        });
        format!(
            "{} ({}){why}{other}",
            trial.verdict,
            trial.verdict.meaning()
        )
    }

    /// The page, in Markdown.
    pub fn text(&self) -> String {
        let mut page = format!("# {} fails on this input\n\n", self.submission);
        let mut row = |name: &str, value: &str| {
            // Writing to a string cannot fail.
            let _ = writeln!(page, "- {name}: {value}");
        };
        row("problem", self.problem);
        row("submission", self.submission);
        if let Some(other) = self.against {
            row("compared with", other);
        }
        row("finding", &self.finding());
        row("found", self.origin);
        row("size", self.size);
        for remark in self.remarks {
            row("note", remark);
        }
        let Self {
            command,
            search,
            problem,
            ..
        } = self;
        let _ = write!(
            page,
            "\nThe failure again:\n\n    {command}\n\nThe search again:\n\n    {search}\n\n\
             To keep it as a case, copy the files `.in` and `.ans` into a group of the cases of {problem}.\n"
        );
        page
    }
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
    let count = grids.len() as u64;
    let blanks: usize = grids.iter().map(DraftGrid::blanks).sum();
    let blanks = format!("{blanks} {}", plural(blanks as u64, "blank"));
    match grids {
        [] => "no grid".to_owned(),
        [grid] => {
            let order = grid.cells.len().isqrt();
            format!("1 grid of order {order} with {blanks}")
        }
        _ => format!("{count} {} with {blanks}", plural(count, "grid")),
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

    /// Runs the programs on an input.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the judge fails.
    fn judge(&self, input: &Self::Input) -> Result<InputOutcome, Fault>;

    /// Repeats the doubtful trials of `first`, and chooses the trials that count.
    /// Nothing else may run meanwhile.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the judge fails.
    fn judge_again(
        &self,
        input: &Self::Input,
        first: InputOutcome,
    ) -> Result<InputOutcome, Fault>;
}

/// Makes inputs of grids in memory, and runs programs on them.
#[derive(Clone, Copy)]
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

    fn trial(&self, target: &FuzzTarget<'_>, draft: &Draft) -> Result<Trial, Fault> {
        let FuzzTarget { entry, program } = target;
        let limits = entry.limits();
        trial::judge_in_memory(
            &entry.problem,
            program,
            &limits,
            &draft.input,
            &draft.answer,
            self.sandbox,
        )
    }
}

impl FuzzHarness for GridHarness<'_> {
    type Input = Draft;

    fn input(&self, number: u64) -> Result<Option<Draft>, Fault> {
        Ok(self.source.input(number))
    }

    fn judge(&self, input: &Draft) -> Result<InputOutcome, Fault> {
        self.targets.outcome(|target| self.trial(target, input))
    }

    fn judge_again(
        &self,
        input: &Draft,
        first: InputOutcome,
    ) -> Result<InputOutcome, Fault> {
        self.targets
            .outcome_again(first, |target| self.trial(target, input))
    }
}
