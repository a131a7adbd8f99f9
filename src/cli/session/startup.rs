//! Sets up the sandbox in a thread of its own while cases are read: the kernel makes that wait, and leaves the processors
//! free. Start at [`SandboxStartup::begin`].

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::thread::JoinHandle;

use clap::builder::RangedU64ValueParser;
use clap::builder::TypedValueParser;

use crate::cli::cancel::CancelGuard;
use crate::cli::cancel::CancelToken;
use crate::cli::signals;
use crate::spec::MOST_JOBS;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::LevelChoice;
use gridjudge_sandbox::LinuxSandbox;
use gridjudge_sandbox::machine;

/// A sandbox that is being set up. It may be dropped unused.
pub(crate) struct SandboxStartup {
    /// Runs at once.
    pub(crate) jobs: usize,
    thread: Option<JoinHandle<Result<SandboxHandle, Fault>>>,
}

impl SandboxStartup {
    /// For so many runs at once, as [`number_of_jobs`] understands it.
    pub(crate) fn begin(asked: Option<usize>, choice: LevelChoice) -> Self {
        let jobs = number_of_jobs(asked);
        let start = move || SandboxHandle::start(jobs, choice);
        Self { jobs, thread: Some(thread::spawn(start)) }
    }

    /// Waits for it.
    ///
    /// # Errors
    /// As [`LinuxSandbox::start`].
    pub(crate) fn finish(mut self) -> Result<SandboxHandle, Fault> {
        let thread = self.thread.take().expect("nobody has waited for it yet");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl Drop for SandboxStartup {
    /// Waits, so that its launchers end before the judge does.
    fn drop(&mut self) {
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// A sandbox that is removed also when a signal ends the process.
pub(crate) struct SandboxHandle {
    sandbox: Option<Arc<LinuxSandbox>>,
}

impl SandboxHandle {
    /// Sets it up. A signal that comes meanwhile ends the process when that is done.
    ///
    /// # Errors
    /// As [`LinuxSandbox::start`].
    pub(crate) fn start(jobs: usize, choice: LevelChoice) -> Result<Self, Fault> {
        let _busy = signals::be_busy();
        // Not by its path: a judge that is rebuilt while it runs must get launchers of its own kind.
        let sandbox = Arc::new(LinuxSandbox::start(Path::new("/proc/self/exe"), jobs, choice)?);
        signals::remove_at_end(&sandbox);
        Ok(Self { sandbox: Some(sandbox) })
    }

    /// Ends what runs in it when the token is cancelled, for as long as the returned value lives.
    pub(crate) fn close_on_cancel(&self, cancel: &CancelToken) -> CancelGuard {
        let sandbox = self.sandbox.as_ref().map(Arc::downgrade).unwrap_or_default();
        cancel.on_cancel(move || sandbox.upgrade().inspect(|sandbox| sandbox.close()).is_some())
    }
}

impl Deref for SandboxHandle {
    type Target = LinuxSandbox;

    fn deref(&self) -> &LinuxSandbox {
        self.sandbox.as_ref().expect("it is there until it is dropped")
    }
}

impl Drop for SandboxHandle {
    /// A signal waits meanwhile: what is half removed would stay.
    fn drop(&mut self) {
        let _busy = signals::be_busy();
        self.sandbox = None;
    }
}

/// Reads how many runs there may be at once.
pub(crate) fn jobs() -> impl TypedValueParser<Value = usize> {
    RangedU64ValueParser::new().range(0..=MOST_JOBS)
}

/// `asked` runs at once, where 0 means one on each core; by default one on each physical core, since two that share
/// a core slow each other down.
fn number_of_jobs(asked: Option<usize>) -> usize {
    let cores = machine::processors();
    match asked {
        Some(0) => cores,
        Some(jobs) => jobs,
        None => machine::physical_cores().map_or(cores, |physical| physical.min(cores)),
    }
}
