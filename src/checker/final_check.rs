//! Asks the checker that comes after an interactor about what that has written of a talk. Knows the file between the two; who talked,
//! and that the interactor has nothing against it, is found out elsewhere.
//!
//! Source: testlib.h, "Interactor, using testlib running format": what stands in `tout` "can be judged by checker later".

use std::io;
use std::io::Read;

use crate::checker::call::CheckerCall;
use crate::checker::conduct;
use crate::checker::output_check;
use crate::model::CheckerProgram;
use crate::model::CheckerTask;
use crate::model::Findings;
use crate::model::Job;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Sandbox;

/// What the last checker finds in what an interactor has left in the folder of its call.
///
/// # Errors
/// A [`Fault`] if that is no file or too large, or if the checker does anything but answer.
pub(super) fn judge_written(
    task: &CheckerTask,
    last: &CheckerTask,
    interactor: &CheckerProgram,
    call: &CheckerCall,
    job: &Job,
    sandbox: &dyn Sandbox,
) -> Result<Findings, Fault> {
    let Some(checker) = &interactor.final_checker else {
        return Err(Fault::because(conduct::doing(last, &job.case), "it was not made ready"));
    };
    let written = call.written_output(task.limits.output_bytes);
    let written = written.map_err(|cause| conduct::fault(task, &job.case, &cause, ""))?;
    let mut output: Box<dyn Read> = match written {
        Some(file) => Box::new(file),
        None => Box::new(io::empty()),
    };
    output_check::check(last, checker, &job.case, call.worth, &mut output, sandbox)
}

#[cfg(test)]
pub(super) mod tests;
