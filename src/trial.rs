//! One job, from process to verdict. Knows neither the suite around it nor who will read of it.

use std::fs::File;
use std::path::Path;

use crate::check;
use crate::model::Fault;
use crate::model::Findings;
use crate::model::Job;
use crate::model::Run;
use crate::model::Trial;
use crate::sandbox::Sandbox;

/// Runs a job and judges it.
///
/// # Errors
/// A [`Fault`] if the sandbox failed, or the case could not be read: never a verdict.
pub fn hold(job: &Job, sandbox: &dyn Sandbox) -> Result<Trial, Fault> {
    let mut run = sandbox.run(&job.launch, &job.limits)?;
    let (verdict, findings) = match run.breach(&job.limits) {
        Some(verdict) => (verdict, None),
        None => {
            // The output is read only when the run itself was clean.
            let findings = read(job, &mut run)?;
            (findings.verdict(), Some(findings))
        }
    };
    Ok(Trial {
        verdict,
        exit: run.exit,
        usage: run.usage,
        findings,
        stderr_tail: run.stderr_tail,
        rerun: false,
        cached: false,
    })
}

fn read(job: &Job, run: &mut Run) -> Result<Findings, Fault> {
    let open = |path: &Path| {
        File::open(path).map_err(|error| Fault::new(format!("reading {}", path.display()), error))
    };
    let (input, answer) = (open(&job.case.input)?, open(&job.case.answer)?);
    let problem = &job.problem;
    check::output(&problem.format, problem.accept, input, &mut run.stdout, Some(answer))
        .map_err(|error| Fault::new(format!("checking the output for {}", job.case.name), error))
}
