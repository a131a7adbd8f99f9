//! Judges a plan: the workers of a separate rayon pool judge the cases, and one consumer emits the
//! events in the order of the plan. Knows neither who receives the events nor how they are shown.
//! Start at [`Suite::judge`].
//!
//! ```text
//! Plan -> schedule -> [ worker  worker ... ] -> progress of a submission -> consumer -> events
//!                           |                       |
//!                        cached                 reporter: outcomes in order into events
//!                           |
//!                        plain: compile once, run and judge
//! ```
//!
//! `cached` wraps a [`judge`]. A worker takes a submission and judges its cases in order; doubtful
//! ones are judged again by the `confirmer` when the [`schedule`] says so. The consumer puts the
//! events of submissions in the order of the plan.

mod cached;
mod confirmer;
mod consumer;
mod context;
mod grading;
mod group_scores;
mod judge;
mod plain;
mod plan;
mod prepared;
mod progress;
mod reporter;
mod schedule;
mod suite;
mod transcribing_sandbox;
mod workers;

use std::sync::atomic::Ordering;
use std::sync::mpsc::sync_channel;

use gridjudge_sandbox::Fault;

use crate::model::{Event, Tally};

use cached::{CacheIndex, CachedJudge};
use confirmer::TrialConfirmer;
use context::RunContext;
use grading::GroupGrader;
use group_scores::{GroupScores, RootResult};
use judge::{CaseAttempts, CaseOutcome, Judge, catch_panic, micros};
use plain::PlainJudge;
use prepared::{PreparedProgram, PreparedSubmission};
use progress::{AttemptResult, ProgressReport, SubmissionProgress};
use reporter::SubmissionReporter;
use schedule::{Attempt, Doubt, Schedule, ScheduleCloser, Step, StepResult};
use transcribing_sandbox::TranscribingSandbox;
use workers::Workers;

pub use cached::add_timed;
pub(crate) use cached::of_case as case_key;
pub use plan::{AnswersFailure, PlannedAnswers, PlannedRefusal, ReadyAnswers};
pub use plan::{JudgingProgram, JudgingPrograms, Plan, PlanEntry};
pub use prepared::{
    JudgingProgramFailure, compile_judging_program, compile_program, unusable_language,
};
pub(crate) use reporter::records::of_trial as reason_of_trial;
pub(crate) use reporter::relative_to;
pub use suite::{JudgingOptions, Suite};

impl Suite<'_> {
    /// Judges everything and emits every event, in the order of the plan. Returns the tally that
    /// the last event carries.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the workers cannot be started. Faults of single trials are events.
    pub fn judge(&self, emit: &mut dyn FnMut(Event)) -> Result<Tally, Fault> {
        emit(suite::suite_started(self));
        let mut tally = Tally::default();
        self.judge_entries(&mut |event: Event| {
            event.count_in(&mut tally);
            emit(event);
        })?;
        let interrupted = self.interrupted.load(Ordering::Relaxed);
        emit(if interrupted {
            Event::SuiteInterrupted(tally)
        } else {
            Event::SuiteFinished(tally)
        });
        Ok(tally)
    }

    fn judge_entries(&self, emit: &mut dyn FnMut(Event)) -> Result<(), Fault> {
        let entries = &self.plan.entries;
        let context = RunContext::new(self);
        let cases = entries.iter().map(|entry| entry.cases.len()).collect();
        let schedule = Schedule::new(cases, self.options.repeat, self.jobs);
        let progress: Vec<_> = entries
            .iter()
            .map(|_| SubmissionProgress::default())
            .collect();
        let workers = Workers {
            context: &context,
            schedule: &schedule,
            progress: &progress,
        };
        let (sender, receiver) = sync_channel(self.jobs * 2);
        std::thread::scope(|scope| {
            let _closing = ScheduleCloser(&schedule);
            for number in 0..self.jobs {
                let sender = sender.clone();
                std::thread::Builder::new()
                    .name(format!("judge-{number}"))
                    .spawn_scoped(scope, move || workers.work(&sender))
                    .map_err(Fault::during("starting the workers"))?;
            }
            drop(sender);
            consumer::emit_in_order(&context, &schedule, receiver, emit);
            Ok(())
        })
    }
}

#[cfg(test)]
pub(crate) mod tests;
