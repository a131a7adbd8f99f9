//! The workers: each performs one step after another and records its result. Knows neither the
//! order of the steps nor what is reported of the results.

use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;

use gridjudge_sandbox::calibrate;

use crate::model::PlannedCase;
use crate::run::context::RunContext;
use crate::run::progress::SubmissionProgress;
use crate::run::schedule::{Schedule, ScheduleCloser};
use crate::run::{
    Attempt, AttemptResult, CaseOutcome, Judge, ProgressReport, Step, StepResult, TrialConfirmer,
    catch_panic,
};

/// What all workers share.
#[derive(Clone, Copy)]
pub(super) struct Workers<'s, 'c> {
    pub(super) context: &'c RunContext<'c>,
    pub(super) schedule: &'s Schedule,
    /// One for each entry of the plan.
    pub(super) progress: &'s [SubmissionProgress<'c>],
}

impl Workers<'_, '_> {
    /// Performs steps as one worker, until there are none left or the judge is interrupted.
    pub(super) fn work(&self, sender: &SyncSender<ProgressReport>) {
        let _closing = ScheduleCloser(self.schedule);
        let judge = self.context.judge_of_workers();
        let confirmer = self.context.confirmer();
        let mut done = None;
        while let Some(step) = self.schedule.next(done) {
            if let Some(equal) = self.unended_equal(step) {
                done = Some((
                    step,
                    StepResult {
                        waits_for: Some(equal),
                        ..StepResult::default()
                    },
                ));
                continue;
            }
            let result = match step {
                Step::Judge(attempt) => Some(self.judge(attempt, &*judge)),
                Step::JudgeAgain(attempt) => self.judge_again(attempt, &confirmer),
            };
            // Checked after judging, because an interruption may itself have caused a fault.
            if self.context.suite.interrupted.load(Ordering::Relaxed) {
                return;
            }
            let attempt = step.attempt();
            let progress = &self.progress[attempt.case.entry];
            let recorded =
                result.map(|result| progress.record(self.context, attempt, result, sender));
            done = Some((step, recorded.unwrap_or_default()));
        }
    }

    /// The submission with the same program for whose results a submission waits before it begins,
    /// if there is one: nothing is run for both, and what comes from the cache does not depend on
    /// which of them was faster.
    fn unended_equal(&self, step: Step) -> Option<usize> {
        let attempt = step.attempt();
        let index = self
            .context
            .cache_index
            .as_ref()
            .filter(|_| attempt.number == 0)?;
        index
            .equal_before(attempt.case.entry)
            .filter(|equal| !self.schedule.has_ended(*equal))
    }

    fn is_expired(&self) -> bool {
        self.context.suite.expired.load(Ordering::Relaxed)
    }

    fn judge(&self, attempt: Attempt, judge: &dyn Judge) -> AttemptResult {
        let case = attempt.case;
        if self.context.prepared[case.entry].is_settled(case.case) {
            return AttemptResult {
                outcome: CaseOutcome::NotRun,
                calibration: None,
            };
        }
        if let Some(trial) = judge.recall(case) {
            return AttemptResult {
                outcome: CaseOutcome::Judged(Box::new(trial)),
                calibration: None,
            };
        }
        if self.is_expired() {
            return AttemptResult {
                outcome: CaseOutcome::Expired,
                calibration: None,
            };
        }
        self.schedule.share(case.entry);
        // Just before the run, because disturbances change within milliseconds.
        let calibration = (self.context.suite.options.repeat > 1).then(calibrate);
        AttemptResult {
            outcome: catch_panic(|| judge.judge(case)),
            calibration,
        }
    }

    /// Makes a doubtful attempt again. Returns `None` if it does not count any more.
    fn judge_again(
        &self,
        attempt: Attempt,
        confirmer: &TrialConfirmer<'_, '_>,
    ) -> Option<AttemptResult> {
        let PlannedCase { entry, case } = attempt.case;
        if self.context.prepared[entry].is_settled(case) {
            return None;
        }
        let first = self.progress[entry].doubtful(attempt)?;
        let outcome = if self.is_expired() {
            CaseOutcome::Expired
        } else {
            confirmer.confirm(attempt.case, *first.trial)
        };
        Some(AttemptResult {
            outcome,
            calibration: first.calibration,
        })
    }
}
