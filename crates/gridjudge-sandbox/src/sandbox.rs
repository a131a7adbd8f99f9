//! The two questions that everything above asks: what becomes of this launch under these limits, and of these two if they talk to
//! each other? Knows the questions and the answers; knows nothing of how a run is made.

use crate::Fault;
use crate::Interaction;
use crate::InteractionRequest;
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

    /// Runs two programs to their ends, standard output of each being the other's standard input.
    ///
    /// The interactor meets the end of its input only when the submission has ended, so what it makes of that end comes after
    /// it for certain; the submission meets it as soon as the interactor closes its output. Neither is ever
    /// ended for writing what nobody reads any more. When the interactor ends with the code [`goes_on`](InteractionRequest::goes_on), the submission may
    /// come to its own end, and what it writes is thrown away; else it is ended at once.
    ///
    /// The submission's wall limit counts the time in which it was its turn, as far as that can be told, and the interactor's is counted
    /// on top of it.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    fn interact(&self, request: InteractionRequest<'_>) -> Result<Interaction, Fault>;
}
