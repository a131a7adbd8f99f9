//! Answers by a program of the problem's own, where no solver of ours knows them. It runs in the sandbox and under the
//! limits of the problem, as every submission does; what it prints is the answer, if it ends well.

use std::io;
use std::io::Write;

use crate::model;
use crate::model::Case;
use crate::model::Program;
use crate::model::Verdict;
use crate::run::PlanEntry;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Input;
use gridjudge_sandbox::Sandbox;

/// Why a model solution gives no answer.
#[derive(Debug, thiserror::Error)]
pub enum ModelAnswerError {
    /// It broke a limit, or did not end well.
    #[error("{verdict} ({})", verdict.meaning())]
    Breach {
        /// What a submission would earn for it.
        verdict: Verdict,
    },
    /// It left no file with its output.
    #[error("it leaves no file `{name}` with its output")]
    NoOutput {
        /// The name that it should have.
        name: String,
    },
    /// The judge failed.
    #[error(transparent)]
    Judge(#[from] Fault),
    /// What it printed cannot be kept.
    #[error("cannot be written: {0}")]
    Writing(io::Error),
}

/// Runs a model solution on the input of a case, and writes what it prints to `answer`.
///
/// # Errors
/// A [`ModelAnswerError`]; what has been written by then is of no use.
pub fn write_answer(
    entry: &PlanEntry,
    program: &Program,
    case: &Case,
    sandbox: &dyn Sandbox,
    mut answer: impl Write,
) -> Result<(), ModelAnswerError> {
    let limits = entry.limits();
    let launch = program.on_case(&entry.problem, &case.name, Input::CopyOf(case.input.clone()));
    let mut run = sandbox.run(&launch, &limits)?;
    if let Some(verdict) = model::breach(&run, &limits) {
        return Err(ModelAnswerError::Breach { verdict });
    }
    if let (Some(_), Some(name)) = (run.missing_output, &entry.problem.file_streams.output) {
        return Err(ModelAnswerError::NoOutput { name: name.clone() });
    }
    io::copy(&mut run.stdout, &mut answer).map_err(ModelAnswerError::Writing)?;
    answer.flush().map_err(ModelAnswerError::Writing)
}
