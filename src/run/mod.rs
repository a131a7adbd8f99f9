//! Judges a plan: the workers of a separate rayon pool judge the cases, and one consumer emits the events in
//! the order of the plan. Knows neither who receives the events nor how they are shown. Start at
//! [`Suite::judge`].
//!
//! ```text
//! Plan -> steps -> [ worker  worker ... ] -> bounded channel -> consumer -> reporter -> events
//!            ^            |                                        |
//!            |         cached: cached trials are not run        confirmer: doubtful cases are rerun alone
//!            |            |                                        |
//!            |         plain: compile once, run and judge       plain
//!            +------------- gate: at most a window ahead ----------+
//! ```
//!
//! `cached` and `confirmer` each wrap a [`judge`]. The consumer itself judges doubtful cases again, just
//! before it reports them; see [`confirmer`].

mod attempts;
mod cache_keys;
mod cached;
mod case_outcome;
mod catch_panic;
mod confirmer;
mod consumer;
mod context;
mod exclusive_sandbox;
mod expectation_check;
mod grading;
mod group_scores;
mod judge;
mod language_check;
mod plain;
mod plan;
mod planned_answers;
mod planned_refusal;
mod prepared;
mod prepared_checker;
mod reason;
mod reporter;
mod schedule;
mod started;
mod suite;
mod transcribing_sandbox;
mod workers;

use std::sync::atomic::Ordering;
use std::sync::mpsc::sync_channel;

use crate::model::Event;
use crate::model::Tally;
pub use cache_keys::add_timed;
use context::RunContext;
use gridjudge_sandbox::Fault;
pub use language_check::compile_program;
pub use language_check::unusable_language;
pub use plan::Plan;
pub use plan::PlanEntry;
pub use plan::PlannedChecker;
pub use planned_answers::AnswersFailure;
pub use planned_answers::PlannedAnswers;
pub use planned_answers::ReadyAnswers;
pub use planned_refusal::PlannedRefusal;
pub use prepared_checker::CheckerFailure;
pub use prepared_checker::compile_checker_program;
pub(crate) use reason::of_trial as reason_of_trial;
pub(crate) use reporter::relative_to;
pub use suite::JudgingOptions;
pub use suite::Suite;

impl Suite<'_> {
    /// Judges everything and emits every event, in the order of the plan. Returns the tally that the last
    /// event carries.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the thread pool cannot be started. Faults of single trials are events.
    pub fn judge(&self, emit: &mut dyn FnMut(Event)) -> Result<Tally, Fault> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.jobs)
            .thread_name(|number| format!("judge-{number}"))
            .build()
            .map_err(|error| Fault::new("starting the workers", error))?;
        emit(started::suite_started(self));
        let context = RunContext::new(self);
        let (sender, receiver) = sync_channel(self.jobs * 2);
        let mut tally = Tally::default();
        let mut count_and_emit = |event: Event| {
            event.count_in(&mut tally);
            emit(event);
        };
        std::thread::scope(|scope| {
            scope.spawn(|| pool.install(|| workers::work(&context, sender)));
            consumer::report_in_order(&context, receiver, &mut count_and_emit);
        });
        let interrupted = self.interrupted.load(Ordering::Relaxed);
        emit(if interrupted { Event::SuiteInterrupted(tally) } else { Event::SuiteFinished(tally) });
        Ok(tally)
    }
}

#[cfg(test)]
mod tests;
