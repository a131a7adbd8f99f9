//! The one consumer of the workers' reports: emits the events in the order of the plan.

use crate::sorted::SortedMap;
use std::sync::mpsc::Receiver;

use crate::model::{Event, PlannedCase};
use crate::run::ProgressReport;
use crate::run::context::RunContext;
use crate::run::schedule::{Schedule, ScheduleCloser};

/// Receives the reports of all submissions as they come and emits their events in order.
pub(super) fn emit_in_order(
    context: &RunContext<'_>,
    schedule: &Schedule,
    // By value, so that it is dropped when the consumer panics: workers must not block on sending
    // to it.
    receiver: Receiver<ProgressReport>,
    emit: &mut dyn FnMut(Event),
) {
    // Even if `emit` panics, no worker may wait for a report that will not come.
    let _closing = ScheduleCloser(schedule);
    let entries = &context.suite.plan.entries;
    let mut waiting: SortedMap<usize, Vec<ProgressReport>> = SortedMap::new();
    let mut current = first_with_cases(context, 0);
    announce(
        context,
        PlannedCase {
            entry: current,
            case: 0,
        },
    );
    for report in receiver {
        waiting.entry(report.entry).or_default().push(report);
        while let Some(reports) = waiting.remove(&current) {
            let mut next_case = 0;
            for report in reports {
                report.events.into_iter().for_each(&mut *emit);
                next_case = report.next_case;
            }
            if next_case < entries[current].cases.len() {
                announce(
                    context,
                    PlannedCase {
                        entry: current,
                        case: next_case,
                    },
                );
                break;
            }
            current = first_with_cases(context, current + 1);
            schedule.reported_before(current);
            announce(
                context,
                PlannedCase {
                    entry: current,
                    case: 0,
                },
            );
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

/// Informs the display of interactions that a case is next in the report, unless the case is
/// settled: its interaction is never shown.
fn announce(context: &RunContext<'_>, case: PlannedCase) {
    let Some(display) = context.suite.options.interaction_display else {
        return;
    };
    let Some(prepared) = context.prepared.get(case.entry) else {
        return;
    };
    if !prepared.is_settled(case.case) {
        display.turn(case);
    }
}
