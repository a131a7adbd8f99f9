//! Carries out a plan: workers of an own rayon pool judge, one consumer tells what happened, in the order of the plan.
//! Knows neither who listens nor how results are shown. Start at [`Suite::judge`].
//!
//! ```text
//! Plan -> tasks -> [ worker  worker ... ] -> bounded channel -> narrator -> events
//!            ^            |                                        |
//!            |            +- what is known need not be run         +- hold a doubtful trial again, alone
//!            |            +- else compile once, hold the trial
//!            +------------- gate: at most a window ahead ----------+
//! ```
//!
//! The consumer itself holds trials again, when they are to be told: so it is done in the order of the plan, only for
//! submissions that no earlier case has settled, and by one thread, whatever the number of workers.

mod attempts;
mod cached;
mod catch_panic;
mod confirm;
mod exclusive_sandbox;
mod group_scores;
mod language_check;
mod plan;
mod prepared;
mod reason;
mod reporter;
mod schedule;
mod started;
mod task_result;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::sync::mpsc::SyncSender;
use std::sync::mpsc::sync_channel;

use rayon::iter::ParallelBridge;
use rayon::iter::ParallelIterator;

use crate::cache::Cache;
use crate::compile::Compiler;
use crate::model::Activity;
use crate::model::Event;
use crate::model::JudgingPhase;
use crate::model::Program;
use crate::model::Tally;
use crate::model::Trial;
use cached::CacheIndex;
use cached::CachedResults;
use catch_panic::catch_panic;
use exclusive_sandbox::ExclusiveSandbox;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Sandbox;
use gridjudge_sandbox::calibrate;
pub use language_check::language_problem;
pub use plan::Plan;
pub use plan::PlanEntry;
use prepared::PreparedSubmission;
pub(crate) use reason::reason;
use reporter::SubmissionReporter;
use reporter::TaskOutcome;
use schedule::Gate;
use schedule::GateCloser;
use schedule::RunTask;
use schedule::tasks;
use task_result::TaskResult;

/// Everything that judging needs.
pub struct Suite<'a> {
    /// What to judge.
    pub plan: &'a Plan,
    /// Where to run it.
    pub sandbox: &'a dyn Sandbox,
    /// Where to make it.
    pub compiler: &'a Compiler,
    /// Where trials of an earlier time are, and those of this one go; none to run everything and keep nothing.
    pub cache: Option<&'a Cache>,
    /// Where it is kept which languages work here, if anywhere.
    pub language_cache: Option<&'a Cache>,
    /// Runs at once.
    pub jobs: usize,
    /// How often each case is judged.
    pub repeat: usize,
    /// Whether a submission's first case that is not accepted settles it.
    pub stop_at_first: bool,
    /// The sandbox's level, for the log.
    pub level: &'a str,
    /// What this machine does not give, for the log.
    pub notes: &'a [String],
    /// The folder from which the log sees submissions.
    pub root: &'a Path,
    /// Processor, cores and kernel, for the log.
    pub machine: &'a str,
    /// When it is, for the log.
    pub started: &'a str,
    /// Set from outside to stop.
    pub interrupted: &'a AtomicBool,
    /// Where it says what it is doing, for who looks on.
    pub activity: &'a Activity,
}

/// What workers and the consumer share while they carry out a plan.
struct RunContext<'a> {
    gate: Gate,
    /// One for each entry of the plan.
    prepared: Vec<PreparedSubmission<'a>>,
    cache_index: Option<CacheIndex<'a>>,
    /// Where all runs are made, those of compilers too.
    exclusive_sandbox: ExclusiveSandbox<'a>,
}

impl<'a> Suite<'a> {
    /// Judges everything and tells every event, in the order of the plan. Returns the tally that the last event
    /// carries.
    ///
    /// # Errors
    /// A [`Fault`] if the pool cannot be set up. Faults of single trials are events.
    pub fn judge(&self, tell: &mut dyn FnMut(Event)) -> Result<Tally, Fault> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.jobs)
            .thread_name(|number| format!("judge-{number}"))
            .build()
            .map_err(|error| Fault::new("starting the workers", error))?;
        tell(self.started());
        let prepared = self.plan.entries.iter().map(|_| PreparedSubmission::default()).collect();
        let cache_index = self.cache.map(|cache| CacheIndex::new(cache, self.plan));
        let context = RunContext {
            gate: Gate::default(),
            prepared,
            cache_index,
            exclusive_sandbox: ExclusiveSandbox::new(self.sandbox),
        };
        let (sender, receiver) = sync_channel(self.jobs * 2);
        let tally = std::thread::scope(|scope| {
            scope.spawn(|| pool.install(|| self.work(&context, sender)));
            self.report_in_order(&context, receiver, tell)
        });
        let interrupted = self.interrupted.load(Ordering::Relaxed);
        tell(if interrupted { Event::SuiteInterrupted(tally) } else { Event::SuiteFinished(tally) });
        Ok(tally)
    }

    /// Does all tasks, on the pool.
    fn work(&self, context: &RunContext<'a>, sender: SyncSender<TaskResult>) {
        let cases: Vec<_> = self.plan.entries.iter().map(|entry| entry.cases.len()).collect();
        let steps = tasks(&cases, self.repeat, self.jobs).enumerate().take_while(|(number, _)| {
            // Asked under the bridge's lock, in order: who waits here makes the others wait, too.
            !self.interrupted.load(Ordering::Relaxed) && context.gate.pass(*number)
        });
        steps.par_bridge().for_each_with(sender, |sender, (number, task)| {
            // Just before the run, because disturbances change within milliseconds.
            let calibration = (self.repeat > 1).then(calibrate);
            let outcome = catch_panic(|| self.run_or_recall(task, context));
            // The consumer leaves early only when it was interrupted.
            let _ = sender.send(TaskResult { number, task, outcome, calibration });
        });
    }

    /// Does a task, unless what it comes to is known, and keeps what it comes to.
    fn run_or_recall(&self, task: RunTask, context: &RunContext<'a>) -> Option<TaskOutcome> {
        let Some(memory) = self.load_cached(task, context) else {
            return self.perform(task, context, &context.exclusive_sandbox, JudgingPhase::Judging);
        };
        match task {
            RunTask::Make { .. } if memory.is_enough() => None,
            RunTask::Make { .. } => {
                self.perform(task, context, &context.exclusive_sandbox, JudgingPhase::Judging)
            }
            RunTask::Judge { case, .. } if memory.is_settled_before(case) => Some(TaskOutcome::NotRun),
            RunTask::Judge { case, .. } => {
                if let Some(known) = memory.of(case) {
                    return Some(TaskOutcome::Judged(Box::new(known)));
                }
                let outcome = self.perform(task, context, &context.exclusive_sandbox, JudgingPhase::Judging);
                self.keep(task, outcome.as_ref(), &memory);
                outcome
            }
        }
    }

    /// What is known of the submission of a task, if it is worth a look.
    fn load_cached(&self, task: RunTask, context: &RunContext<'a>) -> Option<Arc<CachedResults<'a>>> {
        let (number, cache_index) = (task.entry(), context.cache_index.as_ref()?);
        if context.prepared[number].is_settled(task.case()) {
            return None;
        }
        let entry = &self.plan.entries[number];
        // Elsewhere a case that is not accepted does not settle all behind it.
        let one_settles = self.stop_at_first && entry.promises.is_empty() && entry.problem.points.is_empty();
        let recall = || cache_index.load_cached(number, entry, self.compiler, one_settles);
        context.prepared[number].load_cached(recall)
    }

    /// Keeps what counts: no fault, and nothing that is to be held again.
    fn keep(&self, task: RunTask, outcome: Option<&TaskOutcome>, memory: &CachedResults<'_>) {
        if let (RunTask::Judge { case, .. }, Some(TaskOutcome::Judged(trial))) = (task, outcome)
            && !self.is_doubtful(task, trial)
        {
            memory.keep(case, trial);
        }
    }

    fn is_doubtful(&self, task: RunTask, trial: &Trial) -> bool {
        !trial.rerun && trial.is_doubtful(&self.plan.entries[task.entry()].limits())
    }

    /// Does a task, with its runs made in this sandbox, where judging a case is this phase.
    fn perform(
        &self,
        task: RunTask,
        context: &RunContext<'_>,
        sandbox: &dyn Sandbox,
        phase: fn(usize) -> JudgingPhase,
    ) -> Option<TaskOutcome> {
        let number = task.entry();
        let (entry, submission) = (&self.plan.entries[number], &context.prepared[number]);
        let make = || {
            let _busy = self.activity.begin(number, JudgingPhase::Compiling);
            language_check::make(entry, self.compiler, self.language_cache, sandbox)
        };
        match task {
            RunTask::Make { .. } => {
                submission.make_ready(make);
                None
            }
            RunTask::Judge { case, .. } => {
                // Only from now on: until then it may have been made ready, or waited for who did that.
                let mut busy = None;
                let job = |program: &Program| {
                    busy = Some(self.activity.begin(number, phase(case)));
                    entry.job(&entry.cases[case], program)
                };
                let outcome = submission.judge(case, make, job, sandbox);
                drop(busy);
                Some(outcome)
            }
        }
    }

    /// Takes the outcomes as they come and tells them in order.
    fn report_in_order(
        &self,
        context: &RunContext<'a>,
        // By value: when the consumer leaves early, workers must not wait for it.
        receiver: Receiver<TaskResult>,
        tell: &mut dyn FnMut(Event),
    ) -> Tally {
        // However this ends, even in a panic of a sink, no worker may wait for a report that will not come.
        let _closing = GateCloser(&context.gate);
        let mut tally = Tally::default();
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        let mut narrator: Option<SubmissionReporter<'_>> = None;
        for step in receiver {
            waiting.insert(step.number, step);
            while let Some(TaskResult { task, outcome, calibration, .. }) = waiting.remove(&next) {
                let outcome = self.confirm(task, outcome, context);
                // Asked last: what was judged while the judge was told to stop may be a fault for that reason.
                if self.interrupted.load(Ordering::Relaxed) {
                    return tally;
                }
                if let (RunTask::Judge { entry, case, round }, Some(outcome)) = (task, outcome) {
                    let of_plan = &self.plan.entries[entry];
                    let current = narrator.get_or_insert_with(|| {
                        SubmissionReporter::new(of_plan, self.stop_at_first, self.root)
                    });
                    context.prepared[entry].settle(current.note(case, outcome, calibration));
                    let is_last_round = round + 1 == self.repeat;
                    if is_last_round {
                        current.tell(case, &mut tally, tell);
                    }
                    context.prepared[entry].settle(0..current.settled_before());
                    if is_last_round && case + 1 == of_plan.cases.len() {
                        narrator.take().into_iter().for_each(|done| done.close(&mut tally, tell));
                        context.prepared[entry].clear();
                    }
                }
                next += 1;
                context.gate.report();
            }
        }
        tally
    }
}

#[cfg(test)]
mod tests;
