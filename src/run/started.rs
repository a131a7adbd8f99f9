//! Builds the first event of a suite.

use crate::model::{Event, LOG_VERSION};
use crate::run::suite::Suite;

/// The event that describes what is judged, where, and when.
pub(super) fn suite_started(suite: &Suite<'_>) -> Event {
    Event::SuiteStarted {
        log_version: LOG_VERSION,
        gridjudge: env!("CARGO_PKG_VERSION").to_owned(),
        sandbox: suite.level.to_owned(),
        notes: suite.notes.to_vec(),
        machine: suite.machine.to_owned(),
        started: suite.started.to_owned(),
        jobs: suite.jobs,
        submissions: suite.plan.entries.len(),
        trials: suite.plan.trials(),
        part: suite.plan.is_part,
        contest: suite.plan.contest.clone(),
    }
}
