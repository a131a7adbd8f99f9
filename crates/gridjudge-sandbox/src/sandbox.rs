//! Defines the interface of a sandbox: run one launch under limits, or two that interact. Knows
//! requests and results; knows nothing of how a run is made.

use crate::{Fault, Interaction, InteractionRequest, Launch, Limits, Run};

/// Runs and measures hostile programs.
///
/// [`LinuxSandbox`](crate::LinuxSandbox) is the real one; tests use
/// [`ScriptedSandbox`](crate::ScriptedSandbox). Both may be called from many threads at once.
pub trait Sandbox: Send + Sync {
    /// Runs one process to its end, together with everything it starts.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the judge could not start, watch or clean up the run. Whatever the
    /// program itself does, however badly, is a [`Run`].
    fn run(&self, launch: &Launch, limits: &Limits) -> Result<Run, Fault>;

    /// Runs two programs to their ends, with the standard output of each as the other's standard
    /// input.
    ///
    /// The interactor sees the end of its input only when the submission has ended, so its reaction
    /// to that certainly comes after the submission's end; the submission sees the end of its input
    /// as soon as the interactor closes its output. Neither is ever ended for writing when the
    /// other no longer reads. When the interactor ends, the submission may continue to its own end
    /// if the request says so ([`lets_finish`](InteractionRequest::lets_finish)), and what it
    /// writes is thrown away; otherwise it is ended at once.
    ///
    /// The submission's wall limit counts the time in which it was the submission's turn, as far as
    /// that can be determined; the interactor's limit is added on top of it.
    ///
    /// # Errors
    /// As for [`run`](Self::run).
    fn interact(&self, request: InteractionRequest<'_>) -> Result<Interaction, Fault>;
}
