//! The sandbox on its way: it is set up by a thread of its own while cases are read, for the kernel takes its time with it
//! and none of the processors. Start at [`Opening::begin`].

use std::path::Path;
use std::thread;
use std::thread::JoinHandle;

use clap::builder::RangedU64ValueParser;
use clap::builder::TypedValueParser;

use crate::machine;
use crate::model::Fault;
use crate::sandbox::Choice;
use crate::sandbox::Linux;
use crate::spec::MOST_JOBS;

/// A sandbox that is being set up. Whoever has no use for it after all may drop it.
pub(crate) struct Opening {
    /// Runs at once.
    pub(crate) jobs: usize,
    thread: Option<JoinHandle<Result<Linux, Fault>>>,
}

impl Opening {
    /// For so many runs at once, as [`number_of_jobs`] understands it.
    pub(crate) fn begin(asked: Option<usize>, choice: Choice) -> Self {
        let jobs = number_of_jobs(asked);
        // Not by its path: a judge that is rebuilt while it runs must get launchers of its own kind.
        let start = move || Linux::start(Path::new("/proc/self/exe"), jobs, choice);
        Self { jobs, thread: Some(thread::spawn(start)) }
    }

    /// Waits for it.
    ///
    /// # Errors
    /// As [`Linux::start`].
    pub(crate) fn finish(mut self) -> Result<Linux, Fault> {
        let thread = self.thread.take().expect("nobody has waited for it yet");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl Drop for Opening {
    /// So that its launchers are gone before the judge is.
    fn drop(&mut self) {
        let _ = self.thread.take().map(JoinHandle::join);
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
