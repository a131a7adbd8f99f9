//! The one question that everything above asks: what becomes of this launch under these limits? Knows the question
//! and the answer; knows nothing of how a run is made.

use crate::Fault;
use crate::Launch;
use crate::Limits;
use crate::Run;

/// Runs and measures hostile programs.
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
