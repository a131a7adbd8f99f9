//! The one consumer of the workers' results: puts them in the order of the plan, confirms the doubtful ones,
//! and passes them to the reporter of their submission.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use crate::model::Event;
use crate::model::PlannedCase;
use crate::run::case_outcome::CaseOutcome;
use crate::run::context::RunContext;
use crate::run::exclusive_sandbox::Exclusive;
use crate::run::grading::grader;
use crate::run::reporter::SubmissionReporter;
use crate::run::schedule::GateCloser;
use crate::run::schedule::RunStep;
use crate::run::workers::StepResult;

/// Receives the results as they come and reports them in order.
pub(super) fn report_in_order(
    context: &RunContext<'_>,
    // By value, so that it is dropped when the consumer stops early: workers must not block on sending to it.
    receiver: Receiver<StepResult>,
    emit: &mut dyn FnMut(Event),
) {
    // However this ends, even in a panic of `emit`, no worker may wait for a report that will not come.
    let _closing = GateCloser(&context.gate);
    let alone = Exclusive(&context.exclusive_sandbox);
    let confirmer = context.confirmer(&alone);
    let mut consumer = Consumer { context, emit, reporter: None };
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for result in receiver {
        waiting.insert(result.number, result);
        while let Some(StepResult { step, outcome, calibration, .. }) = waiting.remove(&next) {
            if let RunStep::Judge { case, round } = step {
                let outcome = confirmer.confirm(case, outcome);
                // Checked after judging, because an interruption may itself have caused a fault.
                if context.suite.interrupted.load(Ordering::Relaxed) {
                    return;
                }
                consumer.report_attempt(case, round, outcome, calibration);
            }
            next += 1;
            context.gate.report();
        }
    }
}

/// The state of the report.
struct Consumer<'a, 'c> {
    context: &'a RunContext<'c>,
    emit: &'a mut dyn FnMut(Event),
    /// The reporter of the current submission.
    reporter: Option<SubmissionReporter<'a>>,
}

impl Consumer<'_, '_> {
    /// Records the next attempt at a case, and reports the case if this is the last. Must be called in order.
    fn report_attempt(
        &mut self,
        PlannedCase { entry, case }: PlannedCase,
        round: usize,
        outcome: CaseOutcome,
        calibration: Option<Duration>,
    ) {
        let suite = self.context.suite;
        self.announce(PlannedCase { entry, case });
        let (planned, prepared) = (&suite.plan.entries[entry], &self.context.prepared[entry]);
        let reporter = self.reporter.get_or_insert_with(|| {
            SubmissionReporter::new(planned, suite.options.stop_at_first, suite.root)
                .graded_by(grader(self.context, entry))
        });
        prepared.settle(reporter.note(case, outcome, calibration));
        let is_last_round = round + 1 == suite.options.repeat;
        // A grader that was stopped by an interruption has not failed.
        let is_stopped = || planned.grader.is_some() && suite.interrupted.load(Ordering::Relaxed);
        let mut emit = |event| {
            if !is_stopped() {
                (self.emit)(event);
            }
        };
        if is_last_round {
            reporter.report_case(case, &mut emit);
            prepared.settle(reporter.left_out_after(case));
        }
        prepared.settle(0..reporter.settled_before());
        if is_last_round && case + 1 == planned.cases.len() {
            self.reporter.take().into_iter().for_each(|done| done.close(&mut emit));
            prepared.clear();
            self.context.cache_index.iter().for_each(|index| index.clear(entry));
            self.announce(PlannedCase { entry: entry + 1, case: 0 });
        } else if is_last_round {
            self.announce(PlannedCase { entry, case: case + 1 });
        }
    }

    /// Informs the display of interactions that a case is next in the report, unless the case is settled: its
    /// interaction is never shown.
    fn announce(&self, case: PlannedCase) {
        let Some(prepared) = self.context.prepared.get(case.entry) else { return };
        if !prepared.is_settled(case.case) {
            self.context.suite.options.interaction_display.iter().for_each(|display| display.turn(case));
        }
    }
}
