//! Runs random inputs on all cores until one fails or a budget is spent. Which input is found does not depend on how many
//! run at once: all that were begun before it are run to their end, and of those that fail the first counts. What only the
//! machine may be to blame for is run again, alone, before it is believed. Start at [`Fuzzer::go`].

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::authoring::stress::draft::Draft;
use crate::authoring::stress::failing_input::FailingInput;
use crate::authoring::stress::input_runner::InputOutcome;
use crate::authoring::stress::input_runner::InputRunner;
use crate::authoring::stress::source::InputSource;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Stopwatch;

/// Inputs in a row of which none is legal, before it is said that none can be made.
const MOST_MISSES: u64 = 200;

/// While one thread waits for a run, another makes the next input, or checks the last output: else a processor would idle at
/// each change from one to the other. The sandbox sees to it that no more than [`Fuzzer::jobs`] run at once.
const THREADS_OF_A_RUN: usize = 2;

/// What is needed to look for an input that fails.
pub struct Fuzzer<'a> {
    /// Where inputs come from.
    pub source: &'a InputSource<'a>,
    /// Where they are run.
    pub rig: &'a InputRunner<'a>,
    /// How many runs at once: as many as the sandbox of `rig` has launchers.
    pub jobs: usize,
    /// How many inputs at most.
    pub inputs: Option<u64>,
    /// For how long at most.
    pub time: Option<Duration>,
    /// Set from outside to stop.
    pub interrupted: &'a AtomicBool,
}

/// What came of a hunt.
#[derive(Debug)]
pub struct FuzzResult {
    /// The first input that fails.
    pub failure: Option<FailingInput>,
    /// Inputs that were run.
    pub inputs: u64,
    /// Those on which both programs failed alike.
    pub alike: u64,
}

/// What the threads of a hunt share.
#[derive(Default)]
struct FuzzState {
    /// The number of the next input.
    next: AtomicU64,
    /// Whether enough is known for now.
    stop: AtomicBool,
    inputs: AtomicU64,
    alike: AtomicU64,
    /// Numbers in a row of which no input came.
    misses: AtomicU64,
    suspects: Mutex<Vec<(u64, Draft, InputOutcome)>>,
}

impl Fuzzer<'_> {
    /// Runs inputs until one fails, the budget is spent, or it is interrupted.
    ///
    /// # Errors
    /// A [`Fault`] if the judge fails, unless because it was interrupted.
    pub fn go(&self) -> Result<FuzzResult, Fault> {
        let watch = Stopwatch::start();
        let mut shared = FuzzState::default();
        let failure = loop {
            self.round(&shared, &watch)?;
            let suspects = std::mem::take(shared.suspects.get_mut().unwrap_or_else(PoisonError::into_inner));
            if suspects.is_empty() {
                break None;
            }
            if let Some(failure) = self.first_of(suspects)? {
                break Some(failure);
            }
            shared.stop = AtomicBool::new(false);
        };
        Ok(FuzzResult { failure, inputs: shared.inputs.into_inner(), alike: shared.alike.into_inner() })
    }

    /// Runs inputs until there are suspects, or there is nothing more to do.
    fn round(&self, shared: &FuzzState, watch: &Stopwatch) -> Result<(), Fault> {
        std::thread::scope(|scope| {
            let start = |_| scope.spawn(move || self.work(shared, watch));
            let workers: Vec<_> = (0..THREADS_OF_A_RUN * self.jobs.max(1)).map(start).collect();
            let ends = workers.into_iter().map(|worker| match worker.join() {
                Ok(end) => end,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            // All are waited for, whatever the first one says.
            ends.collect::<Vec<_>>().into_iter().collect()
        })
    }

    fn work(&self, shared: &FuzzState, watch: &Stopwatch) -> Result<(), Fault> {
        while !self.is_over(shared, watch) {
            let number = shared.next.fetch_add(1, Ordering::Relaxed);
            if self.inputs.is_some_and(|inputs| number >= inputs) {
                break;
            }
            let Some(draft) = self.source.input(number) else {
                if shared.misses.fetch_add(1, Ordering::Relaxed) >= MOST_MISSES {
                    shared.stop.store(true, Ordering::Relaxed);
                    return Err(nothing_to_run());
                }
                continue;
            };
            shared.misses.store(0, Ordering::Relaxed);
            let outcome = match self.rig.hold(&draft) {
                Ok(outcome) => outcome,
                Err(_) if self.interrupted.load(Ordering::Relaxed) => break,
                Err(fault) => {
                    shared.stop.store(true, Ordering::Relaxed);
                    return Err(fault);
                }
            };
            shared.inputs.fetch_add(1, Ordering::Relaxed);
            if outcome.symptom().is_failure() {
                shared.stop.store(true, Ordering::Relaxed);
                let mut suspects = shared.suspects.lock().unwrap_or_else(PoisonError::into_inner);
                suspects.push((number, draft, outcome));
            } else if outcome.symptom().is_alike() {
                shared.alike.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    fn is_over(&self, shared: &FuzzState, watch: &Stopwatch) -> bool {
        shared.stop.load(Ordering::Relaxed)
            || self.interrupted.load(Ordering::Relaxed)
            || watch.is_past(self.time)
    }

    /// The first of these that still fails when it is run alone.
    fn first_of(&self, mut suspects: Vec<(u64, Draft, InputOutcome)>) -> Result<Option<FailingInput>, Fault> {
        suspects.sort_by_key(|(number, ..)| *number);
        for (number, draft, outcome) in suspects {
            let outcome = match self.rig.hold_again(&draft, outcome.clone()) {
                // After an interrupt nothing is run again.
                Err(_) if self.interrupted.load(Ordering::Relaxed) => outcome,
                again => again?,
            };
            if outcome.symptom().is_failure() {
                return Ok(Some(FailingInput { number: Some(number), draft, outcome }));
            }
        }
        Ok(None)
    }
}

fn nothing_to_run() -> Fault {
    Fault::because("making random inputs", "no input was found that the problem allows")
        .with_remedy("run an input of your own with `--case FILE`")
}
