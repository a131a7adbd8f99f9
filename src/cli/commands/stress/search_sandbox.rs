//! A sandbox that counts its runs, for the status line, and lets none of them exceed the
//! time of a search.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use gridjudge_sandbox::{
    Fault, Interaction, InteractionRequest, Launch, Limits, Party, Run, Sandbox,
    Stopwatch,
};
use parking_lot::{Condvar, Mutex};

/// A sandbox that runs everything in another one and counts the runs. Runs that the end
/// of the time cuts short are faults, and so are all later ones.
pub(super) struct SearchSandbox<'a> {
    sandbox: &'a dyn Sandbox,
    pub(super) runs: Arc<AtomicU64>,
    state: Mutex<SearchState>,
    freed: Condvar,
}

struct SearchState {
    /// The time of the search.
    time: Duration,
    /// Started by the first run, so that the search has noticed the end of its time
    /// before any run is cut short.
    watch: Option<Stopwatch>,
    /// Runs that may still begin at the same time. Others wait here, where no time of
    /// theirs is counted yet.
    free: usize,
}

impl<'a> SearchSandbox<'a> {
    /// With as many runs at once as the other sandbox allows.
    pub(super) fn new(sandbox: &'a dyn Sandbox, jobs: usize) -> Self {
        let state = SearchState {
            time: Duration::MAX,
            watch: None,
            free: jobs.max(1),
        };
        Self {
            sandbox,
            runs: Arc::default(),
            state: Mutex::new(state),
            freed: Condvar::new(),
        }
    }

    /// Begins a search of this length. Its time begins with its first run.
    pub(super) fn begin(&self, time: Duration) {
        let mut state = self.state.lock();
        state.time = time;
        state.watch = None;
    }

    /// Waits until a run may begin, and calls `run` with the time that is left for it.
    fn within_time<T>(
        &self,
        run: impl FnOnce(Duration) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let mut state = self.state.lock();
        while state.free == 0 {
            self.freed.wait(&mut state);
        }
        let watch = *state.watch.get_or_insert_with(Stopwatch::start);
        let left = state.time.saturating_sub(watch.elapsed());
        if left.is_zero() {
            return Err(time_is_up());
        }
        state.free -= 1;
        drop(state);
        let result = run(left);
        self.state.lock().free += 1;
        self.freed.notify_one();
        result
    }
}

impl Sandbox for SearchSandbox<'_> {
    fn run(&self, launch: &Launch, limits: &Limits) -> Result<Run, Fault> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        self.within_time(|left| {
            let run = self.sandbox.run(launch, &shortened(limits, left))?;
            if is_cut_short(&run, limits, left) {
                Err(time_is_up())
            } else {
                Ok(run)
            }
        })
    }

    fn interact(
        &self,
        request: InteractionRequest<'_>,
    ) -> Result<Interaction, Fault> {
        self.runs.fetch_add(2, Ordering::Relaxed);
        let of_submission = request.submission.limits;
        let of_interactor = request.interactor.limits;
        self.within_time(|left| {
            // The wall limits of both are added.
            let half = left / 2;
            let submission = Party {
                limits: &shortened(of_submission, half),
                ..request.submission
            };
            let interactor = Party {
                limits: &shortened(of_interactor, half),
                ..request.interactor
            };
            let done = self.sandbox.interact(InteractionRequest {
                submission,
                interactor,
                ..request
            })?;
            let is_cut = is_cut_short(&done.submission, of_submission, half)
                || is_cut_short(&done.interactor, of_interactor, half);
            if is_cut { Err(time_is_up()) } else { Ok(done) }
        })
    }
}

/// The limits, with at most this wall time.
fn shortened(limits: &Limits, left: Duration) -> Limits {
    Limits {
        wall: limits.wall.min(left),
        ..limits.clone()
    }
}

/// Whether a run was ended because only this much time was left, and not by its own
/// limits.
fn is_cut_short(run: &Run, limits: &Limits, left: Duration) -> bool {
    left < limits.wall && run.usage.wall >= left
}

fn time_is_up() -> Fault {
    Fault::because("running programs on inputs", "the time of the search is up")
}

#[cfg(test)]
mod tests;
