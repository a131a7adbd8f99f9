//! Runs one process under limits and says what it saw. It does not judge: it knows nothing of grids,
//! problems or verdicts. Start at [`Sandbox::run`].

use crate::model::{Fault, Launch, Limits, Run};

/// A place where a hostile program can be run and measured.
///
/// The real one is on Linux; tests use a scripted one. Both may be called from many threads at once.
pub trait Sandbox: Send + Sync {
    /// Runs one process to its end, and everything it started with it.
    ///
    /// # Errors
    /// A [`Fault`] if the judge could not start, watch or clear away the run. Whatever the program itself
    /// does, however badly, is a [`Run`].
    fn run(&self, launch: &Launch, limits: &Limits) -> Result<Run, Fault>;
}
