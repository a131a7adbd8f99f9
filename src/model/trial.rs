//! One submission on one case: the job before it, the trial after it.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;
use serde::Serialize;

use crate::model::Case;
use crate::model::Exit;
use crate::model::Findings;
use crate::model::Launch;
use crate::model::Limits;
use crate::model::Problem;
use crate::model::Usage;
use crate::model::Verdict;

/// One submission on one case, self-contained: whoever holds it can run and judge it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The problem.
    pub problem: Arc<Problem>,
    /// What reports call the submission.
    pub submission: Arc<str>,
    /// The case.
    pub case: Case,
    /// What to start.
    pub launch: Launch,
    /// What it may use.
    pub limits: Limits,
}

/// A judged job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// What it earned.
    pub verdict: Verdict,
    /// How its first process ended.
    pub exit: Exit,
    /// What it used.
    pub usage: Usage,
    /// What the checker found; `None` where the run itself had settled the verdict.
    pub findings: Option<Findings>,
    /// The end of what it wrote to standard error.
    pub stderr_tail: Vec<u8>,
}

/// A submission made ready to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its command.
    pub command: Vec<String>,
    /// Its environment.
    pub environment: Vec<(String, String)>,
    /// What it needs to read.
    pub readable: Vec<PathBuf>,
}
