//! A sandbox that all runs share, and in which one run can be made alone. Knows how many runs are in progress; knows
//! nothing of why one of them wants to be alone.
//!
//! Runs beside others hold a permit each. An exclusive run first blocks new ones and then waits for
//! those inside, so it waits for the longest of them and no longer, however many stand outside. A lock of the standard
//! library promises no such order. Those outside wait for one run at most for each that wants to be alone.
//!
//! Nobody waits in vain: a run waits for nothing but the sandbox, which ends it at its limits, or at once when it is
//! closed; then who stands outside comes in, and is refused by the sandbox.

use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Launch;
use gridjudge_sandbox::Limits;
use gridjudge_sandbox::Run;
use gridjudge_sandbox::Sandbox;

/// A sandbox whose runs go on beside each other, unless one is made [`Exclusive`].
pub(crate) struct ExclusiveSandbox<'a> {
    sandbox: &'a dyn Sandbox,
    runs: Mutex<RunCounts>,
    /// Notified when no run is in progress, and when new ones may start.
    moved: Condvar,
}

#[derive(Default)]
struct RunCounts {
    /// Those in progress.
    inside: usize,
    /// Those that want to be alone, or are. The door is shut while there are any.
    alone: usize,
}

impl<'a> ExclusiveSandbox<'a> {
    pub(crate) fn new(sandbox: &'a dyn Sandbox) -> Self {
        Self { sandbox, runs: Mutex::default(), moved: Condvar::new() }
    }

    fn enter_beside_others(&self) -> Permit<'_> {
        let is_shut = |runs: &mut RunCounts| runs.alone > 0;
        let mut runs = self.moved.wait_while(self.lock(), is_shut).unwrap_or_else(PoisonError::into_inner);
        runs.inside += 1;
        Permit { floor: self, alone: false }
    }

    fn enter_alone(&self) -> Permit<'_> {
        let mut runs = self.lock();
        runs.alone += 1;
        let is_occupied = |runs: &mut RunCounts| runs.inside > 0;
        let mut runs = self.moved.wait_while(runs, is_occupied).unwrap_or_else(PoisonError::into_inner);
        runs.inside += 1;
        Permit { floor: self, alone: true }
    }

    fn lock(&self) -> MutexGuard<'_, RunCounts> {
        // Nothing panics while it holds the lock.
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sandbox for ExclusiveSandbox<'_> {
    fn run(&self, launch: &Launch, limits: &Limits) -> Result<Run, Fault> {
        let _pass = self.enter_beside_others();
        self.sandbox.run(launch, limits)
    }
}

/// The same sandbox, for runs beside which there is no other. They have some time more than they may use, so that it shows
/// whether they need little more or much.
pub(crate) struct Exclusive<'a>(pub(crate) &'a ExclusiveSandbox<'a>);

impl Sandbox for Exclusive<'_> {
    fn run(&self, launch: &Launch, limits: &Limits) -> Result<Run, Fault> {
        let _pass = self.0.enter_alone();
        self.0.sandbox.run(launch, &limits.with_slack())
    }
}

/// Permission to run, until it is dropped.
struct Permit<'a> {
    floor: &'a ExclusiveSandbox<'a>,
    alone: bool,
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut runs = self.floor.lock();
        runs.inside -= 1;
        runs.alone -= usize::from(self.alone);
        // Somebody may wait only where somebody wants, or wanted, to be alone: else nobody need be woken.
        if self.alone || (runs.alone > 0 && runs.inside == 0) {
            self.floor.moved.notify_all();
        }
    }
}

#[cfg(test)]
mod tests;
