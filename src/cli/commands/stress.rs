//! `gridjudge stress`: runs a program on random inputs until it fails, and shrinks a failing input
//! of grids.

mod args;
mod found;
mod grid_session;
mod program_inputs;
mod program_session;
mod request;
mod search;

use crate::cli::{
    CancelToken, CommandError, CommandOutcome, CommandResult, GlobalOptions, JudgeSession,
    SandboxStartup, signals,
};

use found::{FoundFailure, SearchExtent};
use grid_session::GridSession;
use program_inputs::ProgramInputs;
use program_session::ProgramSession;
use request::{InputMakers, StressRequest};
use search::{InputSearch, SearchSandbox};

pub(crate) use args::StressArgs;

pub(crate) fn run(stress: &StressArgs, common: &GlobalOptions) -> CommandResult {
    let request = StressRequest::of(stress, common)?;
    let cancel = signals::cancel_token();
    let config = &request.folder.config;
    let startup = SandboxStartup::begin(stress.jobs.or(config.jobs), stress.sandbox.choice());
    let session = JudgeSession::open(startup, config, &cancel)?;
    let running = session.close_on_cancel();
    let search = InputSearch {
        stress,
        common,
        request: &request,
        session: &session,
    };
    let ending = match &request.inputs {
        InputMakers::Grids { recipes, stored } => GridSession {
            search,
            recipes,
            stored,
        }
        .run(),
        InputMakers::Programs(inputs) => ProgramSession { search, inputs }.run(),
    };
    drop(running);
    session.close();
    unless_cancelled(ending, &cancel)
}

/// Reports an interruption instead of a fault after a cancellation: the fault is probably caused by
/// it. A failure that was found before was shown already.
fn unless_cancelled(ending: CommandResult, cancel: &CancelToken) -> CommandResult {
    match ending {
        Err(CommandError::Fault(_)) | Ok(_) if cancel.is_cancelled() => {
            Ok(CommandOutcome::Interrupted)
        }
        ending => ending,
    }
}
