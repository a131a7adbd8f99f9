//! Judges a plan: several workers judge the cases, and one consumer emits the events in
//! the order of the plan. Knows neither who receives the
//! events nor how they are shown. Start at [`Suite::judge`].
//!
//! ```text
//! Plan -> schedule -> [ worker  worker ... ] -> progress of a submission -> consumer -> events
//!                           |                       |
//!                        cached                 reporter: outcomes in order into events
//!                           |
//!                        plain: compile once, run and judge
//! ```
//!
//! A worker takes a submission and judges its cases in order; doubtful ones are judged
//! again by the [`context`] when the [`schedule`] says so. The consumer puts the events
//! of submissions in the order of the plan.

mod cached;
mod context;
mod group_scores;
mod judge;
mod plain;
mod plan;
mod prepared;
mod progress;
mod reporter;
mod schedule;

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use gridjudge_sandbox::{Fault, calibrate};

use crate::model::{Event, PlannedCase, SuiteStart, Tally};

use cached::CacheIndex;
use context::RunContext;
use group_scores::{GroupGrader, GroupScores};
use judge::{AttemptResult, CaseAttempts, CaseOutcome, catch_panic};

use prepared::{ByProgram, PreparedProgram, PreparedSubmission, identity};
use progress::{ProgressReport, SubmissionProgress};
use reporter::SubmissionReporter;
use schedule::{Attempt, Doubt, Schedule, ScheduleCloser, StepResult};

pub use cached::add_timed;
pub(crate) use cached::of_case as case_key;
pub use plan::{
    JudgingOptions, JudgingProgram, JudgingPrograms, Plan, PlanEntry, PlannedAnswers,
    ReadyAnswers, Suite,
};
pub(crate) use reporter::{reason_of_trial, relative_to};

impl Suite<'_> {
    /// Judges everything and emits every event, in the order of the plan. Returns the
    /// tally that the last event carries.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the workers cannot be started. Faults of single trials
    /// are events.
    pub fn judge(&self, emit: &mut dyn FnMut(Event)) -> Result<Tally, Fault> {
        emit(Event::SuiteStarted(Box::new(SuiteStart {
            jobs: self.jobs,
            submissions: self.plan.entries.len(),
            trials: self.plan.trials(),
            part: self.plan.is_part,
            contest: self.plan.contest.clone(),
            shard: self.plan.shard.clone(),
            ..self.opening.clone()
        })));
        let mut tally = Tally::default();
        self.judge_entries(&mut |event: Event| {
            event.count_in(&mut tally);
            emit(event);
        })?;
        emit(Event::ending(tally, self.is_interrupted()));
        Ok(tally)
    }

    fn judge_entries(&self, emit: &mut dyn FnMut(Event)) -> Result<(), Fault> {
        let entries = &self.plan.entries;
        let mut context = RunContext::new(self);
        context.prepare_programs();
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
        thread::scope(|scope| {
            let _closing = ScheduleCloser(&schedule);
            for number in 0..self.jobs {
                let sender = sender.clone();
                thread::Builder::new()
                    .name(format!("judge-{number}"))
                    .spawn_scoped(scope, move || workers.work(&sender))
                    .map_err(Fault::during("starting the workers"))?;
            }
            drop(sender);
            emit_in_order(&context, &schedule, receiver, emit);
            Ok(())
        })
    }
}

/// What all workers share.
#[derive(Clone, Copy)]
struct Workers<'s, 'c> {
    context: &'c RunContext<'c>,
    schedule: &'s Schedule,
    /// One for each entry of the plan.
    progress: &'s [SubmissionProgress<'c>],
}

impl Workers<'_, '_> {
    /// Performs steps as one worker, until there are none left or the judge is
    /// interrupted.
    fn work(&self, sender: &SyncSender<ProgressReport>) {
        let _closing = ScheduleCloser(self.schedule);
        let mut done = None;
        while let Some(attempt) = self.schedule.next(done) {
            // The submission with the same program for whose results this one waits
            // before it begins, if there is one: nothing is run for both, and what comes
            // from the cache does not depend on which of them was faster.
            let index = &self.context.cache_index;
            let waits_for = Some(attempt.case.entry)
                .filter(|_| attempt.number == 0)
                .and_then(|entry| index.equal_before(entry))
                .filter(|equal| !self.schedule.has_ended(*equal));
            if waits_for.is_some() {
                let result = StepResult {
                    waits_for,
                    ..StepResult::default()
                };
                done = Some((attempt, result));
                continue;
            }
            let result = if attempt.is_again {
                self.judge_again(attempt)
            } else {
                Some(self.judge(attempt.case))
            };
            // Checked after judging, because an interruption may itself have caused a
            // fault.
            if self.context.suite.is_interrupted() {
                return;
            }
            let progress = &self.progress[attempt.case.entry];
            let recorded = result
                .map(|result| progress.record(self.context, attempt, result, sender));
            done = Some((attempt, recorded.unwrap_or_default()));
        }
    }

    fn judge(&self, case: PlannedCase) -> AttemptResult {
        let mut calibration = None;
        let outcome = self.outcome_without_run(case).unwrap_or_else(|| {
            self.schedule.share(case.entry);
            // Just before the run, because disturbances change within milliseconds.
            calibration = (self.context.suite.options.repeat > 1).then(calibrate);
            catch_panic(|| self.context.judge(case))
        });
        AttemptResult {
            outcome,
            calibration,
        }
    }

    /// The outcome of a case for which nothing need be run, or may be.
    fn outcome_without_run(&self, case: PlannedCase) -> Option<CaseOutcome> {
        if let Some(Some(failure)) = self.context.unjudgeable.get(case.entry) {
            // The first case tells it, and the others have nothing to add.
            return Some(match case.case {
                0 => CaseOutcome::Failed(failure.clone()),
                _ => CaseOutcome::NotRun,
            });
        }
        if self.context.prepared[case.entry].is_settled(case.case) {
            return Some(CaseOutcome::NotRun);
        }
        if let Some(trial) = self.context.cache_index.trial(case) {
            return Some(CaseOutcome::Judged(Box::new(trial)));
        }
        (self.context.suite.is_expired)().then_some(CaseOutcome::Expired)
    }

    /// Makes a doubtful attempt again. Returns `None` if it does not count any more.
    fn judge_again(&self, attempt: Attempt) -> Option<AttemptResult> {
        let PlannedCase { entry, case } = attempt.case;
        if self.context.prepared[entry].is_settled(case) {
            return None;
        }
        let (first, calibration) = self.progress[entry].doubtful(attempt)?;
        let outcome = if (self.context.suite.is_expired)() {
            CaseOutcome::Expired
        } else {
            self.context.confirm(attempt.case, *first)
        };
        Some(AttemptResult {
            outcome,
            calibration,
        })
    }
}

/// Receives the reports of all submissions as they come and emits their events in
/// order.
fn emit_in_order(
    context: &RunContext<'_>,
    schedule: &Schedule,
    // By value, so that it is dropped when the consumer panics: workers must not block
    // on sending to it.
    receiver: Receiver<ProgressReport>,
    emit: &mut dyn FnMut(Event),
) {
    // Even if `emit` panics, no worker may wait for a report that will not come.
    let _closing = ScheduleCloser(schedule);
    let entries = &context.suite.plan.entries;
    let mut waiting: BTreeMap<usize, Vec<ProgressReport>> = BTreeMap::new();
    let mut current = first_with_cases(context, 0);
    announce(context, current, 0);
    for report in receiver {
        waiting.entry(report.entry).or_default().push(report);
        while let Some(reports) = waiting.remove(&current) {
            let mut next_case = 0;
            for report in reports {
                report.events.into_iter().for_each(&mut *emit);
                next_case = report.next_case;
            }
            if next_case == entries[current].cases.len() {
                current = first_with_cases(context, current + 1);
                schedule.reported_before(current);
                next_case = 0;
            }
            announce(context, current, next_case);
        }
    }
}

/// The first submission from `entry` on that is judged on any case.
fn first_with_cases(context: &RunContext<'_>, entry: usize) -> usize {
    let entries = &context.suite.plan.entries;
    (entry..entries.len())
        .find(|entry| !entries[*entry].cases.is_empty())
        .unwrap_or(entries.len())
}

/// Informs the display of interactions that a case is next in the report, unless the
/// case is settled: its interaction is never shown.
fn announce(context: &RunContext<'_>, entry: usize, case: usize) {
    if let Some(display) = context.suite.options.interaction_display
        && let Some(prepared) = context.prepared.get(entry)
        && !prepared.is_settled(case)
    {
        display.turn(PlannedCase { entry, case });
    }
}

#[cfg(test)]
pub(crate) mod tests;
