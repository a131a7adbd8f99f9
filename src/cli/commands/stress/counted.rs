//! A sandbox that counts its runs, for the status line.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Interaction;
use gridjudge_sandbox::InteractionRequest;
use gridjudge_sandbox::Launch;
use gridjudge_sandbox::Limits;
use gridjudge_sandbox::Run;
use gridjudge_sandbox::Sandbox;

/// A sandbox that runs everything in another one and counts the runs.
pub(super) struct CountingSandbox<'a> {
    sandbox: &'a dyn Sandbox,
    runs: Arc<AtomicU64>,
}

impl<'a> CountingSandbox<'a> {
    pub(super) fn new(sandbox: &'a dyn Sandbox) -> Self {
        Self { sandbox, runs: Arc::default() }
    }

    /// The counter, which further runs keep increasing.
    pub(super) fn runs(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.runs)
    }
}

impl Sandbox for CountingSandbox<'_> {
    fn run(&self, launch: &Launch, limits: &Limits) -> Result<Run, Fault> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        self.sandbox.run(launch, limits)
    }

    fn interact(&self, request: InteractionRequest<'_>) -> Result<Interaction, Fault> {
        self.runs.fetch_add(2, Ordering::Relaxed);
        self.sandbox.interact(request)
    }
}
