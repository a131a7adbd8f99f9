//! The one consumer: takes what workers have done, as it comes, puts it in the order of the plan, confirms what is doubtful,
//! and hands it to the reporter of its submission.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use crate::model::Event;
use crate::model::PlannedCase;
use crate::run::context::RunContext;
use crate::run::exclusive_sandbox::Exclusive;
use crate::run::grading::grader;
use crate::run::reporter::SubmissionReporter;
use crate::run::schedule::GateCloser;
use crate::run::schedule::RunTask;
use crate::run::task_outcome::TaskOutcome;
use crate::run::workers::TaskResult;

/// Takes the results as they come and tells them in order.
pub(super) fn report_in_order(
    context: &RunContext<'_>,
    // By value: when the consumer leaves early, workers must not wait for it.
    receiver: Receiver<TaskResult>,
    tell: &mut dyn FnMut(Event),
) {
    // However this ends, even in a panic of a sink, no worker may wait for a report that will not come.
    let _closing = GateCloser(&context.gate);
    let alone = Exclusive(&context.exclusive_sandbox);
    let judge = context.judge_of_consumer(&alone);
    let mut consumer = Consumer { context, tell, reporter: None };
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for result in receiver {
        waiting.insert(result.number, result);
        while let Some(TaskResult { task, outcome, calibration, .. }) = waiting.remove(&next) {
            if let RunTask::Judge { entry, case, round } = task {
                let case = PlannedCase { entry, case };
                let outcome = judge.confirm(case, outcome);
                // Asked last: what was judged while the judge was told to stop may be a fault for that reason.
                if context.suite.interrupted.load(Ordering::Relaxed) {
                    return;
                }
                consumer.take(case, round, outcome, calibration);
            }
            next += 1;
            context.gate.report();
        }
    }
}

/// What has been told so far.
struct Consumer<'a, 'c> {
    context: &'a RunContext<'c>,
    tell: &'a mut dyn FnMut(Event),
    /// That of the submission whose turn it is.
    reporter: Option<SubmissionReporter<'a>>,
}

impl Consumer<'_, '_> {
    /// Takes one attempt at a case, the next in order.
    fn take(
        &mut self,
        PlannedCase { entry, case }: PlannedCase,
        round: usize,
        outcome: TaskOutcome,
        calibration: Option<Duration>,
    ) {
        let suite = self.context.suite;
        self.announce(PlannedCase { entry, case });
        let (planned, prepared) = (&suite.plan.entries[entry], &self.context.prepared[entry]);
        let reporter = self.reporter.get_or_insert_with(|| {
            SubmissionReporter::new(planned, suite.stop_at_first, suite.root)
                .graded_by(grader(self.context, entry))
        });
        prepared.settle(reporter.note(case, outcome, calibration));
        let is_last_round = round + 1 == suite.repeat;
        // A grader that was told to stop has not failed.
        let is_stopped = || planned.grader.is_some() && suite.interrupted.load(Ordering::Relaxed);
        let mut tell = |event| {
            if !is_stopped() {
                (self.tell)(event);
            }
        };
        if is_last_round {
            reporter.tell(case, &mut tell);
        }
        prepared.settle(0..reporter.settled_before());
        if is_last_round && case + 1 == planned.cases.len() {
            self.reporter.take().into_iter().for_each(|done| done.close(&mut tell));
            prepared.clear();
            self.context.cache_index.iter().for_each(|index| index.clear(entry));
            self.announce(PlannedCase { entry: entry + 1, case: 0 });
        } else if is_last_round {
            self.announce(PlannedCase { entry, case: case + 1 });
        }
    }

    /// Says that the turn of a case has come, to whom shows talks. Of one that is settled nothing is shown, whatever was said.
    fn announce(&self, case: PlannedCase) {
        let Some(prepared) = self.context.prepared.get(case.entry) else { return };
        if !prepared.is_settled(case.case) {
            self.context.suite.talks.iter().for_each(|talks| talks.turn(case));
        }
    }
}
