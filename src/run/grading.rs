//! Calls the grader program of a problem, which is compiled when it is needed for the first time.
//! Decides neither which groups are graded nor how the results are used.

use gridjudge_sandbox::Fault;

use crate::model::{GradedResult, ScoreGroup};
use crate::run::CaseOutcome;
use crate::run::context::RunContext;
use crate::trial;
use crate::trial::GraderCall;

/// Computes the result of a group from the results in it.
pub(super) type GroupGrader<'a> =
    dyn Fn(&ScoreGroup, &[GradedResult]) -> Result<GradedResult, Fault> + Send + 'a;

/// The grader for a submission, by its place in the plan; `None` if no program grades.
pub(super) fn grader<'a>(
    context: &'a RunContext<'_>,
    entry: usize,
) -> Option<Box<GroupGrader<'a>>> {
    let planned = &context.suite.plan.entries[entry];
    let grader = planned.problem.scoring.grader.as_ref()?;
    let prepared = context.programs[entry].grader.as_ref()?;
    Some(Box::new(move |group, results| {
        let sandbox = context.suite.sandbox;
        let program = prepared
            .compiled(context.suite, sandbox)
            .map_err(fault_of)?;
        let call = GraderCall {
            program: &program,
            source: &grader.source,
            arguments: group.grader_arguments.as_deref().unwrap_or_default(),
            limits: &grader.limits,
            group: &group.name,
        };
        trial::grade(&call, results, sandbox)
    }))
}

/// Converts the reason for which there is no grader into a fault.
fn fault_of(outcome: CaseOutcome) -> Fault {
    match outcome {
        CaseOutcome::Faulted(fault) => fault,
        CaseOutcome::Unavailable(unusable) => unusable.into_fault("preparing the grader"),
        _ => Fault::because("preparing the grader", "it was not made"),
    }
}
