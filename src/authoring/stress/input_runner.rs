//! Holds one input against the submission, and against another program if there is one. Every run is a trial like any
//! other: the same sandbox, limits and checker as in grading. Start at [`InputRunner::hold`].

use crate::authoring::stress::draft::Draft;
use crate::model::Program;
use crate::model::Trial;
use crate::model::Verdict;
use crate::run::PlanEntry;
use crate::trial;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Sandbox;

/// A program that is to be held against inputs.
#[derive(Clone, Copy)]
pub struct FuzzTarget<'a> {
    /// The submission with its problem; its cases are not used.
    pub entry: &'a PlanEntry,
    /// What it was made into.
    pub program: &'a Program,
}

/// The programs that each input is held against.
#[derive(Clone, Copy)]
pub struct FuzzTargets<'a> {
    /// The submission.
    pub submission: FuzzTarget<'a>,
    /// The program that it is compared with.
    pub against: Option<FuzzTarget<'a>>,
}

/// Where inputs that are held in memory are run.
pub struct InputRunner<'a> {
    /// What they are held against.
    pub targets: FuzzTargets<'a>,
    /// Where they run.
    pub sandbox: &'a dyn Sandbox,
}

/// What an input came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputOutcome {
    /// Of the submission.
    pub trial: Trial,
    /// Of the other program.
    pub against: Option<Trial>,
}

/// What kind of failure it is: two inputs with the same symptom are taken to show the same bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symptom {
    /// Of the submission.
    pub verdict: Verdict,
    /// Of the other program.
    pub against: Option<Verdict>,
}

impl InputOutcome {
    /// What kind it is of.
    pub fn symptom(&self) -> Symptom {
        Symptom { verdict: self.trial.verdict, against: self.against.as_ref().map(|trial| trial.verdict) }
    }
}

impl Symptom {
    /// Whether it is what is looked for: a submission that is not accepted, or, beside another program, one that earns
    /// another verdict than that.
    pub fn is_failure(self) -> bool {
        self.verdict != self.against.unwrap_or(Verdict::Accepted)
    }

    /// Whether both programs fail, and alike.
    pub fn is_alike(self) -> bool {
        self.against == Some(self.verdict) && self.verdict != Verdict::Accepted
    }
}

impl FuzzTargets<'_> {
    /// What an input comes to, if a trial of one program on it is made in this way.
    pub(super) fn outcome(
        &self,
        trial: impl Fn(&FuzzTarget<'_>) -> Result<Trial, Fault>,
    ) -> Result<InputOutcome, Fault> {
        let against = |other| trial(other).map(Some);
        let own = trial(&self.submission)?;
        Ok(InputOutcome { trial: own, against: self.against.as_ref().map_or(Ok(None), against)? })
    }

    /// The same once more, when nothing else runs: of two doubtful trials the one that counts is taken.
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
        let against = self.against.as_ref().zip(first.against);
        let against = against.map(|(other, first)| again(other, first)).transpose()?;
        Ok(InputOutcome { trial: own, against })
    }
}

impl InputRunner<'_> {
    /// Runs an input.
    ///
    /// # Errors
    /// A [`Fault`] if the judge fails.
    pub fn hold(&self, draft: &Draft) -> Result<InputOutcome, Fault> {
        self.targets.outcome(|target| self.trial(target, draft))
    }

    /// Runs an input again when nothing else runs; of two doubtful trials the one that counts is taken.
    ///
    /// # Errors
    /// A [`Fault`] if the judge fails.
    pub fn hold_again(&self, draft: &Draft, first: InputOutcome) -> Result<InputOutcome, Fault> {
        self.targets.outcome_again(first, |target| self.trial(target, draft))
    }

    /// How many runs one input takes.
    pub fn runs_of_an_input(&self) -> u64 {
        1 + u64::from(self.targets.against.is_some())
    }

    fn trial(&self, target: &FuzzTarget<'_>, draft: &Draft) -> Result<Trial, Fault> {
        let FuzzTarget { entry, program } = target;
        let limits = entry.limits();
        trial::hold_in_memory(&entry.problem, program, &limits, &draft.input, &draft.answer, self.sandbox)
    }
}
