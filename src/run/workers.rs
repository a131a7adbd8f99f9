//! The workers: the free threads of the pool perform the tasks, in their order. Knows neither what is
//! reported of the results nor in which order.

use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use rayon::iter::ParallelBridge;
use rayon::iter::ParallelIterator;

use crate::model::PlannedCase;
use crate::run::catch_panic::catch_panic;
use crate::run::context::RunContext;
use crate::run::judge::Judge;
use crate::run::schedule::RunTask;
use crate::run::schedule::tasks;
use crate::run::task_outcome::TaskOutcome;
use gridjudge_sandbox::calibrate;

/// The result of a task that a worker has performed.
pub(super) struct TaskResult {
    /// The task's place in the order.
    pub(super) number: usize,
    pub(super) task: RunTask,
    /// The outcome of judging; meaningless for [`RunTask::Make`].
    pub(super) outcome: TaskOutcome,
    /// The time of a calibration loop just before the run, if each case is judged several times.
    pub(super) calibration: Option<Duration>,
}

/// Performs all tasks on the thread pool that it is called on.
pub(super) fn work(context: &RunContext<'_>, sender: SyncSender<TaskResult>) {
    let suite = context.suite;
    let cases: Vec<_> = suite.plan.entries.iter().map(|entry| entry.cases.len()).collect();
    let tasks = tasks(&cases, suite.repeat, suite.jobs).enumerate().take_while(|(number, _)| {
        // Runs under the bridge's lock, in order: a worker that waits here makes the others wait, too.
        !suite.interrupted.load(Ordering::Relaxed) && context.gate.pass(*number)
    });
    let judge = context.judge_of_workers();
    tasks.par_bridge().for_each_with(sender, |sender, (number, task)| {
        // Just before the run, because disturbances change within milliseconds.
        let calibration = (suite.repeat > 1).then(calibrate);
        let outcome = catch_panic(|| perform(task, context, &*judge));
        // Sending fails only if the consumer has stopped early, because of an interruption or a panic.
        let _ = sender.send(TaskResult { number, task, outcome, calibration });
    });
}

fn perform(task: RunTask, context: &RunContext<'_>, judge: &dyn Judge) -> TaskOutcome {
    let outcome = carry_out(task, context, judge);
    // Does not wait for the report: the answers of many submissions would fill the disk. A worker that needs
    // them later unpacks them again.
    if let RunTask::Judge { entry, case, round } = task
        && case + 1 == context.suite.plan.entries[entry].cases.len()
        && round + 1 == context.suite.repeat
    {
        context.prepared[entry].clear_answers();
    }
    outcome
}

fn carry_out(task: RunTask, context: &RunContext<'_>, judge: &dyn Judge) -> TaskOutcome {
    match task {
        RunTask::Make { entry } => {
            judge.prepare(entry);
            TaskOutcome::NotRun
        }
        RunTask::Judge { entry, case, .. } if context.prepared[entry].is_settled(case) => TaskOutcome::NotRun,
        RunTask::Judge { entry, case, .. } => judge.judge(PlannedCase { entry, case }),
    }
}
