//! Defines the interface of a sandbox: run one launch under limits, or two that
//! interact. Knows requests and results; knows nothing of how a run is made.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::{Fault, Launch, Limits, Run};

/// Runs and measures hostile programs.
///
/// [`LinuxSandbox`](crate::LinuxSandbox) is the real one; tests use
/// [`ScriptedSandbox`](crate::ScriptedSandbox). Both may be called from many threads at
/// once.
pub trait Sandbox: Send + Sync {
    /// Runs one process to its end, together with everything it starts.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the judge could not start, watch or clean up the run.
    /// Whatever the program itself does, however badly, is a [`Run`].
    fn run(&self, launch: &Launch, limits: &Limits) -> Result<Run, Fault>;

    /// As [`run`](Self::run), and ends the run early if the switch is thrown. What it
    /// has done until then means nothing. A sandbox may let it go on.
    ///
    /// # Errors
    /// As for [`run`](Self::run).
    fn run_until(
        &self,
        launch: &Launch,
        limits: &Limits,
        _stop: &StopSwitch,
    ) -> Result<Run, Fault> {
        self.run(launch, limits)
    }

    /// Runs two programs to their ends, with the standard output of each as the other's
    /// standard input.
    ///
    /// The interactor sees the end of its input only when the submission has ended, so
    /// its reaction to that certainly comes after the submission's end; the submission
    /// sees the end of its input as soon as the interactor closes its output. Neither
    /// is ever ended for writing when the other no longer reads. When the interactor
    /// ends, the submission may continue to its own end if the request says so
    /// ([`lets_finish`](InteractionRequest::lets_finish)), and what it writes is thrown
    /// away; otherwise it is ended at once.
    ///
    /// The submission's wall limit counts the time in which it was the submission's
    /// turn, as far as that can be determined; the interactor's limit is added on top
    /// of it.
    ///
    /// # Errors
    /// As for [`run`](Self::run).
    fn interact(&self, request: InteractionRequest<'_>)
    -> Result<Interaction, Fault>;
}

/// Ends a run from another thread.
#[derive(Default)]
pub struct StopSwitch(Mutex<SwitchState>);

#[derive(Default)]
struct SwitchState {
    is_thrown: bool,
    /// Ends the run in progress, if there is one.
    end: Option<Box<dyn Fn() + Send>>,
}

/// The connection of a switch to a run, which ends when this is dropped.
pub(crate) struct SwitchedRun<'a>(&'a StopSwitch);

impl StopSwitch {
    /// Ends the run in progress, and each later one as soon as it begins.
    pub fn throw(&self) {
        let mut state = self.lock();
        state.is_thrown = true;
        if let Some(end) = &state.end {
            end();
        }
    }

    /// Whether it has been thrown.
    pub fn is_thrown(&self) -> bool {
        self.lock().is_thrown
    }

    /// Connects it to a run that `end` ends; calls that at once if the switch has been
    /// thrown.
    pub(crate) fn connect(&self, end: impl Fn() + Send + 'static) -> SwitchedRun<'_> {
        let mut state = self.lock();
        if state.is_thrown {
            end();
        }
        state.end = Some(Box::new(end));
        SwitchedRun(self)
    }

    fn lock(&self) -> MutexGuard<'_, SwitchState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SwitchedRun<'_> {
    fn drop(&mut self) {
        self.0.lock().end = None;
    }
}

// The request for an interaction (two runs that are connected to each other) and its
// results. Plain figures; whether they break a limit is for the caller to decide.

/// One of the two programs of an interaction. The standard input of its launch is
/// ignored.
#[derive(Clone, Copy, Debug)]
pub struct Party<'a> {
    /// The program to start.
    pub launch: &'a Launch,
    /// The limits of its run.
    pub limits: &'a Limits,
}

/// A request for an interaction.
#[derive(Clone, Copy)]
pub struct InteractionRequest<'a> {
    /// The program under test.
    pub submission: Party<'a>,
    /// The program that it is connected to.
    pub interactor: Party<'a>,
    /// Whether the submission may continue to its own end after the interactor has
    /// exited with this code and this end of its standard error, as in
    /// [`Run::stderr_tail`].
    pub lets_finish: &'a dyn Fn(i32, &[u8]) -> bool,
    /// Receives all that both sides write. `None` if nothing listens; with a listener
    /// all bytes go through the judge, which takes several times as long.
    pub listener: Option<&'a dyn InteractionListener>,
    /// Ends the submission early, as in [`run_until`](Sandbox::run_until).
    pub stop: Option<&'a StopSwitch>,
}

/// Receives the bytes that two runs exchange. Called from two threads.
pub trait InteractionListener: Sync {
    /// An interaction begins. Anything received before belongs to an attempt that does
    /// not count.
    fn begin(&self);

    /// One side has written these bytes, at this time after the start.
    fn receive(&self, by: Side, at: Duration, bytes: &[u8]);
}

/// One of the two sides of an interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The program under test.
    Submission,
    /// The program that it is connected to.
    Interactor,
}

/// Why an interaction was ended although both runs kept their own limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stall {
    /// Each side waited for input from the other, and no bytes were in transit.
    BothWait,
    /// It was the submission's turn, and it was past its wall limit.
    SubmissionsTurn,
    /// It was the interactor's turn, and the sum of both wall limits had passed.
    InteractorsTurn,
}

/// Two finished runs, where the standard output of each was the other's standard input.
#[derive(Debug)]
pub struct Interaction {
    /// The submission's run. Its standard output went to the interactor; `stdout_bytes`
    /// counts only what it wrote after the interactor had ended. Its wall time is that
    /// of both.
    pub submission: Run,
    /// The interactor's run. Its standard output went to the submission.
    pub interactor: Run,
    /// The side that ended first: the interactor, if it ended without having seen the
    /// end of the submission's output. If the submission ended well and within its
    /// limits, this may be either side: then neither caused the other to fail.
    pub first: Side,
    /// Why the judge ended the two runs; `None` if they ended by themselves or one
    /// broke its own limits.
    pub stall: Option<Stall>,
    /// The bytes that the submission had written, to the interactor and elsewhere, as
    /// seen in one of a few samples: it may have written more.
    pub written: u64,
}
