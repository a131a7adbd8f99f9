//! Carries out a plan: workers of an own rayon pool judge, one consumer tells what happened, in the order of the plan.
//! Knows neither who listens nor how results are shown. Start at [`Suite::judge`].
//!
//! ```text
//! Plan -> tasks -> [ worker  worker ... ] -> bounded channel -> narrator -> events
//!            ^            |                                        |
//!            |            +- compile once, hold each trial         +- hold a doubtful trial again, alone
//!            +------------- gate: at most a window ahead ----------+
//! ```
//!
//! The consumer itself holds trials again, when they are to be told: so it is done in the order of the plan, only for
//! submissions that no earlier case has settled, and by one thread, whatever the number of workers.

mod floor;
mod narrator;
mod plan;
mod queue;
mod stage;

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::sync::mpsc::SyncSender;
use std::sync::mpsc::sync_channel;

use rayon::iter::ParallelBridge;
use rayon::iter::ParallelIterator;

use crate::compile::Workshop;
use crate::model::Event;
use crate::model::Fault;
use crate::model::LOG_VERSION;
use crate::model::Program;
use crate::model::Tally;
use crate::sandbox::Sandbox;
use floor::Alone;
use floor::Floor;
use narrator::Narrator;
use narrator::Outcome;
pub use plan::Entry;
pub use plan::Plan;
use queue::Closing;
use queue::Gate;
use queue::Task;
use queue::tasks;
use stage::Stage;

/// Everything that judging needs.
pub struct Suite<'a> {
    /// What to judge.
    pub plan: &'a Plan,
    /// Where to run it.
    pub sandbox: &'a dyn Sandbox,
    /// Where to make it.
    pub workshop: &'a Workshop,
    /// Runs at once.
    pub jobs: usize,
    /// Whether a submission's first case that is not accepted settles it.
    pub stop_at_first: bool,
    /// The sandbox's level, for the log.
    pub level: &'a str,
    /// What this machine does not give, for the log.
    pub notes: &'a [String],
    /// Set from outside to stop.
    pub interrupted: &'a AtomicBool,
}

/// An outcome and the step of the order that it belongs to; none where a step has nothing to tell.
type Step = (usize, Task, Option<Outcome>);

/// What workers and the consumer share while they carry out a plan.
struct Shop<'a> {
    gate: Gate,
    /// One for each entry of the plan.
    stages: Vec<Stage>,
    /// Where all runs are made, those of compilers too.
    floor: Floor<'a>,
}

impl Suite<'_> {
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
        let stages = self.plan.entries.iter().map(|_| Stage::default()).collect();
        let shop = Shop { gate: Gate::default(), stages, floor: Floor::new(self.sandbox) };
        let (sender, receiver) = sync_channel(self.jobs * 2);
        let tally = std::thread::scope(|scope| {
            scope.spawn(|| pool.install(|| self.work(&shop, sender)));
            self.narrate(&shop, receiver, tell)
        });
        let interrupted = self.interrupted.load(Ordering::Relaxed);
        tell(if interrupted { Event::SuiteInterrupted(tally) } else { Event::SuiteFinished(tally) });
        Ok(tally)
    }

    fn started(&self) -> Event {
        Event::SuiteStarted {
            log_version: LOG_VERSION,
            gridjudge: env!("CARGO_PKG_VERSION").to_owned(),
            sandbox: self.level.to_owned(),
            notes: self.notes.to_vec(),
            jobs: self.jobs,
            submissions: self.plan.entries.len(),
            trials: self.plan.trials(),
        }
    }

    /// Does all tasks, on the pool.
    fn work(&self, shop: &Shop<'_>, sender: SyncSender<Step>) {
        let cases: Vec<_> = self.plan.entries.iter().map(|entry| entry.cases.len()).collect();
        let steps = tasks(&cases, self.jobs).enumerate().take_while(|(step, _)| {
            // Asked under the bridge's lock, in order: who waits here makes the others wait, too.
            !self.interrupted.load(Ordering::Relaxed) && shop.gate.pass(*step)
        });
        steps.par_bridge().for_each_with(sender, |sender, (step, task)| {
            let outcome = self.carry_out(task, shop, &shop.floor);
            // The consumer leaves early only when it was interrupted.
            let _ = sender.send((step, task, outcome));
        });
    }

    /// Does a task, with its runs made in this sandbox.
    fn carry_out(&self, task: Task, shop: &Shop<'_>, sandbox: &dyn Sandbox) -> Option<Outcome> {
        let (Task::Make { entry: number } | Task::Judge { entry: number, .. }) = task;
        let (entry, stage) = (&self.plan.entries[number], &shop.stages[number]);
        let make = || {
            let Entry { problem, submission, language, .. } = entry;
            self.workshop.make(submission, language.as_deref(), problem.limits.memory_bytes, sandbox)
        };
        let outcome = catch_unwind(AssertUnwindSafe(|| match task {
            Task::Make { .. } => {
                stage.make_ready(make);
                None
            }
            Task::Judge { case, .. } => {
                let job = |program: &Program| entry.job(&entry.cases[case], program);
                Some(stage.judge(make, job, sandbox))
            }
        }));
        outcome.unwrap_or_else(|panic| Some(Outcome::Faulted(bug(panic.as_ref()))))
    }

    /// What a task came to, after its trial has been held again, alone, if the first is doubtful.
    fn confirm(&self, task: Task, first: Option<Outcome>, shop: &Shop<'_>) -> Option<Outcome> {
        let (Task::Judge { entry, .. }, Some(Outcome::Judged(trial))) = (task, &first) else { return first };
        if !trial.is_doubtful(&self.plan.entries[entry].limits()) {
            return first;
        }
        match (self.carry_out(task, shop, &Alone(&shop.floor)), first) {
            (Some(Outcome::Judged(again)), Some(Outcome::Judged(first))) => {
                Some(Outcome::Judged(Box::new(first.held_again(*again))))
            }
            // An earlier case has settled the submission: nobody will hear of this one.
            (Some(Outcome::NotRun), first) => first,
            (again, _) => again,
        }
    }

    /// Takes the outcomes as they come and tells them in order.
    fn narrate(
        &self,
        shop: &Shop<'_>,
        // By value: when the consumer leaves early, workers must not wait for it.
        receiver: Receiver<Step>,
        tell: &mut dyn FnMut(Event),
    ) -> Tally {
        // However this ends, also in a panic of who listens, nobody is to wait for a report that will not come.
        let _closing = Closing(&shop.gate);
        let mut tally = Tally::default();
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        let mut narrator: Option<Narrator<'_>> = None;
        for (step, task, outcome) in receiver {
            waiting.insert(step, (task, outcome));
            while let Some((task, outcome)) = waiting.remove(&next) {
                let outcome = self.confirm(task, outcome, shop);
                // Asked last: what was judged while the judge was told to stop may be a fault for that reason.
                if self.interrupted.load(Ordering::Relaxed) {
                    return tally;
                }
                if let (Task::Judge { entry, case }, Some(outcome)) = (task, outcome) {
                    let of_plan = &self.plan.entries[entry];
                    let current = narrator.get_or_insert_with(|| Narrator::new(of_plan, self.stop_at_first));
                    current.tell(case, outcome, &mut tally, tell);
                    if current.is_settled() {
                        shop.stages[entry].settle();
                    }
                    if case + 1 == of_plan.cases.len() {
                        narrator.take().into_iter().for_each(|done| done.close(&mut tally, tell));
                        shop.stages[entry].clear();
                    }
                }
                next += 1;
                shop.gate.report();
            }
        }
        tally
    }
}

/// A panic of ours. Every case is told, whatever happens to one.
fn bug(panic: &(dyn Any + Send)) -> Fault {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    Fault::because("judging", format!("a bug of gridjudge: {}", text.unwrap_or("it panicked")))
        .with_remedy("report it, with the files that it was judging")
}

#[cfg(test)]
mod tests;
