//! A sandbox that all runs share, and in which a run can be exclusive: no other is in progress at the same
//! time. Knows how many runs are in progress, but not why one of them must be alone.
//!
//! Each run holds a permit. An exclusive run first blocks new ones and then waits for those in progress, so
//! it waits no longer than for the longest of them, however many others are waiting. The `RwLock` of the
//! standard library guarantees no such order. Blocked runs wait for at most one run for each exclusive one.
//!
//! No wait is endless: the sandbox ends every run in progress at its limits, or at once when it is closed;
//! then blocked runs start, and are refused by the sandbox.

use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Interaction;
use gridjudge_sandbox::InteractionRequest;
use gridjudge_sandbox::Launch;
use gridjudge_sandbox::Limits;
use gridjudge_sandbox::Party;
use gridjudge_sandbox::Run;
use gridjudge_sandbox::Sandbox;

/// A sandbox whose runs go on beside each other, unless one is made [`Exclusive`].
pub(super) struct ExclusiveSandbox<'a> {
    sandbox: &'a dyn Sandbox,
    runs: Mutex<RunCounts>,
    /// Notified when no run is in progress any more, and when new ones may start.
    changed: Condvar,
}

#[derive(Default)]
struct RunCounts {
    /// All runs in progress.
    inside: usize,
    /// Exclusive runs, waiting or in progress. No other run starts while there are any.
    alone: usize,
}

impl<'a> ExclusiveSandbox<'a> {
    pub(super) fn new(sandbox: &'a dyn Sandbox) -> Self {
        Self { sandbox, runs: Mutex::default(), changed: Condvar::new() }
    }

    fn enter_beside_others(&self) -> Permit<'_> {
        let is_blocked = |runs: &mut RunCounts| runs.alone > 0;
        let mut runs =
            self.changed.wait_while(self.lock(), is_blocked).unwrap_or_else(PoisonError::into_inner);
        runs.inside += 1;
        Permit { sandbox: self, alone: false }
    }

    fn enter_alone(&self) -> Permit<'_> {
        let mut runs = self.lock();
        runs.alone += 1;
        let is_occupied = |runs: &mut RunCounts| runs.inside > 0;
        let mut runs = self.changed.wait_while(runs, is_occupied).unwrap_or_else(PoisonError::into_inner);
        runs.inside += 1;
        Permit { sandbox: self, alone: true }
    }

    fn lock(&self) -> MutexGuard<'_, RunCounts> {
        // Nothing panics while it holds the lock.
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sandbox for ExclusiveSandbox<'_> {
    fn run(&self, launch: &Launch, limits: &Limits) -> Result<Run, Fault> {
        let _permit = self.enter_beside_others();
        self.sandbox.run(launch, limits)
    }

    fn interact(&self, request: InteractionRequest<'_>) -> Result<Interaction, Fault> {
        let _permit = self.enter_beside_others();
        self.sandbox.interact(request)
    }
}

/// The same sandbox for exclusive runs. Runs are stopped some time after their time limit, which shows
/// whether a program needs slightly or much more time than the limit.
pub(super) struct Exclusive<'a>(pub(crate) &'a ExclusiveSandbox<'a>);

impl Sandbox for Exclusive<'_> {
    fn run(&self, launch: &Launch, limits: &Limits) -> Result<Run, Fault> {
        let _permit = self.0.enter_alone();
        self.0.sandbox.run(launch, &limits.with_slack())
    }

    fn interact(&self, request: InteractionRequest<'_>) -> Result<Interaction, Fault> {
        let _permit = self.0.enter_alone();
        let limits = request.submission.limits.with_slack();
        let submission = Party { limits: &limits, ..request.submission };
        self.0.sandbox.interact(InteractionRequest { submission, ..request })
    }
}

/// Permission to run, until it is dropped.
struct Permit<'a> {
    sandbox: &'a ExclusiveSandbox<'a>,
    alone: bool,
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut runs = self.sandbox.lock();
        runs.inside -= 1;
        runs.alone -= usize::from(self.alone);
        // Threads wait only because of an exclusive run; without one there is nothing to wake.
        if self.alone || (runs.alone > 0 && runs.inside == 0) {
            self.sandbox.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests;
