//! The event that a suite begins with.

use crate::model::Event;
use crate::model::LOG_VERSION;
use crate::run::Suite;

impl Suite<'_> {
    /// What is to be judged, where, and when.
    pub(super) fn started(&self) -> Event {
        Event::SuiteStarted {
            log_version: LOG_VERSION,
            gridjudge: env!("CARGO_PKG_VERSION").to_owned(),
            sandbox: self.level.to_owned(),
            notes: self.notes.to_vec(),
            machine: self.machine.to_owned(),
            started: self.started.to_owned(),
            jobs: self.jobs,
            submissions: self.plan.entries.len(),
            trials: self.plan.trials(),
            part: self.plan.is_part,
            contest: self.plan.contest.clone(),
        }
    }
}
