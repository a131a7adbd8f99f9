//! `gridjudge stress`: random inputs until a program fails, then the smallest input on which it does.

mod args;
mod bench;
mod counted;
mod place;
mod show;
mod words;

use crate::cli::args::GlobalOptions;
use crate::cli::commands::stress::args::StressRequest;
use crate::cli::commands::stress::bench::StressSession;
use crate::cli::exit::CommandError;
use crate::cli::exit::CommandOutcome;
use crate::cli::session::sandbox_notes;
use crate::cli::session::startup::SandboxStartup;
use crate::cli::signals;

pub(crate) use args::StressArgs;

pub(crate) fn run(stress: &StressArgs, common: &GlobalOptions) -> Result<CommandOutcome, CommandError> {
    let request = StressRequest::of(stress, common)?;
    let cancel = signals::cancel_token();
    let startup = SandboxStartup::begin(Some(stress.jobs.unwrap_or(0)), stress.sandbox.choice());
    let jobs = startup.jobs;
    let sandbox = startup.finish()?;
    sandbox_notes::tell(&sandbox, request.has_cache, common);
    let _running = sandbox.close_on_cancel(&cancel);
    StressSession { stress, common, request: &request, sandbox: &sandbox, cancel: &cancel, jobs }.run()
}
