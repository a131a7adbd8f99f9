//! Runs the checker that comes after an interactor on the file that the interactor has written. The
//! interaction itself, and that the interactor has accepted it, are decided elsewhere.
//!
//! Source: testlib.h, "Interactor, using testlib running format": the contents of `tout` "can be
//! judged by checker later".

use std::io;
use std::io::Read;

use crate::checker::call::CheckerCall;
use crate::checker::{conduct, output_check};
use crate::model::{CheckerProgram, CheckerTask, Findings, Job};
use gridjudge_sandbox::{Fault, Sandbox};

/// Judges the output file that an interactor has left in the folder of its call.
///
/// # Errors
/// Returns a [`Fault`] if it is no regular file or too large, or if the checker gives no valid
/// answer.
pub(super) fn judge_written(
    task: &CheckerTask,
    last: &CheckerTask,
    interactor: &CheckerProgram,
    call: &CheckerCall,
    job: &Job,
    sandbox: &dyn Sandbox,
) -> Result<Findings, Fault> {
    let Some(checker) = &interactor.final_checker else {
        return Err(Fault::because(
            conduct::doing(last, &job.case),
            "it was not compiled",
        ));
    };
    let written = call.written_output(task.limits.output_bytes);
    let written = written.map_err(|cause| conduct::fault(task, &job.case, &cause, ""))?;
    let mut output: Box<dyn Read> = match written {
        Some(file) => Box::new(file),
        None => Box::new(io::empty()),
    };
    output_check::check(
        last,
        checker,
        &job.case,
        call.worth,
        job.submitted(),
        &mut output,
        sandbox,
    )
}

#[cfg(test)]
pub(super) mod tests;
