//! Verdicts for floods of output that make the interactor fail, with a sandbox that
//! simulates both programs.

use gridjudge_sandbox::{Exit, Run, ScriptedSandbox};

use super::*;
use crate::checker::interaction::final_check_tests::{job, program, task};
use crate::model::JudgingProgramKind;

/// How an interaction with a flood ends.
#[derive(Clone, Copy)]
enum Ending {
    /// The interactor is ended first.
    InteractorFails,
    /// The interactor reads everything until the submission breaks its time limit.
    TimeIsOver,
    /// The interactor fails, and no flood was measured.
    InteractorFailsUnseen,
}

fn ended(ending: Ending, limits: &Limits) -> Interaction {
    let killed = || Run {
        exit: Exit::Signal(9),
        ..ScriptedSandbox::clean("")
    };
    let mut submission = killed();
    let interactor = killed();
    let (first, written) = match ending {
        Ending::InteractorFails => (Side::Interactor, u64::MAX),
        Ending::InteractorFailsUnseen => (Side::Interactor, 0),
        Ending::TimeIsOver => {
            submission.usage.cpu = limits.cpu + Duration::from_millis(1);
            (Side::Submission, u64::MAX)
        }
    };
    Interaction {
        submission,
        interactor,
        first,
        stall: None,
        written,
    }
}

/// The verdict if the interaction ends in this way.
fn verdict_after(ending: Ending) -> Result<&'static str, String> {
    let scratch = tempfile::tempdir().unwrap();
    let task = task(JudgingProgramKind::Interactor, "talk.cpp", None);
    let interactor = program("/talk", scratch.path(), None);
    let sandbox = ScriptedSandbox::new(|_: &_, _: &_| panic!("nothing runs alone"))
        .with_interactions(move |request: InteractionRequest| {
            Ok(ended(ending, request.submission.limits))
        });
    let job = job(task, false);
    let setup =
        CheckerSetup::on_case(&job.problem, &job.case, Some(&interactor), None)
            .unwrap();
    let judged = judge_passes(setup, &job, &sandbox);
    judged
        .map(|judged| judged.verdict.code())
        .map_err(|fault| fault.cause)
}

#[test]
fn a_flood_is_to_blame_whether_it_stops_the_interactor_or_the_submission() {
    use Ending::{InteractorFails, InteractorFailsUnseen, TimeIsOver};
    assert_eq!(verdict_after(InteractorFails), Ok("OLE"));
    assert_eq!(verdict_after(TimeIsOver), Ok("OLE"));
    assert!(verdict_after(InteractorFailsUnseen).is_err());
}
