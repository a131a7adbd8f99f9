//! Finds a small input on which a program fails: runs random inputs until one fails,
//! then simplifies that input. Knows how to run and judge one input, not how programs
//! are prepared or results are shown.
//!
//! ```text
//! InputSource ---input k---> FuzzHarness ---outcome---> Fuzzer ---first failure---> Shrinker ---> case, note
//!                        ^                                                              |
//!                        +----------------------- simpler inputs -----------------------+
//! ```
//!
//! Start at [`Fuzzer::run`] and [`Shrinker::shrink`].

mod generated;
mod input_runner;
mod seed_grids;
mod shrink;
mod source;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use gridjudge_sandbox::{Fault, Stopwatch};
use parking_lot::Mutex;

use crate::model::Verdict;

use seed_grids::{SeedGrid, SeedGrids, ShapeSymmetries};

pub use generated::{
    GeneratedHarness, GeneratedInput, GeneratorArguments, InputPrograms,
    InputValidatorProgram, PLACEHOLDERS,
};
pub use input_runner::{
    FailingInput, FuzzHarness, FuzzTarget, FuzzTargets, GridHarness, InputOutcome,
    size_of_shrunk, size_of_text,
};
pub use seed_grids::{Draft, DraftGrid};
pub use shrink::{ShrinkBudget, ShrinkResult, Shrinker};
pub use source::InputSource;

/// How many inputs in a row may turn out illegal before the search fails.
const MOST_MISSES: u64 = 200;

/// Threads for each run at a time. While one waits for a run, another makes the next
/// input or checks the last output; otherwise a processor would idle in between. The
/// sandbox ensures that at most [`Fuzzer::jobs`] programs run at once.
const THREADS_OF_A_RUN: usize = 2;

/// A search for an input that fails.
pub struct Fuzzer<'a, H> {
    /// Makes inputs and runs them.
    pub harness: &'a H,
    /// The number of concurrent runs: as many as the sandbox of the harness has
    /// launchers.
    pub jobs: usize,
    /// The most inputs; `None` for no limit.
    pub inputs: Option<u64>,
    /// The longest wall time of the search; `None` for no limit.
    pub time: Option<Duration>,
    /// Set by others to stop the search.
    pub interrupted: &'a AtomicBool,
}

/// The result of a search.
#[derive(Debug)]
pub struct FuzzResult<I> {
    /// The first input that fails; `None` if none was found.
    pub failure: Option<FailingInput<I>>,
    /// The number of inputs that were run.
    pub inputs: u64,
    /// The number of inputs on which both programs failed with the same verdict.
    pub alike: u64,
}

/// The state that the threads of a search share.
struct FuzzState<I> {
    /// The number of the next input.
    next: u64,
    /// Whether the current round must end.
    stop: bool,
    inputs: u64,
    alike: u64,
    /// How many numbers in a row gave no input.
    misses: u64,
    /// The inputs that seem to fail.
    suspects: Vec<FailingInput<I>>,
    /// The fault of the first input at which the judge failed, with the input's number.
    fault: Option<(u64, Fault)>,
}

impl<H: FuzzHarness> Fuzzer<'_, H> {
    /// Runs inputs until one fails, the budget is spent, or the search is interrupted.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the judge fails, except after an interrupt.
    pub fn run(&self) -> Result<FuzzResult<H::Input>, Fault> {
        let watch = Stopwatch::start();
        let mut shared = Mutex::new(FuzzState {
            next: 0,
            stop: false,
            inputs: 0,
            alike: 0,
            misses: 0,
            suspects: vec![],
            fault: None,
        });
        let failure = loop {
            // A round runs inputs until there are suspects or a fault, or the search is
            // over.
            std::thread::scope(|scope| {
                for _ in 0..THREADS_OF_A_RUN * self.jobs.max(1) {
                    scope.spawn(|| self.work(&shared, &watch));
                }
            });
            let state = shared.get_mut();
            let mut suspects = std::mem::take(&mut state.suspects);
            let fault = state.fault.take();
            let is_over = suspects.is_empty();
            // Failures with a lower number than the fault's take precedence over it,
            // and later ones are ignored, so that the result is the same with any
            // number of threads.
            let end = fault.as_ref().map_or(u64::MAX, |(number, _)| *number);
            suspects.retain(|suspect| suspect.number < Some(end));
            match (self.first_of(suspects, &watch)?, fault) {
                (Some(failure), _) => break Some(failure),
                (None, Some((_, fault))) => return Err(fault),
                (None, None) if is_over => break None,
                (None, None) => state.stop = false,
            }
        };
        let FuzzState { inputs, alike, .. } = shared.into_inner();
        Ok(FuzzResult {
            failure,
            inputs,
            alike,
        })
    }

    fn work(&self, shared: &Mutex<FuzzState<H::Input>>, watch: &Stopwatch) {
        while !self.has_ended(watch) {
            let number = {
                let mut state = shared.lock();
                if state.stop {
                    break;
                }
                state.next += 1;
                state.next - 1
            };
            if self.inputs.is_some_and(|inputs| number >= inputs) {
                break;
            }
            let done = self.attempt(number, shared);
            // Faults after the end are its consequence: runs are ended then.
            if let Err(fault) = done
                && !self.has_ended(watch)
            {
                let mut state = shared.lock();
                state.stop = true;
                let known = state.fault.as_ref();
                if known.is_none_or(|(known, _)| number < *known) {
                    state.fault = Some((number, fault));
                }
            }
        }
    }

    /// Makes an input and runs it.
    fn attempt(
        &self,
        number: u64,
        shared: &Mutex<FuzzState<H::Input>>,
    ) -> Result<(), Fault> {
        let Some(draft) = self.harness.input(number)? else {
            let mut state = shared.lock();
            state.misses += 1;
            if state.misses <= MOST_MISSES {
                return Ok(());
            }
            let cause = "no input was found that the problem allows";
            let fault = Fault::because("making random inputs", cause);
            return Err(
                fault.with_remedy("run an input of your own with `--input FILE`")
            );
        };
        shared.lock().misses = 0;
        let outcome = self.harness.judge(&draft)?;
        let mut state = shared.lock();
        state.inputs += 1;
        if outcome.is_failure() {
            state.stop = true;
            state.suspects.push(FailingInput {
                number: Some(number),
                draft,
                outcome,
            });
        } else if outcome.trial.verdict != Verdict::Accepted {
            // Both programs fail, with the same verdict.
            state.alike += 1;
        }
        Ok(())
    }

    /// Whether the search was interrupted, or its time is up.
    fn has_ended(&self, watch: &Stopwatch) -> bool {
        self.interrupted.load(Ordering::Relaxed) || watch.is_past(self.time)
    }

    /// The first suspect that fails again when it is run alone.
    fn first_of(
        &self,
        mut suspects: Vec<FailingInput<H::Input>>,
        watch: &Stopwatch,
    ) -> Result<Option<FailingInput<H::Input>>, Fault> {
        suspects.sort_by_key(|suspect| suspect.number);
        for mut suspect in suspects {
            let first = suspect.outcome.clone();
            match self.harness.judge_again(&suspect.draft, first) {
                // After the end nothing can be run again, so the first outcome counts.
                Err(_) if self.has_ended(watch) => {}
                again => suspect.outcome = again?,
            }
            if suspect.outcome.is_failure() {
                return Ok(Some(suspect));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests;
