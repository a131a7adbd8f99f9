//! Passes the events of judging on to everything that reports them, with the mistakes in problems
//! among them.

use crate::cli::args::GlobalOptions;
use crate::cli::cancel::CancelToken;
use crate::cli::exit::CommandError;
use crate::cli::session::baseline_check::BaselineCheck;
use crate::cli::session::judge_session::JudgeSession;
use crate::cli::session::sinks::SinkSet;
use crate::cli::session::time_rules::{CheckedTimes, TimeRules};
use crate::model::{Event, MistakeRecord};
use crate::spec::JudgeFolder;

/// Everything that gets the events of judging.
pub(crate) struct SuiteReports<'a> {
    pub(crate) sinks: SinkSet,
    pub(crate) baseline: Option<BaselineCheck<'a>>,
    pub(crate) time_rules: TimeRules<'a>,
    /// The mistakes found before judging, until they are reported.
    pub(crate) mistakes: Vec<MistakeRecord>,
    /// The last event, until it is reported: the mistakes that only the times show come before it.
    pub(crate) last: Option<Event>,
}

impl SuiteReports<'_> {
    pub(crate) fn take(&mut self, event: Event) {
        self.time_rules.take(&event);
        self.baseline
            .iter_mut()
            .for_each(|baseline| baseline.take(&event));
        match event {
            Event::SuiteFinished(_) | Event::SuiteInterrupted(_) => self.last = Some(event),
            Event::SuiteStarted { .. } => {
                self.sinks.send(&event);
                self.sinks.send_mistakes(self.mistakes.drain(..));
            }
            event => self.sinks.send(&event),
        }
    }

    /// Checks the time limits, and reports the rest.
    ///
    /// # Errors
    /// If the judge itself failed at that check.
    pub(crate) fn finish(
        &mut self,
        session: &JudgeSession,
        folder: &JudgeFolder,
        common: &GlobalOptions,
        cancel: &CancelToken,
    ) -> Result<CheckedTimes, CommandError> {
        self.last
            .iter()
            .for_each(|last| self.sinks.end_progress(last));
        let checked = self.time_rules.check(session, common, cancel);
        checked
            .iter()
            .for_each(|checked| self.sinks.send_mistakes(checked.records(folder, common)));
        self.last
            .take()
            .iter()
            .for_each(|last| self.sinks.send(last));
        checked
    }
}
