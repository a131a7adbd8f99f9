//! What comes of floods that an interactor does not outlive, with a sandbox that plays both programs.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;

use super::*;
use crate::checker::final_check::tests::job;
use crate::checker::final_check::tests::program;
use crate::checker::final_check::tests::task;
use crate::model::CheckerKind;
use gridjudge_sandbox::Exit;
use gridjudge_sandbox::ScriptedSandbox;

/// How a talk with a flood ends.
#[derive(Clone, Copy)]
enum Ending {
    /// The interactor is ended first.
    InteractorFails,
    /// It has read all, until the submission was ended for its time.
    TimeIsOver,
    /// The interactor fails, and nobody has seen a flood.
    InteractorFailsUnseen,
}

fn ended(ending: Ending, limits: &Limits) -> Interaction {
    let killed = || Run { exit: Exit::Signal(9), ..ScriptedSandbox::clean("") };
    let (mut submission, interactor) = (killed(), killed());
    let (first, written) = match ending {
        Ending::InteractorFails => (Side::Interactor, u64::MAX),
        Ending::InteractorFailsUnseen => (Side::Interactor, 0),
        Ending::TimeIsOver => {
            submission.usage.cpu = limits.cpu + Duration::from_millis(1);
            (Side::Submission, u64::MAX)
        }
    };
    Interaction { submission, interactor, first, stall: None, written }
}

/// What talks earn that end in these ways, and how many there are.
fn earned(endings: &'static [Ending]) -> (Result<&'static str, String>, usize) {
    let scratch = tempfile::tempdir().unwrap();
    let task = task(CheckerKind::Interactor, "talk.cpp", None);
    let interactor = program("/talk", scratch.path(), None);
    let talks = Arc::new(AtomicUsize::new(0));
    let held = Arc::clone(&talks);
    let sandbox = ScriptedSandbox::new(|_: &_, _: &_| panic!("nothing runs alone"));
    let sandbox = sandbox.with_interactions(move |request: InteractionRequest| {
        let number = held.fetch_add(1, Ordering::Relaxed);
        Ok(ended(endings[number], request.submission.limits))
    });
    let judged = interact(&task, &interactor, &job(task.clone(), false), &sandbox);
    let earned = judged.map(|judged| judged.verdict.code()).map_err(|fault| fault.cause);
    (earned, talks.load(Ordering::Relaxed))
}

#[test]
fn a_flood_that_wears_an_interactor_out_is_let_talk_again() {
    use Ending::InteractorFails;
    use Ending::InteractorFailsUnseen;
    use Ending::TimeIsOver;
    assert_eq!(earned(&[InteractorFails, TimeIsOver]), (Ok("TLE"), 2));
    assert_eq!(earned(&[InteractorFails, InteractorFails]), (Ok("OLE"), 2));
    // What was seen once counts, whatever the interactor does in the end.
    assert_eq!(earned(&[InteractorFails, InteractorFailsUnseen]), (Ok("OLE"), 2));
    assert_eq!(earned(&[TimeIsOver]), (Ok("TLE"), 1));
}
