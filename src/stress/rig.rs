//! Holds one input against the submission, and against another program if there is one. Every run is a trial like any
//! other: the same sandbox, limits and checker as in grading. Start at [`Rig::hold`].

use std::fs::File;
use std::io;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

use crate::model::Case;
use crate::model::Fault;
use crate::model::Program;
use crate::model::Trial;
use crate::model::Verdict;
use crate::sandbox::Sandbox;
use crate::stress::draft::Draft;
use crate::suite::Entry;
use crate::trial;

/// A program that is to be held against inputs.
#[derive(Clone, Copy)]
pub struct Contestant<'a> {
    /// The submission with its problem; its cases are not used.
    pub entry: &'a Entry,
    /// What it was made into.
    pub program: &'a Program,
}

/// Where inputs are run.
pub struct Rig<'a> {
    /// The submission.
    pub submission: Contestant<'a>,
    /// The program that it is compared with.
    pub against: Option<Contestant<'a>>,
    /// Where they run.
    pub sandbox: &'a dyn Sandbox,
    /// A folder for inputs and answers that no submission can read.
    pub folder: PathBuf,
}

/// What an input came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
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

impl Outcome {
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

impl Rig<'_> {
    /// Runs an input. `place` is a number that no other thread uses meanwhile.
    ///
    /// # Errors
    /// A [`Fault`] if the judge fails.
    pub fn hold(&self, place: usize, draft: &Draft) -> Result<Outcome, Fault> {
        let case = self.case(place, draft)?;
        let trial = self.trial(&self.submission, &case)?;
        let against = self.against.as_ref().map(|other| self.trial(other, &case)).transpose()?;
        Ok(Outcome { trial, against })
    }

    /// Runs an input again when nothing else runs; of two doubtful trials the one that counts is taken.
    ///
    /// # Errors
    /// A [`Fault`] if the judge fails.
    pub fn hold_again(&self, draft: &Draft, first: Outcome) -> Result<Outcome, Fault> {
        let case = self.case(0, draft)?;
        let again = |contestant: &Contestant<'_>, first: Trial| {
            if !first.is_doubtful(&contestant.entry.limits()) {
                return Ok(first);
            }
            Ok(first.held_again(self.trial(contestant, &case)?))
        };
        let trial = again(&self.submission, first.trial)?;
        let against = self.against.as_ref().zip(first.against);
        let against = against.map(|(other, first)| again(other, first)).transpose()?;
        Ok(Outcome { trial, against })
    }

    /// How many runs one input takes.
    pub fn runs_of_an_input(&self) -> u64 {
        1 + u64::from(self.against.is_some())
    }

    fn trial(&self, contestant: &Contestant<'_>, case: &Case) -> Result<Trial, Fault> {
        trial::hold(&contestant.entry.job(case, contestant.program), self.sandbox)
    }

    fn case(&self, place: usize, draft: &Draft) -> Result<Case, Fault> {
        let file = |ending: &str| self.folder.join(format!("{place}.{ending}"));
        let case = Case { name: "input".to_owned(), input: file("in"), answer: file("ans") };
        write(&case.input, &draft.input)?;
        write(&case.answer, &draft.answer)?;
        Ok(case)
    }
}

/// Makes these bytes a file's. One that is there already is shortened last: a file that was emptied first, ext4 writes to the
/// disk as soon as it is closed, and waits for that.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let write = || -> io::Result<()> {
        let mut file = File::options().write(true).create(true).truncate(false).open(path)?;
        file.write_all(bytes)?;
        file.set_len(bytes.len() as u64)
    };
    write().map_err(|error| Fault::new(format!("writing {}", path.display()), error))
}
