//! The results of one submission, from its first attempt to its last: puts them in
//! order, and reports each as soon as all before it are certain. Workers call it, so
//! that a submission is settled before the next of its cases begins. Knows neither
//! which worker does what nor other submissions.

use std::collections::BTreeMap;
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use parking_lot::Mutex;

use crate::model::{ActivityGuard, Event, JudgingPhase, PlannedCase, Trial, Verdict};
use crate::run::{
    Attempt, AttemptResult, CaseOutcome, Doubt, RunContext, StepResult,
    SubmissionReporter,
};

/// The next events of a submission.
pub(super) struct ProgressReport {
    /// The place of the submission in the plan.
    pub(super) entry: usize,
    pub(super) events: Vec<Event>,
    /// The case that is reported next; the number of cases if there is none.
    pub(super) next_case: usize,
}

/// The results of one submission.
#[derive(Default)]
pub(super) struct SubmissionProgress<'a> {
    state: Mutex<ProgressState<'a>>,
}

#[derive(Default)]
enum ProgressState<'a> {
    #[default]
    NotBegun,
    Begun(Box<ReportedSubmission<'a>>),
    Ended,
}

struct ReportedSubmission<'a> {
    reporter: SubmissionReporter<'a>,
    /// The results that wait for earlier or better ones, by the number of the attempt.
    waiting: BTreeMap<usize, WaitingResult<'a>>,
    /// The number of the next attempt to report.
    next: usize,
    reported_cases: usize,
    /// Whether a doubtful attempt has been accepted when it was made again. Then later
    /// ones probably will be, too.
    was_acquitted: bool,
}

struct WaitingResult<'a> {
    attempt: Attempt,
    result: AttemptResult,
    /// `Some` as long as it is doubtful.
    doubt: Option<ActivityGuard<'a>>,
}

impl<'a> SubmissionProgress<'a> {
    /// Records the result of an attempt, and sends the events that follow from it and
    /// from those that waited for it.
    pub(super) fn record(
        &self,
        context: &'a RunContext<'a>,
        attempt: Attempt,
        result: AttemptResult,
        sender: &SyncSender<ProgressReport>,
    ) -> StepResult {
        let entry = attempt.case.entry;
        let mut state = self.state.lock();
        if matches!(*state, ProgressState::NotBegun) {
            *state = ProgressState::Begun(Box::new(ReportedSubmission {
                reporter: SubmissionReporter::new(context, entry),
                waiting: BTreeMap::new(),
                next: 0,
                reported_cases: 0,
                was_acquitted: false,
            }));
        }
        let ProgressState::Begun(submission) = &mut *state else {
            return StepResult::default();
        };
        // A case may have been settled, and reported, while a doubtful attempt at it
        // was made again.
        if attempt.number < submission.next {
            return StepResult::default();
        }
        let mut recorded = submission.insert(context, attempt, result);
        let mut events = vec![];
        submission.report(context, &mut events);
        let next_case = submission.reported_cases;
        let suite = context.suite;
        let attempts = suite.plan.entries[entry].cases.len() * suite.options.repeat;
        recorded.ends = submission.next == attempts;
        if recorded.ends {
            let prepared = &context.prepared[entry];
            if let ProgressState::Begun(ended) =
                std::mem::replace(&mut *state, ProgressState::Ended)
            {
                ended.reporter.close(prepared.compile_us(), &mut events);
            }
            prepared.clear();
            context.cache_index.clear(entry);
        }
        // Sent while the submission is locked, so that its events stay in order.
        // Sending fails only if the consumer has stopped early, because of a panic.
        if !events.is_empty() || recorded.ends {
            let _ = sender.send(ProgressReport {
                entry,
                events,
                next_case,
            });
        }
        recorded
    }

    /// The trial of a doubtful attempt, and its calibration; `None` if it has been
    /// reported.
    pub(super) fn doubtful(
        &self,
        attempt: Attempt,
    ) -> Option<(Box<Trial>, Option<Duration>)> {
        if let ProgressState::Begun(submission) = &*self.state.lock()
            && let Some(waiting) = submission.waiting.get(&attempt.number)
            && waiting.doubt.is_some()
            && let CaseOutcome::Judged(trial) = &waiting.result.outcome
        {
            Some((trial.clone(), waiting.result.calibration))
        } else {
            None
        }
    }
}

impl<'a> ReportedSubmission<'a> {
    fn insert(
        &mut self,
        context: &RunContext<'a>,
        attempt: Attempt,
        result: AttemptResult,
    ) -> StepResult {
        let planned = &context.suite.plan.entries[attempt.case.entry];
        let mut doubt = None;
        let mut suspends = false;
        if let CaseOutcome::Judged(trial) = &result.outcome {
            let is_accepted = trial.verdict == Verdict::Accepted;
            if planned.is_doubtful(trial) {
                let is_idle = trial.verdict == Verdict::IdleLimit;
                doubt = Some(if is_idle {
                    Doubt::Idle
                } else {
                    Doubt::NearLimit
                });
                suspends = context.suite.options.stop_at_first
                    && !is_accepted
                    && !self.was_acquitted;
            }
            self.was_acquitted |= trial.rerun && is_accepted;
        }
        let PlannedCase { entry, case } = attempt.case;
        let waits = doubt.map(|_| {
            context
                .suite
                .activity
                .begin(entry, JudgingPhase::Waiting(case))
        });
        self.waiting.insert(
            attempt.number,
            WaitingResult {
                attempt,
                result,
                doubt: waits,
            },
        );
        StepResult {
            doubt,
            suspends,
            ..StepResult::default()
        }
    }

    /// Reports all results that wait for nothing any more.
    fn report(&mut self, context: &RunContext<'_>, events: &mut Vec<Event>) {
        while let Some(first) = self.waiting.first_entry()
            && *first.key() == self.next
        {
            let waiting = first.get();
            let PlannedCase { entry, case } = waiting.attempt.case;
            let prepared = &context.prepared[entry];
            if waiting.doubt.is_some() && !prepared.is_settled(case) {
                return;
            }
            let waiting = first.remove();
            self.next += 1;
            let before = events.len();
            let suite = context.suite;
            let reporter = &mut self.reporter;
            prepared.settle(reporter.note_outcome(case, waiting.result));
            // After the last attempt at the case.
            if waiting.attempt.round + 1 == suite.options.repeat {
                reporter.report_case(case, events);
                self.reported_cases += 1;
                prepared.settle(reporter.left_out_after(case));
            }
            prepared.settle(0..reporter.settled_before());
            // A grader that was stopped by an interruption has not failed.
            if suite.plan.entries[entry].programs.grader.is_some()
                && suite.is_interrupted()
            {
                events.truncate(before);
            }
        }
    }
}
