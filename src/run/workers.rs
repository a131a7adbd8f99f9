//! The workers: the free threads of the pool perform the steps, in their order. Knows neither what is
//! reported of the results nor in which order.

use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use rayon::iter::ParallelBridge;
use rayon::iter::ParallelIterator;

use crate::run::case_outcome::CaseOutcome;
use crate::run::catch_panic::catch_panic;
use crate::run::context::RunContext;
use crate::run::judge::Judge;
use crate::run::schedule::RunStep;
use crate::run::schedule::steps;
use gridjudge_sandbox::calibrate;

/// The result of a step that a worker has performed.
pub(super) struct StepResult {
    /// The step's place in the order.
    pub(super) number: usize,
    pub(super) step: RunStep,
    /// The outcome of judging; [`CaseOutcome::NotRun`] for [`RunStep::Compile`].
    pub(super) outcome: CaseOutcome,
    /// The time of a calibration loop just before the run, if each case is judged several times.
    pub(super) calibration: Option<Duration>,
}

/// Performs all steps on the thread pool that it is called on.
pub(super) fn work(context: &RunContext<'_>, sender: SyncSender<StepResult>) {
    let suite = context.suite;
    let cases: Vec<_> = suite.plan.entries.iter().map(|entry| entry.cases.len()).collect();
    let steps = steps(&cases, suite.options.repeat, suite.jobs).enumerate().take_while(|(number, _)| {
        // `par_bridge` calls this under its lock, in order: a worker that waits here makes the others wait, too.
        !suite.interrupted.load(Ordering::Relaxed) && context.gate.pass(*number)
    });
    let judge = context.judge_of_workers();
    steps.par_bridge().for_each_with(sender, |sender, (number, step)| {
        // Just before the run, because disturbances change within milliseconds.
        let calibration = (suite.options.repeat > 1).then(calibrate);
        let outcome = catch_panic(|| perform(step, context, &*judge));
        // Sending fails only if the consumer has stopped early, because of an interruption or a panic.
        let _ = sender.send(StepResult { number, step, outcome, calibration });
    });
}

fn perform(step: RunStep, context: &RunContext<'_>, judge: &dyn Judge) -> CaseOutcome {
    let (case, round) = match step {
        RunStep::Compile { entry } => {
            judge.prepare(entry);
            return CaseOutcome::NotRun;
        }
        RunStep::Judge { case, round } => (case, round),
    };
    let (suite, prepared) = (context.suite, &context.prepared[case.entry]);
    let outcome = if prepared.is_settled(case.case) { CaseOutcome::NotRun } else { judge.judge(case) };
    // Does not wait for the report: the answers of many submissions would fill the disk. A worker that needs
    // them later unpacks them again.
    if case.case + 1 == suite.plan.entries[case.entry].cases.len() && round + 1 == suite.options.repeat {
        prepared.clear_answers();
    }
    outcome
}
