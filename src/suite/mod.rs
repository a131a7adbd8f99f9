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

mod again;
mod bug;
mod fitness;
mod floor;
mod groups;
mod memory;
mod narrator;
mod plan;
mod queue;
mod reason;
mod series;
mod stage;
mod started;
mod step;

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
use crate::compile::Workshop;
use crate::model::Activity;
use crate::model::Event;
use crate::model::Phase;
use crate::model::Program;
use crate::model::Tally;
use crate::model::Trial;
use bug::caught;
pub use fitness::why_unfit;
use floor::Floor;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Sandbox;
use gridjudge_sandbox::beat;
use memory::Archive;
use memory::Memory;
use narrator::Narrator;
use narrator::Outcome;
pub use plan::Entry;
pub use plan::Plan;
use queue::Closing;
use queue::Gate;
use queue::Task;
use queue::tasks;
pub(crate) use reason::reason;
use stage::Stage;
use step::Step;

/// Everything that judging needs.
pub struct Suite<'a> {
    /// What to judge.
    pub plan: &'a Plan,
    /// Where to run it.
    pub sandbox: &'a dyn Sandbox,
    /// Where to make it.
    pub workshop: &'a Workshop,
    /// Where trials of an earlier time are, and those of this one go; none to run everything and keep nothing.
    pub cache: Option<&'a Cache>,
    /// Where it is kept which languages work here, if anywhere.
    pub proofs: Option<&'a Cache>,
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
struct Shop<'a> {
    gate: Gate,
    /// One for each entry of the plan.
    stages: Vec<Stage<'a>>,
    archive: Option<Archive<'a>>,
    /// Where all runs are made, those of compilers too.
    floor: Floor<'a>,
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
        let stages = self.plan.entries.iter().map(|_| Stage::default()).collect();
        let archive = self.cache.map(|cache| Archive::new(cache, self.plan));
        let shop = Shop { gate: Gate::default(), stages, archive, floor: Floor::new(self.sandbox) };
        let (sender, receiver) = sync_channel(self.jobs * 2);
        let tally = std::thread::scope(|scope| {
            scope.spawn(|| pool.install(|| self.work(&shop, sender)));
            self.narrate(&shop, receiver, tell)
        });
        let interrupted = self.interrupted.load(Ordering::Relaxed);
        tell(if interrupted { Event::SuiteInterrupted(tally) } else { Event::SuiteFinished(tally) });
        Ok(tally)
    }

    /// Does all tasks, on the pool.
    fn work(&self, shop: &Shop<'a>, sender: SyncSender<Step>) {
        let cases: Vec<_> = self.plan.entries.iter().map(|entry| entry.cases.len()).collect();
        let steps = tasks(&cases, self.repeat, self.jobs).enumerate().take_while(|(number, _)| {
            // Asked under the bridge's lock, in order: who waits here makes the others wait, too.
            !self.interrupted.load(Ordering::Relaxed) && shop.gate.pass(*number)
        });
        steps.par_bridge().for_each_with(sender, |sender, (number, task)| {
            // Just before the run, for the weather changes within milliseconds.
            let beat = (self.repeat > 1).then(beat);
            let outcome = caught(|| self.attend(task, shop));
            // The consumer leaves early only when it was interrupted.
            let _ = sender.send(Step { number, task, outcome, beat });
        });
    }

    /// Does a task, unless what it comes to is known, and keeps what it comes to.
    fn attend(&self, task: Task, shop: &Shop<'a>) -> Option<Outcome> {
        let Some(memory) = self.recall(task, shop) else {
            return self.carry_out(task, shop, &shop.floor, Phase::Judging);
        };
        match task {
            Task::Make { .. } if memory.is_enough() => None,
            Task::Make { .. } => self.carry_out(task, shop, &shop.floor, Phase::Judging),
            Task::Judge { case, .. } if memory.is_settled_before(case) => Some(Outcome::NotRun),
            Task::Judge { case, .. } => {
                if let Some(known) = memory.of(case) {
                    return Some(Outcome::Judged(Box::new(known)));
                }
                let outcome = self.carry_out(task, shop, &shop.floor, Phase::Judging);
                self.keep(task, outcome.as_ref(), &memory);
                outcome
            }
        }
    }

    /// What is known of the submission of a task, if it is worth a look.
    fn recall(&self, task: Task, shop: &Shop<'a>) -> Option<Arc<Memory<'a>>> {
        let (number, archive) = (task.entry(), shop.archive.as_ref()?);
        if shop.stages[number].is_settled(task.case()) {
            return None;
        }
        let entry = &self.plan.entries[number];
        // Elsewhere a case that is not accepted does not settle all behind it.
        let one_settles = self.stop_at_first && entry.promises.is_empty() && entry.problem.points.is_empty();
        let recall = || archive.recall(number, entry, self.workshop, one_settles);
        shop.stages[number].recall(recall)
    }

    /// Keeps what counts: no fault, and nothing that is to be held again.
    fn keep(&self, task: Task, outcome: Option<&Outcome>, memory: &Memory<'_>) {
        if let (Task::Judge { case, .. }, Some(Outcome::Judged(trial))) = (task, outcome)
            && !self.is_doubtful(task, trial)
        {
            memory.keep(case, trial);
        }
    }

    fn is_doubtful(&self, task: Task, trial: &Trial) -> bool {
        !trial.rerun && trial.is_doubtful(&self.plan.entries[task.entry()].limits())
    }

    /// Does a task, with its runs made in this sandbox, where judging a case is this phase.
    fn carry_out(
        &self,
        task: Task,
        shop: &Shop<'_>,
        sandbox: &dyn Sandbox,
        phase: fn(usize) -> Phase,
    ) -> Option<Outcome> {
        let number = task.entry();
        let (entry, stage) = (&self.plan.entries[number], &shop.stages[number]);
        let make = || {
            let _busy = self.activity.begin(number, Phase::Compiling);
            fitness::make(entry, self.workshop, self.proofs, sandbox)
        };
        match task {
            Task::Make { .. } => {
                stage.make_ready(make);
                None
            }
            Task::Judge { case, .. } => {
                // Only from now on: until then it may have been made ready, or waited for who did that.
                let mut busy = None;
                let job = |program: &Program| {
                    busy = Some(self.activity.begin(number, phase(case)));
                    entry.job(&entry.cases[case], program)
                };
                let outcome = stage.judge(case, make, job, sandbox);
                drop(busy);
                Some(outcome)
            }
        }
    }

    /// Takes the outcomes as they come and tells them in order.
    fn narrate(
        &self,
        shop: &Shop<'a>,
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
        for step in receiver {
            waiting.insert(step.number, step);
            while let Some(Step { task, outcome, beat, .. }) = waiting.remove(&next) {
                let outcome = self.confirm(task, outcome, shop);
                // Asked last: what was judged while the judge was told to stop may be a fault for that reason.
                if self.interrupted.load(Ordering::Relaxed) {
                    return tally;
                }
                if let (Task::Judge { entry, case, round }, Some(outcome)) = (task, outcome) {
                    let of_plan = &self.plan.entries[entry];
                    let current =
                        narrator.get_or_insert_with(|| Narrator::new(of_plan, self.stop_at_first, self.root));
                    shop.stages[entry].settle(current.note(case, outcome, beat));
                    let is_last_round = round + 1 == self.repeat;
                    if is_last_round {
                        current.tell(case, &mut tally, tell);
                    }
                    shop.stages[entry].settle(0..current.settled_before());
                    if is_last_round && case + 1 == of_plan.cases.len() {
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

#[cfg(test)]
mod tests;
