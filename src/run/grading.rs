//! The grader of a problem while a plan is carried out: made when the first submission is through that it is asked about. Knows
//! neither which groups it is asked about nor what becomes of its answers.

use crate::model::GradedResult;
use crate::model::ScoreGroup;
use crate::run::context::RunContext;
use crate::run::task_outcome::TaskOutcome;
use crate::trial;
use crate::trial::GraderCall;
use gridjudge_sandbox::Fault;

/// Says what a group comes to, by what is in it.
pub(super) type GroupGrader<'a> = dyn Fn(&ScoreGroup, &[GradedResult]) -> Result<GradedResult, Fault> + 'a;

/// The grader for a submission, by its place in the plan; none where no program grades.
pub(super) fn grader<'a>(context: &'a RunContext<'_>, entry: usize) -> Option<Box<GroupGrader<'a>>> {
    let planned = &context.suite.plan.entries[entry];
    let grader = planned.problem.scoring.grader.as_ref()?;
    let (source, prepared) = (planned.grader.as_ref()?, context.graders[entry].as_ref()?);
    Some(Box::new(move |group, results| {
        let sandbox = &context.exclusive_sandbox;
        let program = prepared.make_ready(source, context.suite, sandbox).map_err(fault_of)?;
        let call = GraderCall {
            program: &program,
            source: &grader.source,
            arguments: group.grader_arguments.as_deref().unwrap_or_default(),
            limits: &grader.limits,
            group: &group.name,
            most: group.most,
            least: group.least,
        };
        trial::grade(&call, results, sandbox)
    }))
}

/// Why there is no grader.
fn fault_of(outcome: TaskOutcome) -> Fault {
    match outcome {
        TaskOutcome::Faulted(fault) => fault,
        TaskOutcome::Unavailable { cause, remedy } => {
            Fault::because("preparing the grader", &*cause).with_remedy(&*remedy)
        }
        _ => Fault::because("preparing the grader", "it was not made"),
    }
}
