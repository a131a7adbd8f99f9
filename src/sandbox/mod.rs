//! Runs one process under limits and says what it saw. It does not judge: it knows nothing of grids,
//! problems or verdicts. Start at [`Sandbox::run`].

mod basic;
mod confine;
mod launcher;
mod message;
mod refusal;
mod scratch;
mod scripted;
mod slot;
mod streams;
mod sys;
mod tree;
mod watch;

use crate::model::Fault;
use crate::model::Launch;
use crate::model::Limits;
use crate::model::Run;

pub use basic::Basic;
pub use launcher::serve as serve_launcher;
pub use message::Guarantees;
pub use scripted::Scripted;
pub use slot::LAUNCHER_ARGUMENT;

/// The sub-folder of the private folder that holds compiled programs.
const PROGRAMS: &str = "programs";

/// What the names of scratch folders start with; the number of the slot follows.
const SCRATCH: &str = "scratch-";

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
