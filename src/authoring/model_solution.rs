//! Writes answers with a model solution of the problem, where the judge has no solver. The program
//! runs in the sandbox under the problem's limits, like every submission; its output is the answer
//! if it exits normally.

use std::io;
use std::io::Write;

use gridjudge_sandbox::{Fault, Input, Sandbox};

use crate::model;
use crate::model::{Case, Program, Verdict};
use crate::run::PlanEntry;

/// Why a model solution gives no answer.
#[derive(Debug, thiserror::Error)]
pub enum ModelAnswerError {
    /// It broke a limit, crashed or failed.
    #[error("{verdict} ({})", verdict.meaning())]
    Breach {
        /// The verdict that a submission would get for it.
        verdict: Verdict,
    },
    /// It did not write the file that should hold its output.
    #[error("it leaves no file `{name}` with its output")]
    NoOutput {
        /// The expected name of the file.
        name: String,
    },
    /// The judge failed.
    #[error(transparent)]
    Judge(#[from] Fault),
    /// Its output could not be written to the answer.
    #[error("cannot be written: {0}")]
    Writing(io::Error),
}

/// Runs a model solution on the input of a case, and writes its output to `answer`.
///
/// # Errors
/// Returns a [`ModelAnswerError`]; `answer` may then hold part of an output and must not be used.
pub fn write_answer(
    entry: &PlanEntry,
    program: &Program,
    case: &Case,
    sandbox: &dyn Sandbox,
    mut answer: impl Write,
) -> Result<(), ModelAnswerError> {
    let limits = entry.limits();
    let launch = program.on_case(
        &entry.problem,
        &case.name,
        Input::CopyOf(case.input.clone()),
    );
    let mut run = sandbox.run(&launch, &limits)?;
    if let Some(verdict) = model::verdict_of_breach(&run, &limits) {
        return Err(ModelAnswerError::Breach { verdict });
    }
    if let (Some(_), Some(name)) = (run.missing_output, &entry.problem.file_streams.output) {
        return Err(ModelAnswerError::NoOutput { name: name.clone() });
    }
    io::copy(&mut run.stdout, &mut answer).map_err(ModelAnswerError::Writing)?;
    answer.flush().map_err(ModelAnswerError::Writing)
}
