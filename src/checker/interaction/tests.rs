//! Verdicts for floods of output that make the interactor fail, with a sandbox that simulates both programs.

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

/// The verdict if the interactions end in these ways, and the number of interactions.
fn verdict_after(endings: &'static [Ending]) -> (Result<&'static str, String>, usize) {
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
    let verdict = judged.map(|judged| judged.verdict.code()).map_err(|fault| fault.cause);
    (verdict, talks.load(Ordering::Relaxed))
}

#[test]
fn an_interaction_is_repeated_if_a_flood_may_have_made_the_interactor_fail() {
    use Ending::InteractorFails;
    use Ending::InteractorFailsUnseen;
    use Ending::TimeIsOver;
    assert_eq!(verdict_after(&[InteractorFails, TimeIsOver]), (Ok("TLE"), 2));
    assert_eq!(verdict_after(&[InteractorFails, InteractorFails]), (Ok("OLE"), 2));
    // A flood that was measured once counts, even if the second interaction shows none.
    assert_eq!(verdict_after(&[InteractorFails, InteractorFailsUnseen]), (Ok("OLE"), 2));
    assert_eq!(verdict_after(&[TimeIsOver]), (Ok("TLE"), 1));
}
